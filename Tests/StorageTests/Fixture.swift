import GRDB
import Glibc
import Harness
import Testing
import Vocabulary

@testable import Storage

/// A database of an earlier version, with data: `Fixtures/schema-N.sql`, as `sqlite3 assent.db .dump` gives it.
///
/// What is in each: w1 succeeded, w2 failed twice and has a retry waiting (from 2 on), w3 was cut in the middle, w5
/// waits; from 3 on a session of three messages.
enum Fixture {
    static let folder = "\(#filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })/Fixtures"

    static let numbers = ScratchFolder.names(in: folder).compactMap { name in
        name.hasPrefix("schema-") ? Int(name.dropFirst(7).dropLast(4)) : nil
    }.sorted()

    /// Makes it in a new folder.
    static func make(_ number: Int, in scratch: ScratchFolder) throws -> String {
        let made = try scratch.folder()
        try fill(made, number)
        return made
    }

    static func fill(_ folder: String, _ number: Int) throws {
        let text = try #require(ScratchFolder.text("\(Self.folder)/schema-\(number).sql"))
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: folder + "/assent.db", configuration: configuration)
        try queue.writeWithoutTransaction { db in try db.execute(sql: text) }
        try queue.close()
    }

    /// Every value of every row of the tables that this version had, by table: what no migration may lose.
    static func contents(of folder: String, tables: [String]? = nil) throws -> [String: [[String: DatabaseValue]]] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: folder + "/assent.db", configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            let names =
                try tables
                ?? String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            var contents: [String: [[String: DatabaseValue]]] = [:]
            // The index of words is made of the messages, not kept.
            for name in names where name != "grdb_migrations" && !name.hasPrefix(SearchIndex.name) {
                contents[name] = try Row.fetchAll(db, sql: "SELECT * FROM \"\(name)\"").map { row in
                    Dictionary(row.map { ($0.0, $0.1) }) { first, _ in first }
                }
            }
            return contents
        }
    }
}
