import GRDB
import JSON
package import Vocabulary

/// Commands of people, queued for the process that runs the workflow.
extension Archive {
    /// Queues a command for a workflow.
    ///
    /// - Throws: `revisionRefused` for a new graph that was not made from the graph that `plannedGraph` returns.
    package func put(
        _ verb: Command.Verb, for workflow: WorkflowID, by: String = "person", under terms: AskTerms? = nil,
        at now: Moment
    ) throws(Failure) {
        try write { db in
            switch verb {
            case .cancel:
                try db.execute(
                    sql: "UPDATE workflows SET cancel_requested = 1 WHERE id = ? AND outcome IS NULL",
                    arguments: [workflow.number])
            case .retry(let step): try Self.revokeApprovals(of: workflow, step, at: now, db)
            case .revise(_, let base?):
                guard let planned = try Self.plannedGraph(of: workflow, db), planned.number == base else {
                    throw Failure(
                        .revisionRefused, "Somebody else has changed the graph of \(workflow) meanwhile.",
                        remedy: "Look at it with 'assent show \(workflow)' and edit it again.")
                }
            case .rerun, .answer, .complete, .poll, .pin, .revise: break
            }
            try Self.insert(verb, for: workflow, by: by, under: terms, at: now, db)
        }
    }

    /// Revokes the unused approvals of cancelled and failed steps, so that a retry asks again. A model may retry, too.
    private static func revokeApprovals(of workflow: WorkflowID, _ step: Int?, at now: Moment, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE approvals SET used_at = ? WHERE workflow = ? AND used_at IS NULL AND step IN
                (SELECT step FROM steps WHERE workflow = ? AND state IN ('failed', 'cancelled') AND step = coalesce(?, step))
                """, arguments: [now.milliseconds, workflow.number, workflow.number, step])
    }

    static func insert(
        _ verb: Command.Verb, for workflow: WorkflowID, by: String? = nil, under terms: AskTerms? = nil, at now: Moment,
        heldUntil: Moment? = nil, _ db: Database
    ) throws {
        var argument = verb.argument
        if case .object(var members) = argument {
            members["until"] = heldUntil.map { .int(Int($0.milliseconds)) }
            members["by"] = members["by"] ?? by.map { .string($0) }
            members["terms"] = terms.map { terms in
                JSON.of([
                    "mode": .string(terms.mode.rawValue), "onAsk": .string(terms.onAsk.rawValue),
                    "turn": terms.turn.map { .int($0) },
                ])
            }
            argument = .object(members)
        }
        try db.execute(
            sql: "INSERT INTO commands (workflow, step, verb, argument, at) VALUES (?, ?, ?, ?, ?)",
            arguments: [workflow.number, verb.step, verb.name, argument.text, now.milliseconds])
    }

    /// Returns the commands that wait for workflows of this engine, oldest first. A command that cannot be read is
    /// dropped and recorded in its workflow's events: it could never be applied, and a waiting command keeps its
    /// workflow from being deleted.
    package func waitingCommands(for owner: String) throws(Failure) -> [Command] {
        let waiting = try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT commands.* FROM commands JOIN workflows ON workflows.id = commands.workflow
                    WHERE taken_at IS NULL AND owner = ? ORDER BY commands.id
                    """)
            return try Row.fetchAll(statement, arguments: [owner]).map { row in
                (
                    id: (row["id"] as Int64), workflow: WorkflowID(row["workflow"]),
                    command: Damage.whole { Command(row: row) } ?? nil
                )
            }
        }
        let unreadable = waiting.filter { $0.command == nil }
        if !unreadable.isEmpty { try drop(unreadable.map { ($0.id, $0.workflow) }) }
        return waiting.compactMap(\.command)
    }

    private func drop(_ unreadable: [(id: Int64, workflow: WorkflowID)]) throws(Failure) {
        try write { db in
            for (id, workflow) in unreadable {
                let at =
                    try Int64.fetchOne(
                        db, sql: "SELECT updated_at FROM workflows WHERE id = ?", arguments: [workflow.number]) ?? 0
                try db.execute(
                    sql: "UPDATE commands SET taken_at = ? WHERE id = ? AND taken_at IS NULL", arguments: [at, id])
                guard db.changesCount == 1 else { continue }
                let reason = Reason(
                    .commandUnreadable, "Something that was asked of it could not be read; it was dropped.")
                try Self.insert([Event(at: Moment(milliseconds: at), workflow: workflow, .workflowChanged(reason))], db)
            }
        }
    }

    /// Returns all commands that no engine has carried out, oldest first. Commands that cannot be read are left out.
    package func waitingCommands() throws(Failure) -> [Command] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM commands WHERE taken_at IS NULL ORDER BY id").compactMap { row in
                Damage.whole { Command(row: row) } ?? nil
            }
        }
    }

    /// Returns the commands that wait for a workflow, oldest first.
    package func waitingCommands(of workflow: WorkflowID) throws(Failure) -> [Command] {
        try read { db in try Self.waitingCommands(of: workflow, db) }
    }

    private static func waitingCommands(of workflow: WorkflowID, _ db: Database) throws -> [Command] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM commands WHERE workflow = ? AND taken_at IS NULL ORDER BY id",
            arguments: [workflow.number]
        ).compactMap(Command.init(row:))
    }

    /// Returns the graph that results once all waiting edits are applied, from which the next edit must be made.
    /// Returns nil if the workflow does not exist.
    package func plannedGraph(of workflow: WorkflowID) throws(Failure) -> GraphRevision? {
        try read { db in try Self.plannedGraph(of: workflow, db) }
    }

    private static func plannedGraph(of workflow: WorkflowID, _ db: Database) throws -> GraphRevision? {
        guard var planned = try graph(of: workflow, db) else { return nil }
        for command in try waitingCommands(of: workflow, db) {
            // An edit that was made from another revision will be refused.
            guard case .revise(let template, let base) = command.verb, base ?? planned.number == planned.number else {
                continue
            }
            planned = GraphRevision(number: planned.number + 1, template: template)
        }
        return planned
    }

    /// Marks commands of this engine's workflows as done without effect. If another engine has taken over a workflow,
    /// it receives the command itself.
    package func take(_ commands: [Command], for owner: String, at now: Moment) throws(Failure) {
        guard !commands.isEmpty else { return }
        try write { db in
            for command in commands {
                try db.cachedStatement(
                    sql: """
                        UPDATE commands SET taken_at = ? WHERE id = ? AND workflow IN (SELECT id FROM workflows WHERE owner = ?)
                        """
                ).execute(arguments: [now.milliseconds, command.id, owner])
            }
        }
    }
}

// MARK: As text

extension Command.Verb {
    fileprivate var name: String {
        switch self {
        case .cancel: "cancel"
        case .retry: "retry"
        case .rerun: "rerun"
        case .answer: "answer"
        case .complete: "complete"
        case .poll: "poll"
        case .pin: "pin"
        case .revise: "revise"
        }
    }

    fileprivate var step: Int? {
        switch self {
        case .cancel, .poll, .revise: nil
        case .retry(let step): step
        case .rerun(let rerun): rerun.step
        case .answer(let step, _, _, _): step
        case .complete(let step, _, _, _): step
        case .pin(let step, _, _): step
        }
    }

    fileprivate var argument: JSON {
        switch self {
        case .cancel, .retry: [:]
        case .rerun(let rerun): .of(["edits": rerun.edits.map { .object($0) }, "isBelow": rerun.isBelow ? true : nil])
        case .answer(_, let number, let answer, let by):
            switch answer {
            case .yes: ["await": .int(Int(number)), "answer": "yes", "by": .string(by)]
            case .yesToPlan: ["await": .int(Int(number)), "answer": "plan", "by": .string(by)]
            case .part: ["await": .int(Int(number)), "answer": "part", "by": .string(by)]
            case .no(let reason):
                ["await": .int(Int(number)), "answer": "no", "reason": .string(reason), "by": .string(by)]
            }
        case .complete(_, let number, let completion, let by):
            ["await": .int(Int(number)), "completion": completion.json, "by": .string(by)]
        case .poll(let isOn): ["isOn": .bool(isOn)]
        case .pin(_, let port, let attempt): .of(["port": .string(port), "attempt": attempt.map { .int($0) }])
        case .revise(let template, let base): .of(["template": .string(template), "base": base.map { .int($0) }])
        }
    }
}

extension Command {
    fileprivate init?(row: Row) {
        let argument = json(row, "argument")
        guard argument.object != nil, let verb = Verb(name: row["verb"], step: row["step"], argument) else {
            return nil
        }
        self.init(
            id: row["id"], workflow: WorkflowID(row["workflow"]), verb: verb, by: argument["by"]?.string ?? "person",
            terms: argument["terms"].map(AskTerms.init(json:)))
        heldUntil = argument["until"]?.int.map { Moment(milliseconds: Int64($0)) }
    }
}

extension AskTerms {
    /// Reads stored terms. A value that cannot be read becomes the strictest one.
    fileprivate init(json: JSON) {
        self.init(
            mode: json["mode"]?.string.flatMap(ConfirmationMode.init(rawValue:)) ?? .alwaysAsk,
            onAsk: json["onAsk"]?.string.flatMap(OnAsk.init(rawValue:)) ?? .deny, turn: json["turn"]?.int)
    }
}

extension Command.Verb {
    fileprivate init?(name: String, step: Int?, _ argument: JSON) {
        let (number, by) = (Int64(argument["await"]?.int ?? 0), argument["by"]?.string ?? "")
        switch name {
        case "cancel": self = .cancel
        case "retry": self = .retry(step: step)
        case "rerun":
            self = .rerun(
                Rerun(step: step, edits: argument["edits"]?.object, isBelow: argument["isBelow"]?.bool ?? false))
        case "answer":
            let answer: Answer =
                switch argument["answer"]?.string {
                case "yes": .yes
                case "plan": .yesToPlan
                case "part": .part([])
                default: .no(reason: argument["reason"]?.string ?? "")
                }
            self = .answer(step: step ?? 0, await: number, answer, by: by)
        case "complete":
            guard let completion = Completion(json: argument["completion"] ?? .null) else { return nil }
            self = .complete(step: step ?? 0, await: number, completion, by: by)
        case "poll": self = .poll(argument["isOn"]?.bool ?? true)
        case "pin":
            self = .pin(step: step ?? 0, port: argument["port"]?.string ?? "", attempt: argument["attempt"]?.int)
        case "revise": self = .revise(template: argument["template"]?.string ?? "", base: argument["base"]?.int)
        default: return nil
        }
    }
}

extension Completion {
    fileprivate var json: JSON {
        switch self {
        case .outputs(let assets):
            [
                "outputs": .array(
                    assets.map {
                        [
                            "port": .string($0.port), "type": .string($0.type.name), "sha256": .string($0.hash.hex),
                            "bytes": .int($0.bytes),
                            "name": .string($0.name), "meta": .object($0.meta),
                        ]
                    })
            ]
        case .agreed(let edits): .of(["agreed": true, "edits": edits.map { .object($0) }])
        case .skipped(let words): ["skipped": words.isEmpty ? true : .string(words)]
        case .rejected(let reason): ["rejected": .string(reason)]
        case .submittedAs(let id): ["submittedAs": .string(id)]
        case .lookAgain: ["lookAgain": true]
        case .submitAgain: ["submitAgain": true]
        }
    }

    /// Reads a completion. Its assets have no run yet, which the engine assigns.
    fileprivate init?(json: JSON) {
        if let outputs = json["outputs"]?.array {
            self = .outputs(
                outputs.compactMap { output in
                    guard let port = output["port"]?.string, let type = output["type"]?.string,
                        let hash = output["sha256"]?.string
                    else {
                        return nil
                    }
                    return Asset(
                        run: RunID(StepID(WorkflowID(0), 0), attempt: 0), port: port, type: PortType(type),
                        hash: ContentHash(hex: hash),
                        bytes: output["bytes"]?.int ?? 0, name: output["name"]?.string ?? "",
                        meta: output["meta"]?.object ?? JSON.Object())
                })
        } else if json["agreed"] == true {
            self = .agreed(edits: json["edits"]?.object)
        } else if let skipped = json["skipped"], skipped == true || skipped.string != nil {
            self = .skipped(words: skipped.string ?? "")
        } else if let reason = json["rejected"]?.string {
            self = .rejected(reason: reason)
        } else if let id = json["submittedAs"]?.string {
            self = .submittedAs(id: id)
        } else if json["lookAgain"] == true {
            self = .lookAgain
        } else if json["submitAgain"] == true {
            self = .submitAgain
        } else {
            return nil
        }
    }
}
