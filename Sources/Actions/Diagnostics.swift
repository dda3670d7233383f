import Glibc
import Services
import Storage
package import Vocabulary

/// The use cases of `doctor`: checks and repairs. It also holds the workflows that are set aside.
package struct Diagnostics: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of a process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    private var repairs: DatabaseRepair { DatabaseRepair(shared: shared) }

    // MARK: Checks

    /// Returns the findings about everything that Assent needs.
    ///
    /// - Parameter isThorough: whether all contents and all workflows are checked, and not only some of them.
    package func examine(isThorough: Bool) async -> [Finding] {
        let stored = await shared.blocking { StorageChecks(shared: shared).findings(isThorough: isThorough) }
        let installation = InstallationChecks(shared: shared)
        let shelter = await shared.blocking { installation.shelter }
        return [folders] + ConfigurationChecks(shared: shared).findings + stored + workers + shelter
            + installation.programs + (await ModelChecks(shared: shared).findings())
    }

    /// The finding about the data folder.
    private var folders: Finding {
        do throws(Failure) {
            try shared.folders.makeData()
            let isWritable = access(shared.folders.data, W_OK) == 0
            return Finding(
                isFine: isWritable, name: "data folder",
                words: isWritable ? shared.folders.data : "\(shared.folders.data) cannot be written")
        } catch {
            return Finding(name: "data folder", error)
        }
    }

    /// The background workers (`assent work`), one finding each.
    private var workers: [Finding] {
        do throws(Failure) {
            return try WorkflowRecords(shared).workers().map { worker in
                Finding(isFine: true, name: "worker", words: worker.words(now: OpenWorkspace.now()))
            }
        } catch {
            // Problems of the database have their own finding.
            return []
        }
    }

    // MARK: Repairs

    /// Releases the damaged workflows that are sound again. A workflow that is not is first rebuilt from its events.
    package func repair() async throws(Failure) -> [Finding] {
        try await shared.blocking { () throws(Failure) in try repairs.repair() }
    }

    /// Rebuilds the states of all workflows from their events.
    ///
    /// - Throws: `engineRuns`, since an engine has the old states in memory.
    package func rebuild() async throws(Failure) -> [Finding] {
        try await shared.blocking { () throws(Failure) in try repairs.rebuild() }
    }

    /// Writes the readable rows of the database into a new database.
    ///
    /// - Parameter folder: the path of a folder that is missing or empty, from the working folder.
    /// - Throws: `targetExists` if the folder is not empty.
    package func salvage(into folder: String) async throws(Failure) -> [Finding] {
        try await shared.blocking { () throws(Failure) in try salvaged(into: shared.path(of: folder)) }
    }

    private func salvaged(into target: String) throws(Failure) -> [Finding] {
        try Folders.make(target)
        guard FileSystem.names(in: target).isEmpty else {
            throw Failure(.targetExists, "\(target) is not empty.", remedy: "Name a new folder.")
        }
        let salvage = try Salvage(of: shared.folders.data, into: target)
        var findings = salvage.tables.map { table in
            Finding(
                isFine: table.isComplete, name: table.name,
                words: "\(table.saved) rows" + (table.isComplete ? "" : ", and some could not be read"))
        }
        if salvage.orphans > 0 {
            findings.append(
                Finding(isFine: false, name: "left out", words: "\(salvage.orphans) rows whose workflow is gone"))
        }
        let remedy =
            "the new database is in \(target): put its assent.db into \(shared.folders.data) in place of the damaged one, with no other Assent running"
        return findings + [Finding(isFine: true, name: "salvage", words: remedy)]
    }

    /// Writes a file for a helper, without secrets, media and texts.
    ///
    /// - Parameter file: the path of the new file, from the working folder.
    package func support(_ file: String) async throws(Failure) -> [Finding] {
        let findings = await examine(isThorough: false)
        return try await shared.blocking { () throws(Failure) in
            try SupportFile(shared: shared).write(shared.path(of: file), findings)
        }
    }

    // MARK: Workflows that are set aside

    /// Returns the workflows that no engine runs until a person releases them.
    package func quarantined() throws(Failure) -> [Quarantine] { try shared.archive.get().quarantined() }

    /// Releases a workflow that is set aside, so that an engine runs it.
    ///
    /// - Parameter asItIs: whether rows that were changed from outside are accepted.
    /// - Throws: `notHeld`, `workflowDamaged`.
    package func release(_ id: WorkflowID, asItIs: Bool) throws(Failure) { try repairs.release(id, asItIs: asItIs) }
}
