import GRDB
import Glibc
package import Vocabulary

/// What is looked at before a database is opened for writing. Nothing of it changes the file.
extension Archive {
    /// A file of less than a page is what is left of a database: SQLite would take it for a new one, and everything would be gone without a word. A file
    /// that is shorter than its header says it finds itself.
    static func refuseEmpty(_ path: String, hasBeenMade: Bool) throws {
        var status = stat()
        guard hasBeenMade, stat(path, &status) == 0, status.st_size < 512 else { return }
        throw Failure(
            "storageBroken", "The database \(path) is as good as empty, though there was one.",
            remedy: "Put a copy of it there, or take the file away to begin anew.")
    }

    /// After a crash of ours the whole file is looked at once: what we crashed at must not be met again at every start.
    static func refuseFaulty(_ path: String) throws {
        let looker = try DatabaseQueue(path: path, configuration: configuration(readonly: true))
        defer { try? looker.close() }
        if let fault = try looker.read({ try faults($0).first }) { throw damaged(fault) }
    }

    static func faults(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" }
    }

    /// Rows whose workflow, step or attempt is gone: a fault of some workflows, not of the file.
    static func orphans(_ db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(20).map { row in
            "a row of \(row["table"] as String? ?? "?") names one of \(row["parent"] as String? ?? "?") that is not there"
        }
    }
}

/// A file that a process leaves which crashes (not one that is killed): `crashed` in the data folder. If it was taking a workflow up then,
/// its number stands there, as an `Int64` of this machine.
package struct CrashNote: Sendable {
    package let path: String

    package init(folder: String) { path = folder + "/crashed" }

    package var isThere: Bool { access(path, F_OK) == 0 }
    package func clear() { unlink(path) }

    /// The workflow that was being taken up, and when it crashed; `nil` if none was, or the file is none of ours.
    package var workflow: (id: WorkflowID, at: Moment)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        var number: Int64 = 0
        let size = MemoryLayout<Int64>.size
        guard fstat(descriptor, &status) == 0, status.st_size == size, read(descriptor, &number, size) == size, number > 0 else {
            return nil
        }
        return (WorkflowID(number), Moment(milliseconds: max(0, Int64(status.st_mtim.tv_sec) * 1000)))
    }
}
