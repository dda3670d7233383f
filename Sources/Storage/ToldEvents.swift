import GRDB
package import Vocabulary

extension Schema {
    /// The events that a process has reported to the user, or that the user saw at once. `mark` is the number of an
    /// inbox entry, or the negative number of the event with which the workflow ended.
    private static let told = """
        CREATE TABLE told (
            workflow INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
            mark INTEGER NOT NULL,
            PRIMARY KEY (workflow, mark)
        ) STRICT, WITHOUT ROWID;
        """

    static func makeTold(_ db: Database) throws {
        try db.execute(sql: told)
        try Checksums.make(db)
    }
}

extension Archive {
    /// Claims the report of an event, so that one process makes it.
    ///
    /// - Parameters:
    ///   - id: the workflow.
    ///   - entry: the number of the inbox entry that opened, or nil for the newest end of the workflow.
    /// - Returns: whether the caller reports the event. False if another process has claimed it, or if there is no such
    ///   event.
    package func tell(of id: WorkflowID, entry: Int64?) throws(Failure) -> Bool {
        try write { db in
            try db.cachedStatement(
                sql: """
                    INSERT OR IGNORE INTO told (workflow, mark)
                    SELECT ?1, mark FROM (
                        SELECT coalesce(?2, -(
                            SELECT max(seq) FROM events WHERE workflow = ?1 AND type = 'workflow.finished'
                        )) AS mark
                    ) WHERE mark IS NOT NULL AND EXISTS (SELECT 1 FROM workflows WHERE id = ?1)
                    """
            ).execute(arguments: [id.number, entry])
            return db.changesCount == 1
        }
    }
}
