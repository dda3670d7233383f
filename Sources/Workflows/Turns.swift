package import Vocabulary

/// Whose turn it is for a free slot: deficit round-robin between the workflows that wait for one (`semantics.md` 13). A
/// step costs one slot, so the deficit is how many slots are left of a workflow's turn: four for the focused one, one
/// for the others.
package struct Turns: Sendable {
    package static let focusWeight = 4

    package var focus: WorkflowID?
    private var ring: [WorkflowID] = []
    private var members: Set<WorkflowID> = []
    private var place = 0
    private var credit = 0

    package init(focus: WorkflowID? = nil) {
        self.focus = focus
    }

    package var isEmpty: Bool { ring.isEmpty }

    /// Comes in behind those that wait already; once only.
    package mutating func join(_ workflow: WorkflowID) {
        if members.insert(workflow).inserted { ring.append(workflow) }
    }

    package mutating func leave(_ workflow: WorkflowID) {
        guard members.remove(workflow) != nil, let gone = ring.firstIndex(of: workflow) else { return }
        ring.remove(at: gone)
        if gone == place { credit = 0 }
        if gone < place { place -= 1 }
        if place >= ring.count { place = 0 }
    }

    package enum Readiness { case canGo, mustWait, hasNothing }

    /// The next that can use a slot. One that cannot use its turn loses it; one that has nothing left leaves.
    package mutating func next(_ readiness: (WorkflowID) -> Readiness) -> WorkflowID? {
        var passed = 0
        while passed < ring.count {
            let workflow = ring[place]
            if credit == 0 { credit = workflow == focus ? Self.focusWeight : 1 }
            switch readiness(workflow) {
            case .canGo:
                credit -= 1
                if credit == 0 { advance() }
                return workflow
            case .mustWait:
                passed += 1
                advance()
            case .hasNothing: leave(workflow)
            }
        }
        return nil
    }

    private mutating func advance() {
        credit = 0
        place = ring.isEmpty ? 0 : (place + 1) % ring.count
    }
}
