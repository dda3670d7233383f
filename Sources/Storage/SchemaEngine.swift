extension Schema {
    /// The tables and columns for jobs, awaits, staleness and graph revisions. `runs` and `commands` are made again,
    /// since SQLite cannot widen a CHECK.
    static let engine = """
        ALTER TABLE workflows ADD COLUMN polling_paused_at INTEGER;
        ALTER TABLE workflows ADD COLUMN archived_at INTEGER;
        ALTER TABLE workflows ADD COLUMN graph_revision INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE workflows ADD COLUMN rests INTEGER NOT NULL DEFAULT 0 CHECK (rests = 0 OR rests = 1);

        ALTER TABLE steps ADD COLUMN stale_since TEXT;
        ALTER TABLE steps ADD COLUMN replays INTEGER;
        ALTER TABLE steps ADD COLUMN edits TEXT;
        ALTER TABLE steps ADD COLUMN agreed TEXT;

        ALTER TABLE awaits ADD COLUMN claim INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE awaits ADD COLUMN claimed_by TEXT;
        ALTER TABLE awaits ADD COLUMN until INTEGER;
        ALTER TABLE awaits ADD COLUMN snoozes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE awaits ADD COLUMN draft TEXT;
        CREATE INDEX awaits_expiring ON awaits (expires_at) WHERE expires_at IS NOT NULL AND status <> 'done';

        CREATE TABLE runs_5 (
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            kind TEXT NOT NULL \(check("kind", "tool", "import", "person")),
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            ending TEXT \(check("ending", "succeeded", "failed", "cancelled", "lost")),
            failure TEXT,
            inputs TEXT NOT NULL,
            params TEXT NOT NULL,
            digest TEXT,
            tool_version TEXT,
            phase TEXT \(check("phase", "submitIntent", "submitted", "submitUnknown", "cancelRequested", "collecting")),
            job TEXT,
            PRIMARY KEY (workflow, step, attempt),
            FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO runs_5 (workflow, step, attempt, kind, started_at, finished_at, ending, failure, inputs, params, digest)
            SELECT workflow, step, attempt, kind, started_at, finished_at, ending, failure, inputs, params, digest FROM runs;
        DROP TABLE runs;
        ALTER TABLE runs_5 RENAME TO runs;

        CREATE TABLE commands_5 (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workflow INTEGER NOT NULL REFERENCES workflows (id),
            step INTEGER,
            verb TEXT NOT NULL,
            argument TEXT NOT NULL,
            at INTEGER NOT NULL,
            taken_at INTEGER
        ) STRICT;
        INSERT INTO commands_5 SELECT id, workflow, step, verb, argument, at, taken_at FROM commands;
        DROP TABLE commands;
        ALTER TABLE commands_5 RENAME TO commands;
        CREATE INDEX commands_waiting ON commands (workflow) WHERE taken_at IS NULL;

        CREATE TABLE graph_revisions (
            workflow INTEGER NOT NULL REFERENCES workflows (id),
            revision INTEGER NOT NULL,
            template TEXT NOT NULL,
            replaced_at INTEGER NOT NULL,
            PRIMARY KEY (workflow, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE pins (
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            port TEXT NOT NULL,
            producer INTEGER NOT NULL,
            producer_port TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            PRIMARY KEY (workflow, step, port),
            FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step),
            FOREIGN KEY (workflow, producer, attempt, producer_port) REFERENCES assets (workflow, step, attempt, port)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE house (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO house (name, value) VALUES ('installation', lower(hex(randomblob(6))));
        """
}
