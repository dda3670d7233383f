import GRDB

extension Schema {
    /// The sums of the checksums of rows, by workflow. Subjects from 0 down are not workflows (`Checksums`). `check`
    /// shows whether a row of this table was altered itself.
    private static let checksums = """
        CREATE TABLE checksums (
            subject INTEGER PRIMARY KEY,
            events INTEGER NOT NULL,
            rows INTEGER NOT NULL,
            "check" INTEGER NOT NULL
        ) STRICT;
        """

    static func makeChecksums(_ db: Database) throws {
        try db.execute(sql: checksums)
        // Two earlier migrations added columns with a default. Older rows are written once, so that their checksums
        // contain these. A damaged row is refused by its table, and stays as it is. Its damage is reported later.
        for (table, key) in [("workflows", "id"), ("awaits", "number")] {
            for number in try Int64.fetchAll(db, sql: "SELECT \(key) FROM \(table)") {
                try? db.cachedStatement(sql: "UPDATE \(table) SET title = title WHERE \(key) = ?").execute(arguments: [
                    number
                ])
            }
        }
        try Checksums.make(db)
    }
}
