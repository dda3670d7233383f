package import Files
import Glibc
package import Vocabulary

/// A recording of the changes that a built-in tool makes to the user's files, while it makes them.
package struct ChangeRecording {
    package let records: UndoRecords
    package let run: RunID
    /// A real path.
    let workspace: String

    package init(_ records: UndoRecords, _ run: RunID, workspace: String) {
        (self.records, self.run, self.workspace) = (records, run, workspace)
    }

    /// Stores the changes that are about to be made. They replace those stored for this attempt before.
    ///
    /// - Parameter isLasting: whether a file is replaced or deleted, so that the record must be on the disk first.
    package func begin(_ changes: [FileChange], isLasting: Bool = false) throws(Failure) {
        guard !changes.isEmpty else { return }
        try records.begin(
            ChangeRecord(run: run, workspace: workspace, at: nowNanoseconds(), changes: changes), isLasting: isLasting)
    }

    /// Records the folders that are about to be created for a path.
    ///
    /// - Returns: the folders, the outermost first.
    package func beginFolders(for path: String, _ files: borrowing PersonFiles) throws(Failure) -> [FileChange] {
        var missing: [String] = []
        var above = parent(of: path)
        while above.utf8.count > 1, try files.status(above) == nil {
            missing.append(above)
            above = parent(of: above)
        }
        let changes = missing.reversed().map { FileChange($0, from: .absent, to: .folder(mode: nil)) }
        try begin(changes)
        return changes
    }

    package func end() { records.end(run) }

    /// Removes all changes from a record except the folders that were created, after a failure.
    ///
    /// - Parameter folders: the result of `beginFolders`.
    package func stopped(_ folders: [FileChange]) {
        if folders.isEmpty || (try? begin(folders)) == nil { records.forget(run) }
    }
}
