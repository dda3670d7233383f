import GRDBSQLite
import Glibc
import Storage

/// The limit: the same rows as the engine writes for a chain of `Pass`, through the C interface with prepared
/// statements, one commit for each transition, at synchronous=NORMAL, under the same kind of lock.
enum RawSQLite {
    static func chain(_ count: Int, in folder: String) throws -> Double {
        // The schema is the real one.
        let archive = try Archive(folder: folder)
        archive.close()
        var handle: OpaquePointer?
        precondition(sqlite3_open_v2(folder + "/assent.db", &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let database = handle!
        defer { sqlite3_close(database) }
        run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
        run(
            database,
            "INSERT INTO workflows (id, title, workspace, mode, on_ask, created_at, updated_at, fence) VALUES (1, 'bench', '/tmp', 'adaptive', 'park', 0, 0, 1)"
        )
        run(
            database,
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO steps (workflow, step, node, kind, state, attempt, tries, updated_at) SELECT 1, i, 'n' || i, 'Pass', 'blocked', 0, 0, 0 FROM n"
        )
        let lock = open(folder + "/assent.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        let statements = Statements(database)
        return Clock.measure {
            for step in 1...count {
                // ready → running, with its run and two events; then running → succeeded, with its asset and event.
                transaction(database, lock, statements) {
                    statements.update(step, state: "runningLocal")
                    statements.start(step)
                    statements.event(step, #"{"state":"ready"}"#)
                    statements.event(step, #"{"state":"runningLocal"}"#)
                }
                transaction(database, lock, statements) {
                    statements.update(step, state: "succeeded")
                    statements.end(step)
                    statements.asset(step)
                    statements.event(step, #"{"state":"succeeded"}"#)
                }
            }
        }
    }

    private static func transaction(
        _ database: OpaquePointer, _ lock: Int32, _ statements: Statements, _ body: () -> Void
    ) {
        flock(lock, LOCK_EX)
        statements.step(statements.begin)
        statements.step(statements.revision)
        body()
        statements.step(statements.commit)
        flock(lock, LOCK_UN)
    }

    static func run(_ database: OpaquePointer, _ sql: String) {
        precondition(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, String(cString: sqlite3_errmsg(database)))
    }
}

private struct Statements {
    let begin, commit, revision: OpaquePointer
    private let stepUpdate, runInsert, runUpdate, assetInsert, eventInsert: OpaquePointer

    init(_ database: OpaquePointer) {
        func prepared(_ sql: String) -> OpaquePointer {
            var statement: OpaquePointer?
            precondition(
                sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK)
            return statement!
        }
        begin = prepared("BEGIN IMMEDIATE")
        commit = prepared("COMMIT")
        revision = prepared("UPDATE workflows SET revision = revision + 1, updated_at = 1 WHERE id = 1 AND fence = 1")
        stepUpdate = prepared(
            "UPDATE steps SET state = ?, attempt = 1, tries = 1, updated_at = 1 WHERE workflow = 1 AND step = ?")
        runInsert = prepared(
            "INSERT INTO runs (workflow, step, attempt, kind, started_at, inputs, params) VALUES (1, ?, 1, 'tool', 1, '{}', '{}')"
        )
        runUpdate = prepared(
            "UPDATE runs SET finished_at = 1, ending = 'succeeded' WHERE workflow = 1 AND step = ? AND attempt = 1")
        assetInsert = prepared(
            "INSERT INTO assets (workflow, step, attempt, port, type, sha256, bytes, name, meta) VALUES (1, ?, 1, 'out', 'any', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0, 'nothing', '{}')"
        )
        eventInsert = prepared(
            "INSERT INTO events (at, workflow, step, attempt, type, body) VALUES (1, 1, ?, 1, 'step.changed', ?)")
    }

    func step(_ statement: OpaquePointer) {
        precondition(sqlite3_step(statement) == SQLITE_DONE)
        sqlite3_reset(statement)
    }

    func update(_ number: Int, state: String) {
        sqlite3_bind_text(stepUpdate, 1, state, -1, Self.copied)
        sqlite3_bind_int64(stepUpdate, 2, Int64(number))
        step(stepUpdate)
    }

    func start(_ number: Int) { bound(runInsert, number) }
    func end(_ number: Int) { bound(runUpdate, number) }
    func asset(_ number: Int) { bound(assetInsert, number) }

    func event(_ number: Int, _ body: String) {
        sqlite3_bind_text(eventInsert, 2, body, -1, Self.copied)
        bound(eventInsert, number)
    }

    private func bound(_ statement: OpaquePointer, _ number: Int) {
        sqlite3_bind_int64(statement, 1, Int64(number))
        step(statement)
    }

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
