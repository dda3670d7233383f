import Vocabulary
import Workflows

/// Who holds which slot: of this engine, and of those that all engines of the store share (`semantics.md` 13).
extension Loop {
    func cap(_ queue: Queue) -> Int {
        switch queue {
        case .local: world.slots.local
        case .remote: world.slots.remote
        case .none: .max
        }
    }

    func held(_ queue: Queue) -> Int {
        switch queue {
        case .local: localHeld
        case .remote: remoteHeld
        case .none: 0
        }
    }

    /// A slot for a step that has not begun. Where other engines have them all it stays ready, at the front of its line.
    ///
    /// - Returns: whether it may begin.
    mutating func begin(_ index: Int, of workflow: WorkflowID) -> Bool {
        let queue = carried[workflow]!.flow.graph.nodes[index].queue
        guard queue != .none, carried[workflow]!.slots[index] == nil else { return true }
        guard share(index, of: workflow) else {
            carried[workflow]!.waitAgain(index)
            turns[queue, default: Turns(focus: focus)].join(workflow)
            return false
        }
        carried[workflow]!.slots[index] = queue
        count(index, of: carried[workflow]!, as: queue, by: 1)
        return true
    }

    /// What runs already, or is taken over, holds a slot whether there is one or not.
    mutating func hold(_ index: Int, of workflow: WorkflowID) {
        let queue = carried[workflow]!.flow.graph.nodes[index].queue
        guard queue != .none, carried[workflow]!.slots.updateValue(queue, forKey: index) == nil else { return }
        count(index, of: carried[workflow]!, as: queue, by: 1)
        if !share(index, of: workflow) { unshared.insert(StepID(workflow, index + 1)) }
    }

    mutating func release(_ index: Int, of workflow: WorkflowID) {
        guard let queue = carried[workflow]?.slots.removeValue(forKey: index) else { return }
        count(index, of: carried[workflow]!, as: queue, by: -1)
        giveBack(StepID(workflow, index + 1))
    }

    mutating func count(_ index: Int, of carried: Carried, as queue: Queue, by amount: Int) {
        switch queue {
        case .local: localHeld += amount
        case .remote: remoteHeld += amount
        case .none: break
        }
        guard let place = carried.flow.graph.nodes[index].provider else { return }
        heldByProvider[carried.flow.graph.providers[place].provider, default: 0] += amount
    }

    // MARK: Shared with other engines

    /// Whether it is worth asking for a slot: those of others are asked for now and then only.
    func isOpen(place: SlotPlace) -> Bool { closed[place] == nil }

    func isOpen(_ queue: Queue) -> Bool {
        switch queue {
        case .local: isOpen(place: .local)
        case .remote: isOpen(place: .remote)
        case .none: true
        }
    }

    /// One slot of its queue and one of its provider, or none of them. What runs on the engine's own thread is over before anybody could
    /// look, and shares nothing.
    private mutating func share(_ index: Int, of workflow: WorkflowID) -> Bool {
        let graph = carried[workflow]!.flow.graph
        let node = graph.nodes[index]
        if let manifest = carried[workflow]!.manifests[index], world.tools.isInstant(manifest) { return true }
        var taken: [(SlotPlace, Int64)] = []
        func take(_ place: SlotPlace, _ cap: Int) -> Bool {
            guard let slot = world.shared.take(place, cap) else { return false }
            taken.append((place, slot))
            return true
        }
        var missing: SlotPlace?
        let place: SlotPlace = node.queue == .local ? .local : .remote
        if !take(place, cap(node.queue)) { missing = place }
        if missing == nil, let provider = node.provider {
            let terms = graph.providers[provider]
            if !take(.provider(terms.provider), terms.concurrent) { missing = .provider(terms.provider) }
        }
        guard let missing else {
            shared[StepID(workflow, index + 1)] = taken
            return true
        }
        for (place, slot) in taken { _ = world.shared.give(place, slot) }
        close(missing, forMilliseconds: Limits.slotPollMilliseconds)
        waitsFor.insert(missing)
        return false
    }

    mutating func giveBack(_ step: StepID) {
        unshared.remove(step)
        for (place, slot) in shared.removeValue(forKey: step) ?? [] {
            let now = world.now()
            let sinceTurn = now.milliseconds - (turnsLeft[place]?.milliseconds ?? 0)
            if world.shared.give(place, slot), sinceTurn >= Limits.slotTurnMilliseconds || sinceTurn < 0 {
                // Whoever waits elsewhere has a turn: here it would be taken again before they can look.
                turnsLeft[place] = now
                close(place, forMilliseconds: 2 * Limits.slotPollMilliseconds)
            } else if turnsLeft[place].map({ now.milliseconds - $0.milliseconds >= 2 * Limits.slotPollMilliseconds }) ?? true {
                closed[place] = nil
            }
        }
    }

    private mutating func close(_ place: SlotPlace, forMilliseconds milliseconds: Int64) {
        closed[place] = world.now() + Double(milliseconds) / 1000
    }

    /// Opens what may be asked for again, and looks for slots for what was taken over without one.
    mutating func openPlaces() {
        if !closed.isEmpty {
            let now = world.now()
            let latest = now + 2 * Double(Limits.slotPollMilliseconds) / 1000
            // A clock that was set back must not hold it up.
            for (place, until) in closed where until <= now || until > latest { closed[place] = nil }
        }
        for step in unshared where closed.isEmpty && (carried[step.workflow] == nil || share(step.index - 1, of: step.workflow)) {
            unshared.remove(step)
        }
    }

    /// Nobody is to make room for what does not wait any more: it got its slot, or is gone.
    mutating func stopWaiting() {
        for place in waitsFor where closed[place] == nil {
            waitsFor.remove(place)
            world.shared.stopWaiting(place)
        }
    }
}
