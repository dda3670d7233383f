package import Vocabulary

/// The order in which workflows get free slots, by deficit round-robin (`semantics.md` 13).
///
/// A step costs one slot. A turn has four slots for the focused workflow, and one slot for each other workflow.
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

    /// Adds a workflow behind those that already wait. A workflow that waits already keeps its place.
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

    /// Returns the next workflow that can use a slot, or `nil`. A workflow that cannot use its turn loses it, and a
    /// workflow that has nothing to start leaves the round.
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
