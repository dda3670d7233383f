import CSQLite
import GRDB
package import Vocabulary

/// Comparison of the stored sums with the rows, and computation of the sums.
enum Checksums {
    /// The subject of all rows that belong to no workflow, such as those of sessions and messages.
    static let others: Int64 = 0

    /// The subjects of the table `checksums` that are not about rows.
    private enum Other {
        /// The subject of the schema, which also says which values a column may hold.
        static let schema: Int64 = -1
        /// The subject of the highest numbers that SQLite gave to rows.
        static let numbers: Int64 = -2
    }

    /// Computes all sums from the stored rows. Every migration that changes a table or rows ends with this call.
    ///
    /// A column that is added with a default is not part of older rows, although they are read as if it were. A
    /// migration must therefore write such rows once before this call.
    static func make(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM checksums")
        for (workflow, pair) in try sums(db) { try store(pair, for: workflow, db) }
        try store(ChecksumPair(rows: schema(db)), for: Other.schema, db)
        try storeNumbers(db)
    }

    static func storeNumbers(_ db: Database) throws {
        try store(ChecksumPair(rows: numbers(db)), for: Other.numbers, db)
    }

    private static func store(_ pair: ChecksumPair, for subject: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO checksums (subject, events, rows, \"check\") VALUES (?, ?, ?, ?)"
        )
        .run([subject, pair.events, pair.rows, pair.check])
    }

    /// Returns the rows that differ from their checksums: by workflow, and those of no workflow together.
    static func altered(_ db: Database) throws -> AlteredRows {
        let (there, written) = (try sums(db), try stored(db))
        let subjects = Set(there.keys).union(written.keys).filter { $0 >= others }
        let altered = subjects.filter { subject in
            there[subject] ?? ChecksumPair() != written[subject]?.pair ?? ChecksumPair()
                || written[subject]?.isSound == false
        }
        return AlteredRows(
            workflows: altered.filter { $0 > others }.sorted().map { WorkflowID($0) }, others: altered.contains(others))
    }

    /// Returns a sentence about how a workflow's rows differ from their checksums, or nil if they agree.
    static func fault(of id: WorkflowID, _ db: Database) throws -> String? {
        let there = try sums(of: id.number, db)
        let written = try stored(db, id.number)[id.number]
        if let written, !written.isSound {
            return "The checksums of it are not what was written: a bit of the file has changed."
        }
        let pair = written?.pair ?? ChecksumPair()
        if there.events != pair.events { return "Its history is not what was written: a bit of the file has changed." }
        return there.rows == pair.rows
            ? nil : "Something stored of it is not what was written: a bit of the file has changed."
    }

    /// Returns how the schema, or SQLite's own numbers of rows, differ from their checksums, or nil if they agree.
    static func fault(_ db: Database) throws -> String? {
        let written = try stored(db)
        func isWritten(_ sum: Int64, as subject: Int64) -> Bool {
            written[subject].map { $0.isSound && $0.pair == ChecksumPair(rows: sum) } ?? false
        }
        guard isWritten(try schema(db), as: Other.schema) else { return "the schema is not what was written" }
        return isWritten(try numbers(db), as: Other.numbers) ? nil : "the numbers of rows are not what was written"
    }

    /// Accepts the stored rows of a workflow as right, and computes their sums. With 0, does so for all rows that
    /// belong to no workflow.
    static func accept(_ subject: Int64, _ db: Database) throws {
        let pair = try sums(of: subject, db)
        guard pair != ChecksumPair() else {
            return try db.execute(sql: "DELETE FROM checksums WHERE subject = ?", arguments: [subject])
        }
        try store(pair, for: subject, db)
    }

    /// Computes again the sums that were altered themselves. Nothing shows that their rows were altered, too.
    static func mend(_ db: Database) throws {
        for (subject, one) in try stored(db) where !one.isSound && subject >= others { try accept(subject, db) }
    }

    /// Reads the sums of one subject or of all. It bypasses the subscripts of `Damage`, since each value is checked
    /// here.
    private static func stored(
        _ db: Database, _ subject: Int64? = nil
    ) throws -> [Int64: (pair: ChecksumPair, isSound: Bool)] {
        var sums: [Int64: (ChecksumPair, Bool)] = [:]
        let sql = "SELECT subject, events, rows, \"check\" FROM checksums"
        try forEachRow(of: subject == nil ? sql : sql + " WHERE subject = ?", subject, db) { statement, _ in
            let pair = ChecksumPair(
                events: sqlite3_column_int64(statement, 1), rows: sqlite3_column_int64(statement, 2))
            let isInRange = (0...Checksum.mask).contains(pair.events) && (0...Checksum.mask).contains(pair.rows)
            sums[sqlite3_column_int64(statement, 0)] = (
                pair, isInRange && pair.check == sqlite3_column_int64(statement, 3)
            )
        }
        return sums
    }

    // MARK: What is there

    /// Returns the sums of all rows, by workflow.
    private static func sums(_ db: Database) throws -> [Int64: ChecksumPair] {
        var sums: [Int64: ChecksumPair] = [:]
        for table in try ChecksumTable.all(db) {
            try add(table, "SELECT * FROM \"\(table.name)\"", to: &sums, db)
        }
        return sums
    }

    private static func sums(of workflow: Int64, _ db: Database) throws -> ChecksumPair {
        var sums: [Int64: ChecksumPair] = [:]
        for table in try ChecksumTable.all(db) {
            let column = table.name == "workflows" ? "id" : "workflow"
            switch (table.workflowColumn, workflow) {
            case (nil, others): try add(table, "SELECT * FROM \"\(table.name)\"", to: &sums, db)
            case (.some, others):
                try add(table, "SELECT * FROM \"\(table.name)\" WHERE \"\(column)\" IS NULL", to: &sums, db)
            case (.some, _):
                try add(table, "SELECT * FROM \"\(table.name)\" WHERE \"\(column)\" = ?", workflow, to: &sums, db)
            case (nil, _): break
            }
        }
        return sums[workflow] ?? ChecksumPair()
    }

    private static func add(
        _ table: ChecksumTable, _ sql: String, _ argument: Int64? = nil, to sums: inout [Int64: ChecksumPair],
        _ db: Database
    ) throws {
        try forEachRow(of: sql, argument, db) { statement, columns in
            let (workflow, number) = table.checksum(columns: columns) { sqlite3_column_value(statement, $0) }
            sums[workflow, default: ChecksumPair()].add(number, isEvent: table.isOfEvents)
        }
    }

    private static func schema(_ db: Database) throws -> Int64 {
        try sum("SELECT type, name, tbl_name, sql FROM sqlite_master", db)
    }

    private static func numbers(_ db: Database) throws -> Int64 { try sum("SELECT name, seq FROM sqlite_sequence", db) }

    private static func sum(_ sql: String, _ db: Database) throws -> Int64 {
        var pair = ChecksumPair()
        try forEachRow(of: sql, nil, db) { statement, columns in
            var checksum = Checksum(table: "")
            for column in 0..<columns { checksum.add(sqlite3_column_value(statement, column), at: column) }
            pair.add(checksum.number, isEvent: false)
        }
        return pair.rows
    }

    /// Calls `body` with each row of a query. It bypasses GRDB, which would make a value of each column first.
    private static func forEachRow(
        of sql: String, _ argument: Int64?, _ db: Database, _ body: (OpaquePointer, Int32) -> Void
    ) throws {
        let statement = try db.cachedStatement(sql: sql).sqliteStatement
        defer { sqlite3_reset(statement) }
        if let argument { sqlite3_bind_int64(statement, 1, argument) }
        let columns = sqlite3_column_count(statement)
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: body(statement, columns)
            case SQLITE_DONE: return
            case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
    }
}

/// The rows that differ from their checksums.
package struct AlteredRows: Hashable, Sendable {
    package var workflows: [WorkflowID]
    /// Whether rows that belong to no workflow are altered, such as those of conversations.
    package var others: Bool

    package var isEmpty: Bool { workflows.isEmpty && !others }
}

extension Archive {
    /// Compares every row with the stored sums, and returns those that differ.
    package func alteredRows() throws(Failure) -> AlteredRows {
        try read { db in try Checksums.altered(db) }
    }

    /// Accepts the stored rows of a workflow as right, or with nil the rows that belong to none. Their state before the
    /// damage is unknown.
    package func accept(_ id: WorkflowID?) throws(Failure) {
        try write(isPrecious: true) { db in try Checksums.accept(id?.number ?? Checksums.others, db) }
    }

    /// Computes again the sums that were altered themselves.
    package func mendSums() throws(Failure) {
        try write(isPrecious: true) { db in try Checksums.mend(db) }
    }
}
