import CSQLite
import GRDB

/// What a statement that runs with each commit is given. GRDB makes values of its own of a list of anything, and binds
/// them one inside the other: a fifth of what such a statement costs.
protocol BoundValue {
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32
}

extension Int64: BoundValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 { sqlite3_bind_int64(statement, place, self) }
}

extension Int: BoundValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        sqlite3_bind_int64(statement, place, Int64(self))
    }
}

extension String: BoundValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            // An empty text may have no address, and what has none is NULL.
            guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, place, "", 0, nil) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text(statement, place, $0, Int32(bytes.count), Self.isCopied)
            }
        }
    }

    /// SQLite keeps a copy.
    private static var isCopied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension Statement {
    /// Runs a statement that gives no rows.
    ///
    /// - Parameter values: as many as it has places, in their order; `nil` is NULL.
    func run(_ values: [(any BoundValue)?]) throws {
        let statement = sqliteStatement
        precondition(
            values.count == sqlite3_bind_parameter_count(statement), "another number of values than places: \(sql)")
        for (place, value) in zip(Int32(1)..., values) {
            try check(value?.bind(to: statement, at: place) ?? sqlite3_bind_null(statement, place), is: SQLITE_OK)
        }
        let code = sqlite3_step(statement)
        defer { sqlite3_reset(statement) }
        try check(code, is: SQLITE_DONE)
    }

    private func check(_ code: Int32, is expected: Int32) throws {
        guard code != expected else { return }
        let words = sqlite3_errmsg(sqlite3_db_handle(sqliteStatement)).map { String(cString: $0) }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: words, sql: sql)
    }
}

extension Database {
    /// The rows of a query as records. Not by `fetchAll`: in a row that was copied, each name of a column is looked for
    /// among all.
    func records<Record>(_ sql: String, _ arguments: StatementArguments, _ record: (Row) throws -> Record) throws
        -> [Record]
    {
        let rows = try Row.fetchCursor(self, sql: sql, arguments: arguments)
        var records: [Record] = []
        while let row = try rows.next() { records.append(try record(row)) }
        return records
    }
}
