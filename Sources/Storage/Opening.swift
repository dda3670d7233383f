import GRDB
import Glibc
package import Vocabulary

/// Checks before a database is opened for writing. They do not change the file.
extension Archive {
    /// Throws if there was a database and its file has less than 512 bytes. SQLite would take such a remainder for a
    /// new database, and the loss would go unnoticed. SQLite itself finds a file that is shorter than its header says.
    static func refuseEmpty(in folder: String, hasBeenMade: Bool) throws {
        let path = folder + "/assent.db"
        var status = stat()
        guard hasBeenMade, stat(path, &status) == 0, status.st_size < 512 else { return }
        throw Failure(
            .storageBroken, "The database \(path) is as good as empty, though there was one.",
            remedy: beginAnew(folder))
    }

    /// Throws if the database is missing although there was one, or although its assets exist. A new database in its
    /// place would hide the loss.
    static func refuseMissing(in folder: String, hasBeenMade: Bool) throws {
        guard hasBeenMade || hasAssets(folder) else { return }
        throw Failure(
            .storageBroken, "The database \(folder)/assent.db is gone, though there was one.",
            remedy: beginAnew(folder))
    }

    private static func beginAnew(_ folder: String) -> String {
        "Put a copy of it there. To begin anew, move the folder \(folder) away."
    }

    private static func hasAssets(_ folder: String) -> Bool {
        guard let entries = opendir(folder + "/assets") else { return false }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            // Read in place, since the entry may end before a copy of 256 bytes would.
            let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            // Contents lie in folders of two letters.
            if name.utf8.count == 2, name != ".." { return true }
        }
        return false
    }

    /// Checks the whole file once after a crash of Assent, and throws if it is damaged. Otherwise the same damage could
    /// crash every start.
    static func refuseFaulty(_ path: String) throws {
        let looker = try DatabaseQueue(path: path, configuration: configuration(readonly: true))
        defer { try? looker.close() }
        if let fault = try looker.read({ try faults($0).first }) { throw damaged(fault) }
    }

    static func faults(_ db: Database) throws -> [String] {
        // Newer versions of SQLite check the index of words, too. Damage of it stops no start, since it can be made
        // again (`indexFault`).
        try String.fetchAll(db, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" && !$0.contains(SearchIndex.name) }
    }

    /// Returns the rows whose workflow, step or attempt does not exist, up to 20. They are damage of some workflows,
    /// not of the file.
    static func orphans(_ db: Database) throws -> [String] {
        try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").prefix(20).map { row in
            "a row of \(row["table"] as String? ?? "?") names one of \(row["parent"] as String? ?? "?") that is not there"
        }
    }
}

/// A file that a process leaves when it crashes (not when it is killed): `crashed` in the data folder. If the crashed
/// thread was working for a workflow, the file holds two numbers, each an `Int64` of this machine: the workflow, and
/// its step, or 0 if the workflow was being loaded.
package struct CrashNote: Sendable {
    package let path: String

    package init(folder: String) { path = folder + "/crashed" }

    package var isThere: Bool { access(path, F_OK) == 0 }
    package func clear() { unlink(path) }

    /// The work of the thread that crashed, and the time of the crash.
    package struct Work: Hashable, Sendable {
        package var workflow: WorkflowID
        /// The number of the step, from 1, or nil if the workflow was being loaded.
        package var step: Int?
        package var at: Moment

        var words: String { "Assent crashed while it " + (step.map { "worked on step \($0)." } ?? "took it up.") }
    }

    /// The work of the crashed thread, or nil if it did not work for a workflow, or if the file has another form. A
    /// file of an early version holds only the number of the workflow.
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
