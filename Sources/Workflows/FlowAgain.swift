import JSON
import Vocabulary

/// The part of a flow that runs steps again: a retry with the old inputs, a re-run with the newest, and the steps that
/// become stale (`semantics.md` 20, 24–26).
extension Flow {
    mutating func retry(_ index: Int?, in transition: inout Transition) {
        let chosen = Set(
            (index.map { [$0] } ?? Array(steps.indices)).filter { steps.indices.contains($0) && canBeTakenUp($0) })
        guard let first = chosen.min() else { return }
        takeUpAgain(in: &transition)
        for index in steps.indices where steps[index].state == .failed || steps[index].state == .cancelled {
            if chosen.contains(index) {
                // The exact snapshot: whatever its producers give by now. A re-run that never started has none, but
                // what it was to be.
                if let last = history?.runs[index], last.attempt == steps[index].attempt, steps[index].tries > 0 {
                    steps[index].replays = last.attempt
                }
                revive(index, in: &transition)
            }
        }
        for index in chosen.sorted() where steps[index].state == .succeeded { start(over: index, in: &transition) }
        setAside(except: chosen, for: "step \(graph.word(of: first)) was retried", in: &transition)
        letGo(in: &transition)
    }

    /// Marks the failures that a retry or a re-run leaves alone, so that they no longer stop the workflow under
    /// `fail-fast` (`semantics.md` 12).
    private mutating func setAside(except chosen: Set<Int>, for words: String, in transition: inout Transition) {
        guard graph.options.errorPolicy == .failFast else { return }
        for index in steps.indices where steps[index].state == .failed || steps[index].state == .cancelled {
            guard !chosen.contains(index), !isRemoved(steps[index]) else { continue }
            setReason(Reason(.setAside, "It was left as it is when \(words)."), of: index, in: &transition)
        }
    }

    private mutating func takeUpAgain(in transition: inout Transition) {
        if outcome != nil || isCancelRequested { transition.batch.outcome = .some(nil) }
        outcome = nil
        (isCancelRequested, transition.batch.cancels) = (false, false)
    }

    /// Frees the descendants of retried or removed steps, and schedules steps that never started.
    mutating func letGo(in transition: inout Transition) {
        for index in steps.indices {
            if steps[index].state == .blocked,
                // What is stale says why, whatever is retried.
                (isHeldByFailure(index) && steps[index].staleSince == nil) || steps[index].reason?.code == .halted
            {
                setReason(graph.nodes[index].missing, of: index, in: &transition)
            }
            if steps[index].state == .ready {
                schedule(index, in: &transition)
            } else {
                unblockIfFed(index, in: &transition)
            }
        }
        for index in steps.indices
        where steps[index].state == .failed || steps[index].state == .cancelled || isTold(index) {
            block(descendantsOf: index, in: &transition)
        }
    }

    /// Returns whether a retry applies to a step: it failed or was cancelled, its missing tool is installed
    /// now, or its command ended with a code that holds up the steps after it.
    private func canBeTakenUp(_ index: Int) -> Bool {
        switch steps[index].state {
        case .failed, .cancelled: !isRemoved(steps[index])
        case .blocked:
            pending[index] == 0 && graph.nodes[index].missing == nil && steps[index].staleSince == nil
                && isInTurn(index)
        // Its command ended, but not so that what stands after it may run.
        case .succeeded: isTold(index) && holdsUpOthers(index)
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading: false
        }
    }

    private mutating func revive(_ index: Int, in transition: inout Transition) {
        steps[index].tries = 0
        if steps[index].replays != nil || (pending[index] == 0 && graph.nodes[index].missing == nil) {
            move(index, .revived, reason: slotReason(index), in: &transition)
        } else {
            move(index, .invalidated, reason: graph.nodes[index].missing, in: &transition)
        }
    }

    // MARK: Re-run with latest

    mutating func rerun(_ rerun: Rerun, in transition: inout Transition) {
        let target = rerun.step.map { $0 - 1 }
        if let target {
            guard steps.indices.contains(target), !steps[target].state.isRunning, !isRemoved(steps[target]) else {
                return
            }
            // Its job only waits for a slot to go on: as one that runs, it goes on with what it was begun with.
            guard steps[target].state != .ready || jobs[target] == nil else { return }
            // Nor is one given up that may exist, while a person is asked about it or for its key: it would be bought
            // twice.
            guard steps[target].state != .awaitingUser || jobs[target].map({ $0.record.phase == .submitIntent }) ?? true
            else {
                return
            }
        }
        let queued = followers(of: target, isBelow: rerun.isBelow)
        guard target != nil || !queued.isEmpty else { return }
        takeUpAgain(in: &transition)
        if let target {
            if let edits = rerun.edits { edit(target, edits) }
            start(over: target, in: &transition)
        }
        for index in queued { queueAgain(index, cause: target, in: &transition) }
        let words = target.map { "step \(graph.word(of: $0)) was run again" } ?? "what was stale was run again"
        setAside(except: target.map { [$0] } ?? [], for: words, in: &transition)
        letGo(in: &transition)
        // What is stale by itself goes first; what follows it waits for it.
        for index in queued { goOn(index, in: &transition) }
        for index in steps.indices where steps[index].state == .blocked && pending[index] == 0 {
            unblockIfFed(index, in: &transition)
        }
    }

    /// Returns the stale steps that run along with a re-run, if their content changes, in the order of the graph.
    ///
    /// For one step these are its stale ancestors, and with `isBelow` also the steps after it. Without a step these are
    /// all stale steps.
    private func followers(of target: Int?, isBelow: Bool) -> [Int] {
        var chosen: Set<Int> = []
        if let target {
            var queue = sources(of: target)
            while let next = queue.popLast() {
                guard steps[next].staleSince != nil, chosen.insert(next).inserted else { continue }
                queue += sources(of: next)
            }
            if isBelow {
                var queue = stepsBelow(target)
                while let next = queue.popLast() {
                    guard steps[next].state == .succeeded || steps[next].staleSince != nil, chosen.insert(next).inserted
                    else { continue }
                    queue += stepsBelow(next)
                }
            }
            chosen.remove(target)
        } else {
            chosen = Set(steps.indices.filter { steps[$0].staleSince != nil })
        }
        return chosen.sorted()
    }

    /// Returns the steps that a step takes its inputs from, and those that it follows.
    private func sources(of index: Int) -> [Int] {
        graph.nodes[index].inputs.compactMap(\.producer?.node) + graph.nodes[index].follows
    }

    /// Returns the steps that a new run of a step makes stale.
    private func stepsBelow(_ index: Int) -> [Int] { graph.consumers[index] + (graph.order?.hard[index] ?? []) }

    /// Makes a step run again as soon as its producers have settled, whatever its state.
    private mutating func start(over index: Int, in transition: inout Transition) {
        steps[index].staleSince = nil
        steps[index].replays = nil
        steps[index].tries = 0
        touch(index)
        switch steps[index].state {
        case .succeeded:
            move(index, .revived, reason: slotReason(index), in: &transition)
            for consumer in graph.consumers[index] { unsettle(consumer, in: &transition) }
        case .failed, .cancelled: revive(index, in: &transition)
        case .blocked: setReason(graph.nodes[index].missing, of: index, in: &transition)
        case .awaitingUser:
            // What was asked is about the old material.
            closeRun(index, .cancelled, in: &transition)
            closeAwait(of: index, resolution: "superseded", by: "engine", in: &transition)
            move(index, .invalidated, reason: graph.nodes[index].missing, in: &transition)
        case .ready:
            // It waited to be tried again; whoever wants it again does not wait.
            steps[index].dueAt = nil
            setReason(slotReason(index), of: index, in: &transition)
        case .runningLocal, .queuedRemote, .runningRemote, .downloading: break
        }
        if pending[index] > 0, steps[index].state == .ready { move(index, .invalidated, in: &transition) }
    }

    /// Records that a producer of a step is no longer settled. A step that had not started is blocked again.
    mutating func unsettle(_ consumer: Int, in transition: inout Transition) {
        pending[consumer] += 1
        guard steps[consumer].state == .ready || steps[consumer].state == .awaitingUser, jobs[consumer] == nil,
            steps[consumer].replays == nil
        else { return }
        closeAwait(of: consumer, resolution: "superseded", by: "engine", in: &transition)
        move(consumer, .invalidated, reason: Reason(.upstreamStale, "Upstream is stale."), in: &transition)
    }

    private static var queuedAgain: Reason { Reason(.rerunQueued, "It runs again if what it needs has changed.") }

    private mutating func queueAgain(_ index: Int, cause: Int?, in transition: inout Transition) {
        if steps[index].state == .succeeded {
            markStale(index, since: steps[index].staleSince ?? run(of: cause ?? index), in: &transition)
        }
        guard steps[index].state == .blocked else { return }
        setReason(Self.queuedAgain, of: index, in: &transition)
    }

    /// Continues a stale step that was queued to run again, once its producers have settled. It runs, or it is valid if
    /// its inputs have not changed.
    mutating func goOn(_ index: Int, in transition: inout Transition) {
        guard steps[index].state == .blocked, steps[index].staleSince != nil, pending[index] == 0, isInTurn(index)
        else { return }
        if !isWanted(index) || steps[index].attempt == 0 {
            steps[index].staleSince = nil
            touch(index)
            return unblockIfFed(index, in: &transition)
        }
        if isFresh(index) { return restore(index, in: &transition) }
        guard steps[index].reason?.code == .rerunQueued else {
            return setReason(changed(index), of: index, in: &transition)
        }
        steps[index].staleSince = nil
        steps[index].tries = 0
        touch(index)
        unblockIfFed(index, in: &transition)
    }

    // MARK: The wave

    /// Updates the consumers of a step that has succeeded: each starts, is valid again, or becomes stale.
    mutating func settle(consumersOf index: Int, in transition: inout Transition) {
        for consumer in graph.consumers[index] {
            pending[consumer] -= 1
            switch steps[consumer].state {
            case .blocked where steps[consumer].staleSince != nil: goOn(consumer, in: &transition)
            case .blocked: unblockIfFed(consumer, in: &transition)
            case .succeeded where pending[consumer] == 0:
                reconsider(consumer, after: index, in: &transition)
            case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading, .succeeded, .failed,
                .cancelled:
                break
            }
        }
    }

    /// Marks a finished step as stale, with all steps after it. Their outputs are kept.
    mutating func markStale(_ index: Int, since cause: RunID, in transition: inout Transition) {
        var queue = [index]
        while let next = queue.popLast() {
            guard steps[next].state == .succeeded else { continue }
            steps[next].staleSince = cause
            let reason = next == index ? changed(index) : Reason(.upstreamStale, "Upstream is stale.")
            move(next, .invalidated, reason: reason, in: &transition)
            for consumer in graph.consumers[next] {
                unsettle(consumer, in: &transition)
                queue.append(consumer)
            }
        }
    }

    private func changed(_ index: Int) -> Reason {
        if let earlier = earlierStepThatMadeStale(index) { return reasonOfStaleness(after: earlier) }
        let consumed = history?.runs[index]?.frozen.inputs ?? [:]
        let now = inputs(of: index)
        for input in graph.nodes[index].inputs where consumed[input.port]?.hash != now[input.port]?.hash {
            guard let producer = input.producer else { continue }
            return Reason(.inputChanged, "Input from '\(graph.nodes[producer.node].id)' has changed.")
        }
        if steps[index].staleSince?.step == steps[index].id { return Self.definitionChanged }
        return Reason(.upstreamStale, "Upstream is stale.")
    }

    func causeOfChange(of index: Int) -> RunID {
        let consumed = history?.runs[index]?.frozen.inputs ?? [:]
        let now = inputs(of: index)
        for input in graph.nodes[index].inputs {
            if let asset = now[input.port], consumed[input.port]?.hash != asset.hash { return asset.run }
        }
        return run(of: index)
    }

    /// Marks a stale step as valid again, since its inputs have the same content as before. Steps after it may follow.
    private mutating func restore(_ index: Int, in transition: inout Transition) {
        steps[index].staleSince = nil
        // What a person skipped gives nothing, now as then.
        let isSkipped = graph.nodes[index].isPerson && outputs[index].isEmpty
        move(index, .restored, reason: isSkipped ? Self.skipped : reasonOfSuccess(index), in: &transition)
        if isTold(index) { block(descendantsOf: index, in: &transition) }
        settle(consumersOf: index, in: &transition)
    }

    // MARK: Pins

    mutating func pin(_ index: Int, port: String, to asset: Asset?, in transition: inout Transition) {
        guard steps.indices.contains(index),
            graph.nodes[index].inputs.contains(where: { $0.port == port && $0.producer != nil })
        else {
            return
        }
        pinned[index, default: [:]][port] = asset
        transition.batch.pins.append(Batch.Pin(step: steps[index].id, port: port, asset: asset))
        let words = asset.map {
            "Input \"\(port)\" takes attempt \($0.run.attempt) of step \(graph.word(of: $0.run.step.index - 1))."
        }
        transition.batch.events.append(
            event(
                index,
                .workflowChanged(
                    Reason(asset == nil ? Code.unpinned : .pinned, words ?? "Input \"\(port)\" takes the newest again.")
                ),
                now: transition.now))
        if steps[index].state == .succeeded, !isFresh(index) {
            let cause = inputs(of: index)[port]?.run ?? run(of: index)
            markStale(index, since: cause, in: &transition)
        } else {
            goOn(index, in: &transition)
        }
        // What had ended goes on if something may start by it.
        if outcome != nil, readyCount > 0 { takeUpAgain(in: &transition) }
    }
}
