import Glibc
import JSON
import Storage
package import Vocabulary

extension Limits {
    /// The most bytes of one table of a workflow in a bundle.
    static let bundleTableBytes = 256 << 20
}

/// The use cases of workflows as files: `assent export` and `assent import`.
///
/// A bundle is a zip of stored entries: `manifest.json`, `template.json`, `workflow.json`, a file of JSON lines for
/// each table, and `contents/<sha256>`. It has no times and no name of the machine, so an imported workflow exports to
/// the same bytes. A bundle leaves out secrets, contents that result from files with keys, their hashes and sizes
/// (`BundlePrivacy`), and contents with a key in them. A seal opens nothing after an export or an import.
package struct Bundles: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of a process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    static let form = "assent.bundle/v1"
    static func place(_ hash: ContentHash) -> String { "contents/\(hash.hex)" }

    /// Writes a workflow with its history and its contents into a new bundle.
    ///
    /// - Parameter file: the path of the bundle, from the working folder.
    /// - Throws: `unknownFile` if the folder is missing, `targetExists` if the file exists, `workflowDamaged`.
    package func write(_ id: WorkflowID, to file: String) async throws(Failure) -> BundleSummary {
        try refuseMissingFolder(of: file)
        return try await shared.blocking { () throws(Failure) in
            try BundleExport(shared: shared).write(id, to: shared.path(of: file))
        }
    }

    /// Stores the workflow of a bundle. It stays set aside until a person releases it, unless it is over.
    ///
    /// - Parameter file: the path of the bundle, from the working folder.
    /// - Throws: `unknownFile`, `badBundle`.
    package func read(_ file: String) async throws(Failure) -> BundleSummary {
        try await shared.blocking { () throws(Failure) in try BundleImport(shared: shared).read(shared.path(of: file)) }
    }

    /// Throws if the folder of a file is missing. The message names the folder as it was typed, not the temporary file.
    private func refuseMissingFolder(of file: String) throws(Failure) {
        guard let slash = file.lastIndex(of: "/"), slash > file.startIndex else { return }
        let folder = String(file[..<slash])
        var status = stat()
        guard stat(folder, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else { return }
        throw Failure(
            .unknownFile, "There is no folder \(folder).", remedy: "Make it, or name another place for the file.")
    }
}

extension BundleRows {
    /// Changes each row of a table.
    mutating func change<E: Error>(
        _ table: String, _ change: (inout JSON.Object) throws(E) -> Void
    ) throws(E) {
        var rows = tables[table] ?? []
        for index in rows.indices { try change(&rows[index]) }
        if !rows.isEmpty { tables[table] = rows }
    }
}
