import GRDBSQLite

/// Reads rows past everything that Storage is made of: what is checked is what is in the file.
final class RowReader {
    private var database: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    init(path: String) {
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            fatalError("no database at \(path)")
        }
        sqlite3_exec(database, "PRAGMA query_only = ON", nil, nil, nil)
        sqlite3_busy_timeout(database, 10_000)
    }

    func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(database)
        database = nil
    }

    struct Row {
        fileprivate let statement: OpaquePointer

        func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
        func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
        func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
        func text(_ column: Int32) -> String {
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        }
        func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    }

    /// - Parameter numbers: for the blanks of the statement, in their order.
    func rows<Value>(_ sql: String, _ numbers: Int..., map: (Row) -> Value) -> [Value] {
        let statement = prepared(sql)
        defer { sqlite3_reset(statement) }
        for (place, number) in numbers.enumerated() { sqlite3_bind_int64(statement, Int32(place + 1), Int64(number)) }
        var values: [Value] = []
        while sqlite3_step(statement) == SQLITE_ROW { values.append(map(Row(statement: statement))) }
        return values
    }

    func count(_ sql: String, _ number: Int = 0) -> Int { rows(sql, number) { $0.int(0) }.first ?? 0 }

    private func prepared(_ sql: String) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            fatalError("\(String(cString: sqlite3_errmsg(database))): \(sql)")
        }
        statements[sql] = statement
        return statement
    }
}
