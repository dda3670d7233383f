import JSON
package import Vocabulary

extension Flow {
    /// What can come in. Steps are named by their dense index.
    package enum Input: Hashable, Sendable {
        /// The workflow has just been made, or its engine has just started: find out what can go on.
        case begin
        /// There is a slot and consent: start the step.
        case admitted(Int, callDigest: ContentHash?)
        /// An attempt ended. Late ones, of attempts given up on, are dropped.
        case ended(Int, attempt: Int, RunEnding)
        /// Consent wants a person.
        case asked(Int, AwaitRecord)
        /// Consent says no, or nobody may be asked: the step is cancelled or failed.
        case refused(Int, Failure, isCancelled: Bool)
        /// The person answered the step's await.
        case answered(Int, Answer, by: String)
        /// The time a step waited for has come.
        case due(Int)
        case cancel
        /// Take failed and cancelled steps up again: one, or all of them.
        case retry(Int?)
    }

    /// What the flow wants done once its changes are committed.
    package enum Intent: Hashable, Sendable {
        /// Ready: find a slot and ask consent.
        case consider(Int)
        case run(Int, attempt: Int)
        /// Was running when the last engine died: adopt it, take its exit record, or report it lost.
        case recover(Int, attempt: Int)
        case kill(Int, attempt: Int)
        case wake(Int, at: Moment)
        case finished(Outcome)
    }

    /// The one way in.
    ///
    /// - Parameter batch: gets every change but the step rows, which `takeTouched` gives once for many inputs.
    package mutating func step(
        _ input: Input, now: Moment, random: inout some RandomNumberGenerator, into batch: inout Batch
    ) -> [Intent] {
        var intents: [Intent] = []
        switch input {
        case .begin: begin(now: now, into: &batch, &intents)
        case .admitted(let index, let digest): admit(index, digest, now: now, into: &batch, &intents)
        case .ended(let index, let attempt, let ending):
            guard steps[index].attempt == attempt, steps[index].state.isRunning else {
                // An answer to something already given up on. Harmless, and common after a kill.
                return []
            }
            end(index, ending, now: now, random: &random, into: &batch, &intents)
        case .asked(let index, let record):
            guard steps[index].state == .ready else { return [] }
            move(index, .asked, reason: Reason("needsYou", record.reason), now: now, into: &batch)
            batch.awaitsOpened.append(record)
        case .refused(let index, let failure, let isCancelled):
            guard steps[index].state == .ready || steps[index].state == .awaitingUser else { return [] }
            give(up: index, failure, isCancelled: isCancelled, now: now, into: &batch)
        case .answered(let index, let answer, let by):
            guard steps.indices.contains(index), steps[index].state == .awaitingUser else { return [] }
            self.answer(index, answer, by: by, now: now, into: &batch, &intents)
        case .due(let index): due(index, now: now, &intents)
        case .cancel: cancel(now: now, into: &batch, &intents)
        case .retry(let index): retry(index, now: now, into: &batch, &intents)
        }
        finishIfDone(now: now, into: &batch, &intents)
        return intents
    }

    // MARK: Beginning

    private mutating func begin(now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        // What has ended stays as it is until somebody retries it.
        guard outcome == nil else { return }
        for index in steps.indices {
            switch steps[index].state {
            case .blocked where !isCancelRequested: unblockIfFed(index, now: now, into: &batch, &intents)
            case .ready where !isCancelRequested: schedule(index, &intents)
            case .runningLocal, .queuedRemote, .runningRemote, .downloading:
                if let due = steps[index].dueAt, graph.nodes[index].delaySeconds != nil {
                    intents.append(.wake(index, at: due))
                } else if graph.nodes[index].delaySeconds != nil {
                    // It has waited already; there is no process to look for.
                    intents.append(.run(index, attempt: steps[index].attempt))
                } else {
                    intents.append(.recover(index, attempt: steps[index].attempt))
                }
            case .blocked, .ready, .awaitingUser, .succeeded, .failed, .cancelled: break
            }
        }
        // What is to be killed must have been found first.
        if isCancelRequested { cancel(now: now, into: &batch, &intents) }
    }

    private mutating func unblockIfFed(_ index: Int, now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        guard pending[index] == 0, steps[index].state == .blocked else { return }
        if let missing = graph.nodes[index].missing {
            setReason(missing, of: index, now: now, into: &batch)
            return
        }
        move(index, .unblocked, reason: slotReason(index), now: now, into: &batch)
        schedule(index, &intents)
    }

    /// `semantics.md` 4. A step that takes no slot waits for none.
    private func slotReason(_ index: Int) -> Reason? {
        graph.nodes[index].queue == .none ? nil : Reason("waitingForSlot", "It waits for a free slot.")
    }

    private func schedule(_ index: Int, _ intents: inout [Intent]) {
        if let due = steps[index].dueAt {
            intents.append(.wake(index, at: due))
        } else {
            intents.append(.consider(index))
        }
    }

    // MARK: Running

    private mutating func admit(_ index: Int, _ digest: ContentHash?, now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        guard steps[index].state == .ready, !isHalted else { return }
        steps[index].attempt += 1
        steps[index].tries += 1
        let run = RunID(steps[index].id, attempt: steps[index].attempt)
        move(index, .startedLocal, now: now, into: &batch)
        batch.runsStarted.append(
            RunRecord(
                id: run, kind: isImport(index) ? .import : .tool, startedAt: now, inputs: inputs(of: index),
                params: graph.nodes[index].params,
                callDigest: digest))
        if let seconds = graph.nodes[index].delaySeconds, seconds > 0 {
            steps[index].dueAt = now + seconds
            intents.append(.wake(index, at: now + seconds))
        } else {
            intents.append(.run(index, attempt: run.attempt))
        }
    }

    /// A step without inputs that only reads brings something in: its run is an import (`semantics.md` 27).
    private func isImport(_ index: Int) -> Bool {
        graph.nodes[index].inputs.isEmpty && !graph.nodes[index].isPure && graph.nodes[index].isIdempotent
    }

    private mutating func end(
        _ index: Int, _ ending: RunEnding, now: Moment, random: inout some RandomNumberGenerator, into batch: inout Batch,
        _ intents: inout [Intent]
    ) {
        let run = RunID(steps[index].id, attempt: steps[index].attempt)
        batch.runsEnded.append(Batch.RunEnd(run: run, at: now, ending: ending))
        if !graph.nodes[index].isPure { batch.isPrecious = true }
        switch ending {
        case .succeeded(let assets):
            outputs[index] = Dictionary(assets.map { ($0.port, $0) }) { _, later in later }
            move(index, .succeeded, now: now, into: &batch)
            for consumer in graph.consumers[index] {
                pending[consumer] -= 1
                unblockIfFed(consumer, now: now, into: &batch, &intents)
            }
        case .cancelled:
            give(up: index, Failure("cancelled", "It was cancelled."), isCancelled: true, now: now, into: &batch)
        case .lost where graph.nodes[index].isIdempotent && isCancelRequested:
            give(up: index, Failure("cancelled", "It was cancelled."), isCancelled: true, now: now, into: &batch)
        case .lost where graph.nodes[index].isIdempotent:
            // The tool did not fail: a crash of ours spends no retry.
            steps[index].tries -= 1
            move(index, .revived, reason: Reason("processLost", "The process was lost; it runs again."), now: now, into: &batch)
            intents.append(.consider(index))
        case .lost:
            let failure = Failure("processLost", "The process was lost before it said how it ended.", remedy: lookFirst(index))
            give(up: index, failure, isCancelled: false, now: now, into: &batch)
        case .failed(var failure) where !graph.nodes[index].isIdempotent:
            // It may have happened all the same (`semantics.md` 8): only a person may say "again".
            if failure.isTransient { failure.remedy = failure.remedy ?? lookFirst(index) }
            give(up: index, failure, isCancelled: false, now: now, into: &batch)
        case .failed(let failure):
            switch isCancelRequested ? .giveUp(failure) : Backoff.verdict(on: failure, tries: steps[index].tries, now: now, random: &random)
            {
            case .again(let seconds):
                let words = "\(failure.message) Trying again in \(Int(seconds.rounded())) s."
                move(index, .revived, reason: Reason("backoff", words), failure: failure, now: now, into: &batch)
                steps[index].dueAt = now + seconds
                intents.append(.wake(index, at: now + seconds))
            case .giveUp(let failure): give(up: index, failure, isCancelled: false, now: now, into: &batch)
            }
        }
    }

    private func lookFirst(_ index: Int) -> String { "Look whether it has happened already. If not, retry step \(index + 1)." }

    private mutating func due(_ index: Int, now: Moment, _ intents: inout [Intent]) {
        guard let due = steps[index].dueAt else { return }
        guard due <= now else { return intents.append(.wake(index, at: due)) }
        steps[index].dueAt = nil
        touch(index)
        if steps[index].state.isRunning { intents.append(.run(index, attempt: steps[index].attempt)) }
        if steps[index].state == .ready { intents.append(.consider(index)) }
    }

    // MARK: People

    private mutating func answer(
        _ index: Int, _ answer: Answer, by: String, now: Moment, into batch: inout Batch, _ intents: inout [Intent]
    ) {
        batch.isPrecious = true
        switch answer {
        case .yes, .yesToPlan:
            closeAwait(of: index, resolution: "approved", by: by, now: now, into: &batch)
            move(index, .agreed, reason: slotReason(index), now: now, into: &batch)
            intents.append(.consider(index))
        case .no(let reason):
            let words = reason.isEmpty ? "The person said no." : "The person said no: \(reason)"
            closeAwait(of: index, resolution: "rejected", by: by, now: now, into: &batch)
            give(up: index, Failure("rejected", words), isCancelled: true, now: now, into: &batch)
        }
    }

    private mutating func closeAwait(of index: Int, resolution: String, by: String, now: Moment, into batch: inout Batch) {
        // One that is not even stored yet, and so has no number, is not opened at all.
        batch.awaitsOpened.removeAll { $0.step == steps[index].id }
        guard let open = openAwaits.removeValue(forKey: index) else { return }
        batch.awaitsClosed.append(Batch.AwaitClose(number: open.number, resolution: resolution, by: by, at: now))
        batch.events.append(event(index, .awaitClosed(await: open.number, type: open.type, resolution: resolution, by: by), now: now))
    }

    private mutating func cancel(now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        guard outcome == nil else { return }
        isCancelRequested = true
        for index in steps.indices {
            switch steps[index].state {
            case .runningLocal, .queuedRemote, .runningRemote, .downloading:
                if steps[index].dueAt != nil {
                    end(index, .cancelled, now: now, into: &batch)
                } else {
                    intents.append(.kill(index, attempt: steps[index].attempt))
                }
            case .blocked, .ready, .awaitingUser:
                closeAwait(of: index, resolution: "cancelled", by: "cancel", now: now, into: &batch)
                move(index, .cancelled, failure: Failure("cancelled", "It was cancelled."), now: now, into: &batch)
            case .succeeded, .failed, .cancelled: break
            }
        }
    }

    /// A delay has no process to kill.
    private mutating func end(_ index: Int, _ ending: RunEnding, now: Moment, into batch: inout Batch) {
        batch.runsEnded.append(Batch.RunEnd(run: RunID(steps[index].id, attempt: steps[index].attempt), at: now, ending: ending))
        move(index, .cancelled, failure: Failure("cancelled", "It was cancelled."), now: now, into: &batch)
    }

    private mutating func retry(_ index: Int?, now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        let chosen = Set((index.map { [$0] } ?? Array(steps.indices)).filter { steps.indices.contains($0) && canBeTakenUp($0) })
        guard !chosen.isEmpty else { return }
        if outcome != nil || isCancelRequested { batch.outcome = .some(nil) }
        outcome = nil
        isCancelRequested = false
        for index in steps.indices where steps[index].state == .failed || steps[index].state == .cancelled {
            if chosen.contains(index) {
                revive(index, now: now, into: &batch)
            } else if graph.options.errorPolicy == .failFast {
                // Retry lifts fail-fast, for the failures too that it leaves alone (`semantics.md` 12).
                setReason(
                    Reason("setAside", "It was left as it is when step \(chosen.min()! + 1) was retried."), of: index, now: now,
                    into: &batch)
            }
        }
        // What failed no longer holds its descendants back, and what never started may start.
        for index in steps.indices {
            if steps[index].state == .blocked, steps[index].reason?.code == "upstreamFailed" || steps[index].reason?.code == "halted" {
                setReason(graph.nodes[index].missing, of: index, now: now, into: &batch)
            }
            if steps[index].state == .ready {
                schedule(index, &intents)
            } else {
                unblockIfFed(index, now: now, into: &batch, &intents)
            }
        }
        for index in steps.indices where steps[index].state == .failed || steps[index].state == .cancelled {
            block(descendantsOf: index, now: now, into: &batch)
        }
    }

    /// Failed or cancelled; or it had no tool and has one now.
    private func canBeTakenUp(_ index: Int) -> Bool {
        switch steps[index].state {
        case .failed, .cancelled: true
        case .blocked: pending[index] == 0 && graph.nodes[index].missing == nil
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading, .succeeded: false
        }
    }

    private mutating func revive(_ index: Int, now: Moment, into batch: inout Batch) {
        steps[index].tries = 0
        if pending[index] == 0, graph.nodes[index].missing == nil {
            move(index, .revived, reason: slotReason(index), now: now, into: &batch)
        } else {
            move(index, .invalidated, reason: graph.nodes[index].missing, now: now, into: &batch)
        }
    }

    // MARK: Ending

    private mutating func give(up index: Int, _ failure: Failure, isCancelled: Bool, now: Moment, into batch: inout Batch) {
        closeAwait(of: index, resolution: failure.code, by: "engine", now: now, into: &batch)
        move(index, isCancelled ? .cancelled : .failed, failure: failure, now: now, into: &batch)
        block(descendantsOf: index, now: now, into: &batch)
    }

    /// Descendants say why they wait. Each is marked once, so this is linear over the life of the workflow.
    private mutating func block(descendantsOf index: Int, now: Moment, into batch: inout Batch) {
        let state = steps[index].state == .cancelled ? "was cancelled" : "failed"
        let reason = Reason("upstreamFailed", "Step \(index + 1) (\(graph.nodes[index].id)) \(state).")
        var queue = graph.consumers[index]
        while let next = queue.popLast() {
            guard steps[next].state == .blocked, steps[next].reason?.code != "upstreamFailed" else { continue }
            setReason(reason, of: next, now: now, into: &batch)
            queue.append(contentsOf: graph.consumers[next])
        }
    }

    private mutating func finishIfDone(now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        guard outcome == nil, runningCount == 0 else { return }
        guard isHalted || (readyCount == 0 && awaitingCount == 0) else { return }
        // Halted: what waits for a slot or for a person will not be started, so nobody is asked for it any more.
        if awaitingCount > 0 || readyCount > 0 {
            let reason = Reason("halted", "Nothing new starts after a failure; retry lifts that.")
            for index in steps.indices where steps[index].state == .awaitingUser || steps[index].state == .ready {
                closeAwait(of: index, resolution: "superseded", by: "engine", now: now, into: &batch)
                move(index, .invalidated, reason: reason, now: now, into: &batch)
            }
        }
        let reached = self.reachedOutcome
        outcome = reached
        batch.outcome = .some(reached)
        batch.isPrecious = true
        batch.events.append(Event(at: now, workflow: workflow, .workflowFinished(reached, outputs: finalOutputs)))
        intents.append(.finished(reached))
    }

    private var reachedOutcome: Outcome {
        if failedCount > 0 { return .failed }
        if steps.contains(where: { $0.state == .cancelled }) { return .cancelled }
        // Blocked at rest without a failure above: a tool that is not installed.
        return steps.allSatisfy { $0.state == .succeeded } ? .succeeded : .failed
    }

    /// What came out of ports that nobody consumes. Paths of files that were written come from the tool; others are filled in later.
    package var finalOutputs: [Event.Output] {
        graph.sinks.flatMap { index in
            outputs[index].values.sorted { $0.port < $1.port }.map { asset in
                Event.Output(
                    step: index + 1, port: asset.port, type: asset.type, path: asset.meta["path"]?.string, hash: asset.hash,
                    bytes: asset.bytes,
                    meta: asset.meta)
            }
        }
    }
}
