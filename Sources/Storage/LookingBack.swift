import GRDB
import JSON
package import Vocabulary

/// Queries for lists, `why`, `timeline` and revisions. They change nothing.
extension Archive {
    package func summaries(_ query: WorkflowQuery) throws(Failure) -> [WorkflowSummary] { try listed(query).shown }

    /// Returns the workflows that a query shows, and the number of all that match, both at one moment.
    package func listed(_ query: WorkflowQuery) throws(Failure) -> (shown: [WorkflowSummary], count: Int) {
        let filter =
            switch query.filter {
            case .all: "1"
            case .active: "outcome IS NULL"
            case .done: "outcome = 'succeeded'"
            case .failed: "outcome IN ('failed', 'cancelled')"
            }
        let order =
            switch query.order {
            case .recent: "updated_at DESC, id DESC"
            case .name: "lower(title), id DESC"
            case .number: "id DESC"
            }
        let condition = """
            \(filter) AND (?1 OR archived_at IS NULL) AND (?2 IS NULL OR instr(lower(title), lower(?2)) > 0
            OR EXISTS (SELECT 1 FROM steps WHERE workflow = id AND instr(lower(node), lower(?2)) > 0)) AND (?3 IS NULL OR workspace = ?3)
            """
        return try read { db in
            let shown = try Row.fetchAll(
                db,
                sql: """
                    SELECT *, (SELECT count(*) FROM steps WHERE workflow = id) AS step_count,
                    (SELECT count(*) FROM steps WHERE workflow = id AND state = 'succeeded') AS done_count,
                    (SELECT count(*) FROM awaits WHERE workflow = id AND status <> 'done') AS awaiting,
                    (SELECT group_concat(DISTINCT state) FROM steps WHERE workflow = id) AS states,
                    EXISTS (SELECT 1 FROM steps WHERE workflow = id AND stale_since IS NOT NULL) AS is_stale,
                    (SELECT reason_words FROM steps WHERE workflow = id AND state = 'succeeded' AND reason_code = 'exited'
                     ORDER BY step LIMIT 1) AS exited
                    FROM workflows WHERE \(condition) ORDER BY \(order) LIMIT ?4
                    """, arguments: [query.includesArchived, query.words, query.workspace, query.limit]
            ).map(WorkflowSummary.init(lenient:))
            guard shown.count == query.limit else { return (shown, shown.count) }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM workflows WHERE \(condition)",
                arguments: [query.includesArchived, query.words, query.workspace])
            return (shown, count ?? shown.count)
        }
    }

    /// Returns all revisions of a workflow's graph, the current one last.
    package func revisions(of id: WorkflowID) throws(Failure) -> [GraphRevision] {
        try read(of: id) { db in
            let old = try Row.fetchAll(
                db, sql: "SELECT * FROM graph_revisions WHERE workflow = ? ORDER BY revision", arguments: [id.number]
            ).map {
                GraphRevision(
                    number: $0["revision"], template: $0["template"],
                    replacedAt: Moment(milliseconds: $0["replaced_at"]))
            }
            return old + (try Self.graph(of: id, db).map { [$0] } ?? [])
        }
    }

    /// Returns the events about requests for a workflow, its changes and its ends, oldest first.
    package func changes(of id: WorkflowID, limit: Int = 1000) throws(Failure) -> [EventRecord] {
        try read(of: id) { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM (SELECT * FROM events WHERE workflow = ? AND type IN ('workflow.changed', 'workflow.finished', 'workflow.created')
                    ORDER BY seq DESC LIMIT ?) ORDER BY seq
                    """, arguments: [id.number, limit]
            ).map(EventRecord.init(row:))
        }
    }

    /// Returns the running steps of all workflows, which hold the slots.
    package func busySteps(limit: Int = 50) throws(Failure) -> [StepRecord] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT steps.* FROM workflows JOIN steps ON steps.workflow = workflows.id WHERE outcome IS NULL
                    AND state IN ('runningLocal', 'queuedRemote', 'runningRemote', 'downloading') ORDER BY steps.updated_at LIMIT ?
                    """, arguments: [limit]
            ).compactMap { row in Damage.whole { StepRecord(row: row) } }
        }
    }

    /// Returns the name of the engine that runs the workflow, or ran it last. Returns nil if there is none.
    package func owner(of id: WorkflowID) throws(Failure) -> String? {
        try read { db in
            try String.fetchOne(db, sql: "SELECT owner FROM workflows WHERE id = ?", arguments: [id.number])
        }
    }

    /// Returns the unfinished workflows by the name of the engine that runs them, or ran them last.
    ///
    /// - Parameter isMoving: whether those that wait for a person are left out.
    package func carried(isMoving: Bool = false) throws(Failure) -> [String: [WorkflowID]] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, owner FROM workflows
                    WHERE outcome IS NULL AND owner IS NOT NULL AND NOT (?1 AND rests) ORDER BY id
                    """, arguments: [isMoving])
            return Dictionary(grouping: rows) { $0["owner"] as String }.mapValues { rows in
                rows.map { WorkflowID($0["id"]) }
            }
        }
    }

    /// Returns the newest await of each step, open or closed.
    package func newestAwaits(of id: WorkflowID) throws(Failure) -> [AwaitRecord] {
        try read(of: id) { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT * FROM awaits WHERE number IN (SELECT max(number) FROM awaits WHERE workflow = ? GROUP BY step)",
                arguments: [id.number]
            ).map(AwaitRecord.init(row:))
        }
    }

    package func pins(of id: WorkflowID) throws(Failure) -> [PinnedInput] {
        try read(of: id) { db in try Self.pins(of: id, db) }
    }
}
