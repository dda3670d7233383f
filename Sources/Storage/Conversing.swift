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
        }
    }

    /// Stores an event that belongs to no workflow's commit: of a turn, a question, a session.
    package func append(_ event: Event) throws(Failure) {
        try write { db in try Self.insert([event], db) }
    }

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
                SessionRecord(
                    id: SessionID(row["id"]), title: row["title"], workspace: row["workspace"],
                    startedAt: Moment(milliseconds: row["started_at"]),
                    updatedAt: Moment(milliseconds: row["updated_at"]), messageCount: row["message_count"])
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
