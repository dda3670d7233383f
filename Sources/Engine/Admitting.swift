import Consent
import JSON
import Vocabulary
import Workflows

/// What a step would touch, and, in always-ask mode, what the rest of the plan would.
struct Prepared: Sendable {
    /// With its secrets: for the rules and for the tool.
    var call: Call
    /// Without them: what is hashed, shown and stored.
    var redacted: Call
    var plan: [(step: Int, call: Call)]
    /// Steps of the plan whose call cannot be told yet.
    var leftOut: [Question.LeftOut] = []
    /// Of a job: the key that its provider wants and nobody has.
    var missingKey: Failure?
    /// Of a job: those of its hosts that the person has allowed for jobs.
    var jobHosts: Set<String> = []
}

/// A command that is about to be rehearsed.
struct Rehearsal: Sendable {
    var step: StepID
    var look: Int
    var assignment: Assignment
    /// As it was allowed.
    var call: Call
}

/// From ready to running: a slot, then consent.
extension Loop {
    /// Offers free slots to the workflows in turn.
    mutating func schedule() {
        for queue in Queue.allCases {
            while queue == .none || (held(queue) < cap(queue) && isOpen(queue)) {
                // Taken out, not copied: it is as long as there are workflows that wait.
                guard var turns = self.turns.removeValue(forKey: queue) else { break }
                let next = turns.next { readiness(of: $0, for: queue) }
                if !turns.isEmpty { self.turns[queue] = turns }
                guard let next, let lane = freeLane(of: next, for: queue),
                    let index = carried[next]!.nextWaiting(in: lane)
                else { break }
                if carried[next]!.isFreeToGo(index) { consider(next, index) }
            }
        }
        stopWaiting()
    }

    /// A step is ready: it gets into its lane, and its workflow into the round.
    mutating func line(up index: Int, of workflow: WorkflowID) {
        guard carried[workflow] != nil else { return }
        carried[workflow]!.wait(index)
        if carried[workflow]!.flow.waitsToTransfer(index) { linedUp.append(StepID(workflow, index + 1)) }
        let queue: Queue =
            switch carried[workflow]!.lane(of: index) {
            case .queue(let queue): queue
            case .provider, .transfer: .remote
            }
        turns[queue, default: Turns(focus: focus)].join(workflow)
    }

    /// What runs and found no slot for what it has to send or to fetch says so; what is ready says it anyway.
    mutating func tellWhatWaits() {
        for step in linedUp where carried[step.workflow]?.flow.waitsToTransfer(step.index - 1) ?? false {
            feed(step.workflow, .waits(step.index - 1))
        }
        linedUp.removeAll(keepingCapacity: true)
    }

    private func readiness(of workflow: WorkflowID, for queue: Queue) -> Turns.Readiness {
        guard let carried = carried[workflow], !carried.lanes(of: queue).isEmpty else { return .hasNothing }
        return freeLane(of: workflow, for: queue) == nil ? .mustWait : .canGo
    }

    private func freeLane(of workflow: WorkflowID, for queue: Queue) -> Carried.Lane? {
        let carried = carried[workflow]!
        let options = carried.flow.graph.options
        let hasRoom =
            switch queue {
            case .local: carried.held(.local) < options.localConcurrency
            case .remote: carried.held([.transfer, .job]) < options.remoteConcurrency
            case .none: true
            }
        return carried.lanes(of: queue).first { lane in
            switch lane {
            case .queue: return hasRoom
            // Its job counts already.
            case .transfer: return true
            case .provider(let name):
                guard let terms = carried.flow.graph.providers.first(where: { $0.provider == name }) else {
                    return false
                }
                return hasRoom && jobsHeld[terms.provider, default: 0] < terms.concurrent
                    && isOpen(place: .provider(terms.provider))
            }
        }
    }

    private mutating func consider(_ workflow: WorkflowID, _ index: Int) {
        let node = carried[workflow]!.flow.graph.nodes[index]
        let record = carried[workflow]!.record
        let step = StepID(workflow, index + 1)
        if carried[workflow]!.flow.jobs[index] != nil {
            // It goes on in its own run, under the consent that it had.
            guard !carried[workflow]!.flow.hasTakenJob(index) || carried[workflow]!.flow.steps[index].state.isRunning
            else {
                feed(workflow, .admitted(index, callDigest: nil))
                return hold(index, of: workflow)
            }
            guard begin(index, of: workflow) else { return }
            return feed(workflow, .admitted(index, callDigest: nil))
        }
        if let opened = awaitBefore(index, of: workflow) { return feed(workflow, .asked(index, opened)) }
        if let (reason, moment) = obstacle(to: index, of: workflow) {
            return feed(workflow, .held(index, reason, until: moment))
        }
        if let failure = faultOfRepeating(index, of: workflow) {
            return feed(workflow, .refused(index, failure, isCancelled: false))
        }
        guard begin(index, of: workflow) else { return }
        let manifest = carried[workflow]!.manifests[index]
        if node.isPure, record.mode != .alwaysAsk, !isHeldBack(node, record.workspace) {
            return feed(workflow, .admitted(index, callDigest: nil, toolVersion: manifest?.version))
        }
        let attempt = carried[workflow]!.flow.steps[index].attempt + 1
        guard let assignment = carried[workflow]!.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            release(index, of: workflow)
            return feed(
                workflow, .refused(index, Failure(.toolNotInstalled, "Tool not installed."), isCancelled: false))
        }
        // The plan is looked at for the question only: not again for each step that has been approved with it.
        let isApproved = carried[workflow]!.approvals.contains { $0.step == step }
        let others =
            record.mode == .alwaysAsk && !isApproved
            ? plannedAssignments(of: workflow, except: index) : (planned: [], missing: [])
        lookCount += 1
        carried[workflow]!.looks[index] = lookCount
        let (engine, look) = (engine, lookCount)
        world.onWorker(for: step) {
            let tools = engine.world.tools
            let result = tools.prepare(assignment).map { call in
                var prepared = Prepared(
                    call: call, redacted: redacted(call, assignment.manifest, as: assignment.params), plan: [],
                    leftOut: others.missing)
                for other in others.planned {
                    let step = other.run.step.index
                    switch tools.prepare(other) {
                    case .success(let call):
                        prepared.plan.append((step, redacted(call, other.manifest, as: other.params)))
                    case .failure(let failure):
                        prepared.leftOut.append(.init(step: step, tool: other.manifest.kind, reason: failure.message))
                    }
                }
                if case .job(let action) = assignment.manifest.action { prepared.note(action.provider, tools) }
                return prepared
            }
            engine.mailbox.post(.prepared(step, look: look, result))
        }
    }

    /// A rule may name a tool that has no effect; such a call goes the whole way.
    private func isHeldBack(_ node: Graph.Node, _ workspace: String) -> Bool {
        let call = Call(tool: node.kind, toolVersion: .ofNothing, params: node.params)
        return world.policy(workspace).holdsBack(call, in: world.surroundings(workspace))
    }

    /// The steps that have not started and that no yes covers already: what a yes to the whole plan would cover, and
    /// those without a tool.
    private func plannedAssignments(
        of workflow: WorkflowID, except index: Int
    ) -> (planned: [Assignment], missing: [Question.LeftOut]) {
        let carried = carried[workflow]!
        let approved = Set(carried.approvals.map(\.step.index))
        var (planned, missing): ([Assignment], [Question.LeftOut]) = ([], [])
        for other in carried.flow.steps.indices where other != index && !approved.contains(other + 1) {
            guard carried.flow.steps[other].attempt == 0, !carried.flow.steps[other].state.isTerminal else { continue }
            if let assignment = carried.assignment(other, attempt: 1, isPlanned: true, in: world.tools.runFolder) {
                planned.append(assignment)
            } else {
                missing.append(
                    .init(
                        step: other + 1, tool: carried.flow.graph.nodes[other].kind, reason: "its tool is not installed"
                    ))
            }
        }
        return (planned, missing)
    }

    /// Consent for a call that has been looked at.
    mutating func decide(_ step: StepID, look: Int, _ result: Result<Prepared, Failure>) throws(Failure) {
        let workflow = step.workflow
        let index = step.index - 1
        // No copy of `carried[workflow]` may outlive a mutation: it would copy the whole flow.
        guard carried[workflow]?.looks[index] == look else {
            // Of an earlier life of the step. Whoever looks at it now, or runs it, holds the slot.
            return
        }
        carried[workflow]!.looks[index] = nil
        carried[workflow]!.rehearsing.remove(index)
        let (state, record) = (carried[workflow]!.flow.steps[index].state, carried[workflow]!.record)
        guard state == .ready, !carried[workflow]!.flow.isHalted else {
            // Cancelled or halted meanwhile. A halted step stays ready: a retry offers it a slot again.
            return release(index, of: workflow)
        }
        switch result {
        case .failure(let failure):
            release(index, of: workflow)
            feed(workflow, .refused(index, failure, isCancelled: false))
        case .success(let prepared): try judge(step, prepared, of: record)
        }
    }

    private mutating func judge(_ step: StepID, _ prepared: Prepared, of workflow: WorkflowRecord) throws(Failure) {
        let now = world.now()
        let policy = world.policy(workflow.workspace)
        let call = prepared.redacted
        let approval = carried[workflow.id]!.approvals.first {
            $0.authorises(call, step: step, policyEpoch: policy.epoch, at: now)
        }
        let allowance = try allowance(for: prepared, of: workflow)
        let decision = policy.decide(
            prepared.call, mode: workflow.mode, allowance: allowance, in: world.surroundings(workflow.workspace),
            at: now)
        if let missing = prepared.missingKey, mayBeConnected(decision, approval, workflow.onAsk) {
            return connect(step, missing, now)
        }
        switch decision {
        case .allow where prepared.call.rehearsal == .wanted: rehearse(step, prepared.call)
        case .ask where approval != nil && prepared.call.rehearsal == .wanted:
            // Used up before it is run: what it sends is sent once for one yes.
            record(
                step, call, .allow(because: ["approved in await \(approval!.awaitNumber)"]), by: approval!.by, policy,
                now)
            use(approval!, for: step)
            rehearse(step, prepared.call)
        case .allow(let because): allow(step, prepared, because: because, approval: nil, policy, now)
        // A yes lowers an ask, never a deny.
        case .ask where approval != nil:
            allow(
                step, prepared, because: ["approved in await \(approval!.awaitNumber)"], approval: approval, policy, now
            )
        case .ask: ask(step, prepared, decision, of: workflow, now)
        case .deny(let because):
            record(step, call, decision, by: "policy", policy, now)
            forget(step, prepared.call)
            refuse(
                step,
                Failure(
                    .denied, "Denied: \(because.joined(separator: "; ")).", remedy: "See 'assent mode' and the policy."
                ),
                isCancelled: true)
        }
    }

    private mutating func allow(
        _ step: StepID, _ prepared: Prepared, because: [String], approval: Approval?, _ policy: Policy, _ now: Moment
    ) {
        let workflow = step.workflow
        record(step, prepared.redacted, .allow(because: because), by: approval?.by ?? "policy", policy, now)
        carried[workflow]!.spending.count(prepared.redacted, isSaidByPerson: approval != nil)
        if let approval { use(approval, for: step) }
        carried[workflow]!.allowed[step.index - 1] = prepared.call
        feed(
            workflow,
            .admitted(step.index - 1, callDigest: digest(of: prepared.redacted), toolVersion: prepared.call.toolVersion)
        )
    }

    private mutating func use(_ approval: Approval, for step: StepID) {
        carried[step.workflow]!.batch.approvalsUsed.append(
            Batch.ApprovalUse(awaitNumber: approval.awaitNumber, step: step, digest: approval.digest))
        carried[step.workflow]!.approvals.removeAll { $0 == approval }
    }

    /// Runs it over an overlay of the workspace, in the slot that it has: what it would change is judged then, as a
    /// call of its own. One that is cut by the end of this engine is rehearsed again, after a yes if it needs one: an
    /// earlier one was used up.
    private mutating func rehearse(_ step: StepID, _ call: Call) {
        let (workflow, index) = (step.workflow, step.index - 1)
        let attempt = carried[workflow]!.flow.steps[index].attempt + 1
        guard let assignment = carried[workflow]!.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            return refuse(step, Failure(.toolNotInstalled, "Tool not installed."), isCancelled: false)
        }
        lookCount += 1
        carried[workflow]!.looks[index] = lookCount
        carried[workflow]!.rehearsing.insert(index)
        feed(workflow, .rehearsed(index, hasTurn: true))
        rehearsals.append(Rehearsal(step: step, look: lookCount, assignment: assignment, call: call))
    }

    /// What was decided has been committed.
    mutating func beginRehearsals() {
        let begun = rehearsals
        rehearsals = []
        for rehearsal in begun where carried[rehearsal.step.workflow]?.looks[rehearsal.step.index - 1] == rehearsal.look
        {
            begin(rehearsal)
        }
    }

    private func begin(_ rehearsal: Rehearsal) {
        let (engine, step, look, assignment) = (engine, rehearsal.step, rehearsal.look, rehearsal.assignment)
        world.tools.expect(assignment.run)
        world.onWorker(for: step) {
            let hasTurn: @Sendable (Bool) -> Void = { engine.mailbox.post(.hasTurn(step, look: look, $0)) }
            let result = engine.world.tools.rehearse(assignment, rehearsal.call, hasTurn).map { call in
                Prepared(call: call, redacted: redacted(call, assignment.manifest, as: assignment.params), plan: [])
            }
            engine.mailbox.post(.prepared(step, look: look, result))
        }
    }

    /// Rehearsals of steps that wait for nothing of that kind any more are ended.
    mutating func endRehearsals(of workflow: WorkflowID) {
        guard let rehearsing = carried[workflow]?.rehearsing, !rehearsing.isEmpty else { return }
        for index in rehearsing.sorted() where carried[workflow]!.flow.steps[index].state != .ready {
            world.tools.kill(
                RunID(StepID(workflow, index + 1), attempt: carried[workflow]!.flow.steps[index].attempt + 1))
        }
    }

    private mutating func ask(
        _ step: StepID, _ prepared: Prepared, _ decision: Decision, of workflow: WorkflowRecord, _ now: Moment
    ) {
        switch workflow.onAsk {
        case .deny:
            forget(step, prepared.call)
            let words = "This would ask (\(decision.because.joined(separator: "; "))), and nobody may be asked: denied."
            return refuse(
                step, Failure(.denied, words, remedy: "Run it in a terminal, or with --on-ask park."),
                isCancelled: true)
        case .fail:
            forget(step, prepared.call)
            let words = "This would ask (\(decision.because.joined(separator: "; ")))."
            return refuse(
                step, Failure(.needsApproval, words, remedy: "Run it in a terminal, or with --on-ask park."),
                isCancelled: false)
        case .inline, .park: break
        }
        if prepared.call.isBare, workflow.onAsk != .inline {
            return refuse(
                step,
                Failure(
                    .denied, "A command is only run on the bare machine after a yes at the terminal.",
                    remedy: "Run it in the chat, or in the sandbox."),
                isCancelled: true)
        }
        let subject = "step \(step.index) of \"\(workflow.title)\""
        let question = Consent.question(
            for: prepared.redacted, subject: subject, decision: decision, mode: workflow.mode, plan: prepared.plan,
            leftOut: prepared.leftOut)
        let record = AwaitRecord(
            step: step, type: .confirmCall, title: question.title, reason: decision.because.joined(separator: "; "),
            urgency: question.wordToType == nil ? .normal : .high, createdAt: now, digest: question.digest,
            question: question.json)
        release(step.index - 1, of: step.workflow)
        feed(step.workflow, .asked(step.index - 1, record))
    }

    /// Removes the rehearsal of a call that is refused.
    private func forget(_ step: StepID, _ call: Call) {
        guard case .done = call.rehearsal, let carried = carried[step.workflow] else { return }
        forget(RunID(step, attempt: carried.flow.steps[step.index - 1].attempt + 1))
    }

    /// Removes what was rehearsed for an attempt, if anything was.
    func forget(_ run: RunID) {
        guard let workspace = carried[run.step.workflow]?.record.workspace else { return }
        let engine = engine
        world.onWorker(for: run.step) { engine.world.tools.forget(run, workspace) }
    }

    /// Returns the attempts of a workflow whose calls wait for an answer. Each may have been rehearsed.
    func askedSteps(of workflow: WorkflowID) -> [RunID] {
        guard let flow = carried[workflow]?.flow, flow.hasOpenQuestion else { return [] }
        return flow.steps.indices.filter { flow.waitsForConsent($0) }.map {
            RunID(flow.steps[$0].id, attempt: flow.steps[$0].attempt + 1)
        }
    }

    private mutating func refuse(_ step: StepID, _ failure: Failure, isCancelled: Bool) {
        release(step.index - 1, of: step.workflow)
        feed(step.workflow, .refused(step.index - 1, failure, isCancelled: isCancelled))
    }

    private mutating func record(
        _ step: StepID, _ call: Call, _ decision: Decision, by: String, _ policy: Policy, _ now: Moment
    ) {
        let attempt = carried[step.workflow]!.flow.steps[step.index - 1].attempt + 1
        let mode = carried[step.workflow]!.record.mode
        carried[step.workflow]!.batch.isPrecious = true
        carried[step.workflow]!.batch.decisions.append(
            DecisionRecord(
                run: RunID(step, attempt: attempt), digest: digest(of: call), call: call.json, decision: decision,
                mode: mode, by: by,
                policyEpoch: policy.epoch, at: now))
    }
}
