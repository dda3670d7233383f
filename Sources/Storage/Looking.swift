import GRDB
import JSON
package import Vocabulary

extension Limits {
    /// How long a closed await is listed, in seconds: seven days.
    fileprivate static let doneAwaitSeconds = 7 * 86_400.0
}

/// Queries for the console. They change nothing.
extension Archive {
    /// Returns summaries of workflows, newest first. A row that cannot be read fully is returned as far as it can, with
    /// a note of the damage.
    package func summaries(limit: Int = 50, only id: WorkflowID? = nil) throws(Failure) -> [WorkflowSummary] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT *, (SELECT count(*) FROM steps WHERE workflow = id) AS step_count,
                    (SELECT count(*) FROM steps WHERE workflow = id AND state = 'succeeded') AS done_count,
                    (SELECT count(*) FROM awaits WHERE workflow = id AND status <> 'done') AS awaiting,
                    (SELECT group_concat(DISTINCT state) FROM steps WHERE workflow = id) AS states,
                    EXISTS (SELECT 1 FROM steps WHERE workflow = id AND stale_since IS NOT NULL) AS is_stale,
                    (SELECT reason_words FROM steps WHERE workflow = id AND state = 'succeeded' AND reason_code = 'exited'
                     ORDER BY step LIMIT 1) AS exited
                    FROM workflows WHERE ? IS NULL OR id = ? ORDER BY id DESC LIMIT ?
                    """, arguments: [id?.number, id?.number, limit])
            return rows.map(WorkflowSummary.init(lenient:))
        }
    }

    package func steps(of workflow: WorkflowID) throws(Failure) -> [StepRecord] {
        try read(of: workflow) { db in
            try db.records(
                "SELECT * FROM steps WHERE workflow = ? ORDER BY step", [workflow.number], StepRecord.init(row:))
        }
    }

    /// Returns the number of the graph that a workflow has now, or nil if there is no such workflow.
    package func graphRevision(of workflow: WorkflowID) throws(Failure) -> Int? {
        try read(of: workflow) { db in
            try Int.fetchOne(
                db, sql: "SELECT graph_revision FROM workflows WHERE id = ?", arguments: [workflow.number])
        }
    }

    /// Returns the graph that a workflow has now, or nil if there is no such workflow.
    package func graph(of workflow: WorkflowID) throws(Failure) -> GraphRevision? {
        try read(of: workflow) { db in try Self.graph(of: workflow, db) }
    }

    static func graph(of workflow: WorkflowID, _ db: Database) throws -> GraphRevision? {
        try Row.fetchOne(
            db, sql: "SELECT graph_revision FROM workflows WHERE id = ?", arguments: [workflow.number]
        ).map { GraphRevision(number: $0["graph_revision"], template: try template(of: workflow, db)) }
    }

    package func runs(of step: StepID) throws(Failure) -> [RunRecord] {
        try read(of: step.workflow) { db in
            // The outputs of the producers alone: a workflow may have thousands of others.
            var (producers, assets): (Set<Int>, [String: Asset]) = ([], [:])
            return try db.records(
                "SELECT * FROM runs WHERE workflow = ? AND step = ? ORDER BY attempt",
                [step.workflow.number, step.index]
            ) { row in
                let names = RunRecord.inputNames(row)
                for name in names.values {
                    guard let producer = Int(name.prefix { $0 != "." }), producers.insert(producer).inserted else {
                        continue
                    }
                    for asset in try Self.assets(of: StepID(step.workflow, producer), db) {
                        assets[asset.inputName] = asset
                    }
                }
                return RunRecord(row: row, inputs: names.compactMapValues { assets[$0] })
            }
        }
    }

    /// Returns the outputs of all runs of a step.
    package func assets(of step: StepID) throws(Failure) -> [Asset] {
        try read(of: step.workflow) { db in try Self.assets(of: step, db) }
    }

    private static func assets(of step: StepID, _ db: Database) throws -> [Asset] {
        try db.records(
            "SELECT * FROM assets WHERE workflow = ? AND step = ? ORDER BY attempt, port",
            [step.workflow.number, step.index], Asset.init(row:))
    }

    package func assets(of workflow: WorkflowID) throws(Failure) -> [Asset] {
        try read(of: workflow) { db in
            try db.records(
                "SELECT * FROM assets WHERE workflow = ? ORDER BY step, attempt, port", [workflow.number],
                Asset.init(row:))
        }
    }

    /// Returns the newest events of a workflow or step, oldest first.
    package func events(of workflow: WorkflowID, step: Int? = nil, limit: Int = 1000) throws(Failure) -> [EventRecord] {
        try read(of: workflow) { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM (SELECT * FROM events WHERE workflow = ? AND (? IS NULL OR step = ?) ORDER BY seq DESC LIMIT ?) ORDER BY seq
                    """, arguments: [workflow.number, step, step, limit]
            ).map(EventRecord.init(row:))
        }
    }

    /// Returns the events of a workflow that were stored after one, oldest first, and the number of the last.
    ///
    /// - Parameter last: the number of an event, or nil for those from now on.
    package func events(of workflow: WorkflowID, after last: Int64?, limit: Int = 1000) throws(Failure) -> (
        events: [EventRecord], last: Int64
    ) {
        try read(of: workflow) { db in
            guard let last else {
                let newest = try Int64.fetchOne(
                    db, sql: "SELECT max(seq) FROM events WHERE workflow = ?", arguments: [workflow.number])
                return ([], newest ?? 0)
            }
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM events WHERE workflow = ? AND seq > ? ORDER BY seq LIMIT ?",
                arguments: [workflow.number, last, limit])
            return (rows.map(EventRecord.init(row:)), rows.last?["seq"] ?? last)
        }
    }

    /// Returns the inbox: open entries first, by urgency and age, then the answered ones, if wanted. Answered entries
    /// leave the inbox after a while (`semantics.md` 44). Entries that cannot be read are left out, and `fault(of:)`
    /// reports them.
    package func awaits(includingDone: Bool = false, at now: Moment? = nil) throws(Failure) -> [AwaitRecord] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM awaits WHERE status <> 'done' OR ?1 AND (?2 IS NULL OR closed_at > ?2)
                    ORDER BY status = 'done', CASE urgency WHEN 'high' THEN 0 WHEN 'normal' THEN 1 ELSE 2 END, number
                    """, arguments: [includingDone, now.map { ($0 + -Limits.doneAwaitSeconds).milliseconds }]
            ).compactMap { row in Damage.whole { AwaitRecord(row: row) } }
        }
    }

    package func await(numbered number: Int64) throws(Failure) -> AwaitRecord? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM awaits WHERE number = ?", arguments: [number]).map { row in
                let (record, damaged) = Damage.leniently { AwaitRecord(row: row) }
                guard let damaged else { return record }
                throw Self.workflowDamaged("Entry \(number) of the inbox cannot be read. \(Damage.words(of: damaged))")
            }
        }
    }

    package func decisions(of workflow: WorkflowID) throws(Failure) -> [EventRecord] {
        try read(of: workflow) { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM decisions WHERE workflow = ? ORDER BY at", arguments: [workflow.number]
            ).map { row in
                EventRecord(
                    at: Moment(milliseconds: row["at"]), step: row["step"], attempt: row["attempt"],
                    type: row["decision"],
                    body: .of([
                        "digest": .string(row["digest"]), "mode": .string(row["mode"]),
                        "by": .string(row["decided_by"]),
                        "because": json(row, "because"), "call": json(row, "call"),
                    ]))
            }
        }
    }

    /// Returns the damage of the database file in sentences, for `doctor`. The list is empty if the file is sound.
    /// Reads the whole file, including indexes.
    package func faults() throws(Failure) -> [String] {
        try read { db in
            let faults = try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
            return try faults.isEmpty ? [Checksums.fault(db)].compactMap(\.self) : faults
        }
    }

    /// Returns the rows that refer to rows that do not exist (`PRAGMA foreign_key_check`). The list is empty if there
    /// are none.
    package func orphans() throws(Failure) -> [String] {
        try read { db in try Self.orphans(db) }
    }
}
