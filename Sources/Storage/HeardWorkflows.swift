import GRDB
package import Vocabulary

extension Schema {
    /// The workflows that the model of a conversation knows, each with the number of the newest event that it knows.
    /// `is_reported` is 0 until a result of a call has described the state of the workflow.
    private static let heard = """
        CREATE TABLE heard (
            session INTEGER NOT NULL REFERENCES sessions (id),
            workflow INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            is_reported INTEGER NOT NULL,
            PRIMARY KEY (session, workflow)
        ) STRICT, WITHOUT ROWID;
        """

    static func makeHeard(_ db: Database) throws {
        try db.execute(sql: heard)
        try Checksums.make(db)
    }
}

/// A workflow that the model of a conversation knows.
package struct HeardWorkflow: Hashable, Sendable {
    package var workflow: WorkflowID
    /// The number of the newest event that the model knows.
    package var seq: Int64
    /// Whether a result of a call has described the state of the workflow.
    package var isReported: Bool

    /// Creates a workflow that the model knows.
    package init(_ workflow: WorkflowID, seq: Int64, isReported: Bool) {
        (self.workflow, self.seq, self.isReported) = (workflow, seq, isReported)
    }
}

extension Archive {
    /// Returns the number of the newest event of a workflow, or 0 if it has none.
    package func newestEvent(of id: WorkflowID) throws(Failure) -> Int64 {
        try read { db in
            try Int64.fetchOne(db, sql: "SELECT max(seq) FROM events WHERE workflow = ?", arguments: [id.number]) ?? 0
        }
    }

    /// Records what the model of a conversation knows of workflows.
    package func hear(_ workflows: [HeardWorkflow], in session: SessionID) throws(Failure) {
        guard !workflows.isEmpty else { return }
        try write { db in
            for heard in workflows {
                try db.cachedStatement(
                    sql: """
                        INSERT INTO heard (session, workflow, seq, is_reported)
                        SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM workflows WHERE id = ?2)
                        ON CONFLICT (session, workflow) DO UPDATE
                        SET seq = max(seq, excluded.seq), is_reported = max(is_reported, excluded.is_reported)
                        """
                ).execute(arguments: [session.number, heard.workflow.number, heard.seq, heard.isReported])
            }
        }
    }

    /// Returns the workflows that the model of a conversation knows and of which it does not know everything: an
    /// answer of a person or an end was stored since, or no result has described them yet.
    package func changedSinceHeard(in session: SessionID) throws(Failure) -> [HeardWorkflow] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT workflow, seq, is_reported FROM heard WHERE session = ?1 AND (is_reported = 0 OR EXISTS (
                        SELECT 1 FROM events WHERE events.workflow = heard.workflow AND events.seq > heard.seq
                        AND type IN ('await.closed', 'workflow.finished')
                    )) ORDER BY workflow
                    """, arguments: [session.number]
            ).map { HeardWorkflow(WorkflowID($0["workflow"]), seq: $0["seq"], isReported: $0["is_reported"]) }
        }
    }

    /// Returns the ended workflows of a folder that call themselves an undo or a redo, and that the model of a
    /// conversation does not know. They are newer than the first workflow that it knows.
    package func unheardUndos(in session: SessionID, of workspace: String) throws(Failure) -> [WorkflowID] {
        try read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM workflows WHERE id > (SELECT min(workflow) FROM heard WHERE session = ?1)
                    AND workspace = ?2 AND outcome IS NOT NULL AND (title GLOB 'undo w*' OR title GLOB 'redo w*')
                    AND id NOT IN (SELECT workflow FROM heard WHERE session = ?1) ORDER BY id
                    """, arguments: [session.number, workspace]
            ).map { WorkflowID($0) }
        }
    }

    /// Returns the numbers of the inbox entries of a workflow that were closed after an event.
    package func closedAwaits(of id: WorkflowID, after seq: Int64) throws(Failure) -> [Int64] {
        try read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT json_extract(body, '$.await') FROM events
                    WHERE workflow = ? AND seq > ? AND type = 'await.closed' AND json_valid(body) ORDER BY seq
                    """, arguments: [id.number, seq])
        }
    }

    /// Returns whether the model of a conversation knows a workflow.
    package func hasHeard(_ id: WorkflowID, in session: SessionID) throws(Failure) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM heard WHERE session = ? AND workflow = ?)",
                arguments: [session.number, id.number]) ?? false
        }
    }
}
