import Vocabulary
import Workflows

/// The part of the engine's loop that reads commands, in the order in which all processes stored them.
extension Loop {
    mutating func hearCommands() throws(Failure) {
        let waiting = try world.ledger.waitingCommands()
        let wall = waiting.contains { $0.heldUntil != nil } ? world.clocks().wall : Moment(milliseconds: 0)
        let commands = waiting.filter { !$0.isHeld(at: wall) }
        held = waiting.filter { $0.isHeld(at: wall) }.min { ($0.heldUntil ?? wall) < ($1.heldUntil ?? wall) }
        guard !commands.isEmpty else { return }
        var unheard: [Command] = []
        for command in commands {
            // What it refers to is looked up in the store, and each new graph is a revision of its own: whatever has
            // come in by now is committed first.
            if command.verb.needsHistory, isDirty.contains(command.workflow) {
                sortIntents()
                try commitAndAct()
            }
            try carry(command.workflow)
            guard let carried = carried[command.workflow] else {
                unheard.append(command)
                continue
            }
            // Taken in the same commit as what it changes: a crash between the two would do it twice, a lost fence
            // never.
            carried.batch.commandsTaken.append(command.id)
            mark(command.workflow)
            note(command, of: carried)
            try settingAside(command.workflow) { loop throws(Failure) in try loop.obey(command, of: carried) }
        }
        sortIntents()
        try commitAndAct()
        // What had ended and was not taken up again needs nobody to carry it.
        for command in commands where carried[command.workflow]?.flow.outcome != nil { drop(command.workflow) }
        // Of what was put aside. What another engine has taken over meanwhile is for that one to hear.
        if !unheard.isEmpty { try world.ledger.take(unheard) }
    }

    /// Records in the history which command was given and by whom, before its effects. The chain of causes that `why`
    /// shows ends here.
    private func note(_ command: Command, of carried: Carried) {
        let steps = carried.flow.steps
        guard let (reason, number) = command.verb.asked else { return }
        let step = number.flatMap { steps.indices.contains($0 - 1) ? steps[$0 - 1] : nil }
        carried.batch.events.append(
            Event(
                at: world.now(), turn: command.terms?.turn, workflow: command.workflow, step: step?.id.index,
                node: step?.node,
                .workflowChanged(reason, by: command.by)))
    }

    private mutating func obey(_ command: Command, of carried: Carried) throws(Failure) {
        if let terms = command.terms, let new = carried.tighten(to: terms) {
            carried.batch.events.append(
                Event(at: world.now(), workflow: carried.id, .workflowChanged(new.reason, by: command.by)))
        }
        switch command.verb {
        case .cancel: feed(carried, .cancel)
        case .retry(let step):
            carried.know(try world.ledger.approvals(carried.id))
            try remember(carried)
            // Of a model's own wish: a person's yes to what costs nobody knows what was not for that.
            if command.terms?.turn != nil { carried.spending.hasYesToUnknownPrice = false }
            feed(carried, .retry(step.map { $0 - 1 }))
        case .rerun(let rerun):
            carried.know(try world.ledger.approvals(carried.id))
            try remember(carried)
            feed(carried, .rerun(rerun))
        case .answer(let step, let number, let answer, let by):
            carried.know(try world.ledger.approvals(carried.id))
            guard carried.flow.openAwait(of: step - 1) == number else { return }
            guard carried.flow.waitsForConsent(step - 1) else {
                let completion: Completion =
                    if case .no(let reason) = answer { .rejected(reason: reason) } else { .agreed(edits: nil) }
                return pass(completion, step - 1, of: carried, by: by)
            }
            feed(carried, .answered(step - 1, answer, by: by))
            if answer == .yesToPlan { agree(toPlanOf: carried, in: number, by: by) }
        case .complete(let step, let number, let completion, let by):
            guard carried.flow.openAwait(of: step - 1) == number else { return }
            if case .submittedAs(let id) = completion, let job = carried.flow.jobs[step - 1]?.record,
                try world.ledger.isJobHeld(job.provider, id, job.key)
            {
                let words = "Job \"\(id)\" is that of another run, and its result is not this one's."
                return feed(carried, .misnamed(step - 1, words, by: by))
            }
            pass(completion, step - 1, of: carried, by: by)
        case .poll(let isOn): feed(carried, .poll(isOn))
        case .pin(let step, let port, let attempt):
            try remember(carried)
            guard let asset = pinned(step, port, attempt, of: carried) else { return }
            feed(carried, .pin(step - 1, port: port, asset))
        case .revise(let template, let base): try revise(carried, template, from: base)
        }
    }

    /// Completes an await. For an agreed gate, the yes covers the current inputs of the step with the edits of the
    /// person.
    private mutating func pass(_ completion: Completion, _ index: Int, of carried: Carried, by: String) {
        var agreed: ContentHash?
        if case .agreed(let edits) = completion { agreed = fingerprint(of: index, in: carried, edits: edits) }
        feed(carried, .completed(index, completion, agreed: agreed, by: by))
    }

    /// Returns the output of an earlier attempt that an input is pinned to, from the history that is already loaded.
    ///
    /// - Returns: `.some(nil)` if the input is to use the newest output. `nil` if that attempt gave no output.
    private func pinned(_ step: Int, _ port: String, _ attempt: Int?, of carried: Carried) -> Asset?? {
        guard let attempt else { return .some(nil) }
        let flow = carried.flow
        guard flow.graph.nodes.indices.contains(step - 1),
            let producer = flow.graph.nodes[step - 1].inputs.first(where: { $0.port == port })?.producer
        else { return nil }
        let run = RunID(carried.stepID(producer.node), attempt: attempt)
        return flow.pastOutput(of: run, producer.port).map { .some($0) }
    }

    private mutating func revise(_ carried: Carried, _ template: String, from base: Int?) throws(Failure) {
        let catalogue = world.tools.catalogue()
        let (graph, revision) = (graph(of: template, catalogue), carried.graphRevision)
        let fault =
            if let base, base != revision {
                Failure(
                    .revisionMoved, "It was made from revision \(base) of the graph; revision \(revision) holds now.")
            } else {
                graph.map { carried.flow.faultOfRevising(to: $0) }
                    ?? Failure(.badTemplate, "The new graph has problems.")
            }
        guard let graph, fault == nil else {
            let reason = Reason(.revisionRefused, fault?.message ?? "")
            carried.batch.events.append(Event(at: world.now(), workflow: carried.id, .workflowChanged(reason)))
            return
        }
        try remember(carried)
        // Looks at calls of the old graph are of no use; whoever is ready is considered again.
        for index in carried.looks.keys.sorted() {
            carried.looks[index] = nil
            release(index, of: carried)
            intents.append((carried.id, .consider(index)))
        }
        for wish in carried.revise(
            to: graph, text: template, catalogue, now: world.now(), wall: world.clocks().wall, random: &random)
        {
            intents.append((carried.id, wish))
        }
    }

    /// Answers the open questions of steps that a yes to the whole plan covers. Each call is still compared with the
    /// approval before it runs.
    private mutating func agree(toPlanOf carried: Carried, in number: Int64, by: String) {
        let planned = Set(
            carried.approvals.filter { $0.awaitNumber == number && $0.isPlanned }.map(\.step.index))
        for index in planned.sorted() where carried.flow.waitsForConsent(index - 1) {
            feed(carried, .answered(index - 1, .yesToPlan, by: by))
        }
    }
}

extension Command.Verb {
    /// Whether the effect of the command depends on earlier attempts, which must then be loaded.
    fileprivate var needsHistory: Bool {
        switch self {
        case .retry, .rerun, .pin, .revise: true
        case .cancel, .answer, .complete, .poll: false
        }
    }
}
