import JSON
import Vocabulary

/// The part of a flow for the order of steps that touch the same files (`semantics.md` 215–217).
///
/// A step follows others, which must have succeeded, and starts after others, which must be over in any way. Each change
/// of a step's state or reason is noted here. Its followers are looked at once, at the end of the input.
extension Flow {
    /// The counts and marks of the computed order, by step.
    struct OrderState {
        /// The number of steps that a step follows and that do not let it go on.
        var hard: [Int]
        /// The number of steps that it starts after and that are not over.
        var soft: [Int]
        /// Whether the step lets those go on that follow it.
        var letsFollow: [Bool]
        /// Whether the step is over, and with it all that it starts after.
        var isOver: [Bool]
        /// The steps whose tool is missing.
        var missing: [Int] = []
        /// The blocked steps that cannot start, since their tool or that of a step before them is missing.
        var stuck: Set<Int> = []
        /// The steps that may start now, or may not any more.
        var changed: [Int] = []
        /// The steps that have become stale, each with the run of the earlier step.
        var stale: [(step: Int, cause: RunID)] = []
    }

    // MARK: What is so

    /// Whether nothing that stands before a step by the computed order holds it up.
    func isInTurn(_ index: Int) -> Bool { order.map { $0.hard[index] + $0.soft[index] == 0 } ?? true }

    /// Returns the code with which the command of a step ended. `nil` for other steps.
    func exitCode(of index: Int) -> Int? {
        guard graph.nodes[index].params[ExitRule.parameter] != nil else { return nil }
        return outputs[index].values.lazy.compactMap(\.exitCode).first
    }

    /// Whether a step is over, but its command ended with a code after which nothing that follows it runs.
    func isTold(_ index: Int) -> Bool {
        guard steps[index].state == .succeeded, let code = exitCode(of: index) else { return false }
        return !ExitRule(params(of: index)).letsFollow(code)
    }

    /// Whether the steps that follow a step may run. A skipped step lets them, and so does one that nothing is left to
    /// do for.
    private func letsFollow(_ index: Int) -> Bool {
        switch steps[index].state {
        case .succeeded: !isTold(index)
        case .blocked: steps[index].reason?.code == .upstreamSkipped
        case .cancelled: isRemoved(steps[index])
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading, .failed: false
        }
    }

    /// Whether nothing more happens at a step unless a person asks for it.
    private func isOver(_ index: Int) -> Bool {
        switch steps[index].state {
        case .succeeded, .failed, .cancelled: true
        case .blocked:
            steps[index].staleSince != nil || order?.stuck.contains(index) ?? false
                || steps[index].reason?.code.isOne(of: .upstreamSkipped, .upstreamFailed, .standsAfter, .halted)
                    ?? false
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading: false
        }
    }

    /// Returns the blocked steps that cannot start, since their tool or that of a step before them is missing.
    private func stuckSteps(_ followers: Graph.Followers) -> Set<Int> {
        var queue = (order?.missing ?? []).filter { steps[$0].state == .blocked }
        var found = Set(queue)
        while let next = queue.popLast() {
            for later in graph.consumers[next] + followers.hard[next]
            where steps[later].state == .blocked && found.insert(later).inserted {
                queue.append(later)
            }
        }
        return found
    }

    /// Whether a step that follows a step has not run because of it.
    func holdsUpOthers(_ index: Int) -> Bool {
        graph.order?.hard[index].contains { steps[$0].state == .blocked && steps[$0].reason?.code == .standsAfter }
            ?? false
    }

    /// The order of the steps that have begun, by their dense index. A new graph leaves it to them.
    package var begunOrder: [Int: StepOrder] {
        var orders: [Int: StepOrder] = [:]
        for index in steps.indices where steps[index].attempt > 0 {
            let node = graph.nodes[index]
            orders[index] = StepOrder(follows: node.follows, startsAfter: node.startsAfter)
        }
        return orders
    }

    // MARK: Counting

    /// Counts the order of the graph anew.
    mutating func countOrder() {
        guard let followers = graph.order else { return order = nil }
        let none = [Int](repeating: 0, count: steps.count)
        var state = OrderState(
            hard: none, soft: none, letsFollow: steps.indices.map(letsFollow),
            isOver: Array(repeating: false, count: steps.count))
        for index in steps.indices {
            state.hard[index] = graph.nodes[index].follows.count { !state.letsFollow[$0] }
            state.soft[index] = graph.nodes[index].startsAfter.count
        }
        state.missing = steps.indices.filter { graph.nodes[$0].missing != nil }
        order = state
        let stuck = stuckSteps(followers)
        order?.stuck = stuck
        for index in steps.indices where isOver(index) && state.soft[index] == 0 { end(index, true, followers) }
        order?.changed = []
    }

    /// Notes what a change of a step's state or reason means for the steps after it.
    mutating func noteOrder(of index: Int) {
        guard let followers = graph.order, order != nil else { return }
        let (lets, run) = (letsFollow(index), run(of: index))
        if order?.letsFollow[index] != lets {
            order?.letsFollow[index] = lets
            for follower in followers.hard[index] {
                order?.hard[follower] += lets ? -1 : 1
                order?.changed.append(follower)
                // Only provisionally: it is as it was if the earlier step turns out not to have changed.
                if !lets { order?.stale.append((follower, run)) }
            }
        }
        if order?.missing.isEmpty == false { noteStuck(followers) }
        end(index, isOver(index) && order?.soft[index] == 0, followers)
        if steps[index].state == .ready { order?.changed.append(index) }
    }

    /// Finds the stuck steps again, and notes which steps are over by it.
    private mutating func noteStuck(_ followers: Graph.Followers) {
        let (before, now) = (order?.stuck ?? [], stuckSteps(followers))
        guard before != now else { return }
        order?.stuck = now
        for index in before.symmetricDifference(now).sorted() {
            end(index, isOver(index) && order?.soft[index] == 0, followers)
        }
    }

    /// Notes whether a step is over. A chain of such steps is followed by a loop.
    private mutating func end(_ index: Int, _ isOver: Bool, _ followers: Graph.Followers) {
        var queue = [(index, isOver)]
        while let (next, isOver) = queue.popLast() {
            guard order?.isOver[next] != isOver else { continue }
            order?.isOver[next] = isOver
            for later in followers.soft[next] {
                order?.soft[later] += isOver ? -1 : 1
                order?.changed.append(later)
                if self.isOver(later) { queue.append((later, order?.soft[later] == 0)) }
            }
        }
    }

    // MARK: What results

    /// Lets the steps start whose turn has come, takes those back whose turn is over, and marks as stale what followed a
    /// step that has changed.
    mutating func applyOrder(in transition: inout Transition) {
        guard order != nil else { return }
        while order?.stale.isEmpty == false || order?.changed.isEmpty == false {
            applyStaleness(in: &transition)
            let changed = order?.changed ?? []
            order?.changed = []
            for index in changed { reconsiderTurn(of: index, in: &transition) }
        }
    }

    /// Marks as stale what followed a step that has changed. Nothing starts.
    mutating func applyStaleness(in transition: inout Transition) {
        while let stale = order?.stale, !stale.isEmpty {
            order?.stale = []
            for (index, cause) in stale where steps[index].state == .succeeded && steps[index].attempt > 0 {
                markStale(index, since: cause, in: &transition)
            }
        }
    }

    private mutating func reconsiderTurn(of index: Int, in transition: inout Transition) {
        guard isInTurn(index) else {
            // Also a retry with the old inputs waits, since its files may not be as they were.
            guard steps[index].state == .ready || steps[index].state == .awaitingUser, jobs[index] == nil
            else { return }
            closeAwait(of: index, resolution: "superseded", by: "engine", in: &transition)
            let earlier = graph.nodes[index].follows.first { endsItsFollowers($0) }
            return move(index, .invalidated, reason: earlier.map(reasonToStandAfter), in: &transition)
        }
        guard steps[index].state == .blocked, !isCancelRequested else { return }
        if steps[index].staleSince == nil { unblockIfFed(index, in: &transition) } else { goOn(index, in: &transition) }
    }

    // MARK: Staleness

    /// Counts a new attempt of a step. What followed an earlier attempt of it is stale from now on, whatever comes of
    /// this one.
    mutating func beginAttempt(_ index: Int) {
        steps[index].attempt += 1
        steps[index].tries += 1
        guard let followers = graph.order?.hard[index], steps[index].attempt > 1 else { return }
        for follower in followers
        where steps[follower].attempt > 0
            && (steps[follower].staleSince != nil || steps[follower].state.isRunning || jobs[follower] != nil)
        {
            // Attempt 0 stands for whichever comes: no run that came before can be as it should be.
            steps[follower].staleSince = RunID(steps[index].id, attempt: 0)
            touch(follower)
        }
    }

    /// Returns the mark that an earlier step began again while this step ran, and removes it.
    mutating func takeOvertaken(_ index: Int) -> RunID? {
        guard steps[index].state != .blocked, let since = steps[index].staleSince else { return nil }
        steps[index].staleSince = nil
        touch(index)
        return since
    }

    /// Returns the run of a step that this step follows and that became stale while this step ran, or `nil`.
    func staleRunBefore(_ index: Int) -> RunID? {
        guard order.map({ $0.hard[index] > 0 }) ?? false else { return nil }
        return graph.nodes[index].follows.first { order?.letsFollow[$0] == false }.map(run)
    }

    /// Returns the step that a stale step follows and that made it stale, or `nil` if something else did.
    func earlierStepThatMadeStale(_ index: Int) -> Int? {
        guard order != nil, let cause = steps[index].staleSince?.step.index else { return nil }
        return graph.nodes[index].follows.contains(cause - 1) ? cause - 1 : nil
    }

    /// Whether the step that made a stale step stale by the order is as it was. True if something else made it stale.
    func isInOrder(_ index: Int) -> Bool {
        guard let earlier = earlierStepThatMadeStale(index) else { return true }
        return steps[earlier].attempt == steps[index].staleSince?.attempt && order?.letsFollow[earlier] == true
    }

    func reasonOfStaleness(after earlier: Int) -> Reason {
        Reason(
            .standsAfter,
            "It stands after step \(graph.label(of: earlier)), which is stale or ran again.")
    }
}
