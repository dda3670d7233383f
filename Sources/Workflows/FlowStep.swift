import JSON
package import Vocabulary

extension Flow {
    /// The inputs of a flow. Steps are named by their dense index.
    package enum Input: Hashable, Sendable {
        /// The workflow is new, or its engine has just started. The flow finds out what can go on.
        case begin
        /// The step has a slot and consent, and starts.
        case admitted(Int, callDigest: ContentHash?, toolVersion: ContentHash? = nil)
        /// An attempt ended. The end of an abandoned attempt is recorded and changes nothing else.
        case ended(Int, attempt: Int, RunEnding)
        /// A provider answered the request of that number.
        case job(Int, attempt: Int, JobRequest.Verb, request: Int, JobAnswer)
        /// A running job has no slot yet for data that it must send or fetch.
        case waits(Int)
        /// The command of the step is rehearsed over an overlay, or waits for its turn in its folder. No file has
        /// changed yet.
        case rehearsed(Int, hasTurn: Bool)
        /// A person named a job that belongs to another run. The person is asked again, with the reason.
        case misnamed(Int, String, by: String)
        /// A person must answer first: for consent, at a gate, or to do the step.
        case asked(Int, AwaitRecord)
        /// Consent refused the step, or no question may be asked. The step is cancelled or has failed.
        case refused(Int, Failure, isCancelled: Bool)
        /// The step cannot start yet, for a reason outside the workflow (`offline`). It is considered again at the
        /// given time.
        case held(Int, Reason, until: Moment)
        /// The person answered the step's question.
        case answered(Int, Answer, by: String)
        /// A person did what the await asked for.
        /// - agreed: the digest of the inputs and parameters that the yes at a gate covers.
        case completed(Int, Completion, agreed: ContentHash?, by: String)
        /// The time of the await is over, and no editor holds a claim.
        /// - offered: the default output of the step, such as its values or its only choice. Its content is stored
        ///   already.
        case expired(Int, offered: Asset? = nil)
        /// The time a step waited for has come.
        case due(Int)
        case cancel
        /// Failed and cancelled steps start again with the inputs they had: one step, or all of them.
        case retry(Int?)
        /// Steps run again with the newest outputs of their producers.
        case rerun(Rerun)
        case poll(Bool)
        /// An input is pinned to this asset of an earlier run. `nil` means the newest output again.
        case pin(Int, port: String, Asset?)
    }

    /// The actions that a flow wants done outside, once its changes are committed.
    package enum Intent: Hashable, Sendable {
        /// Find a slot: for a ready step before consent is asked, or for data that a running job must send or fetch.
        case consider(Int)
        case run(Int, attempt: Int)
        /// Recover an attempt that ran when the last engine died: adopt its process, read its exit record, or report it
        /// lost.
        case recover(Int, attempt: Int)
        case kill(Int, attempt: Int)
        /// Send a request to the provider of the step's job.
        case job(Int, attempt: Int, JobRequest.Verb, request: Int, JobRecord)
        /// Look at the step again at a moment of the engine's clock.
        case wake(Int, at: Moment)
        /// Look at the step again at a date by the wall clock.
        case wakeByWall(Int, at: Moment)
        /// End the await of the step, whose time is over, unless an editor holds a claim on it.
        case expire(Int)
        case finished(Outcome)
    }

    /// Applies an input to the flow. The changed step records are returned by `takeTouched`, once for many inputs.
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
        applyOrder(in: &transition)
        finishIfDone(in: &transition)
        // What a halt takes back is looked at again if a person retries it.
        if outcome != nil { order?.changed = [] }
    }

    /// Returns whether a run is the current attempt of its step.
    package func isCurrent(_ run: RunID) -> Bool {
        steps.indices.contains(run.step.index - 1) && steps[run.step.index - 1].attempt == run.attempt
    }

    func isUnderWay(_ index: Int, _ attempt: Int) -> Bool {
        steps.indices.contains(index) && steps[index].attempt == attempt && steps[index].state.isRunning
    }

    /// Records a result of an attempt that was abandoned, which is common after a kill. Nothing else changes.
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
            case .ready where !isCancelRequested:
                schedule(index, in: &transition)
                // A step that was over at the last start may have to run now, since its tool is back.
                if !isInTurn(index) { order?.changed.append(index) }
            case .awaitingUser:
                if !isInTurn(index) { order?.changed.append(index) }
                if let expiry = openAwaits[index]?.expiresAt {
                    transition.intents.append(.wakeByWall(index, at: expiry))
                }
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
        // A retry repeats its old inputs, whatever its producers give by now.
        let isRepeated = steps[index].replays != nil
        guard pending[index] == 0 || isRepeated, steps[index].state == .blocked, steps[index].staleSince == nil,
            isInTurn(index)
        else {
            return
        }
        guard isRepeated || isWanted(index) else { return passOver(index, in: &transition) }
        if let missing = graph.nodes[index].missing { return setReason(missing, of: index, in: &transition) }
        if !isRepeated, let absent = absentInput(of: index) {
            let word = isPassedOver(absent.node) ? "was not asked for" : "was skipped"
            let words =
                "It needs \"\(absent.port)\" from step \(graph.label(of: absent.node)), which \(word)."
            return setReason(Reason(.upstreamSkipped, words), of: index, in: &transition)
        }
        move(index, .unblocked, reason: slotReason(index), in: &transition)
        schedule(index, in: &transition)
    }

    /// Returns a required input whose producer has settled without giving an output for it, or `nil`.
    private func absentInput(of index: Int) -> (port: String, node: Int)? {
        for input in graph.nodes[index].inputs where !input.isOptional {
            guard let producer = input.producer, pinned[index]?[input.port] == nil else { continue }
            let isSkipped =
                steps[producer.node].reason?.code == Self.skipped.code && outputs[producer.node][producer.port] == nil
            if isSkipped || isPassedOver(producer.node) { return (input.port, producer.node) }
        }
        return nil
    }

    /// Returns the reason of a step that waits for a slot (`semantics.md` 4), or `nil` for a step that needs no slot.
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
        beginAttempt(index)
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

    /// Returns whether a run counts as an import: its step has no inputs and only reads (`semantics.md` 27).
    private func isImport(_ index: Int) -> Bool {
        let node = graph.nodes[index]
        return node.inputs.isEmpty && !node.isPure && node.isIdempotent && node.onlyBringsIn
    }

    private mutating func due(_ index: Int, in transition: inout Transition) {
        guard steps.indices.contains(index) else { return }
        if steps[index].state == .awaitingUser {
            guard let expiry = openAwaits[index]?.expiresAt else { return }
            return transition.intents.append(
                expiry <= transition.wall ? .expire(index) : .wakeByWall(index, at: expiry))
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
