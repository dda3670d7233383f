import GRDB
import Glibc
package import Vocabulary

/// What is looked at before a database is opened for writing. Nothing of it changes the file.
extension Archive {
    /// A file of less than a page is what is left of a database: SQLite would take it for a new one, and everything
    /// would be gone without a word. A file that is shorter than its header says it finds itself.
    static func refuseEmpty(in folder: String, hasBeenMade: Bool) throws {
        let path = folder + "/assent.db"
        var status = stat()
        guard hasBeenMade, stat(path, &status) == 0, status.st_size < 512 else { return }
        throw Failure(
            "storageBroken", "The database \(path) is as good as empty, though there was one.",
            remedy: beginAnew(folder))
    }

    /// A database that is gone, though there was one, or though there is what it tells of: a new one in its place would
    /// hide the loss.
    static func refuseMissing(in folder: String, hasBeenMade: Bool) throws {
        guard hasBeenMade || hasAssets(folder) else { return }
        throw Failure(
            "storageBroken", "The database \(folder)/assent.db is gone, though there was one.",
            remedy: beginAnew(folder))
    }

    private static func beginAnew(_ folder: String) -> String {
        "Put a copy of it there. To begin anew, move the folder \(folder) away."
    }

    private static func hasAssets(_ folder: String) -> Bool {
        guard let entries = opendir(folder + "/assets") else { return false }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            // In place: the entry may end before a copy of 256 bytes would.
            let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            // Contents lie in folders of two letters.
            if name.utf8.count == 2, name != ".." { return true }
        }
        return false
    }

    /// After a crash of ours the whole file is looked at once: what we crashed at must not be met again at every start.
    static func refuseFaulty(_ path: String) throws {
        let looker = try DatabaseQueue(path: path, configuration: configuration(readonly: true))
        defer { try? looker.close() }
        if let fault = try looker.read({ try faults($0).first }) { throw damaged(fault) }
    }

    static func faults(_ db: Database) throws -> [String] {
        // Newer versions of SQLite look into the index, too: that is made anew, and stops nobody (`indexFault`).
        try String.fetchAll(db, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" && !$0.contains(SearchIndex.name) }
    }

    /// Rows whose workflow, step or attempt is gone: a fault of some workflows, not of the file.
    static func orphans(_ db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(20).map { row in
            "a row of \(row["table"] as String? ?? "?") names one of \(row["parent"] as String? ?? "?") that is not there"
        }
    }
}

/// A file that a process leaves which crashes (not one that is killed): `crashed` in the data folder. If its thread
/// worked on something then, two numbers stand there, each an `Int64` of this machine: the workflow, and its step, or 0
/// where the workflow was being taken up.
package struct CrashNote: Sendable {
    package let path: String

    package init(folder: String) { path = folder + "/crashed" }

    package var isThere: Bool { access(path, F_OK) == 0 }
    package func clear() { unlink(path) }

    /// What the thread that crashed worked on, and when it did.
    package struct Work: Hashable, Sendable {
        package var workflow: WorkflowID
        /// From 1 on; `nil` where the workflow was being taken up.
        package var step: Int?
        package var at: Moment

        var words: String { "Assent crashed while it " + (step.map { "worked on step \($0)." } ?? "took it up.") }
    }

    /// `nil` if it was nothing of a workflow, or the file is none of ours. One of before steps were noted has one
    /// number.
    package var work: Work? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        var numbers: (workflow: Int64, step: Int64) = (0, 0)
        let size = MemoryLayout<Int64>.size
        guard fstat(descriptor, &status) == 0, [size, 2 * size].contains(Int(status.st_size)),
            read(descriptor, &numbers, Int(status.st_size)) == Int(status.st_size), numbers.workflow > 0,
            numbers.step >= 0
        else { return nil }
        return Work(
            workflow: WorkflowID(numbers.workflow), step: numbers.step == 0 ? nil : Int(numbers.step),
            at: Moment(milliseconds: max(0, Int64(status.st_mtim.tv_sec) * 1000)))
    }
}
