import CSQLite
import GRDB
import Vocabulary

// The rows of the pictures of messages.

extension ChatPicture {
    /// Stores the picture of a message.
    func insert(at position: Int, of message: Int64, in session: SessionID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO pictures (session, message, position, name, mime, width, height, bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        .run([session.number, message, position, name, mime, width, height, bytes])
    }

    /// Returns the pictures of a conversation by the ids of their messages, each in its order. It bypasses GRDB, which
    /// has no bytes without Foundation.
    static func ofMessages(of session: SessionID, _ db: Database) throws -> [Int64: [ChatPicture]] {
        let sql = """
            SELECT message, name, mime, width, height, bytes FROM pictures WHERE session = ? ORDER BY message, position
            """
        let statement = try db.cachedStatement(sql: sql).sqliteStatement
        defer { sqlite3_reset(statement) }
        sqlite3_bind_int64(statement, 1, session.number)
        var pictures: [Int64: [ChatPicture]] = [:]
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let start = sqlite3_column_blob(statement, 5)
                let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, 5)))
                pictures[sqlite3_column_int64(statement, 0), default: []].append(
                    ChatPicture(
                        name: text(statement, 1), mime: text(statement, 2),
                        width: Int(sqlite3_column_int64(statement, 3)),
                        height: Int(sqlite3_column_int64(statement, 4)), bytes: Array(bytes)))
            case SQLITE_DONE: return pictures
            case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
    }

    private static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }

    /// Copies the pictures of messages that were copied to another conversation, in the order of their messages.
    static func copy(from session: SessionID, to made: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO pictures (session, message, position, name, mime, width, height, bytes)
                SELECT ?2, copies.id, position, name, mime, width, height, bytes FROM pictures
                JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM messages WHERE session = ?1) AS originals
                    ON originals.id = message
                JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM messages WHERE session = ?2) AS copies
                    ON copies.place = originals.place
                ORDER BY copies.id, position
                """, arguments: [session.number, made])
    }
}

extension [UInt8]: BoundValue {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            // Empty bytes may have no address, which SQLite would store as NULL.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_zeroblob(statement, place, 0)
            }
            return sqlite3_bind_blob(
                statement, place, start, Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }
}
