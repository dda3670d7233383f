import Consent
import JSON
import Vocabulary
import Workflows

/// The result of a look at a step: the call that it would make, and in always-ask mode the calls of the rest of the
/// plan.
struct Prepared: Sendable {
    /// The call with its secrets, for the rules and for the tool.
    var call: Call
    /// The call without its secrets, as it is hashed, shown and stored.
    var redacted: Call
    var plan: [(step: Int, call: Call)]
    /// The steps of the plan whose calls are not known yet.
    var leftOut: [Question.LeftOut] = []
    /// The failure that names the key which the provider of a job needs and which is not stored. `nil` if no key is
    /// missing.
    var missingKey: Failure?
    /// The hosts of a job that the user has allowed for jobs.
    var jobHosts: Set<String> = []
}

/// A command that is about to be rehearsed.
struct PendingRehearsal: Sendable {
    var step: StepID
    var look: Int
    var assignment: Assignment
    /// The call that consent has allowed.
    var call: Call
}

/// The part of the engine's loop that takes a step from ready to running: a slot, then consent.
extension Loop {
    /// Offers free slots to the workflows in turn.
    mutating func schedule() {
        for queue in Queue.allCases {
            while queue == .none || (held(queue) < cap(queue) && isOpen(queue)) {
                // Taken out, not copied: it is as long as there are workflows that wait.
                guard var turns = self.turns.removeValue(forKey: queue) else { break }
                let next = turns.next { readiness(of: $0, for: queue) }
                if !turns.isEmpty { self.turns[queue] = turns }
                guard let next, let carried = carried[next], let lane = freeLane(of: carried, for: queue),
                    let index = carried.nextWaiting(in: lane)
                else { break }
                if carried.isFreeToGo(index) { consider(carried, index) }
            }
        }
        stopWaiting()
    }

    /// Puts a ready step into its lane, and its workflow into the turns for slots.
    mutating func line(up index: Int, of workflow: WorkflowID) {
        guard let carried = carried[workflow] else { return }
        carried.wait(index)
        if carried.flow.waitsToTransfer(index) { linedUp.append(carried.stepID(index)) }
        let queue: Queue =
            switch carried.lane(of: index) {
            case .queue(let queue): queue
            case .provider, .transfer: .remote
            }
        turns[queue, default: Turns(focus: focus)].join(workflow)
    }

    /// Reports to the flows which running jobs found no slot for a transfer. A step that is only ready needs no such
    /// report.
    mutating func tellWhatWaits() {
        for step in linedUp where carried[step.workflow]?.flow.waitsToTransfer(step.index - 1) ?? false {
            feed(step.workflow, .waits(step.index - 1))
        }
        linedUp.removeAll(keepingCapacity: true)
    }

    private func readiness(of workflow: WorkflowID, for queue: Queue) -> Turns.Readiness {
        guard let carried = carried[workflow], !carried.lanes(of: queue).isEmpty else { return .hasNothing }
        return freeLane(of: carried, for: queue) == nil ? .mustWait : .canGo
    }

    private func freeLane(of carried: Carried, for queue: Queue) -> Carried.Lane? {
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

    private mutating func consider(_ carried: Carried, _ index: Int) {
        let node = carried.flow.graph.nodes[index]
        let record = carried.record
        let step = carried.stepID(index)
        if carried.flow.jobs[index] != nil {
            // It goes on in its own run, under the consent that it had.
            guard !carried.flow.hasTakenJob(index) || carried.flow.steps[index].state.isRunning else {
                feed(carried, .admitted(index, callDigest: nil))
                return hold(index, of: carried)
            }
            guard begin(index, of: carried) else { return }
            return feed(carried, .admitted(index, callDigest: nil))
        }
        if let opened = awaitBefore(index, of: carried) { return feed(carried, .asked(index, opened)) }
        if let (reason, moment) = obstacle(to: index, of: carried) {
            return feed(carried, .held(index, reason, until: moment))
        }
        if let failure = faultOfRepeating(index, of: carried) {
            return feed(carried, .refused(index, failure, isCancelled: false))
        }
        guard begin(index, of: carried) else { return }
        let manifest = carried.manifests[index]
        if node.isPure, record.mode != .alwaysAsk, !isHeldBack(node, record.workspace) {
            return feed(carried, .admitted(index, callDigest: nil, toolVersion: manifest?.version))
        }
        let attempt = carried.flow.steps[index].attempt + 1
        guard let assignment = carried.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            release(index, of: carried)
            return feed(
                carried, .refused(index, Failure(.toolNotInstalled, "Tool not installed."), isCancelled: false))
        }
        // The plan is looked at for the question only: not again for each step that has been approved with it.
        let isApproved = carried.approvals.contains { $0.step == step }
        let others =
            record.mode == .alwaysAsk && !isApproved
            ? plannedAssignments(of: carried, except: index) : (planned: [], missing: [])
        lookCount += 1
        carried.looks[index] = lookCount
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

    /// Returns whether a rule of the policy holds back a step whose tool has no effect. Such a call is decided like any
    /// other.
    private func isHeldBack(_ node: Graph.Node, _ workspace: String) -> Bool {
        let call = Call(tool: node.kind, toolVersion: .ofNothing, params: node.params)
        return world.policy(workspace).holdsBack(call, in: world.surroundings(workspace))
    }

    /// Returns the other steps that a yes to the whole plan would cover, and those of them whose tool is not installed.
    /// Steps that have started, or that a yes covers already, are left out.
    private func plannedAssignments(
        of carried: Carried, except index: Int
    ) -> (planned: [Assignment], missing: [Question.LeftOut]) {
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

    /// Decides whether the call of a step is allowed, asked about or denied, now that a look at it has ended. The
    /// result of an earlier look is ignored.
    mutating func decide(_ step: StepID, look: Int, _ result: Result<Prepared, Failure>) throws(Failure) {
        let index = step.index - 1
        guard let carried = carried[step.workflow], carried.looks[index] == look else {
            // Of an earlier life of the step. Whoever looks at it now, or runs it, holds the slot.
            return
        }
        carried.looks[index] = nil
        carried.rehearsing.remove(index)
        guard carried.flow.steps[index].state == .ready, !carried.flow.isHalted else {
            // Cancelled or halted meanwhile. A halted step stays ready: a retry offers it a slot again.
            return release(index, of: carried)
        }
        switch result {
        case .failure(let failure):
            release(index, of: carried)
            feed(carried, .refused(index, failure, isCancelled: false))
        case .success(let prepared): try judge(index, prepared, of: carried)
        }
    }

    private mutating func judge(_ index: Int, _ prepared: Prepared, of carried: Carried) throws(Failure) {
        // The dates of approvals and questions are shown to a person.
        let (now, workflow) = (world.clocks().wall, carried.record)
        let policy = world.policy(workflow.workspace)
        let call = prepared.redacted
        let approval = carried.approvals.first {
            $0.authorises(call, step: carried.stepID(index), policyEpoch: policy.epoch, at: now)
        }
        let allowance = try allowance(for: prepared, of: carried)
        let decision = try decision(on: prepared.call, policy, allowance, now, of: carried)
        if let missing = prepared.missingKey, mayBeConnected(decision, approval, workflow.onAsk) {
            return connect(index, of: carried, missing, now)
        }
        switch (decision, approval) {
        case (.allow, _) where prepared.call.rehearsal == .wanted:
            if call.reachesOut { record(index, call, decision, by: "policy", policy, now, of: carried) }
            rehearse(index, prepared.call, of: carried)
        case (.ask, let approval?) where prepared.call.rehearsal == .wanted:
            // Used up before it is run: what it sends is sent once for one yes.
            let because = ["approved in await \(approval.awaitNumber)"]
            record(index, call, .allow(because: because), by: approval.by, policy, now, of: carried)
            use(approval, for: index, of: carried)
            rehearse(index, prepared.call, of: carried)
        case (.allow(let because), _):
            allow(index, prepared, because: because, approval: nil, policy, now, of: carried)
        // A yes lowers an ask, never a deny.
        case (.ask, let approval?):
            let because = ["approved in await \(approval.awaitNumber)"]
            allow(index, prepared, because: because, approval: approval, policy, now, of: carried)
        case (.ask, nil): ask(index, prepared, decision, now, of: carried)
        case (.deny(let because), _):
            record(index, call, decision, by: "policy", policy, now, of: carried)
            forget(index, prepared.call, of: carried)
            refuse(
                index,
                Failure(
                    .denied, "Denied: \(because.joined(separator: "; ")).", remedy: "See 'assent mode' and the policy."
                ),
                isCancelled: true, of: carried)
        }
    }

    private mutating func allow(
        _ index: Int, _ prepared: Prepared, because: [String], approval: Approval?, _ policy: Policy, _ now: Moment,
        of carried: Carried
    ) {
        let by = approval?.by ?? "policy"
        record(index, prepared.redacted, .allow(because: because), by: by, policy, now, of: carried)
        carried.spending.count(prepared.redacted, isSaidByPerson: approval != nil)
        if let approval { use(approval, for: index, of: carried) }
        carried.allowed[index] = prepared.call
        feed(
            carried,
            .admitted(index, callDigest: digest(of: prepared.redacted), toolVersion: prepared.call.toolVersion)
        )
    }

    private func use(_ approval: Approval, for index: Int, of carried: Carried) {
        carried.batch.approvalsUsed.append(
            Batch.ApprovalUse(awaitNumber: approval.awaitNumber, step: carried.stepID(index), digest: approval.digest))
        carried.approvals.removeAll { $0 == approval }
    }

    /// Queues a rehearsal of a command, which runs over an overlay of the workspace in the slot that the step holds.
    ///
    /// The changes that the rehearsal finds are then judged as a call of their own. If this engine ends during a
    /// rehearsal, the next one rehearses again. That needs another yes, if the first run needed one.
    private mutating func rehearse(_ index: Int, _ call: Call, of carried: Carried) {
        let attempt = carried.flow.steps[index].attempt + 1
        guard let assignment = carried.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            return refuse(
                index, Failure(.toolNotInstalled, "Tool not installed."), isCancelled: false, of: carried)
        }
        lookCount += 1
        carried.looks[index] = lookCount
        carried.rehearsing.insert(index)
        feed(carried, .rehearsed(index, hasTurn: true))
        rehearsals.append(
            PendingRehearsal(step: carried.stepID(index), look: lookCount, assignment: assignment, call: call))
    }

    /// Starts the queued rehearsals, whose decisions have now been committed.
    mutating func beginRehearsals() {
        let begun = rehearsals
        rehearsals = []
        for rehearsal in begun where carried[rehearsal.step.workflow]?.looks[rehearsal.step.index - 1] == rehearsal.look
        {
            begin(rehearsal)
        }
    }

    private func begin(_ rehearsal: PendingRehearsal) {
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

    /// Kills the rehearsals of steps that are no longer ready, such as after a cancel.
    func endRehearsals(of carried: Carried) {
        for index in carried.rehearsing.sorted() where carried.flow.steps[index].state != .ready {
            world.tools.kill(carried.nextRun(index))
        }
    }

    private mutating func ask(
        _ index: Int, _ prepared: Prepared, _ decision: Decision, _ now: Moment, of carried: Carried
    ) {
        let workflow = carried.record
        switch workflow.onAsk {
        case .deny:
            forget(index, prepared.call, of: carried)
            let words = "This would ask (\(decision.because.joined(separator: "; "))), and nobody may be asked: denied."
            return refuse(
                index, Failure(.denied, words, remedy: "Run it in a terminal, or with --on-ask park."),
                isCancelled: true, of: carried)
        case .fail:
            forget(index, prepared.call, of: carried)
            let words = "This would ask (\(decision.because.joined(separator: "; ")))."
            return refuse(
                index, Failure(.needsApproval, words),
                isCancelled: false, of: carried)
        case .inline, .park: break
        }
        if prepared.call.isBare, workflow.onAsk != .inline {
            return refuse(
                index,
                Failure(
                    .denied, "A command is only run on the bare machine after a yes at the terminal.",
                    remedy: "Run it in the chat, or in the sandbox."),
                isCancelled: true, of: carried)
        }
        let subject = "step \(carried.flow.graph.word(of: index)) of \"\(workflow.title)\""
        let question = Consent.question(
            for: prepared.redacted, subject: subject, decision: decision, mode: workflow.mode, plan: prepared.plan,
            leftOut: prepared.leftOut)
        let record = AwaitRecord(
            step: carried.stepID(index), type: .confirmCall, title: question.title,
            reason: decision.because.joined(separator: "; "),
            urgency: question.wordToType == nil ? .normal : .high, createdAt: now, digest: question.digest,
            question: question.json)
        release(index, of: carried)
        feed(carried, .asked(index, record))
    }

    /// Removes the rehearsal of a call that is refused.
    private func forget(_ index: Int, _ call: Call, of carried: Carried) {
        if case .done = call.rehearsal { forget(carried.nextRun(index)) }
    }

    /// Removes the stored rehearsal of an attempt, if there is one.
    func forget(_ run: RunID) {
        guard let workspace = carried[run.step.workflow]?.record.workspace else { return }
        let engine = engine
        world.onWorker(for: run.step) { engine.world.tools.forget(run, workspace) }
    }

    /// Returns the attempts of a workflow whose calls wait for an answer. Each may have been rehearsed.
    func askedSteps(of carried: Carried) -> [RunID] {
        guard carried.flow.hasOpenQuestion else { return [] }
        return carried.flow.steps.indices.filter { carried.flow.waitsForConsent($0) }.map(carried.nextRun)
    }

    private mutating func refuse(_ index: Int, _ failure: Failure, isCancelled: Bool, of carried: Carried) {
        release(index, of: carried)
        feed(carried, .refused(index, failure, isCancelled: isCancelled))
    }

    func record(
        _ index: Int, _ call: Call, _ decision: Decision, by: String, _ policy: Policy, _ now: Moment,
        of carried: Carried
    ) {
        carried.batch.isPrecious = true
        carried.batch.decisions.append(
            DecisionRecord(
                run: carried.nextRun(index), digest: digest(of: call), call: call.json, decision: decision,
                mode: carried.record.mode, by: by,
                policyEpoch: policy.epoch, at: now))
    }
}
