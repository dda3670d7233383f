import GRDBSQLite
import Glibc
import Storage
import Vocabulary

/// Looking for words in 50,000 messages of 500 conversations, beside SQLite alone with the same rows and the same
/// index.
enum SearchBench {
    private static let messages = 50_000
    private static let sessions = 500

    static func run() throws -> [Figure] {
        try withScratchFolder(measure)
    }

    private static func measure(in folder: String) throws -> [Figure] {
        let archive = try Archive(folder: folder)
        try fill(archive, folder)
        let database = open(folder)
        defer { sqlite3_close(database) }
        let cases = [
            ("of a word that is rare", "needle", #""needle"*"#),
            ("of a word that is in every message", "common", #""common"*"#),
            ("of a beginning and a word", "common w4", #""common" "w4"*"#),
        ]
        var figures = cases.map { name, words, expression in
            let pairs = Pairs(9) {
                Clock.measure { found(try! archive.search(words, limit: 20).count) } * 1000
            } _: {
                Clock.measure { found(rows(database, indexed, expression) + rows(database, titled, words)) } * 1000
            }
            return Figure(name: "search \(name)", pairs, unit: "ms", reference: "SQLite alone", bar: .ratioAtMost(2))
        }
        let scan = Pairs(5) {
            Clock.measure { found(try! archive.search("写真", limit: 20).count) } * 1000
        } _: {
            Clock.measure { found(rows(database, scanned, "写真") + rows(database, titled, "写真")) } * 1000
        }
        figures.append(
            Figure(name: "search letter by letter", scan, unit: "ms", reference: "SQLite alone", bar: .ratioAtMost(2)))
        return figures
    }

    private static func found(_ count: Int) { precondition(count > 0) }

    /// What a person would ask at the prompt of `sqlite3`: the newest match of each conversation, with its place
    /// marked, and the titles.
    private static let indexed = """
        SELECT s.id, s.title, m.turn, snippet(message_index, -1, '<', '>', '…', 12), (SELECT count(*) FROM messages WHERE session = s.id)
        FROM message_index JOIN messages m ON m.id = message_index.rowid JOIN sessions s ON s.id = m.session
        WHERE message_index MATCH ?1 AND m.id IN (
            SELECT max(n.id) FROM message_index JOIN messages n ON n.id = message_index.rowid WHERE message_index MATCH ?1
            GROUP BY n.session ORDER BY max(n.id) DESC LIMIT 20
        ) ORDER BY message_index.rowid DESC
        """

    private static let titled = """
        SELECT id FROM sessions WHERE instr(' ' || lower(title), ' ' || lower(?1)) > 0 ORDER BY updated_at DESC LIMIT 20
        """

    private static let scanned = """
        SELECT session, max(id), text FROM messages WHERE instr(lower(text), lower(?1)) > 0 OR instr(lower(coalesce(called, '')), lower(?1)) > 0
        GROUP BY session ORDER BY max(id) DESC LIMIT 20
        """

    private static func fill(_ archive: Archive, _ folder: String) throws {
        let now = Moment(milliseconds: 1_795_000_000_000)
        for number in 1...sessions { _ = try archive.begin(title: "conversation \(number)", workspace: "/w", at: now) }
        let database = open(folder)
        defer { sqlite3_close(database) }
        RawSQLite.run(
            database,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(messages))
            INSERT INTO messages (session, turn, role, text, calls, is_partial, at)
            SELECT 1 + i % \(sessions), 1 + i / \(sessions), 'user',
                'a common word w' || (i % 5000) || ' in some forty words of text ' || replace(hex(zeroblob(12)), '00', 'more words ')
                || iif(i % 5000 = 7, 'a needle', '') || iif(i % 500 = 9, '写真を小さく', ''), '[]', 0, 0 FROM n
            """)
    }

    private static func open(_ folder: String) -> OpaquePointer {
        var handle: OpaquePointer?
        precondition(sqlite3_open_v2(folder + "/assent.db", &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        return handle!
    }

    private static func rows(_ database: OpaquePointer, _ sql: String, _ words: String) -> Int {
        var statement: OpaquePointer?
        precondition(
            sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
            String(cString: sqlite3_errmsg(database)))
        defer { sqlite3_finalize(statement) }
        sqlite3_bind_text(statement, 1, words, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        var count = 0
        while sqlite3_step(statement) == SQLITE_ROW { count += 1 }
        return count
    }
}
