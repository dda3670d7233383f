import GRDB
package import Vocabulary

/// The index of the words in messages (FTS5). It is computed from the rows of `messages`.
enum SearchIndex {
    static let name = "message_index"

    /// A `LIKE` pattern for the index and the tables in which SQLite stores it. They have no checksums, and are made
    /// again instead of being copied.
    static let tables = "message_index%"

    /// The code of a failure that a rebuild of the index fixes.
    static let fault = Code.indexDamaged

    static func rebuild(_ db: Database) throws {
        try db.execute(sql: "INSERT INTO message_index (message_index) VALUES ('rebuild')")
    }
}

extension Archive {
    /// Whether the index of words differs from the messages.
    package func hasDamagedIndex() throws(Failure) -> Bool {
        do throws(Failure) {
            // SQLite treats the command as a write.
            try write(isRehearsal: true) { db in
                try db.execute(sql: "INSERT INTO message_index (message_index, rank) VALUES ('integrity-check', 1)")
            }
            return false
        } catch  where error.code == SearchIndex.fault {
            return true
        }
    }

    package func rebuildIndex() throws(Failure) { try write { db in try SearchIndex.rebuild(db) } }

    /// Runs `body`. If it fails since the index is damaged, rebuilds the index and runs `body` again, so that a damaged
    /// index does not end a conversation.
    func withIndex<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        do throws(Failure) { return try body() } catch  where error.code == SearchIndex.fault {
            try rebuildIndex()
            return try body()
        }
    }
}
