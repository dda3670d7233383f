extension Schema {
    /// What is kept offline, what nobody may carry out, and what came from a bundle.
    ///
    /// A kept content stands for itself: it outlives the workflow that it was named by. The trigger holds for every
    /// version and process: whoever wants to take a workflow over that is set aside changes no row.
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
