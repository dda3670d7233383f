import GRDB
import Glibc
package import Vocabulary

/// A new database with all readable rows of a damaged one, copied row by row.
package struct Salvage: Sendable {
    package struct Table: Hashable, Sendable {
        package var name: String
        package var saved: Int
        /// Whether all rows of the table were copied. It is false if a part could not be reached from either end, or if
        /// rows were left out.
        package var isComplete: Bool
    }

    package var tables: [Table]
    /// How many rows were left out, since the rows that they belong to are missing.
    package var orphans: Int

    /// Copies all readable rows of a damaged database into a new one.
    ///
    /// - Parameters:
    ///   - source: the folder of the damaged database, which is only read. No process may write there meanwhile.
    ///   - target: a folder that exists and holds no database.
    /// - Throws: `storageBroken` if not even the list of tables can be read, `targetExists`.
    package init(of source: String, into target: String) throws(Failure) {
        guard access(target + "/assent.db", F_OK) != 0 else {
            throw Failure(.targetExists, "There is a database in \(target) already.", remedy: "Name a new folder.")
        }
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(10)
            // The part of the file that describes its form may be damaged, too.
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA query_only = ON")
            }
            let old = try DatabaseQueue(path: source + "/assent.db", configuration: configuration)
            defer { try? old.close() }
            let new = try Archive(folder: target)
            defer { new.close() }
            (tables, orphans) = try new.salvage(from: old)
        } catch {
            throw Archive.failure(error)
        }
    }
}

extension Archive {
    fileprivate func salvage(from old: DatabaseQueue) throws -> ([Salvage.Table], Int) {
        let known = try read { db in
            try String.fetchAll(
                db,
                sql:
                    """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                    AND name <> 'checksums' AND name NOT LIKE '\(SearchIndex.tables)' ORDER BY rowid
                    """
            )
        }
        let there = try old.read { db in
            Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        }
        var tables: [Salvage.Table] = []
        // Foreign keys are not checked, since rows are copied in the order in which they can be read.
        let orphans = try withoutForeignKeys {
            for name in known where there.contains(name) { tables.append(try copy(name, from: old)) }
            return try dropAllOrphans(isRepair: false)
        }
        return (tables, orphans)
    }

    private func withoutForeignKeys<Value>(_ body: () throws -> Value) throws -> Value {
        let writer = try writer
        try writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA foreign_keys = OFF") }
        defer { try? writer.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA foreign_keys = ON") } }
        return try body()
    }

    /// Deletes the rows whose workflow, step or attempt does not exist, since they can no longer be reached.
    ///
    /// - Returns: how many rows were deleted.
    package func dropOrphans() throws(Failure) -> Int {
        do { return try withoutForeignKeys { try dropAllOrphans(isRepair: true) } } catch { throw Self.failure(error) }
    }

    private func copy(_ name: String, from old: DatabaseQueue) throws -> Salvage.Table {
        let types = try read { db in try db.columns(in: name) }
        let order = try read { db in try Self.order(of: name, db) }
        var saved = 0
        var isComplete = true
        // From both ends, up to the rows that cannot be read.
        for direction in ["", " DESC"] {
            let (count, leftOut, reachedEnd) = try copy(
                name, types, by: order.map { $0 + direction }.joined(separator: ", "), from: old)
            saved += count
            if leftOut > 0 { isComplete = false }
            if reachedEnd { break }
            isComplete = false
        }
        return Salvage.Table(name: name, saved: saved, isComplete: isComplete)
    }

    /// Returns the columns of a table's primary key, or `rowid`.
    private static func order(of name: String, _ db: Database) throws -> [String] {
        let key = try db.primaryKey(name)
        return key.isRowID ? ["rowid"] : key.columns.map { "\"\($0)\"" }
    }

    private func copy(
        _ name: String, _ types: [ColumnInfo], by order: String, from old: DatabaseQueue
    ) throws -> (Int, leftOut: Int, reachedEnd: Bool) {
        let columns = types.map(\.name)
        var saved = 0
        var left = 0
        var reachedEnd = false
        var batch: [[DatabaseValue]] = []
        // A picture has up to 1 MB.
        let most = types.contains { $0.type == "BLOB" } ? 16 : 500
        func store() throws {
            guard !batch.isEmpty else { return }
            saved += try write { db in try Self.insert(batch, into: name, columns, db) }
            batch.removeAll(keepingCapacity: true)
        }
        try old.unsafeRead { db in
            do {
                let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \"\(name)\" ORDER BY \(order)")
                while let row = try rows.next() {
                    // A damaged value would break every later reader of the row.
                    guard row.damagedColumn(types) == nil else {
                        left += 1
                        continue
                    }
                    batch.append(columns.map { column in row.hasColumn(column) ? Self.value(row, column) : .null })
                    if batch.count >= most { try store() }
                }
                reachedEnd = true
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_IOERR
            {
                reachedEnd = false
            }
        }
        try store()
        return (saved, left, reachedEnd)
    }

    private static func value(_ row: Row, _ column: String) -> DatabaseValue {
        (row[column] as (any DatabaseValueConvertible)?)?.databaseValue ?? .null
    }

    /// Inserts rows, except those that break a rule of their table. Returns how many were inserted.
    private static func insert(_ rows: [[DatabaseValue]], into name: String, _ columns: [String], _ db: Database) throws
        -> Int
    {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        // The new database has a new name of this installation. The old one replaces it, since jobs at providers use
        // it.
        let verb = name == "house" ? "INSERT OR REPLACE" : "INSERT"
        let statement = try db.cachedStatement(sql: "\(verb) INTO \"\(name)\" (\(names)) VALUES (\(places))")
        var saved = 0
        for row in rows {
            do {
                try statement.execute(arguments: StatementArguments(row))
                saved += 1
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CONSTRAINT || error.resultCode == .SQLITE_MISMATCH
            {
                continue
            }
        }
        return saved
    }

    /// Deletes the rows that refer to rows that do not exist, until there are none left. Returns how many were deleted.
    ///
    /// - Parameter isRepair: whether the checksums describe the rows before the damage, and so must not change.
    private func dropAllOrphans(isRepair: Bool) throws -> Int {
        var dropped = 0
        while true {
            let gone = try write { db in
                var gone = 0
                for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check") {
                    let (table, parent) = (row["table"] as String, row["parent"] as String)
                    if let id = row["rowid"] as Int64? {
                        try db.execute(sql: "DELETE FROM \"\(table)\" WHERE rowid = ?", arguments: [id])
                        gone += db.changesCount
                    } else {
                        gone += try Self.dropOrphans(of: table, parent: parent, db)
                    }
                }
                // The sums still contain a row that existed before the damage. A row that the damage made is in no sum.
                if isRepair { try keepSums(db) }
                return gone
            }
            dropped += gone
            guard gone > 0 else { return dropped }
        }
    }

    /// Deletes all rows of a table without row numbers that have no parent. Returns how many were deleted.
    private static func dropOrphans(of table: String, parent: String, _ db: Database) throws -> Int {
        var dropped = 0
        for key in try db.foreignKeys(on: table) where key.destinationTable == parent {
            let match = key.mapping.map { "p.\"\($0.destination)\" = \"\(table)\".\"\($0.origin)\"" }.joined(
                separator: " AND ")
            try db.execute(
                sql: "DELETE FROM \"\(table)\" WHERE NOT EXISTS (SELECT 1 FROM \"\(parent)\" p WHERE \(match))")
            dropped += db.changesCount
        }
        return dropped
    }
}
