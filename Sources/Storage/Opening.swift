import GRDB
import Glibc
import Vocabulary

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

/// A file that a process leaves which crashes (not one that is killed): `crashed` in the data folder.
package struct CrashNote: Sendable {
    package let path: String

    package init(folder: String) { path = folder + "/crashed" }

    package var isThere: Bool { access(path, F_OK) == 0 }
    package func clear() { unlink(path) }
}
