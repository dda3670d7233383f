import GRDB
import JSON
package import Vocabulary

/// Comparison of the rows of steps and outcomes with the events, and their repair from the events.
extension Archive {
    /// Returns how the rows of a workflow differ from its events, in words. The list is empty if they agree.
    package func differences(of id: WorkflowID) throws(Failure) -> [String] {
        try read(of: id) { db in
            let told = try Self.projection(of: id, db)
            guard !told.isGarbled else { return ["an event cannot be read"] }
            let records = try Row.fetchAll(
                db, sql: "SELECT * FROM steps WHERE workflow = ? ORDER BY step", arguments: [id.number]
            )
            .map(StepRecord.init(row:))
            var differences = records.compactMap { told.difference(from: $0) }
            let missing = Set(told.steps.keys).subtracting(records.map(\.id.index))
            differences += missing.sorted().map { "step \($0) has events and no row" }
            let outcome = try String.fetchOne(
                db, sql: "SELECT outcome FROM workflows WHERE id = ?", arguments: [id.number])
            if outcome != told.outcome?.rawValue {
                differences.append(
                    "it is \(outcome ?? "under way"), its events say \(told.outcome?.rawValue ?? "under way")")
            }
            return differences
        }
    }

    /// Returns the unfinished workflows, and the `limit` newest of all.
    package func workflowsToExamine(limit: Int) throws(Failure) -> [WorkflowID] {
        try read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM workflows WHERE outcome IS NULL OR id IN (SELECT id FROM workflows ORDER BY id DESC LIMIT ?) ORDER BY id
                    """, arguments: [limit]
            ).map { WorkflowID($0) }
        }
    }

    /// Rewrites the rows of a workflow's steps, and its outcome, from its events. The engine that runs it now learns so
    /// from its next commit, and loads it again.
    ///
    /// - Parameter nodes: the id and kind of each node of its template, in order, from which a missing row is made.
    ///   Empty if they are unknown. A row that cannot be read is rewritten as far as the events describe it.
    /// - Returns: how many rows changed.
    /// - Throws: `workflowDamaged` if its events cannot be read.
    package func rebuild(_ id: WorkflowID, nodes: [(id: String, kind: String)], at now: Moment) throws(Failure) -> Int {
        try write(isPrecious: true, of: id) { db in
            let told = try Self.projection(of: id, db)
            guard !told.isGarbled else { throw Self.workflowDamaged("An event of \(id) cannot be read.") }
            var records: [Int: StepRecord] = [:]
            var damaged: Set<Int> = []
            for row in try Row.fetchAll(db, sql: "SELECT * FROM steps WHERE workflow = ?", arguments: [id.number]) {
                let (record, fault) = Damage.leniently { StepRecord(row: row) }
                records[record.id.index] = record
                if fault != nil { damaged.insert(record.id.index) }
            }
            var changes = 0
            for number in Set(told.steps.keys).union(records.keys).union(nodes.indices.map { $0 + 1 }).sorted() {
                guard let record = records[number] else {
                    guard nodes.indices.contains(number - 1) else { continue }
                    try Self.insert(told.steps[number], StepID(id, number), nodes[number - 1], at: now, db)
                    changes += 1
                    continue
                }
                guard damaged.contains(number) || told.difference(from: record) != nil else { continue }
                // A step without events is reset to its initial state.
                try Self.update(record, to: told.steps[number] ?? .untouched(since: record.updatedAt), db)
                changes += 1
            }
            try db.execute(
                sql: "UPDATE workflows SET outcome = ?1 WHERE id = ?2 AND outcome IS NOT ?1",
                arguments: [told.outcome?.rawValue, id.number])
            changes += db.changesCount
            guard changes > 0 else { return 0 }
            // If the repair restores what was written, the sums agree again. If not, they still show the damage.
            try keepSums(db)
            try db.execute(
                sql: "UPDATE workflows SET fence = fence + 1, revision = revision + 1, owner = NULL WHERE id = ?",
                arguments: [id.number])
            return changes
        }
    }

    private static func projection(of id: WorkflowID, _ db: Database) throws -> Projection {
        var projection = Projection()
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT at, step, attempt, type, body FROM events WHERE workflow = ? AND type IN ('step.changed', 'workflow.finished')
                ORDER BY seq
                """, arguments: [id.number])
        while let row = try rows.next() {
            projection.take(
                EventRecord(
                    at: Moment(milliseconds: row["at"]), step: row["step"], attempt: row["attempt"], type: row["type"],
                    body: json(row, "body")))
        }
        return projection
    }

    private static func update(_ record: StepRecord, to step: Projection.Step, _ db: Database) throws {
        // If the row is of the same change as the last event, it keeps the values that events do not contain.
        let isSame = record.state == step.state && record.attempt == step.attempt && record.updatedAt == step.updatedAt
        let due = step.tellsDue ? step.dueAt : isSame ? record.dueAt : nil
        var failure = step.failure
        if failure?.json == record.failure?.json { failure?.cause = record.failure?.cause }
        try db.cachedStatement(
            sql: """
                UPDATE steps SET state = ?, reason_code = ?, reason_words = ?, attempt = ?, tries = ?, failure = ?,
                due_by = iif(due_at IS ?, due_by, NULL), due_at = ?, updated_at = ? WHERE workflow = ? AND step = ?
                """
        ).execute(arguments: [
            step.state.rawValue, step.reason?.code.text, step.reason?.words, step.attempt,
            isSame ? record.tries : step.tries, failure?.stored,
            due?.milliseconds, due?.milliseconds, step.updatedAt.milliseconds, record.id.workflow.number,
            record.id.index,
        ])
    }

    private static func insert(
        _ told: Projection.Step?, _ id: StepID, _ node: (id: String, kind: String), at now: Moment, _ db: Database
    ) throws {
        let step = told ?? .untouched(since: now)
        try db.cachedStatement(
            sql: """
                INSERT INTO steps (workflow, step, node, kind, state, reason_code, reason_words, attempt, tries, failure, due_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id.workflow.number, id.index, node.id, node.kind, step.state.rawValue, step.reason?.code.text,
            step.reason?.words, step.attempt,
            step.tries, step.failure?.stored, step.dueAt?.milliseconds, step.updatedAt.milliseconds,
        ])
    }
}
