import JSON
package import Vocabulary

extension Limits {
    /// The most times that a step is repeated at once after another process killed its program.
    fileprivate static let killedRetries = 1
}

/// The part of a flow that ends attempts, and the workflow with them.
extension Flow {
    /// Applies the end of an attempt that ran on this machine: success, failure, cancel or loss. A failure may lead to
    /// another attempt.
    mutating func end(_ index: Int, _ ending: RunEnding, in transition: inout Transition) {
        closeRun(index, ending, in: &transition)
        var ending = ending
        // Stored with the run just now; a step has the failure alone.
        if case .failed(var failure) = ending {
            failure.left = []
            ending = .failed(failure)
        }
        if !graph.nodes[index].isPure { transition.batch.isPrecious = true }
        switch ending {
        case .succeeded(let assets): succeed(index, assets, in: &transition)
        case .cancelled: give(up: index, Self.wasCancelled, isCancelled: true, in: &transition)
        case .lost where graph.nodes[index].isIdempotent && isCancelRequested:
            give(up: index, Self.wasCancelled, isCancelled: true, in: &transition)
        case .lost where graph.nodes[index].isIdempotent:
            // The tool did not fail: a crash of ours spends no retry.
            steps[index].tries -= 1
            move(
                index, .revived, reason: Reason(.processLost, "The process was lost; it runs again."), in: &transition)
            transition.intents.append(.consider(index))
        case .lost:
            let failure = Failure(
                .processLost, "The process was lost before it said how it ended.", remedy: lookFirst(index))
            give(up: index, failure, isCancelled: false, in: &transition)
        case .failed(var failure) where !graph.nodes[index].isIdempotent:
            // It may have happened all the same (`semantics.md` 8): only a person may say "again".
            if failure.isTransient || failure.code == .processKilled {
                failure.remedy = failure.remedy ?? lookFirst(index)
            }
            give(up: index, failure, isCancelled: false, in: &transition)
        case .failed(let failure)
        where failure.code == .processKilled && !isCancelRequested && steps[index].tries <= Limits.killedRetries:
            // As a rule whoever kills a program means the whole tree: then the engine is next, and the step is nobody's
            // fault.
            let reason = Reason(failure.code, "\(failure.message) It runs again.")
            move(index, .revived, reason: reason, in: &transition)
            transition.intents.append(.consider(index))
        case .failed(let failure):
            switch isCancelRequested
                ? .giveUp(failure)
                : Backoff.verdict(
                    on: failure, tries: steps[index].tries, now: transition.now, random: &transition.random)
            {
            case .again(let seconds):
                move(
                    index, .revived, reason: Backoff.reason(failure, seconds), failure: failure, in: &transition)
                steps[index].dueAt = transition.now + seconds
                transition.intents.append(.wake(index, at: transition.now + seconds))
            case .giveUp(let failure): give(up: index, failure, isCancelled: false, in: &transition)
            }
        }
    }

    static var wasCancelled: Failure { Failure(.cancelled, "It was cancelled.") }

    private func lookFirst(_ index: Int) -> String {
        "Look whether it has happened already. If not, retry step \(graph.word(of: index))."
    }

    mutating func succeed(_ index: Int, _ assets: [Asset], in transition: inout Transition) {
        outputs[index] = Dictionary(assets.map { ($0.port, $0) }) { _, later in later }
        let isStale = frozen[index].map { !Self.haveEqualContent($0.inputs, inputs(of: index)) } ?? false
        let overtaken = takeOvertaken(index) ?? staleRunBefore(index)
        archive(index)
        move(index, .succeeded, reason: reasonOfSuccess(index, assets), in: &transition)
        if isTold(index) { block(descendantsOf: index, in: &transition) }
        settle(consumersOf: index, in: &transition)
        // It finished on what it had been given; that has changed meanwhile (`semantics.md` 24).
        if let overtaken {
            markStale(index, since: overtaken, in: &transition)
        } else if isStale {
            markStale(index, since: causeOfChange(of: index), in: &transition)
        }
    }

    /// Returns what is to be said of a step that succeeded with some outputs, such as its exit code or a warning.
    private func reasonOfSuccess(_ index: Int, _ assets: [Asset]) -> Reason? {
        // What is handed on as it came was said by the step that made it.
        let taken = inputs(of: index).values
        let made = assets.lazy.filter { asset in
            !taken.contains { $0.hash == asset.hash && $0.partial == asset.partial }
        }
        let partial = made.map(\.partial).first { !$0.isEmpty }.flatMap(LeftOut.words)
        let warning = assets.lazy.compactMap(\.warning).first
        let words = [partial, warning].compactMap(\.self).joined(separator: "; ")
        let code = made.compactMap(\.exitCode).first { $0 != 0 }
        if let code { return Reason(exit: code, besides: words.isEmpty ? nil : words) }
        guard words.isEmpty else { return Reason(partial == nil ? .warned : .partial, words) }
        return made.compactMap(\.note).first.map { Reason(.noted, $0) }
    }

    /// Returns what is to be said of a step whose outputs count again.
    func reasonOfSuccess(_ index: Int) -> Reason? {
        let places = Dictionary(graph.nodes[index].outputs.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let assets = outputs[index].values.sorted {
            (places[$0.port] ?? .max, $0.port) < (places[$1.port] ?? .max, $1.port)
        }
        return reasonOfSuccess(index, assets)
    }

    /// Records the end of the open attempt of a step, if there is one.
    mutating func closeRun(_ index: Int, _ ending: RunEnding, in transition: inout Transition) {
        // What an attempt was started with is kept for exactly as long as it is open.
        guard frozen[index] != nil else { return }
        let run = RunID(steps[index].id, attempt: steps[index].attempt)
        transition.batch.runsEnded.append(Batch.RunEnd(run: run, at: transition.now, ending: ending))
        let job = jobs.removeValue(forKey: index)?.record
        if let job {
            transition.batch.jobs[run] = job
            transition.batch.isPrecious = true
        }
        if case .succeeded = ending { return }
        archive(index, job)
    }

    mutating func give(up index: Int, _ failure: Failure, isCancelled: Bool, in transition: inout Transition) {
        closeRun(index, isCancelled ? .cancelled : .failed(failure), in: &transition)
        closeAwait(of: index, resolution: failure.code.text, by: "engine", in: &transition)
        _ = takeOvertaken(index)
        move(index, isCancelled ? .cancelled : .failed, failure: failure, in: &transition)
        block(descendantsOf: index, in: &transition)
    }

    /// Gives the blocked descendants of a failed step, and the steps that stand after it, the reason why they wait. Each
    /// is marked once, so the cost is linear over the life of the workflow.
    ///
    /// A command that has ended with another code than 0 blocks only the steps that stand after it. Those that take what
    /// it printed run.
    mutating func block(descendantsOf index: Int, in transition: inout Transition) {
        let failed = Reason(.upstreamFailed, "Step \(graph.label(of: index)) \(endInWords(of: index)).")
        let after = reasonToStandAfter(index)
        var queue: [(step: Int, isInOrder: Bool)] = []
        if !isTold(index) { queue = graph.consumers[index].map { ($0, false) } }
        queue += (graph.order?.hard[index] ?? []).map { ($0, true) }
        while let (next, isInOrder) = queue.popLast() {
            guard steps[next].state == .blocked, steps[next].staleSince == nil, !isHeldByFailure(next) else { continue }
            setReason(isInOrder ? after : failed, of: next, in: &transition)
            queue += graph.consumers[next].map { ($0, isInOrder) }
            queue += (graph.order?.hard[next] ?? []).map { ($0, true) }
        }
    }

    /// Returns the reason of a step that does not run after a step that ended without success.
    func reasonToStandAfter(_ index: Int) -> Reason {
        Reason(
            .standsAfter,
            "It stands after step \(graph.label(of: index)), which \(endInWords(of: index)).")
    }

    /// Whether a step has ended so that the steps that follow it do not run.
    func endsItsFollowers(_ index: Int) -> Bool {
        switch steps[index].state {
        case .failed: true
        case .cancelled: !isRemoved(steps[index])
        default: isTold(index)
        }
    }

    private func endInWords(of index: Int) -> String {
        switch steps[index].state {
        case .cancelled where steps[index].failure?.code == .rejected: "was declined"
        case .cancelled: "was cancelled"
        case .succeeded: exitCode(of: index).map { "ended with exit code \($0)" } ?? "ended"
        default: "failed"
        }
    }

    /// Whether a blocked step does not run because an earlier one did not succeed.
    func isHeldByFailure(_ index: Int) -> Bool {
        steps[index].reason?.code.isOne(of: .upstreamFailed, .standsAfter) ?? false
    }

    // MARK: The whole

    mutating func cancel(in transition: inout Transition) {
        guard outcome == nil else { return }
        (isCancelRequested, transition.batch.cancels) = (true, true)
        for index in steps.indices {
            switch steps[index].state {
            case .runningLocal, .queuedRemote, .runningRemote, .downloading:
                if jobs[index] != nil {
                    cancelJob(index, in: &transition)
                } else if steps[index].dueAt != nil {
                    // A delay has no process to kill.
                    give(up: index, Self.wasCancelled, isCancelled: true, in: &transition)
                } else {
                    transition.intents.append(.kill(index, attempt: steps[index].attempt))
                }
            case .blocked where steps[index].staleSince != nil: break
            case .blocked, .ready, .awaitingUser:
                let failure = unwatched(index)?.failure ?? Self.wasCancelled
                closeRun(index, .cancelled, in: &transition)
                closeAwait(of: index, resolution: "cancelled", by: "cancel", in: &transition)
                move(index, .cancelled, failure: failure, in: &transition)
            case .succeeded, .failed, .cancelled: break
            }
        }
    }

    mutating func finishIfDone(in transition: inout Transition) {
        guard outcome == nil, runningCount == 0 else { return }
        guard isHalted || (readyCount == 0 && awaitingCount == 0) else { return }
        if awaitingCount > 0 || readyCount > 0 {
            // A job that may exist is not let go: a person says first what has become of it.
            guard !jobs.values.contains(where: { $0.record.phase != .submitIntent }) else { return }
            // Halted: what waits for a slot or for a person will not be started, so nobody is asked for it any more.
            let reason = Reason(.halted, "Nothing new starts after a failure; retry lifts that.")
            for index in steps.indices where steps[index].state == .awaitingUser || steps[index].state == .ready {
                closeRun(index, .cancelled, in: &transition)
                closeAwait(of: index, resolution: "superseded", by: "engine", in: &transition)
                move(index, .invalidated, reason: reason, in: &transition)
            }
        }
        let reached = self.reachedOutcome
        outcome = reached
        transition.batch.outcome = .some(reached)
        transition.batch.isPrecious = true
        if pollingPausedAt != nil { (pollingPausedAt, transition.batch.pollingPausedAt) = (nil, .some(nil)) }
        transition.batch.events.append(
            Event(at: transition.now, workflow: workflow, .workflowFinished(reached, outputs: finalOutputs)))
        transition.intents.append(.finished(reached))
    }

    private var reachedOutcome: Outcome {
        let isFoundElsewhere = failedCount > 0 && foundElsewhere
        if failedCount > 0, !isFoundElsewhere { return .failed }
        if steps.contains(where: { $0.state == .cancelled && !isRemoved($0) }) { return .cancelled }
        // Blocked at rest without a failure above: a tool that is not installed. What is only stale has succeeded.
        return steps.allSatisfy { step in
            step.state == .succeeded || step.staleSince != nil || isRemoved(step) || isSkipped(step)
                || isFoundElsewhere && (step.state == .failed || step.reason?.code == .upstreamFailed)
        } ? .succeeded : .failed
    }

    /// Whether steps have failed only because they found nothing, while others of the same workflow made their results:
    /// a text was replaced in some of many files.
    private var foundElsewhere: Bool {
        steps.allSatisfy { $0.state != .failed || $0.failure?.code == .nothingFound }
            && graph.sinks.contains { steps[$0].state == .succeeded }
    }

    /// Returns whether a step cannot run because a required producer of it was skipped.
    private func isSkipped(_ step: StepRecord) -> Bool {
        step.state == .blocked && step.reason?.code == .upstreamSkipped
    }

    /// Returns whether the node of a step is missing from the newest graph revision.
    func isRemoved(_ step: StepRecord) -> Bool { step.reason?.code == .removed }

    /// The outputs of ports that no other step consumes. Tools give the paths of files that they wrote, and other paths
    /// are added later.
    package var finalOutputs: [Event.Output] {
        graph.sinks.flatMap { index in
            let places = Dictionary(graph.nodes[index].outputs.enumerated().map { ($1.name, $0) }) { first, _ in first }
            let made = outputs[index].values.filter { !$0.isEmptyErrors }.sorted {
                (places[$0.port] ?? .max, $0.port) < (places[$1.port] ?? .max, $1.port)
            }
            return made.map { asset in
                Event.Output(
                    step: index + 1, port: asset.port, type: asset.type, path: asset.meta["path"]?.string,
                    hash: asset.hash,
                    bytes: asset.bytes, meta: asset.shownMeta)
            }
        }
    }
}
