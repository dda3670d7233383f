import GRDB
import JSON
package import Vocabulary

/// Sessions and their messages.
extension Archive {
    /// Makes a new conversation and stores it.
    ///
    /// - Parameter owner: the chat that has the conversation open.
    package func begin(title: String, workspace: String, owner: String? = nil, at now: Moment) throws(Failure)
        -> SessionRecord
    {
        try write { db in
            try db.execute(
                sql: "INSERT INTO sessions (title, workspace, started_at, updated_at, owner) VALUES (?, ?, ?, ?, ?)",
                arguments: [title, workspace, now.milliseconds, now.milliseconds, owner])
            let id = SessionID(db.lastInsertedRowID)
            return SessionRecord(id: id, title: title, workspace: workspace, startedAt: now, updatedAt: now)
        }
    }

    package func append(_ message: ChatMessage, to session: SessionID, turn: Int, at now: Moment) throws(Failure) {
        try withIndex { () throws(Failure) in try write { db in try Self.insert(message, session, turn, now, db) } }
    }

    private static func insert(_ message: ChatMessage, _ session: SessionID, _ turn: Int, _ now: Moment, _ db: Database)
        throws
    {
        try db.execute(
            sql: """
                INSERT INTO messages (session, turn, role, text, calls, call_id, is_partial, at, thought, called)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                session.number, turn, message.role.rawValue, message.text, message.storedCalls, message.callID,
                message.isPartial,
                now.milliseconds, message.storedThought, message.called,
            ])
        let id = db.lastInsertedRowID
        for (position, picture) in message.pictures.enumerated() {
            try picture.insert(at: position, of: id, in: session, db)
        }
        try db.execute(
            sql: "UPDATE sessions SET updated_at = ? WHERE id = ?", arguments: [now.milliseconds, session.number])
        guard message.role == .user else { return }
        try db.execute(
            sql: """
                DELETE FROM waiting_lines WHERE session = ?1
                AND position = (SELECT min(position) FROM waiting_lines WHERE session = ?1 AND text = ?2)
                """, arguments: [session.number, message.text])
    }

    /// Stores an event that is not a part of a workflow's commit: of a turn, a question, a session. The usage of a
    /// reply also gets a row of its own.
    package func append(_ event: Event) throws(Failure) {
        try write { db in
            try Self.insert([event], db)
            if case .usage(let model, let usage) = event.kind { try Self.insert(usage, of: model, with: event, db) }
        }
    }

    /// Returns the folders in which conversations and workflows began, sorted.
    package func workspaces() throws(Failure) -> [String] {
        try read { db in
            try String.fetchAll(
                db, sql: "SELECT workspace FROM workflows UNION SELECT workspace FROM sessions ORDER BY workspace")
        }
    }

    // MARK: Lines that wait

    /// Stores a line after those of the session that wait. It is deleted when `append` stores the message that it
    /// becomes.
    ///
    /// - Parameter owner: the engine of the chat in which it was typed.
    package func keep(_ line: String, of session: SessionID, owner: String) throws(Failure) {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO waiting_lines (session, position, text, owner)
                    SELECT ?1, coalesce(max(position), 0) + 1, ?2, ?3 FROM waiting_lines WHERE session = ?1
                    """, arguments: [session.number, line, owner])
        }
    }

    /// Deletes the waiting lines of a session, or only the newest one with a text.
    package func forgetLines(of session: SessionID, newest text: String? = nil) throws(Failure) {
        try write { db in
            try db.execute(
                sql: """
                    DELETE FROM waiting_lines WHERE session = ?1 AND (?2 IS NULL OR position =
                    (SELECT max(position) FROM waiting_lines WHERE session = ?1 AND text = ?2))
                    """, arguments: [session.number, text])
        }
    }

    /// Takes over the newest session of a workspace in which lines wait although the chat in which they were typed has
    /// ended.
    ///
    /// - Returns: the session and its lines, which then belong to the new owner, or nil if there is none.
    package func takeLines(in workspace: String, owner: String, isAlive: (String) -> Bool) throws(Failure) -> (
        SessionID, [String]
    )? {
        try write { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT session, text, waiting_lines.owner AS owner FROM waiting_lines JOIN sessions ON sessions.id = session
                    WHERE workspace = ? ORDER BY session DESC, position
                    """, arguments: [workspace])
            guard let left = rows.first(where: { !isAlive($0["owner"]) }) else { return nil }
            let session: Int64 = left["session"]
            try db.execute(sql: "UPDATE waiting_lines SET owner = ? WHERE session = ?", arguments: [owner, session])
            try db.execute(sql: "UPDATE sessions SET owner = ? WHERE id = ?", arguments: [owner, session])
            return (SessionID(session), rows.filter { $0["session"] == session }.map { $0["text"] })
        }
    }

    // MARK: Looking back

    /// Returns conversations, the most recently used first.
    ///
    /// - Parameter workspace: if not nil, only conversations that began in this folder are returned.
    package func sessions(limit: Int = 50, in workspace: String? = nil) throws(Failure) -> [SessionRecord] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    \(Self.sessionColumns) WHERE ?1 IS NULL OR workspace = ?1 ORDER BY updated_at DESC, id DESC LIMIT ?2
                    """, arguments: [workspace, limit]
            ).map { row in
                // A row that cannot be read fully is returned as far as it can, and does not hide the others.
                Damage.leniently { SessionRecord(row: row) }.value
            }
        }
    }

    package func session(_ id: SessionID) throws(Failure) -> SessionRecord? {
        try read { db in try Self.session(id.number, db) }
    }

    static func session(_ number: Int64, _ db: Database) throws -> SessionRecord? {
        try Row.fetchOne(db.cachedStatement(sql: "\(sessionColumns) WHERE id = ?"), arguments: [number]).map { row in
            Damage.leniently { SessionRecord(row: row) }.value
        }
    }

    private static let sessionColumns =
        "SELECT *, (SELECT count(*) FROM messages WHERE session = sessions.id) AS message_count FROM sessions"

    /// Returns the messages of a conversation, oldest first.
    package func messages(of session: SessionID) throws(Failure) -> [MessageRecord] {
        try read { db in
            let pictures = try ChatPicture.ofMessages(of: session, db)
            return try Row.fetchAll(
                db, sql: "SELECT * FROM messages WHERE session = ? ORDER BY id", arguments: [session.number]
            )
            .map { row in
                var record = MessageRecord(row: row)
                record.message.pictures = pictures[record.id] ?? []
                return record
            }
        }
    }
}
