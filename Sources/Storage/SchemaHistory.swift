import GRDB

extension Schema {
    /// The columns for conversations that can be continued: their open chat and model, the reasoning of a model, the
    /// usage of its replies, the lessons of refusals, and an index of words.
    ///
    /// The index stores no texts: it reads those of `messages`, and triggers update it after every write. It can be
    /// made again from them at any time (`SearchIndex`). `called` holds the names and arguments of calls for the index
    /// only, since their JSON in `calls` contains other words, too.
    private static let history = """
        ALTER TABLE sessions ADD COLUMN owner TEXT;
        ALTER TABLE sessions ADD COLUMN model TEXT;
        ALTER TABLE messages ADD COLUMN thought TEXT;
        ALTER TABLE messages ADD COLUMN called TEXT;

        CREATE TABLE usage (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session INTEGER REFERENCES sessions (id),
            turn INTEGER,
            at INTEGER NOT NULL,
            model TEXT NOT NULL,
            prompt_tokens INTEGER NOT NULL,
            cached_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            reasoning_tokens INTEGER NOT NULL,
            cost INTEGER
        ) STRICT;
        CREATE INDEX usage_of_session ON usage (session);

        CREATE TABLE model_lessons (
            address TEXT NOT NULL,
            model TEXT NOT NULL,
            lesson TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (address, model, lesson)
        ) STRICT, WITHOUT ROWID;
        """

    private static let index = """
        CREATE VIRTUAL TABLE message_index USING fts5(
            text, called, content='messages', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3', columnsize=0
        );
        INSERT INTO message_index (message_index) VALUES ('rebuild');
        CREATE TRIGGER messages_indexed AFTER INSERT ON messages
        BEGIN
            INSERT INTO message_index (rowid, text, called) VALUES (new.id, new.text, new.called);
        END;
        CREATE TRIGGER messages_unindexed AFTER DELETE ON messages
        BEGIN
            INSERT INTO message_index (message_index, rowid, text, called) VALUES ('delete', old.id, old.text, old.called);
        END;
        CREATE TRIGGER messages_reindexed AFTER UPDATE OF text, called ON messages
        BEGIN
            INSERT INTO message_index (message_index, rowid, text, called) VALUES ('delete', old.id, old.text, old.called);
            INSERT INTO message_index (rowid, text, called) VALUES (new.id, new.text, new.called);
        END;
        """

    static func makeHistory(_ db: Database) throws {
        try db.execute(sql: history)
        // A damaged row is refused by its table, and stays as it is. Its damage is reported later.
        for id in try Int64.fetchAll(db, sql: "SELECT id FROM messages WHERE calls <> '[]' AND json_valid(calls)") {
            try? db.cachedStatement(
                sql: """
                    UPDATE messages SET called = (
                        SELECT group_concat(json_extract(value, '$.name') || ' ' || json_extract(value, '$.arguments'), char(10))
                        FROM json_each(messages.calls)
                    ) WHERE id = ?
                    """
            ).execute(arguments: [id])
        }
        try db.execute(sql: index)
        try Checksums.make(db)
    }
}
