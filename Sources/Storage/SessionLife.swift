import GRDB
package import JSON
package import Vocabulary

/// Actions on a whole conversation. They do not change its workflows.
extension Archive {
    private static func unknown(_ id: SessionID) -> Failure {
        Failure(.unknownSession, "There is no conversation \(id).", remedy: "See 'assent history'.")
    }

    /// The prefix of the names of processes that have a conversation open for one turn only.
    static let oneTurnHolder = "chat-ask-"

    /// Throws unless a conversation exists, and no living process other than `owner` has it open.
    ///
    /// - Throws: `unknownSession`, `sessionOpen` if a chat has it open, or `sessionBusy` if one turn of a script is
    ///   under way in it.
    private static func requireFree(_ id: SessionID, for owner: String?, _ isAlive: (String) -> Bool, _ db: Database)
        throws
    {
        guard let row = try Row.fetchOne(db, sql: "SELECT owner FROM sessions WHERE id = ?", arguments: [id.number])
        else {
            throw unknown(id)
        }
        guard let holder = row["owner"] as String?, holder != owner, isAlive(holder) else { return }
        if holder.hasPrefix(oneTurnHolder) {
            throw Failure(
                .sessionBusy, "Another 'assent ask' answers in \(id).",
                isTransient: true)
        }
        throw Failure(
            .sessionOpen, "\(id) is open in a chat.",
            remedy: "Leave it there first, or copy it: 'assent history fork \(id) TURN'")
    }

    /// Opens a conversation for one process, so that two processes do not answer in it at the same time.
    ///
    /// - Parameters:
    ///   - owner: the engine of the chat.
    ///   - isAlive: returns whether the chat of a name still lives.
    /// - Returns: the lines that wait in it since a crash. They belong to `owner` from now on.
    /// - Throws: `unknownSession`, or `sessionOpen` or `sessionBusy` if another process has it open.
    package func open(_ id: SessionID, owner: String, isAlive: (String) -> Bool) throws(Failure) -> [String] {
        try write { db in
            try Self.requireFree(id, for: owner, isAlive, db)
            try db.execute(sql: "UPDATE sessions SET owner = ? WHERE id = ?", arguments: [owner, id.number])
            try db.execute(sql: "UPDATE waiting_lines SET owner = ? WHERE session = ?", arguments: [owner, id.number])
            return try String.fetchAll(
                db, sql: "SELECT text FROM waiting_lines WHERE session = ? ORDER BY position", arguments: [id.number])
        }
    }

    /// Closes a conversation, if `owner` has it open.
    package func close(_ id: SessionID, owner: String) throws(Failure) {
        try write { db in
            try db.execute(
                sql: "UPDATE sessions SET owner = NULL WHERE id = ? AND owner = ?", arguments: [id.number, owner])
        }
    }

    /// Returns when the user last left a conversation, or nil if it was never left but by a crash.
    package func lastLeft(_ id: SessionID) throws(Failure) -> Moment? {
        try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT max(at) FROM events WHERE session = ? AND type = 'session.left'",
                arguments: [id.number]
            ).map { Moment(milliseconds: $0) }
        }
    }

    /// Stores how far the messages of a conversation are shortened for its model.
    package func setCompaction(_ json: JSON, of id: SessionID) throws(Failure) {
        try write { db in
            try db.execute(
                sql: "UPDATE sessions SET compaction = ? WHERE id = ?", arguments: [json.text, id.number])
        }
    }

    /// Returns how far the messages of a conversation are shortened for its model, or nil if they are not.
    package func compaction(of id: SessionID) throws(Failure) -> JSON? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT compaction FROM sessions WHERE id = ?", arguments: [id.number])
                .flatMap { $0["compaction"] == nil ? nil : json($0, "compaction") }
        }
    }

    /// Changes the title of a conversation.
    ///
    /// - Throws: `unknownSession`.
    package func rename(_ id: SessionID, to title: String) throws(Failure) {
        try write { db in
            try db.execute(sql: "UPDATE sessions SET title = ? WHERE id = ?", arguments: [title, id.number])
            guard db.changesCount == 1 else { throw Self.unknown(id) }
        }
    }

    /// Makes a new conversation with copies of the messages up to and including `turn`. The usage and the workflows
    /// stay with the old one.
    ///
    /// - Parameter workspace: the folder of the new conversation, or `nil` for that of the old one.
    /// - Throws: `unknownSession`, or `unknownTurn` if it has no such turn.
    package func fork(_ id: SessionID, through turn: Int, title: String, in workspace: String? = nil, at now: Moment)
        throws(Failure) -> SessionRecord
    {
        try withIndex { () throws(Failure) in
            try write { db in
                guard let old = try Self.session(id.number, db) else { throw Self.unknown(id) }
                let turns = try Int.fetchAll(
                    db, sql: "SELECT DISTINCT turn FROM messages WHERE session = ? ORDER BY turn",
                    arguments: [id.number])
                guard turns.contains(turn) else {
                    let known =
                        turns.last.map { "Its turns are \(turns[0]) to \($0): 'assent history \(id)'" }
                        ?? "Nothing was said in it."
                    throw Failure(.unknownTurn, "\(id) has no turn \(turn).", remedy: known)
                }
                try db.execute(
                    sql: "INSERT INTO sessions (title, workspace, started_at, updated_at) VALUES (?, ?, ?, ?)",
                    arguments: [title, workspace ?? old.workspace, now.milliseconds, now.milliseconds])
                let made = db.lastInsertedRowID
                try db.execute(
                    sql: """
                        INSERT INTO messages (session, turn, role, text, calls, call_id, is_partial, at, thought, called)
                        SELECT ?, turn, role, text, calls, call_id, is_partial, at, thought, called FROM messages
                        WHERE session = ? AND turn <= ? ORDER BY id
                        """, arguments: [made, id.number, turn])
                try ChatPicture.copy(from: id, to: made, db)
                return try Self.session(made, db)!
            }
        }
    }

    /// Deletes a conversation in one transaction: its messages, their pictures and entries in the index, its usage,
    /// events and waiting lines. Its workflows stay, and keep its number, which is never used again. On a full
    /// disk, the reserve is deleted to make space.
    ///
    /// - Returns: the workflows that stay.
    /// - Throws: `unknownSession`; `sessionOpen` or `sessionBusy` if another process has it open;
    ///   `workflowUnderWay` if one of its workflows is not over.
    package func delete(_ id: SessionID, isAlive: (String) -> Bool) throws(Failure) -> [WorkflowID] {
        try withReserve { () throws(Failure) in
            try withIndex { () throws(Failure) in try write(isPrecious: true) { db in try Self.delete(id, isAlive, db) }
            }
        }
    }

    private static func delete(_ id: SessionID, _ isAlive: (String) -> Bool, _ db: Database) throws -> [WorkflowID] {
        try requireFree(id, for: nil, isAlive, db)
        let workflows = try Row.fetchAll(
            db, sql: "SELECT id, outcome FROM workflows WHERE session = ? ORDER BY id", arguments: [id.number])
        let open = workflows.filter { ($0["outcome"] as String?) == nil }.map { WorkflowID($0["id"]) }
        guard open.isEmpty else {
            let names = open.prefix(5).map(\.description).joined(separator: ", ")
            throw Failure(
                .workflowUnderWay,
                "\(id) has workflows under way: \(names)\(open.count > 5 ? " and \(open.count - 5) more" : "").",
                remedy: "Let them end, or cancel them: 'assent cancel \(open[0])'")
        }
        for table in tablesOfSession {
            try db.execute(sql: "DELETE FROM \(table) WHERE session = ?", arguments: [id.number])
        }
        // Events of workflows stay with their workflows.
        try db.execute(sql: "DELETE FROM events WHERE session = ? AND workflow IS NULL", arguments: [id.number])
        try db.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [id.number])
        // Deleted texts stay in the index until its parts are merged.
        try db.execute(sql: "INSERT INTO message_index (message_index) VALUES ('optimize')")
        return workflows.map { WorkflowID($0["id"]) }
    }

    /// The tables whose rows are deleted with a session. A test holds that no table with a column `session` is
    /// missing, except events and workflows. A table that refers to another one stands before it.
    static let tablesOfSession = ["pictures", "messages", "usage", "waiting_lines", "heard"]
}
