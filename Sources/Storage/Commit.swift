import GRDB
import JSON
package import Vocabulary

extension Archive {
    /// Writes the changes of several workflows as one transaction. It writes all of them, except those of workflows
    /// whose fence is no longer ours.
    package func commit(_ batches: [Batch]) throws(Failure) -> Committed {
        try write(isPrecious: batches.contains(where: \.isPrecious)) { db in
            var committed = Committed()
            for batch in batches {
                guard try !isOvertaken(batch, db) else {
                    committed.overtaken.insert(batch.workflow)
                    continue
                }
                guard try takeRevision(of: batch, db) else {
                    committed.lost.insert(batch.workflow)
                    continue
                }
                try write(batch, db, &committed)
            }
            return committed
        }
    }

    /// Whether a person has answered an await that the batch would close as expired. The answer takes precedence.
    private func isOvertaken(_ batch: Batch, _ db: Database) throws -> Bool {
        for close in batch.awaitsClosed where close.yields {
            let status = try String.fetchOne(
                db, sql: "SELECT status FROM awaits WHERE number = ?", arguments: [close.number])
            if status == "done" { return true }
        }
        return false
    }

    /// Increments a workflow's revision if its fence is still the batch's. Returns false if another engine has taken it
    /// over.
    private func takeRevision(of batch: Batch, _ db: Database) throws -> Bool {
        let now = batch.events.last?.at ?? batch.steps.last?.updatedAt
        try db.cachedStatement(
            sql:
                "UPDATE workflows SET revision = revision + 1, updated_at = coalesce(?, updated_at) WHERE id = ? AND fence = ?"
        ).run([now?.milliseconds, batch.workflow.number, batch.fence])
        return db.changesCount == 1
    }

    private func write(_ batch: Batch, _ db: Database, _ committed: inout Committed) throws {
        if let outcome = batch.outcome {
            try db.cachedStatement(sql: "UPDATE workflows SET outcome = ?, cancel_requested = 0 WHERE id = ?")
                .execute(arguments: [outcome?.rawValue, batch.workflow.number])
        }
        if batch.cancels, batch.outcome ?? nil == nil {
            try db.cachedStatement(sql: "UPDATE workflows SET cancel_requested = 1 WHERE id = ?").run([
                batch.workflow.number
            ])
        }
        try changeWorkflow(batch, db)
        try Self.insert(steps: batch.stepsAdded, db)
        try update(batch.steps, db)
        try insert(batch.runsStarted, db)
        try keep(batch.jobs, db)
        try finish(batch.runsEnded, db)
        for close in batch.awaitsClosed {
            try db.cachedStatement(
                sql: """
                    UPDATE awaits SET status = 'done', resolution = coalesce(resolution, ?), answered_by = coalesce(answered_by, ?),
                    closed_at = coalesce(closed_at, ?) WHERE number = ?
                    """
            ).execute(arguments: [close.resolution, close.by, close.at.milliseconds, close.number])
        }
        // After the closed ones: a step has one open await at most.
        for record in batch.awaitsOpened { committed.awaits.append(try insert(record, db)) }
        for record in batch.decisions { try insert(record, db) }
        for use in batch.approvalsUsed { try self.use(use, at: batch.events.last?.at, db) }
        for command in batch.commandsTaken {
            try db.cachedStatement(sql: "UPDATE commands SET taken_at = ? WHERE id = ? AND taken_at IS NULL")
                .execute(arguments: [batch.events.last?.at.milliseconds ?? 0, command])
        }
        let opened = committed.awaits.lazy.filter { $0.step.workflow == batch.workflow }.map { record in
            Event(at: record.createdAt, workflow: batch.workflow, step: record.step.index, .awaitOpened(record))
        }
        try Self.insert(batch.events + opened, db)
    }

    private func changeWorkflow(_ batch: Batch, _ db: Database) throws {
        let (id, now) = (batch.workflow.number, batch.events.last?.at.milliseconds ?? 0)
        if let isResting = batch.isResting {
            try db.cachedStatement(sql: "UPDATE workflows SET rests = ? WHERE id = ?").execute(arguments: [
                isResting, id,
            ])
        }
        if let pausedAt = batch.pollingPausedAt {
            try db.execute(
                sql: "UPDATE workflows SET polling_paused_at = ? WHERE id = ?", arguments: [pausedAt?.milliseconds, id])
        }
        if let terms = batch.terms {
            try db.execute(
                sql: "UPDATE workflows SET mode = ?, on_ask = ? WHERE id = ?",
                arguments: [terms.mode.rawValue, terms.onAsk.rawValue, id])
        }
        if let template = batch.template {
            try db.execute(
                sql: """
                    INSERT INTO graph_revisions SELECT id, graph_revision, template, ?2
                    FROM workflows JOIN graphs ON workflow = id WHERE id = ?1
                    """, arguments: [id, now])
            try db.execute(sql: "UPDATE graphs SET template = ?2 WHERE workflow = ?1", arguments: [id, template])
            try db.execute(
                sql: "UPDATE workflows SET graph_revision = graph_revision + 1 WHERE id = ?", arguments: [id])
            for step in batch.steps {
                try db.execute(
                    sql: "UPDATE steps SET kind = ? WHERE workflow = ? AND step = ?",
                    arguments: [step.kind, id, step.id.index])
            }
        }
        for pin in batch.pins {
            try db.execute(
                sql: "DELETE FROM pins WHERE workflow = ? AND step = ? AND port = ?",
                arguments: [id, pin.step.index, pin.port])
            guard let asset = pin.asset else { continue }
            try db.execute(
                sql:
                    "INSERT INTO pins (workflow, step, port, producer, producer_port, attempt) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [id, pin.step.index, pin.port, asset.run.step.index, asset.port, asset.run.attempt])
        }
    }

    private func update(_ steps: [StepRecord], _ db: Database) throws {
        guard !steps.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: """
                UPDATE steps SET state = ?, reason_code = ?, reason_words = ?, attempt = ?, tries = ?, failure = ?, due_at = ?, due_by = ?,
                stale_since = ?, replays = ?, edits = ?, agreed = ?, updated_at = ? WHERE workflow = ? AND step = ?
                """)
        for step in steps {
            try statement.run([
                step.state.rawValue, step.reason?.code.text, step.reason?.words, step.attempt, step.tries,
                step.failure?.stored,
                step.dueAt?.milliseconds, step.deadline?.stored, step.staleSince?.stored, step.replays,
                step.edits.map { JSON.object($0).text }, step.agreed?.hex,
                step.updatedAt.milliseconds, step.id.workflow.number, step.id.index,
            ])
        }
    }

    static func insert(steps: [StepRecord], _ db: Database) throws {
        guard !steps.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO steps (workflow, step, node, kind, state, reason_code, reason_words, attempt, tries, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?)
                """)
        for step in steps {
            try statement.run([
                step.id.workflow.number, step.id.index, step.node, step.kind, step.state.rawValue,
                step.reason?.code.text,
                step.reason?.words,
                step.updatedAt.milliseconds,
            ])
        }
    }

    /// Stores the records of jobs in the rows of their runs.
    private func keep(_ jobs: [RunID: JobRecord], _ db: Database) throws {
        guard !jobs.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: "UPDATE runs SET phase = ?, job = ? WHERE workflow = ? AND step = ? AND attempt = ?")
        for (run, job) in jobs {
            try statement.run([
                job.phase.rawValue, job.stored, run.step.workflow.number, run.step.index, run.attempt,
            ])
        }
    }

    private func insert(_ runs: [RunRecord], _ db: Database) throws {
        guard !runs.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO runs (workflow, step, attempt, kind, started_at, inputs, params, digest, tool_version, phase, job)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for run in runs {
            try statement.run([
                run.id.step.workflow.number, run.id.step.index, run.id.attempt, run.kind.rawValue,
                run.startedAt.milliseconds,
                run.inputs.isEmpty ? "{}" : run.storedInputs, run.params.isEmpty ? "{}" : JSON.object(run.params).text,
                run.callDigest?.hex,
                run.toolVersion?.hex, run.job?.phase.rawValue, run.job?.stored,
            ])
        }
    }

    private func finish(_ ends: [Batch.RunEnd], _ db: Database) throws {
        guard !ends.isEmpty else { return }
        let update = try db.cachedStatement(
            sql:
                "UPDATE runs SET finished_at = ?, ending = ?, failure = ? WHERE workflow = ? AND step = ? AND attempt = ?"
        )
        let insert = try db.cachedStatement(
            sql:
                "INSERT INTO assets (workflow, step, attempt, port, type, sha256, bytes, name, meta) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        for end in ends {
            let step = end.run.step
            try update.run([
                end.at.milliseconds, end.ending.stored, end.ending.failure?.stored, step.workflow.number, step.index,
                end.run.attempt,
            ])
            for asset in end.ending.assets {
                try insert.run([
                    step.workflow.number, step.index, end.run.attempt, asset.port, asset.type.name, asset.hash.hex,
                    asset.bytes, asset.name,
                    asset.meta.isEmpty ? "{}" : JSON.object(asset.meta).text,
                ])
            }
        }
    }

    private func insert(_ record: AwaitRecord, _ db: Database) throws -> AwaitRecord {
        try db.cachedStatement(
            sql: """
                INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, expires_at, digest, question)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            record.step.workflow.number, record.step.index, record.type.rawValue, record.status.rawValue, record.title,
            record.reason,
            record.urgency.rawValue, record.createdAt.milliseconds, record.expiresAt?.milliseconds, record.digest?.hex,
            record.question?.text,
        ])
        var numbered = record
        numbered.number = db.lastInsertedRowID
        return numbered
    }

    private func insert(_ record: DecisionRecord, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO decisions (workflow, step, attempt, digest, call, decision, because, mode, decided_by, policy_epoch, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            record.run.step.workflow.number, record.run.step.index, record.run.attempt, record.digest.hex,
            record.call.canonical,
            record.decision.name, JSON.array(record.decision.because.map { .string($0) }).text, record.mode.rawValue,
            record.by,
            record.policyEpoch, record.at.milliseconds,
        ])
    }

    /// Marks an approval as used. If it was used or revoked already, the whole commit fails, since the effect must not
    /// start.
    private func use(_ use: Batch.ApprovalUse, at now: Moment?, _ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE approvals SET used_at = ? WHERE await = ? AND step = ? AND digest = ? AND used_at IS NULL"
        ).execute(arguments: [now?.milliseconds ?? 0, use.awaitNumber, use.step.index, use.digest.hex])
        guard db.changesCount == 1 else {
            throw Failure(.approvalUsed, "This approval has been used already; it is asked anew.")
        }
    }

    static func insert(_ events: [Event], _ db: Database) throws {
        guard !events.isEmpty else { return }
        let statement = try db.cachedStatement(
            sql:
                "INSERT INTO events (at, session, turn, workflow, step, attempt, type, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        for event in events {
            try statement.run([
                event.at.milliseconds, event.session?.number, event.turn, event.workflow?.number, event.step,
                event.run?.attempt,
                event.type,
                event.storedBody,
            ])
        }
    }
}
