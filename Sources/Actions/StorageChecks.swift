import Files
import Services
import Storage
import Tools
import Vocabulary

extension Limits {
    /// The contents of which doctor checks the hash, about, unless it is thorough.
    fileprivate static let examinedContents = 200

    /// The most bytes of the contents of which doctor checks the hash, unless it is thorough.
    fileprivate static let examinedBytes = 256 << 20
}

/// The checks of `doctor` about the database and the asset store.
struct StorageChecks {
    let shared: OpenWorkspace

    /// Returns the findings. It blocks.
    ///
    /// - Parameter isThorough: whether all contents and all workflows are checked, and not only some of them.
    func findings(isThorough: Bool) -> [Finding] {
        let archive: Archive
        do throws(Failure) {
            archive = try shared.archive.get()
            let faults = try archive.faults()
            guard faults.isEmpty else {
                return [
                    Finding(
                        name: "database", Failure(.storageBroken, faults.joined(separator: "; "), remedy: Self.salvage)
                    )
                ]
            }
        } catch {
            var failure = error
            // A missing database has nothing to salvage.
            if failure.code == .storageBroken, failure.remedy?.contains("'assent doctor") ?? true {
                failure.remedy = Self.salvage
            }
            return [Finding(name: "database", failure)]
        }
        let parts: [(String, () throws(Failure) -> [Finding])] = [
            ("rows", { () throws(Failure) in try rows(archive) }),
            ("search", { () throws(Failure) in try search(archive) }),
            ("set aside", { () throws(Failure) in try setAside(archive) }),
            ("states", { () throws(Failure) in try states(archive, isThorough) }),
            ("assets", { () throws(Failure) in try contents(archive, isThorough) }),
        ]
        var findings = [Finding(isFine: true, name: "database", words: "sound")]
        for (name, part) in parts {
            do throws(Failure) { findings += try part() } catch { findings.append(Finding(name: name, error)) }
        }
        return findings
    }

    private static let salvage =
        "Stop every Assent; 'assent doctor --salvage FOLDER' writes what can be read into a new database."

    /// Returns a finding for rows that belong to no row of another table.
    private func rows(_ archive: Archive) throws(Failure) -> [Finding] {
        let orphans = try archive.orphans()
        guard let first = orphans.first else { return [] }
        let more = orphans.count > 1 ? " (and \(orphans.count - 1) more)" : ""
        return [Finding(isFine: false, name: "rows", words: "\(first)\(more) · 'assent doctor --rebuild'")]
    }

    /// Returns a finding if the index of words is damaged.
    private func search(_ archive: Archive) throws(Failure) -> [Finding] {
        guard !archive.isLooking, try archive.hasDamagedIndex() else { return [] }
        let words =
            "the index of words in conversations is damaged; no conversation is"
            + " · 'assent doctor --rebuild' makes it anew"
        return [Finding(isFine: false, name: "search", words: words)]
    }

    /// Returns a finding for each workflow that is set aside.
    private func setAside(_ archive: Archive) throws(Failure) -> [Finding] {
        try archive.quarantined().map { entry in
            let remedy = entry.cause == .imported ? "'assent release \(entry.workflow)'" : "'assent doctor --repair'"
            return Finding(
                isFine: entry.cause == .imported, name: "\(entry.workflow)",
                words: "set aside: \(entry.reason) · \(remedy)")
        }
    }

    /// Compares rows with events, and returns the findings.
    private func states(_ archive: Archive, _ isThorough: Bool) throws(Failure) -> [Finding] {
        let altered = try archive.alteredRows()
        let newest = try archive.workflowsToExamine(limit: isThorough ? Int(Int32.max) : Limits.examinedWorkflows)
        let ids = Set(newest).union(altered.workflows).sorted { $0.number < $1.number }
        var findings: [Finding] = []
        for id in ids {
            var faults: [String] = []
            if let fault = try archive.contradiction(in: id) { faults.append(fault) }
            do throws(Failure) { faults += try archive.differences(of: id) } catch
                where error.code == .workflowDamaged
            {
                if faults.isEmpty { faults.append(error.message) }
            }
            // The other problems say more, so this one is only added if there are none.
            if faults.isEmpty, altered.workflows.contains(id), let fault = try archive.fault(of: id) {
                faults.append(fault)
            }
            guard let first = faults.first else { continue }
            let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
            findings.append(
                Finding(isFine: false, name: "\(id)", words: "\(first)\(more) · 'assent doctor --rebuild'"))
        }
        if altered.others {
            findings.append(
                Finding(
                    isFine: false, name: "conversations",
                    words:
                        "something is not what was written: a bit of the file has changed · 'assent doctor --rebuild' takes it as it is"
                ))
        }
        return findings.isEmpty
            ? [Finding(isFine: true, name: "states", words: "as \(ids.count) workflows' events tell them")]
            : findings
    }

    /// Checks the contents that rows name: they must exist with their sizes. Some or all of them are read.
    private func contents(_ archive: Archive, _ isThorough: Bool) throws(Failure) -> [Finding] {
        let store = try shared.toolbox.get().store
        var named: [ContentHash] = []
        try archive.contents { _, hash in if named.last != hash { named.append(hash) } }
        let stored = Dictionary(store.contents().map { ($0.hash, $0.bytes) }) { first, _ in first }
        let missing = named.filter { stored[$0] == nil }
        var (read, bytes, damaged) = (0, 0, [ContentHash]())
        // The order of hashes means nothing, so every n-th one is a fair sample.
        let step = isThorough ? 1 : max(1, named.count / Limits.examinedContents)
        for hash in stride(from: 0, to: named.count, by: step).map({ named[$0] }) {
            guard let size = stored[hash], isThorough || bytes + size <= Limits.examinedBytes else { continue }
            (read, bytes) = (read + 1, bytes + size)
            if !store.isSound(hash, bytes: size) { damaged.append(hash) }
        }
        func list(_ hashes: [ContentHash]) -> String {
            hashes.prefix(5).map { String($0.hex.prefix(12)) }.joined(separator: ", ")
        }
        var findings: [Finding] = []
        if !missing.isEmpty {
            findings.append(
                Finding(
                    isFine: false, name: "assets",
                    words: "\(missing.count) are gone: \(list(missing)). Run their steps again."))
        }
        if !damaged.isEmpty {
            findings.append(
                Finding(
                    isFine: false, name: "assets",
                    words: "\(damaged.count) are damaged: \(list(damaged)). Run their steps again."))
        }
        return findings.isEmpty
            ? [
                Finding(
                    isFine: true, name: "assets", words: "\(named.count) there; \(read) of them read and as they were")
            ] : findings
    }
}
