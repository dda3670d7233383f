import GRDB
package import Vocabulary

extension Limits {
    /// The most bytes of a search in the history, and the most words. A longer search is refused.
    fileprivate static let searchBytes = 1_000
    fileprivate static let searchWords = 16

    /// The most words of a text that are shown around a match.
    fileprivate static let snippetWords = 12
}

extension Archive {
    /// Returns the conversations in which all words occur in one message or in the title, the newest match first. Texts
    /// count, and names and arguments of calls.
    ///
    /// The index finds whole words, and the last word by its beginning. Signs, and words in scripts without spaces, are
    /// searched letter by letter.
    ///
    /// - Throws: `badUsage` if there is nothing to search for, or too much.
    package func search(_ typed: String, limit: Int) throws(Failure) -> [SearchHit] {
        let words = SearchWords(typed)
        let count = typed.split(whereSeparator: \.isWhitespace).count
        guard !words.isEmpty, typed.utf8.count <= Limits.searchBytes, count <= Limits.searchWords else {
            let problem = words.isEmpty ? "There is nothing to look for." : "These are too many words to look for."
            throw Failure(
                .badUsage, problem, remedy: "Say 1 to \(Limits.searchWords) words: 'assent history search notes'")
        }
        return try withIndex { () throws(Failure) in
            try read { db in
                var hits = try Self.messageHits(words, limit, db)
                let found = Set(hits.map(\.session.id))
                hits += try Self.titleHits(words, limit, db).filter { !found.contains($0.session.id) }
                return Array(
                    hits.sorted { ($0.at, $0.session.id.number) > ($1.at, $1.session.id.number) }.prefix(limit))
            }
        }
    }

    private static func messageHits(_ words: SearchWords, _ limit: Int, _ db: Database) throws -> [SearchHit] {
        var conditions = words.parts.map { _ in
            "(instr(lower(m.text), lower(?)) > 0 OR instr(lower(coalesce(m.called, '')), lower(?)) > 0)"
        }
        var arguments: [any DatabaseValueConvertible] = words.parts.flatMap { [$0, $0] }
        var tables = "messages m"
        if let expression = words.expression {
            // In this order the index returns its rows newest first, so they need not be sorted.
            tables = "message_index CROSS JOIN messages m ON m.id = message_index.rowid"
            conditions.insert("message_index MATCH ?", at: 0)
            arguments.insert(expression, at: 0)
        }
        let order = words.expression == nil ? "m.id" : "message_index.rowid"
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT m.id, m.session, m.turn, m.at FROM \(tables) WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) DESC
                """,
            arguments: StatementArguments(arguments))
        var found: Set<Int64> = []
        var hits: [SearchHit] = []
        while hits.count < limit, let row = try rows.next() {
            guard found.insert(row["session"]).inserted, let session = try session(row["session"], db) else { continue }
            hits.append(
                SearchHit(
                    session: session, turn: row["turn"], at: Moment(milliseconds: row["at"]),
                    snippet: try snippet(of: row["id"], words, db)
                ))
        }
        return hits
    }

    private static func snippet(of message: Int64, _ words: SearchWords, _ db: Database) throws -> [SearchHit.Piece] {
        if let expression = words.expression {
            let statement = try db.cachedStatement(
                sql: """
                    SELECT snippet(message_index, -1, ?, ?, '…', \(Limits.snippetWords)) FROM message_index
                    WHERE message_index MATCH ? AND rowid = ?
                    """)
            let marked = try String.fetchOne(
                statement, arguments: [SearchWords.opening, SearchWords.closing, expression, message])
            return SearchWords.pieces(marked ?? "")
        }
        guard
            let row = try Row.fetchOne(db, sql: "SELECT text, called FROM messages WHERE id = ?", arguments: [message])
        else { return [] }
        return words.pieces(of: row["text"]) ?? (row["called"] as String?).flatMap(words.pieces(of:)) ?? []
    }

    /// Returns the conversations whose title matches. A title may have words that no message has. It needs no index,
    /// since titles are few.
    private static func titleHits(_ words: SearchWords, _ limit: Int, _ db: Database) throws -> [SearchHit] {
        // A word of a title is found by its beginning.
        let conditions =
            words.beginnings.map { _ in "instr(' ' || lower(title), ' ' || lower(?)) > 0" }
            + words.parts.map { _ in "instr(lower(title), lower(?)) > 0" }
        let ids = try Int64.fetchAll(
            db,
            sql:
                "SELECT id FROM sessions WHERE \(conditions.joined(separator: " AND ")) ORDER BY updated_at DESC LIMIT ?",
            arguments: StatementArguments(words.beginnings + words.parts) + [limit])
        return try ids.compactMap { id in
            try session(id, db).map {
                SearchHit(session: $0, turn: nil, at: $0.updatedAt, snippet: [SearchHit.Piece($0.title)])
            }
        }
    }
}
