import GRDB

extension Schema {
    /// The graph that each workflow has now. It stands in a row of its own: SQLite reads a row as a whole, and the row
    /// of a workflow changes with each commit.
    private static let graphs = """
        CREATE TABLE graphs (
            workflow INTEGER PRIMARY KEY REFERENCES workflows (id),
            template TEXT NOT NULL
        ) STRICT;
        INSERT INTO graphs SELECT id, iif(typeof(template) = 'text', template, '') FROM workflows;
        ALTER TABLE workflows DROP COLUMN template;
        """

    static func makeGraphs(_ db: Database) throws {
        try db.execute(sql: graphs)
        try Checksums.make(db)
    }
}
