import GRDB
import JSON
package import Vocabulary

/// Sessions and their messages.
extension Archive {
    /// A new conversation, stored from its first line on.
    package func begin(title: String, workspace: String, at now: Moment) throws(Failure) -> SessionRecord {
        try write { db in
            try db.execute(
                sql: "INSERT INTO sessions (title, workspace, started_at, updated_at) VALUES (?, ?, ?, ?)",
                arguments: [title, workspace, now.milliseconds, now.milliseconds])
            let id = SessionID(db.lastInsertedRowID)
            return SessionRecord(id: id, title: title, workspace: workspace, startedAt: now, updatedAt: now)
        }
    }

    package func append(_ message: ChatMessage, to session: SessionID, turn: Int, at now: Moment) throws(Failure) {
        try write { db in
            let calls = JSON.array(
                message.calls.map { call in
                    .of([
                        "id": .string(call.id), "name": .string(call.name), "arguments": call.arguments,
                        "opaque": call.opaque.isEmpty ? nil : .object(call.opaque),
                    ])
                })
            try db.execute(
                sql: "INSERT INTO messages (session, turn, role, text, calls, call_id, is_partial, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    session.number, turn, message.role.rawValue, message.text, calls.text, message.callID, message.isPartial,
                    now.milliseconds,
                ])
            try db.execute(sql: "UPDATE sessions SET updated_at = ? WHERE id = ?", arguments: [now.milliseconds, session.number])
            guard message.role == .user else { return }
            try db.execute(
                sql: """
                    DELETE FROM waiting_lines WHERE session = ?1 AND text = ?2
                    AND position = (SELECT min(position) FROM waiting_lines WHERE session = ?1)
                    """, arguments: [session.number, message.text])
        }
    }

    /// Stores an event that belongs to no workflow's commit: of a turn, a question, a session.
    package func append(_ event: Event) throws(Failure) {
        try write { db in try Self.insert([event], db) }
    }

    /// The folders in which conversations and workflows began.
    package func workspaces() throws(Failure) -> [String] {
        try read { db in
            try String.fetchAll(db, sql: "SELECT workspace FROM workflows UNION SELECT workspace FROM sessions ORDER BY workspace")
        }
    }

    // MARK: Lines that wait

    /// Stores a line behind those of the session that wait. It goes with `append` of the message that it becomes.
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

    package func forgetLines(of session: SessionID) throws(Failure) {
        try write { db in try db.execute(sql: "DELETE FROM waiting_lines WHERE session = ?", arguments: [session.number]) }
    }

    /// Takes over the newest session of a workspace in which lines wait though the chat that they were typed in has ended.
    /// - Returns: the session with its lines, which from now on are the new owner's; `nil` if there is none.
    package func takeLines(in workspace: String, owner: String, isAlive: (String) -> Bool) throws(Failure) -> (SessionID, [String])? {
        try write { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT session, text, owner FROM waiting_lines JOIN sessions ON sessions.id = session
                    WHERE workspace = ? ORDER BY session DESC, position
                    """, arguments: [workspace])
            guard let left = rows.first(where: { !isAlive($0["owner"]) }) else { return nil }
            let session: Int64 = left["session"]
            try db.execute(sql: "UPDATE waiting_lines SET owner = ? WHERE session = ?", arguments: [owner, session])
            return (SessionID(session), rows.filter { $0["session"] == session }.map { $0["text"] })
        }
    }

    // MARK: Looking back

    /// Newest first; with a search, those in which the words occur.
    package func sessions(limit: Int = 50, searching words: String? = nil) throws(Failure) -> [SessionRecord] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT *, (SELECT count(*) FROM messages WHERE session = sessions.id) AS message_count FROM sessions
                    WHERE ? IS NULL OR EXISTS (SELECT 1 FROM messages WHERE session = sessions.id AND instr(lower(text), lower(?)) > 0)
                    ORDER BY id DESC LIMIT ?
                    """, arguments: [words, words, limit]
            ).map { row in
                // As far as it can be read: one does not hide the others.
                Damage.leniently {
                    SessionRecord(
                        id: SessionID(row["id"]), title: row["title"], workspace: row["workspace"],
                        startedAt: Moment(milliseconds: row["started_at"]),
                        updatedAt: Moment(milliseconds: row["updated_at"]), messageCount: row["message_count"])
                }.value
            }
        }
    }

    /// Oldest first.
    package func messages(of session: SessionID) throws(Failure) -> [MessageRecord] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM messages WHERE session = ? ORDER BY id", arguments: [session.number]).map { row in
                let calls = (json(row, "calls").array ?? []).map { call in
                    ChatCall(
                        id: call["id"]?.string ?? "", name: call["name"]?.string ?? "", arguments: call["arguments"] ?? [:],
                        opaque: call["opaque"]?.object ?? JSON.Object())
                }
                let role = ChatMessage.Role(rawValue: row["role"]) ?? .user
                return MessageRecord(
                    id: row["id"], session: session, turn: row["turn"],
                    message: ChatMessage(role, row["text"], calls: calls, callID: row["call_id"], isPartial: row["is_partial"]),
                    at: Moment(milliseconds: row["at"]))
            }
        }
    }
}
