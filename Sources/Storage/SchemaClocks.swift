import GRDB

extension Schema {
    /// The boot, the time since that boot and the whole wait of a deadline, as JSON. `due_at` holds its wall time.
    private static let deadlines = "ALTER TABLE steps ADD COLUMN due_by TEXT"

    static func makeDeadlines(_ db: Database) throws {
        try db.execute(sql: deadlines)
        try Checksums.make(db)
    }
}
