import GRDB
import JSON
package import Vocabulary

/// Queries that an engine needs to run workflows: create them, take them over, load them and receive commands.
extension Archive {
    /// Stores a new workflow with its steps. This engine owns it from the start.
    ///
    /// - Parameters:
    ///   - record: its `id` is ignored, since the database assigns one.
    ///   - turn: the number of the turn, in the record's session, that made the workflow.
    ///   - steps: returns the rows of the steps for the new id.
    package func create(
        _ record: WorkflowRecord, turn: Int? = nil, template: String, owner: String, steps: (WorkflowID) -> [StepRecord]
    ) throws(Failure) -> (WorkflowRecord, [StepRecord]) {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO workflows (title, session, workspace, mode, on_ask, created_at, updated_at, owner, fence)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
                    """,
                arguments: [
                    record.title, record.session?.number, record.workspace, record.mode.rawValue, record.onAsk.rawValue,
                    record.createdAt.milliseconds, record.createdAt.milliseconds, owner,
                ])
            var made = record
            made.id = WorkflowID(db.lastInsertedRowID)
            try db.execute(
                sql: "INSERT INTO graphs (workflow, template) VALUES (?, ?)", arguments: [made.id.number, template])
            let steps = steps(made.id)
            try Self.insert(steps: steps, db)
            let event = Event(
                at: record.createdAt, session: record.session, turn: turn, workflow: made.id,
                .workflowCreated(title: record.title, steps: steps.count))
            try Self.insert([event], db)
            return (made, steps)
        }
    }

    /// Takes over every workflow whose engine is dead and that is under way or has commands waiting.
    ///
    /// - Parameter isAlive: returns whether the engine of a name still lives. It is called once for each name.
    package func claim(for owner: String, isAlive: (String) -> Bool) throws(Failure) -> [Claimed] {
        let open = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, owner, rests FROM workflows WHERE (outcome IS NULL OR id IN (SELECT workflow FROM commands WHERE taken_at IS NULL))
                    AND owner IS NOT ? AND id NOT IN (SELECT workflow FROM quarantine)
                    """, arguments: [owner])
        }
        guard !open.isEmpty else { return [] }
        var living: [String: Bool] = [:]
        // A value that cannot be read counts as zero or nil. The workflow is quarantined when it is loaded, and does
        // not delay the others.
        let orphans = open.map { row in
            Damage.leniently { (id: row["id"] as Int64, owner: row["owner"] as String?, rests: row["rests"] as Bool) }
                .value
        }.filter { row in
            guard let old = row.owner else { return true }
            if living[old] == nil { living[old] = isAlive(old) }
            return living[old] == false
        }
        guard !orphans.isEmpty else { return [] }
        return try write { db in
            try orphans.compactMap { row in
                try db.cachedStatement(
                    sql: "UPDATE workflows SET owner = ?, fence = fence + 1 WHERE id = ? AND owner IS ?"
                )
                .execute(arguments: [owner, row.id, row.owner])
                return db.changesCount == 1 ? Claimed(WorkflowID(row.id), isResting: row.rests) : nil
            }
        }
    }

    /// Returns the workflows of `ids` that an engine other than `owner` runs, or no engine.
    package func owned(byOthersThan owner: String, of ids: Set<WorkflowID>) throws(Failure) -> [WorkflowID] {
        try read { db in
            let marks = repeatElement("?", count: ids.count).joined(separator: ", ")
            return try Int64.fetchAll(
                db, sql: "SELECT id FROM workflows WHERE owner IS NOT ? AND id IN (\(marks)) ORDER BY id",
                arguments: [owner] + StatementArguments(ids.map(\.number))
            ).map { WorkflowID($0) }
        }
    }

    /// Loads a workflow with its steps and assets, or returns nil if it does not exist.
    ///
    /// - Parameter owner: the engine that wants to run the workflow. The result is nil if another engine owns it, whose
    ///   fence must not be used.
    package func load(_ id: WorkflowID, for owner: String? = nil) throws(Failure) -> CarriedWorkflow? {
        try read(of: id) { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM workflows WHERE id = ?", arguments: [id.number]),
                owner == nil || row["owner"] == owner
            else { return nil }
            let arguments: StatementArguments = [id.number]
            return CarriedWorkflow(
                record: WorkflowRecord(row: row), fence: row["fence"], template: try Self.template(of: id, db),
                steps: try db.records(
                    "SELECT * FROM steps WHERE workflow = ? ORDER BY step", arguments, StepRecord.init(row:)),
                // The outputs of the last successful attempt, even if a later one failed or is running: they are valid
                // until there are new ones.
                assets: try db.records(
                    """
                    SELECT assets.* FROM (SELECT step, max(attempt) AS attempt FROM runs WHERE workflow = ?1 AND ending = 'succeeded' GROUP BY step)
                    JOIN assets USING (step, attempt) WHERE workflow = ?1
                    """, arguments, Asset.init(row:)),
                // The awaits of the waiting steps. One of them may have been answered while no engine ran the workflow.
                // Its answer is a waiting command.
                openAwaits: try Row.fetchAll(
                    db,
                    sql: """
                        SELECT * FROM awaits WHERE number IN (SELECT max(number) FROM awaits JOIN steps USING (workflow, step)
                        WHERE workflow = ? AND state = 'awaitingUser' GROUP BY step)
                        """, arguments: arguments
                ).map(AwaitRecord.init(row:)),
                approvals: try Row.fetchAll(
                    db, sql: "SELECT * FROM approvals WHERE workflow = ? AND used_at IS NULL", arguments: arguments
                )
                .map(Approval.init(row:)),
                running: try Self.runs("workflow = ? AND ending IS NULL", arguments, of: id, db),
                pinned: try Self.pins(of: id, db),
                spending: try Self.spending(of: id, db),
                isResting: row["rests"])
        }
    }

    /// Returns the text of the graph that a workflow has now. It is empty, which no graph is, if the row is missing.
    static func template(of id: WorkflowID, _ db: Database) throws -> String {
        try Row.fetchOne(db, sql: "SELECT template FROM graphs WHERE workflow = ?", arguments: [id.number])
            .map { $0["template"] } ?? ""
    }

    static func pins(of id: WorkflowID, _ db: Database) throws -> [PinnedInput] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT assets.*, pins.step AS pin_step, pins.port AS pin_port FROM pins JOIN assets
                ON assets.workflow = pins.workflow AND assets.step = producer AND assets.port = producer_port AND assets.attempt = pins.attempt
                WHERE pins.workflow = ? ORDER BY pins.step, pins.port
                """, arguments: [id.number]
        ).map { PinnedInput(step: $0["pin_step"], port: $0["pin_port"], asset: Asset(row: $0)) }
    }

    /// Returns the newest ended attempt of each step, and the assets of all attempts that did not fail.
    package func history(of id: WorkflowID) throws(Failure) -> WorkflowHistory {
        try read(of: id) { db in
            WorkflowHistory(
                runs: try Self.runs(
                    """
                    workflow = ?1 AND ending IS NOT NULL AND attempt = (SELECT max(attempt) FROM runs AS newer
                    WHERE newer.workflow = ?1 AND newer.step = runs.step AND newer.ending IS NOT NULL)
                    """, [id.number], of: id, db),
                assets: try db.records(
                    """
                    SELECT * FROM assets WHERE workflow = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.workflow = ?1
                    AND runs.step = assets.step AND runs.attempt = assets.attempt AND ending = 'failed')
                    """, [id.number], Asset.init(row:)))
        }
    }

    /// Returns how many attempts of a step directly before `run` were lost, without an attempt between them that ended
    /// in another way.
    package func lostRuns(before run: RunID) throws(Failure) -> Int {
        try read(of: run.step.workflow) { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM runs WHERE workflow = ?1 AND step = ?2 AND attempt < ?3 AND ending = 'lost' AND attempt >
                    (SELECT coalesce(max(attempt), 0) FROM runs WHERE workflow = ?1 AND step = ?2 AND attempt < ?3 AND ending IS NOT 'lost')
                    """,
                arguments: [run.step.workflow.number, run.step.index, run.attempt]) ?? 0
        }
    }

    static func runs(_ condition: String, _ arguments: StatementArguments, of id: WorkflowID, _ db: Database) throws
        -> [RunRecord]
    {
        guard
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE \(condition))", arguments: arguments)
                == true
        else {
            return []
        }
        let assets = try db.records("SELECT * FROM assets WHERE workflow = ?", [id.number], Asset.init(row:))
        let named = Dictionary(assets.map { ($0.inputName, $0) }) { first, _ in first }
        return try db.records("SELECT * FROM runs WHERE \(condition) ORDER BY step, attempt", arguments) {
            RunRecord(row: $0, inputs: RunRecord.inputNames($0).compactMapValues { named[$0] })
        }
    }

    /// Returns when awaits expire in the resting workflows that this engine owns. A workflow whose entry cannot be read
    /// is quarantined. It would otherwise never be loaded, since no person can answer an entry that cannot be shown.
    package func expiries(for owner: String) throws(Failure) -> [(StepID, Moment)] {
        let (expiries, damaged) = try read { db in
            var expiries: [(StepID, Moment)] = []
            var damaged: [(id: WorkflowID, reason: String, at: Moment)] = []
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT awaits.workflow, awaits.step, awaits.expires_at, updated_at FROM awaits JOIN workflows ON workflows.id = awaits.workflow
                    WHERE expires_at IS NOT NULL AND status <> 'done' AND owner = ? AND rests = 1 AND outcome IS NULL
                    """, arguments: [owner])
            while let row = try rows.next() {
                let (expiry, fault) = Damage.leniently {
                    (StepID(WorkflowID(row["workflow"]), row["step"]), Moment(milliseconds: row["expires_at"]))
                }
                guard let fault else {
                    expiries.append(expiry)
                    continue
                }
                let (last, _) = Damage.leniently { Moment(milliseconds: row["updated_at"]) }
                damaged.append((expiry.0.workflow, Damage.words(of: fault), last))
            }
            return (expiries, damaged)
        }
        for (id, reason, last) in damaged { try quarantine(id, reason: reason, at: last) }
        return expiries
    }

    /// Returns the random word of this store, which begins the names of its jobs at providers.
    package func installation() throws(Failure) -> String {
        try read { db in try String.fetchOne(db, sql: "SELECT value FROM house WHERE name = 'installation'") ?? "0" }
    }

    /// Whether another run than the one whose job is named `key` has, or had, the provider's job of that id.
    package func isJobHeld(provider: String, id: String, key: String) throws(Failure) -> Bool {
        try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM runs WHERE job IS NOT NULL AND json_extract(job, '$.provider') = ?1
                    AND CAST(json_extract(job, '$.captured.jobId') AS TEXT) = ?2 AND json_extract(job, '$.key') <> ?3)
                    """, arguments: [provider, id, key]) ?? false
        }
    }

    package func approvals(of workflow: WorkflowID) throws(Failure) -> [Approval] {
        try read(of: workflow) { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM approvals WHERE workflow = ? AND used_at IS NULL", arguments: [workflow.number]
            )
            .map(Approval.init(row:))
        }
    }
}
