import GRDB

/// The tables, as an append-only list of migrations.
///
/// Rule: never edit a migration that has shipped. Add the next one.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 workflows") { db in try db.execute(sql: workflows) }
        migrator.registerMigration("2 people") { db in try db.execute(sql: people) }
        migrator.registerMigration("3 conversations") { db in try db.execute(sql: conversations) }
        migrator.registerMigration("4 waiting lines") { db in try db.execute(sql: waitingLines) }
        migrator.registerMigration("5 engine") { db in try db.execute(sql: engine) }
        migrator.registerMigration("6 keeping") { db in try db.execute(sql: keeping) }
        // Rows without a parent concern only some workflows. `doctor` reports them, and they stop no start.
        migrator.registerMigration("7 checksums", foreignKeyChecks: .immediate) { db in try makeChecksums(db) }
        migrator.registerMigration("8 history", foreignKeyChecks: .immediate) { db in try makeHistory(db) }
        migrator.registerMigration("9 deadlines", foreignKeyChecks: .immediate) { db in try makeDeadlines(db) }
        migrator.registerMigration("10 heard", foreignKeyChecks: .immediate) { db in try makeHeard(db) }
        migrator.registerMigration("11 pictures", foreignKeyChecks: .immediate) { db in try makePictures(db) }
        migrator.registerMigration("12 told", foreignKeyChecks: .immediate) { db in try makeTold(db) }
        migrator.registerMigration("13 graphs", foreignKeyChecks: .immediate) { db in try makeGraphs(db) }
        return migrator
    }

    /// Returns the SQL of a check that a column holds one of a few words. It uses no `IN`: for more than two words,
    /// SQLite would build a table of them for every row that it checks.
    static func check(_ column: String, _ words: String...) -> String {
        "CHECK (" + words.map { "\(column) = '\($0)'" }.joined(separator: " OR ") + ")"
    }

    private static let workflows = """
        CREATE TABLE workflows (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            session INTEGER,
            workspace TEXT NOT NULL,
            mode TEXT NOT NULL \(check("mode", "always-ask", "adaptive", "auto")),
            on_ask TEXT NOT NULL \(check("on_ask", "inline", "deny", "park", "fail")),
            template TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            outcome TEXT \(check("outcome", "succeeded", "failed", "cancelled")),
            cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
            owner TEXT,
            fence INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX workflows_open ON workflows (id) WHERE outcome IS NULL;

        CREATE TABLE steps (
            workflow INTEGER NOT NULL REFERENCES workflows (id),
            step INTEGER NOT NULL,
            node TEXT NOT NULL,
            kind TEXT NOT NULL,
            state TEXT NOT NULL \(check(
                "state", "blocked", "ready", "awaitingUser", "runningLocal", "queuedRemote", "runningRemote", "downloading", "succeeded",
                "failed", "cancelled")),
            reason_code TEXT,
            reason_words TEXT,
            attempt INTEGER NOT NULL,
            tries INTEGER NOT NULL,
            failure TEXT,
            due_at INTEGER,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (workflow, step)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE runs (
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            kind TEXT NOT NULL \(check("kind", "tool", "import")),
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            ending TEXT \(check("ending", "succeeded", "failed", "cancelled", "lost")),
            failure TEXT,
            inputs TEXT NOT NULL,
            params TEXT NOT NULL,
            digest TEXT,
            PRIMARY KEY (workflow, step, attempt),
            FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE assets (
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            port TEXT NOT NULL,
            type TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            name TEXT NOT NULL,
            meta TEXT NOT NULL,
            PRIMARY KEY (workflow, step, attempt, port),
            FOREIGN KEY (workflow, step, attempt) REFERENCES runs (workflow, step, attempt)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE events (
            seq INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            session INTEGER,
            turn INTEGER,
            workflow INTEGER,
            step INTEGER,
            attempt INTEGER,
            type TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX events_of_workflow ON events (workflow) WHERE workflow IS NOT NULL;
        """

    private static let people = """
        CREATE TABLE awaits (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            type TEXT NOT NULL,
            status TEXT NOT NULL \(check("status", "pending", "claimed", "snoozed", "done")),
            title TEXT NOT NULL,
            reason TEXT NOT NULL,
            urgency TEXT NOT NULL \(check("urgency", "high", "normal", "low")),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            digest TEXT,
            question TEXT,
            resolution TEXT,
            answered_by TEXT,
            closed_at INTEGER,
            FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step)
        ) STRICT;
        CREATE UNIQUE INDEX awaits_one_per_need ON awaits (workflow, step) WHERE status <> 'done';

        CREATE TABLE approvals (
            await INTEGER NOT NULL REFERENCES awaits (number),
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            digest TEXT NOT NULL,
            is_planned INTEGER NOT NULL CHECK (is_planned IN (0, 1)),
            answered_by TEXT NOT NULL,
            policy_epoch TEXT NOT NULL,
            at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            used_at INTEGER,
            PRIMARY KEY (await, step, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX approvals_of_step ON approvals (workflow, step) WHERE used_at IS NULL;

        CREATE TABLE decisions (
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            digest TEXT NOT NULL,
            call TEXT NOT NULL,
            decision TEXT NOT NULL \(check("decision", "allow", "ask", "deny")),
            because TEXT NOT NULL,
            mode TEXT NOT NULL,
            decided_by TEXT NOT NULL,
            policy_epoch TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX decisions_of_step ON decisions (workflow, step, attempt);

        CREATE TABLE commands (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workflow INTEGER NOT NULL REFERENCES workflows (id),
            step INTEGER,
            verb TEXT NOT NULL \(check("verb", "cancel", "retry", "answer")),
            argument TEXT NOT NULL,
            at INTEGER NOT NULL,
            taken_at INTEGER
        ) STRICT;
        CREATE INDEX commands_waiting ON commands (workflow) WHERE taken_at IS NULL;
        """

    private static let conversations = """
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            workspace TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            session INTEGER NOT NULL REFERENCES sessions (id),
            turn INTEGER NOT NULL,
            role TEXT NOT NULL \(check("role", "system", "user", "assistant", "tool")),
            text TEXT NOT NULL,
            calls TEXT NOT NULL,
            call_id TEXT,
            is_partial INTEGER NOT NULL CHECK (is_partial IN (0, 1)),
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX messages_of_session ON messages (session, id);
        CREATE INDEX events_of_session ON events (session) WHERE session IS NOT NULL;
        """

    private static let waitingLines = """
        CREATE TABLE waiting_lines (
            session INTEGER NOT NULL REFERENCES sessions (id),
            position INTEGER NOT NULL,
            text TEXT NOT NULL,
            owner TEXT NOT NULL,
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        """
}
