import JSON
package import Vocabulary

extension Flow {
    /// What can come in. Steps are named by their dense index.
    package enum Input: Hashable, Sendable {
        /// The workflow has just been made, or its engine has just started: find out what can go on.
        case begin
        /// There is a slot and consent: start the step.
        case admitted(Int, callDigest: ContentHash?, toolVersion: ContentHash? = nil)
        /// An attempt ended. Late ones, of attempts given up on, are noted and change nothing.
        case ended(Int, attempt: Int, RunEnding)
        /// A provider answered the request of that number.
        case job(Int, attempt: Int, JobRequest.Verb, request: Int, JobAnswer)
        /// There is no slot yet for what a running job has to send or to fetch.
        case waits(Int)
        /// Its command is run over an overlay of the workspace, or waits until another one in its folder has had its
        /// turn: nothing is changed yet.
        case rehearsed(Int, hasTurn: Bool)
        /// A person named a job of which another run is known to be: they are asked again, with the reason.
        case misnamed(Int, String, by: String)
        /// A person is needed first: for consent, at a gate, or to do the step.
        case asked(Int, AwaitRecord)
        /// Consent says no, or nobody may be asked: the step is cancelled or failed.
        case refused(Int, Failure, isCancelled: Bool)
        /// It cannot start yet, for a reason outside the workflow (`offline`): it is considered again at the given
        /// time.
        case held(Int, Reason, until: Moment)
        /// The person answered the step's question.
        case answered(Int, Answer, by: String)
        /// The person did what the step's await asked for.
        /// - agreed: of what a gate was passed for.
        case completed(Int, Completion, agreed: ContentHash?, by: String)
        /// The await's time is over, and nobody holds a claim.
        /// - offered: what the step itself names for that: its values, its only choice. Its content is in the store.
        case expired(Int, offered: Asset? = nil)
        /// The time a step waited for has come.
        case due(Int)
        case cancel
        /// Take failed and cancelled steps up again, with the inputs they had: one, or all of them.
        case retry(Int?)
        /// Run steps again with what their producers give now.
        case rerun(Rerun)
        case poll(Bool)
        /// An input takes this asset, of a past run of its producer; `nil`: the newest again.
        case pin(Int, port: String, Asset?)
    }

    /// What the flow wants done once its changes are committed.
    package enum Intent: Hashable, Sendable {
        /// Find a slot: for a step that is ready, before it asks consent, or for what a running job has to send or to
        /// fetch.
        case consider(Int)
        case run(Int, attempt: Int)
        /// Was running when the last engine died: adopt it, take its exit record, or report it lost.
        case recover(Int, attempt: Int)
        case kill(Int, attempt: Int)
        /// Ask the provider of its job.
        case job(Int, attempt: Int, JobRequest.Verb, request: Int, JobRecord)
        case wake(Int, at: Moment)
        /// The time of its await is over: see whether somebody holds a claim.
        case expire(Int)
        case finished(Outcome)
    }

    /// Decides what results from an input. The rows of the steps that change are returned by `takeTouched`, once for
    /// many inputs.
    package mutating func step(_ input: Input, in transition: inout Transition) {
        switch input {
        case .begin: begin(in: &transition)
        case .admitted(let index, let digest, let version):
            admit(index, digest, version, in: &transition)
        case .ended(let index, let attempt, let ending):
            guard isUnderWay(index, attempt), jobs[index] == nil else {
                noteLate(index, attempt, ending.inWords, in: &transition)
                break
            }
            end(index, ending, in: &transition)
        case .job(let index, let attempt, let verb, let request, let answer):
            hear(answer, to: verb, request, of: index, attempt, in: &transition)
        case .waits(let index):
            // A wait without a network keeps its reason: it spent no try.
            guard waitsToTransfer(index), steps[index].reason?.code != .offline else { return }
            setReason(cancelReason(index) ?? slotReason(index), of: index, in: &transition)
        case .rehearsed(let index, let hasTurn):
            guard steps[index].state == .ready else { return }
            setReason(
                hasTurn
                    ? Reason(.rehearsal, "It is rehearsed: nothing is changed before it is known what would be.")
                    : Reason(
                        .waitingForWorkspace, "It is rehearsed after another command that is at work in this folder."),
                of: index, in: &transition)
        case .misnamed(let index, let words, let by):
            guard steps.indices.contains(index), steps[index].state == .awaitingUser, isAskedAboutSubmission(index)
            else { return }
            askAgain(index, words, by: by, in: &transition)
        case .asked(let index, let record):
            guard steps[index].state == .ready else { return }
            ask(index, record, in: &transition)
        case .refused(let index, let failure, let isCancelled):
            guard steps[index].state == .ready || steps[index].state == .awaitingUser else { return }
            give(up: index, failure, isCancelled: isCancelled, in: &transition)
        case .held(let index, let reason, let moment):
            guard steps[index].state == .ready else { return }
            setReason(reason, of: index, in: &transition)
            transition.intents.append(.wake(index, at: moment))
        case .answered(let index, let answer, let by):
            guard steps.indices.contains(index), steps[index].state == .awaitingUser else { return }
            self.answer(index, answer, by: by, in: &transition)
        case .completed(let index, let completion, let agreed, let by):
            guard steps.indices.contains(index), steps[index].state == .awaitingUser else { return }
            complete(index, completion, agreed, by: by, in: &transition)
        case .expired(let index, let offered):
            guard steps.indices.contains(index), steps[index].state == .awaitingUser else { return }
            expire(index, offered, in: &transition)
        case .due(let index): due(index, in: &transition)
        case .cancel: cancel(in: &transition)
        case .retry(let index): retry(index, in: &transition)
        case .rerun(let rerun): self.rerun(rerun, in: &transition)
        case .poll(let isOn): setPolling(isOn, in: &transition)
        case .pin(let index, let port, let asset): pin(index, port: port, to: asset, in: &transition)
        }
        finishIfDone(in: &transition)
    }

    /// Whether this is the attempt that the step is at.
    package func isCurrent(_ run: RunID) -> Bool {
        steps.indices.contains(run.step.index - 1) && steps[run.step.index - 1].attempt == run.attempt
    }

    func isUnderWay(_ index: Int, _ attempt: Int) -> Bool {
        steps.indices.contains(index) && steps[index].attempt == attempt && steps[index].state.isRunning
    }

    /// An answer to something already given up on. Common after a kill; it is noted, and nothing else comes of it.
    func noteLate(_ index: Int, _ attempt: Int, _ words: String, in transition: inout Transition) {
        guard steps.indices.contains(index) else { return }
        transition.batch.events.append(
            event(index, .lateResult(words), run: RunID(steps[index].id, attempt: attempt), now: transition.now))
    }

    // MARK: Beginning

    private mutating func begin(in transition: inout Transition) {
        // What has ended stays as it is until somebody retries it.
        guard outcome == nil else { return }
        for index in steps.indices {
            switch steps[index].state {
            case .blocked where !isCancelRequested: unblockIfFed(index, in: &transition)
            case .ready where !isCancelRequested: schedule(index, in: &transition)
            case .awaitingUser:
                if let expiry = openAwaits[index]?.expiresAt { transition.intents.append(.wake(index, at: expiry)) }
            case .runningLocal, .queuedRemote, .runningRemote, .downloading:
                takeUp(index, in: &transition)
            case .blocked, .ready, .succeeded, .failed, .cancelled: break
            }
        }
        // What is to be killed must have been found first.
        if isCancelRequested { cancel(in: &transition) }
    }

    private mutating func takeUp(_ index: Int, in transition: inout Transition) {
        if jobs[index] != nil { return takeUpJob(index, in: &transition) }
        guard graph.nodes[index].delaySeconds != nil else {
            return transition.intents.append(.recover(index, attempt: steps[index].attempt))
        }
        if let due = steps[index].dueAt {
            transition.intents.append(.wake(index, at: due))
        } else {
            // It has waited already; there is no process to look for.
            transition.intents.append(.run(index, attempt: steps[index].attempt))
        }
    }

    mutating func unblockIfFed(_ index: Int, in transition: inout Transition) {
        guard pending[index] == 0, steps[index].state == .blocked, steps[index].staleSince == nil else { return }
        guard isWanted(index) else { return passOver(index, in: &transition) }
        if let missing = graph.nodes[index].missing { return setReason(missing, of: index, in: &transition) }
        if let absent = absentInput(of: index) {
            let word = isPassedOver(absent.node) ? "was not asked for" : "was skipped"
            let words =
                "It needs \"\(absent.port)\" from step \(absent.node + 1) (\(graph.nodes[absent.node].id)), which \(word)."
            return setReason(Reason(.upstreamSkipped, words), of: index, in: &transition)
        }
        move(index, .unblocked, reason: slotReason(index), in: &transition)
        schedule(index, in: &transition)
    }

    /// A required input whose producer has settled without giving it.
    private func absentInput(of index: Int) -> (port: String, node: Int)? {
        for input in graph.nodes[index].inputs where !input.isOptional {
            guard let producer = input.producer, pinned[index]?[input.port] == nil else { continue }
            let isSkipped =
                steps[producer.node].reason?.code == Self.skipped.code && outputs[producer.node][producer.port] == nil
            if isSkipped || isPassedOver(producer.node) { return (input.port, producer.node) }
        }
        return nil
    }

    /// `semantics.md` 4. A step that takes no slot waits for none.
    func slotReason(_ index: Int) -> Reason? {
        graph.nodes[index].queue == .none ? nil : Reason(.waitingForSlot, "It waits for a free slot.")
    }

    func schedule(_ index: Int, in transition: inout Transition) {
        if let due = steps[index].dueAt {
            transition.intents.append(.wake(index, at: due))
        } else {
            transition.intents.append(.consider(index))
        }
    }

    // MARK: Running

    private mutating func admit(
        _ index: Int, _ digest: ContentHash?, _ toolVersion: ContentHash?, in transition: inout Transition
    ) {
        if waitsToTransfer(index) {
            jobs[index]?.waitForSlot(false)
            return transfer(index, in: &transition)
        }
        guard steps[index].state == .ready else { return }
        // A submission that a person has spoken about goes on in its own run, also where nothing new may start.
        if jobs[index] != nil { return resumeJob(index, in: &transition) }
        guard !isHalted else { return }
        var material = material(of: index)
        let repeated = steps[index].replays == nil ? nil : history?.runs[index]?.job
        material.toolVersion = toolVersion
        steps[index].attempt += 1
        steps[index].tries += 1
        steps[index].replays = nil
        frozen[index] = material
        var run = RunRecord(
            id: RunID(steps[index].id, attempt: steps[index].attempt), kind: isImport(index) ? .import : .tool,
            startedAt: transition.now,
            inputs: material.inputs, params: material.params, callDigest: digest, toolVersion: toolVersion)
        if let terms = terms(of: index) {
            run.job = beginJob(
                index, terms, repeating: repeated?.phase == .submitUnknown ? repeated : nil, in: &transition)
        }
        transition.batch.runsStarted.append(run)
        guard run.job == nil else { return }
        move(index, .startedLocal, in: &transition)
        if let seconds = graph.nodes[index].delaySeconds, seconds > 0 {
            steps[index].dueAt = transition.now + seconds
            transition.intents.append(.wake(index, at: transition.now + seconds))
        } else {
            transition.intents.append(.run(index, attempt: run.id.attempt))
        }
    }

    /// A step without inputs that only reads brings something in: its run is an import (`semantics.md` 27).
    private func isImport(_ index: Int) -> Bool {
        let node = graph.nodes[index]
        return node.inputs.isEmpty && !node.isPure && node.isIdempotent && node.onlyBringsIn
    }

    private mutating func due(_ index: Int, in transition: inout Transition) {
        guard steps.indices.contains(index) else { return }
        if steps[index].state == .awaitingUser {
            guard let expiry = openAwaits[index]?.expiresAt else { return }
            return transition.intents.append(expiry <= transition.now ? .expire(index) : .wake(index, at: expiry))
        }
        if jobs[index] != nil, steps[index].state.isRunning {
            return jobDue(index, in: &transition)
        }
        guard let due = steps[index].dueAt else {
            if steps[index].state == .ready { transition.intents.append(.consider(index)) }
            return
        }
        guard due <= transition.now else { return transition.intents.append(.wake(index, at: due)) }
        steps[index].dueAt = nil
        touch(index)
        if steps[index].state.isRunning { transition.intents.append(.run(index, attempt: steps[index].attempt)) }
        if steps[index].state == .ready { transition.intents.append(.consider(index)) }
    }
}

extension RunEnding {
    var inWords: String {
        switch self {
        case .succeeded: "It succeeded after it had been given up."
        case .failed(let failure): "It failed after it had been given up: \(failure.message)"
        case .cancelled: "It ended after it had been cancelled."
        case .lost: "Nothing was found of it."
        }
    }
}
