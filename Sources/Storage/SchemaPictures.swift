import GRDB

extension Schema {
    /// The pictures of messages, as they are sent with every request. They are deleted with their session.
    private static let pictures = """
        CREATE TABLE pictures (
            id INTEGER PRIMARY KEY,
            bytes BLOB NOT NULL,
            session INTEGER NOT NULL REFERENCES sessions (id),
            message INTEGER NOT NULL REFERENCES messages (id),
            position INTEGER NOT NULL,
            name TEXT NOT NULL,
            mime TEXT NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            UNIQUE (message, position)
        ) STRICT;
        CREATE INDEX pictures_of_session ON pictures (session);
        """

    /// How far the messages of a session are shortened for its model, as JSON.
    private static let compaction = "ALTER TABLE sessions ADD COLUMN compaction TEXT"

    static func makePictures(_ db: Database) throws {
        try db.execute(sql: pictures)
        try db.execute(sql: compaction)
        try Checksums.make(db)
    }
}
