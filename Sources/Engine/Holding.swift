import Vocabulary
import Workflows

extension Limits {
    /// The time between two attempts to get a slot that other processes hold, in milliseconds.
    fileprivate static let slotPollMilliseconds: Int64 = 50

    /// How long a process reuses its slots while other processes wait for one, in milliseconds. Then they get a turn.
    fileprivate static let slotTurnMilliseconds: Int64 = 500
}

/// The kinds of slots that a step may hold.
struct SlotKinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// A slot for a program on this machine.
    static let local = SlotKinds(rawValue: 1)
    /// A slot for a transfer: data that is sent or fetched.
    static let transfer = SlotKinds(rawValue: 2)
    /// A slot for a job at its provider, from submission to end.
    static let job = SlotKinds(rawValue: 4)
}

/// A slot that all engines of a store share.
struct SharedSlot {
    var kind: SlotKinds
    var place: SlotPlace
    var number: Int64
}

/// The part of the engine's loop that counts slots: those of this engine, and those that all engines of the store
/// share.
///
/// A program holds a slot of this machine, and a fetch holds a slot for transfers. A job holds a slot of its provider
/// from submission to end, and a slot for transfers only while it is submitted or its results are fetched. A step that
/// waits for its next attempt holds none. A status check is small and needs no slot, so that a slow provider holds up
/// no other work.
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
        case .remote: transfersHeld
        case .none: 0
        }
    }

    /// Takes the slots for a step that is about to start, or for a job that continues. If other engines hold all of
    /// them, the step goes back to the front of its line.
    ///
    /// - Returns: whether the step may start.
    mutating func begin(_ index: Int, of carried: Carried) -> Bool {
        let node = carried.flow.graph.nodes[index]
        let lacking = Self.kinds(of: node).subtracting(carried.slots[index] ?? [])
        guard !lacking.isEmpty else { return true }
        guard share(lacking, index, of: carried) else {
            carried.waitAgain(index)
            turns[node.queue, default: Turns(focus: focus)].join(carried.id)
            return false
        }
        add(lacking, index, of: carried)
        return true
    }

    /// Takes the slots of a step that already runs or was taken over, even if none are free.
    mutating func hold(_ index: Int, of carried: Carried) {
        let lacking = kindsNeeded(index, of: carried).subtracting(carried.slots[index] ?? [])
        guard !lacking.isEmpty else { return }
        add(lacking, index, of: carried)
        if !share(lacking, index, of: carried) {
            unshared[carried.stepID(index), default: []].formUnion(lacking)
        }
    }

    mutating func release(_ index: Int, of carried: Carried) {
        guard let kinds = carried.slots[index] else { return }
        giveUp(kinds, index, of: carried)
    }

    /// Releases the slots that a job no longer needs, because its transfer is over, it waits for its next attempt, or
    /// it has ended. No other code does this.
    mutating func trim(_ index: Int, of carried: Carried) {
        guard let kinds = carried.slots[index], carried.looks[index] == nil,
            carried.flow.graph.nodes[index].provider != nil
        else { return }
        giveUp(kinds.subtracting(kindsNeeded(index, of: carried)), index, of: carried)
    }

    private mutating func add(_ kinds: SlotKinds, _ index: Int, of carried: Carried) {
        carried.slots[index, default: []].formUnion(kinds)
        count(kinds, index, of: carried, by: 1)
    }

    private mutating func giveUp(_ kinds: SlotKinds, _ index: Int, of carried: Carried) {
        guard !kinds.isEmpty, let held = carried.slots[index] else { return }
        let left = held.subtracting(kinds)
        carried.slots[index] = left.isEmpty ? nil : left
        count(kinds, index, of: carried, by: -1)
        giveBack(kinds, carried.stepID(index))
    }

    /// Returns the slots that a step takes when it begins.
    private static func kinds(of node: Graph.Node) -> SlotKinds {
        // Nothing is known of a tool that is gone, and nothing is done with it.
        guard node.missing == nil else { return [] }
        return switch node.queue {
        case .local: .local
        case .remote: node.provider == nil ? .transfer : [.transfer, .job]
        case .none: []
        }
    }

    /// Returns the slots that a step under way needs.
    private func kindsNeeded(_ index: Int, of carried: Carried) -> SlotKinds {
        let node = carried.flow.graph.nodes[index]
        guard node.missing == nil, node.provider != nil else { return Self.kinds(of: node) }
        let needed = carried.flow.slotsNeeded(by: index)
        return (needed.transfer ? SlotKinds.transfer : []).union(needed.job ? .job : [])
    }

    mutating func count(_ kinds: SlotKinds, _ index: Int, of carried: Carried, by amount: Int) {
        if kinds.contains(.local) { localHeld += amount }
        if kinds.contains(.transfer) { transfersHeld += amount }
        guard kinds.contains(.job), let place = carried.flow.graph.nodes[index].provider else { return }
        jobsHeld[carried.flow.graph.providers[place].provider, default: 0] += amount
    }

    // MARK: Shared with other engines

    /// Whether slots of a place may be asked for now. After a failed attempt the place stays closed for a moment.
    func isOpen(place: SlotPlace) -> Bool { closed[place] == nil }

    func isOpen(_ queue: Queue) -> Bool {
        switch queue {
        case .local: isOpen(place: .local)
        case .remote: isOpen(place: .remote)
        case .none: true
        }
    }

    /// Takes one shared slot of each kind, or none of them. An instant step needs no shared slot, since it ends before
    /// another engine could look.
    ///
    /// - Returns: whether the step has the slots.
    private mutating func share(_ kinds: SlotKinds, _ index: Int, of carried: Carried) -> Bool {
        let graph = carried.flow.graph
        if let manifest = carried.manifests[index], world.tools.isInstant(manifest) { return true }
        var wanted: [(SlotKinds, SlotPlace, cap: Int)] = []
        if kinds.contains(.local) { wanted.append((.local, .local, cap(.local))) }
        if kinds.contains(.transfer) { wanted.append((.transfer, .remote, cap(.remote))) }
        if kinds.contains(.job), let provider = graph.nodes[index].provider {
            let terms = graph.providers[provider]
            wanted.append((.job, .provider(terms.provider), terms.concurrent))
        }
        var taken: [SharedSlot] = []
        for (kind, place, cap) in wanted {
            if let number = world.shared.take(place, cap) {
                taken.append(SharedSlot(kind: kind, place: place, number: number))
                continue
            }
            for slot in taken { _ = world.shared.give(slot.place, slot.number) }
            close(place, forMilliseconds: Limits.slotPollMilliseconds)
            waitsFor.insert(place)
            return false
        }
        shared[carried.stepID(index), default: []] += taken
        return true
    }

    mutating func giveBack(_ kinds: SlotKinds, _ step: StepID) {
        if let lacking = unshared[step]?.subtracting(kinds) { unshared[step] = lacking.isEmpty ? nil : lacking }
        guard let slots = shared[step] else { return }
        let left = slots.filter { !kinds.contains($0.kind) }
        shared[step] = left.isEmpty ? nil : left
        for slot in slots where kinds.contains(slot.kind) { giveBack(slot) }
    }

    private mutating func giveBack(_ slot: SharedSlot) {
        let (now, place) = (world.now(), slot.place)
        let sinceTurn = now.milliseconds - (turnsLeft[place]?.milliseconds ?? 0)
        if world.shared.give(place, slot.number), sinceTurn >= Limits.slotTurnMilliseconds {
            // Whoever waits elsewhere has a turn: here it would be taken again before they can look.
            turnsLeft[place] = now
            close(place, forMilliseconds: 2 * Limits.slotPollMilliseconds)
        } else if turnsLeft[place].map({ now.milliseconds - $0.milliseconds >= 2 * Limits.slotPollMilliseconds })
            ?? true
        {
            closed[place] = nil
        }
    }

    private mutating func close(_ place: SlotPlace, forMilliseconds milliseconds: Int64) {
        closed[place] = world.now() + Double(milliseconds) / 1000
    }

    /// Opens the places whose time is over, and takes slots for steps that were taken over without one.
    mutating func openPlaces() {
        if !closed.isEmpty {
            let now = world.now()
            closed = closed.filter { $0.value > now }
        }
        guard !unshared.isEmpty else { return }
        for step in unshared.keys.sorted() where closed.isEmpty {
            guard let lacking = unshared[step] else { continue }
            if let carried = carried[step.workflow], !share(lacking, step.index - 1, of: carried) { continue }
            unshared[step] = nil
        }
    }

    /// Drops the workflows that hold slots of providers here and that another engine owns by now. Without a commit,
    /// this engine would not learn of the takeover, and would keep the slots.
    mutating func dropWhatOthersOwn() throws(Failure) {
        let holding = Set(shared.filter { $0.value.contains { $0.kind == .job } }.map(\.key.workflow))
        guard !holding.isEmpty else { return }
        for workflow in try world.ledger.ownedByOthers(holding).sorted() { drop(workflow) }
    }

    /// Tells other engines that this one no longer waits for slots of a place.
    mutating func stopWaiting() {
        for place in waitsFor where closed[place] == nil {
            waitsFor.remove(place)
            world.shared.stopWaiting(place)
        }
    }
}
