extension Schema {
    /// The tables of pinned assets, of the quarantine, and of imports from bundles.
    ///
    /// A pinned content is independent of its workflow, and outlives it. The trigger holds for every version and
    /// process: no engine can take over a workflow that is in quarantine.
    static let keeping = """
        CREATE TABLE kept_assets (
            sha256 TEXT NOT NULL PRIMARY KEY,
            bytes INTEGER NOT NULL,
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            port TEXT NOT NULL,
            name TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE quarantine (
            workflow INTEGER PRIMARY KEY REFERENCES workflows (id) ON DELETE CASCADE,
            cause TEXT NOT NULL \(check("cause", "damaged", "imported")),
            reason TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE TRIGGER quarantine_holds BEFORE UPDATE OF owner ON workflows
        WHEN new.owner IS NOT NULL AND EXISTS (SELECT 1 FROM quarantine WHERE workflow = old.id)
        BEGIN
            SELECT RAISE(IGNORE);
        END;

        CREATE TABLE imports (
            workflow INTEGER PRIMARY KEY REFERENCES workflows (id) ON DELETE CASCADE,
            bundle TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        """
}
