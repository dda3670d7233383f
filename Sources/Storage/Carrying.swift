import GRDB
import JSON
package import Vocabulary

/// What an engine needs to carry workflows: make them, take them over, load them, hear of commands.
extension Archive {
    /// Stores a new workflow with its steps, owned by this engine from the start.
    ///
    /// - Parameter record: its `id` is ignored; the database gives one.
    /// - Parameter steps: makes the rows once the id is known.
    package func create(
        _ record: WorkflowRecord, template: String, owner: String, steps: (WorkflowID) -> [StepRecord]
    ) throws(Failure) -> (WorkflowRecord, [StepRecord]) {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO workflows (title, session, workspace, mode, on_ask, template, created_at, updated_at, owner, fence)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
                    """,
                arguments: [
                    record.title, record.session?.number, record.workspace, record.mode.rawValue, record.onAsk.rawValue, template,
                    record.createdAt.milliseconds, record.createdAt.milliseconds, owner,
                ])
            var made = record
            made.id = WorkflowID(db.lastInsertedRowID)
            let steps = steps(made.id)
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO steps (workflow, step, node, kind, state, reason_code, reason_words, attempt, tries, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?)
                    """)
            for step in steps {
                try statement.execute(arguments: [
                    made.id.number, step.id.index, step.node, step.kind, step.state.rawValue, step.reason?.code, step.reason?.words,
                    step.updatedAt.milliseconds,
                ])
            }
            let event = Event(
                at: record.createdAt, session: record.session, workflow: made.id, .workflowCreated(title: record.title, steps: steps.count))
            try Self.insert([event], db)
            return (made, steps)
        }
    }

    /// Takes over every workflow that is under way, or that somebody wants something of, and whose engine is dead.
    ///
    /// - Parameter isAlive: whether the engine of that name still lives; asked once for each.
    package func claim(for owner: String, isAlive: (String) -> Bool) throws(Failure) -> [WorkflowID] {
        let open = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, owner FROM workflows WHERE (outcome IS NULL OR id IN (SELECT workflow FROM commands WHERE taken_at IS NULL))
                    AND owner IS NOT ?
                    """, arguments: [owner])
        }
        guard !open.isEmpty else { return [] }
        var living: [String: Bool] = [:]
        let orphans = open.filter { row in
            guard let old = row["owner"] as String? else { return true }
            if living[old] == nil { living[old] = isAlive(old) }
            return living[old] == false
        }
        guard !orphans.isEmpty else { return [] }
        return try write { db in
            try orphans.compactMap { row in
                try db.cachedStatement(sql: "UPDATE workflows SET owner = ?, fence = fence + 1 WHERE id = ? AND owner IS ?")
                    .execute(arguments: [owner, row["id"] as Int64, row["owner"] as String?])
                return db.changesCount == 1 ? WorkflowID(row["id"]) : nil
            }
        }
    }

    package func load(_ id: WorkflowID) throws(Failure) -> CarriedWorkflow? {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT * FROM workflows WHERE id = ?", arguments: [id.number]) else { return nil }
            let arguments: StatementArguments = [id.number]
            return CarriedWorkflow(
                record: WorkflowRecord(row: row), fence: row["fence"], template: row["template"],
                steps: try Row.fetchAll(db, sql: "SELECT * FROM steps WHERE workflow = ? ORDER BY step", arguments: arguments).map(
                    StepRecord.init(row:)),
                assets: try Row.fetchAll(
                    db,
                    sql: """
                        SELECT assets.* FROM assets JOIN steps USING (workflow, step, attempt) WHERE workflow = ?
                        """, arguments: arguments
                ).map(Asset.init(row:)),
                // What the steps wait for: also an await that was answered while nobody carried the workflow. The answer is on its way.
                openAwaits: try Row.fetchAll(
                    db,
                    sql: """
                        SELECT * FROM awaits WHERE number IN (SELECT max(number) FROM awaits JOIN steps USING (workflow, step)
                        WHERE workflow = ? AND state = 'awaitingUser' GROUP BY step)
                        """, arguments: arguments
                ).map(AwaitRecord.init(row:)),
                approvals: try Row.fetchAll(db, sql: "SELECT * FROM approvals WHERE workflow = ? AND used_at IS NULL", arguments: arguments)
                    .map(Approval.init(row:)))
        }
    }

    package func approvals(of workflow: WorkflowID) throws(Failure) -> [Approval] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM approvals WHERE workflow = ? AND used_at IS NULL", arguments: [workflow.number])
                .map(Approval.init(row:))
        }
    }

    // MARK: Commands

    package func put(_ verb: Command.Verb, for workflow: WorkflowID, at now: Moment) throws(Failure) {
        try write { db in
            if case .cancel = verb {
                try db.execute(
                    sql: "UPDATE workflows SET cancel_requested = 1 WHERE id = ? AND outcome IS NULL", arguments: [workflow.number])
            }
            // What was cancelled, or has failed, is asked for anew when it is taken up: a model may retry, too.
            if case .retry(let step) = verb {
                try db.execute(
                    sql: """
                        UPDATE approvals SET used_at = ? WHERE workflow = ? AND used_at IS NULL AND step IN
                        (SELECT step FROM steps WHERE workflow = ? AND state IN ('failed', 'cancelled') AND step = coalesce(?, step))
                        """, arguments: [now.milliseconds, workflow.number, workflow.number, step])
            }
            try Self.insert(verb, for: workflow, at: now, db)
        }
    }

    static func insert(_ verb: Command.Verb, for workflow: WorkflowID, at now: Moment, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO commands (workflow, step, verb, argument, at) VALUES (?, ?, ?, ?, ?)",
            arguments: [workflow.number, verb.step, verb.name, verb.argument.text, now.milliseconds])
    }

    /// Commands that nobody has taken yet, of workflows that this engine carries, oldest first.
    package func waitingCommands(for owner: String) throws(Failure) -> [Command] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT commands.* FROM commands JOIN workflows ON workflows.id = commands.workflow
                    WHERE taken_at IS NULL AND owner = ? ORDER BY commands.id
                    """)
            return try Row.fetchAll(statement, arguments: [owner]).compactMap(Command.init(row:))
        }
    }

    /// Marks commands as taken, after their changes have been committed. Doing one twice does no harm: each looks at the state first.
    package func take(_ commands: [Command], at now: Moment) throws(Failure) {
        guard !commands.isEmpty else { return }
        try write { db in
            for command in commands {
                try db.cachedStatement(sql: "UPDATE commands SET taken_at = ? WHERE id = ?").execute(arguments: [
                    now.milliseconds, command.id,
                ])
            }
        }
    }
}

extension Command.Verb {
    fileprivate var name: String {
        switch self {
        case .cancel: "cancel"
        case .retry: "retry"
        case .answer: "answer"
        }
    }

    fileprivate var step: Int? {
        switch self {
        case .cancel: nil
        case .retry(let step): step
        case .answer(let step, _, _, _): step
        }
    }

    fileprivate var argument: JSON {
        switch self {
        case .cancel, .retry: [:]
        case .answer(_, let number, let answer, let by):
            switch answer {
            case .yes: ["await": .int(Int(number)), "answer": "yes", "by": .string(by)]
            case .yesToPlan: ["await": .int(Int(number)), "answer": "plan", "by": .string(by)]
            case .no(let reason): ["await": .int(Int(number)), "answer": "no", "reason": .string(reason), "by": .string(by)]
            }
        }
    }
}

extension Command {
    fileprivate init?(row: Row) {
        let argument = json(row, "argument")
        let step: Int? = row["step"]
        let verb: Verb
        switch row["verb"] as String {
        case "cancel": verb = .cancel
        case "retry": verb = .retry(step: step)
        case "answer":
            let answer: Answer =
                switch argument["answer"]?.string {
                case "yes": .yes
                case "plan": .yesToPlan
                default: .no(reason: argument["reason"]?.string ?? "")
                }
            verb = .answer(step: step ?? 0, await: Int64(argument["await"]?.int ?? 0), answer, by: argument["by"]?.string ?? "")
        default: return nil
        }
        self.init(id: row["id"], workflow: WorkflowID(row["workflow"]), verb: verb)
    }
}
