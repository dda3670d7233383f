import JSON
import Vocabulary

/// The part of a flow for steps that are needed only if earlier answers say so (`semantics.md` 200–203).
extension Flow {
    static var notAsked: Reason { Reason(.notAsked, "It was not asked for: its condition does not hold.") }

    /// Returns whether a step was passed over because its condition does not hold. Its earlier outputs are kept, but do
    /// not count.
    package func isPassedOver(_ index: Int) -> Bool {
        steps[index].state == .succeeded && steps[index].reason?.code == Self.notAsked.code
    }

    /// Returns whether the answers so far say that a step is needed. All steps that it waits for must be over.
    func isWanted(_ index: Int) -> Bool {
        let node = graph.nodes[index]
        guard !node.skipsWith.contains(where: isSkipped) else { return false }
        return node.when?.holds { name in node.answers[name].map(answer) ?? .empty } ?? true
    }

    private func isSkipped(_ index: Int) -> Bool {
        steps[index].state == .succeeded && steps[index].reason?.code == Self.skipped.code
    }

    private func answer(at place: Graph.AnswerPlace) -> ConditionAnswer {
        guard steps[place.node].state == .succeeded, !isPassedOver(place.node) else { return .empty }
        let given = outputs[place.node].values
        if place.type == .media {
            return .media(given.count { place.part == nil || $0.meta[Asset.partKey]?.string == place.part })
        }
        return given.lazy.compactMap { $0.meta[Asset.answerKey] }.first.map { ConditionAnswer($0, as: place.type) }
            ?? .empty
    }

    /// Passes over a step that is not needed. A loop handles the steps after it, so that a long chain needs no
    /// recursion.
    mutating func passOver(_ index: Int, in transition: inout Transition) {
        move(index, .passedOver, reason: Self.notAsked, in: &transition)
        passedOver.append(index)
        guard passedOver.count == 1 else { return }
        var next = 0
        while next < passedOver.count {
            settle(consumersOf: passedOver[next], in: &transition)
            next += 1
        }
        passedOver = []
    }

    /// Checks a finished step again after one that it waits for has succeeded. The step may now be needed, no longer be
    /// needed, or be stale.
    mutating func reconsider(_ index: Int, after cause: Int, in transition: inout Transition) {
        let (isWanted, wasPassedOver) = (isWanted(index), isPassedOver(index))
        if isWanted, wasPassedOver, outputs[index].isEmpty {
            move(index, .invalidated, in: &transition)
            for consumer in graph.consumers[index] { unsettle(consumer, in: &transition) }
            return unblockIfFed(index, in: &transition)
        }
        if isWanted == wasPassedOver {
            setReason(isWanted ? reasonOfSuccess(index) : Self.notAsked, of: index, in: &transition)
            tellConsumers(of: index, in: &transition)
        }
        if isWanted, !isFresh(index) { markStale(index, since: run(of: cause), in: &transition) }
    }

    /// Tells the consumers of a step that its answer counts again, or does not count any more.
    private mutating func tellConsumers(of index: Int, in transition: inout Transition) {
        for consumer in graph.consumers[index] where pending[consumer] == 0 {
            switch steps[consumer].state {
            case .succeeded: reconsider(consumer, after: index, in: &transition)
            case .blocked where steps[consumer].staleSince == nil:
                unblockIfFed(consumer, in: &transition)
            case .ready, .awaitingUser:
                let takesIt = graph.nodes[consumer].inputs.contains { $0.producer?.node == index }
                guard takesIt || !isWanted(consumer), jobs[consumer] == nil, steps[consumer].replays == nil else {
                    continue
                }
                closeAwait(of: consumer, resolution: "superseded", by: "engine", in: &transition)
                move(consumer, .invalidated, in: &transition)
                unblockIfFed(consumer, in: &transition)
            case .blocked, .runningLocal, .queuedRemote, .runningRemote, .downloading, .failed, .cancelled: break
            }
        }
    }
}
