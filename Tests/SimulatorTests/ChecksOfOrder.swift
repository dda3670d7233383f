import Vocabulary

/// What must hold of steps that stand after others because of their files (`semantics.md` 215–217), by a table of our
/// own and from events and rows alone.
final class OrderChecks {
    private struct Known {
        var state: String
        var reason: String?
        /// The place of the newest attempt among all that began.
        var began = 0
        var attempt = 0
    }

    unowned let simulation: Simulation
    private var known: [StepID: Known] = [:]
    private var begun = 0
    private func fail(_ words: String) { simulation.checks.fail(words) }

    init(_ simulation: Simulation) { self.simulation = simulation }

    private static let busy: Set<String> = [
        "ready", "awaitingUser", "runningLocal", "queuedRemote", "runningRemote", "downloading",
    ]

    /// Notes an event of a step, in the order in which events were stored.
    func follow(_ step: StepID, _ state: String, _ reason: String?, attempt: Int) {
        guard let plan = simulation.plans[step.workflow], plan.hasFollowing else { return }
        var new = known[step] ?? Known(state: "blocked")
        (new.state, new.reason) = (state, reason)
        if attempt > new.attempt {
            begun += 1
            (new.began, new.attempt) = (begun, attempt)
            if step.index <= plan.nodes.count { checkTurn(step, plan) }
        }
        known[step] = new
    }

    /// A step begins only when those that it follows let it, and those that it starts after are over.
    private func checkTurn(_ step: StepID, _ plan: Plan) {
        let node = plan.nodes[step.index - 1]
        simulation.checks.mark(node.follows.isEmpty && node.startsAfter.isEmpty ? "began freely" : "began in its turn")
        for place in node.follows where !letsFollow(place, in: step.workflow) {
            fail("\(step) began while step \(place + 1), which it follows, is \(words(place, in: step.workflow))")
        }
        for place in node.startsAfter where Self.busy.contains(state(place, in: step.workflow)) {
            fail("\(step) began while step \(place + 1), which is to be over, is \(words(place, in: step.workflow))")
        }
    }

    private func one(_ place: Int, in workflow: WorkflowID) -> Known? { known[StepID(workflow, place + 1)] }
    private func state(_ place: Int, in workflow: WorkflowID) -> String { one(place, in: workflow)?.state ?? "blocked" }
    private func words(_ place: Int, in workflow: WorkflowID) -> String {
        "\(state(place, in: workflow)) \(one(place, in: workflow)?.reason ?? "")"
    }

    /// What is skipped, or not in the graph any more, holds up nobody. A command that ended with a bad code does.
    private func letsFollow(_ place: Int, in workflow: WorkflowID) -> Bool {
        guard let one = one(place, in: workflow) else { return false }
        return (one.state == "succeeded" && one.reason != "exited")
            || (one.state == "blocked" && one.reason == "upstreamSkipped")
            || (one.state == "cancelled" && one.reason == "removed")
    }

    /// After a commit: what counts stands after what counts, and began after it.
    func committed(_ workflow: WorkflowID) {
        guard let plan = simulation.plans[workflow], plan.hasFollowing else { return }
        for (index, node) in plan.nodes.enumerated() where !node.follows.isEmpty {
            guard let later = one(index, in: workflow), later.attempt > 0, later.state == "succeeded",
                // What was passed over gives nothing, whatever it once made.
                later.reason != "notAsked"
            else { continue }
            for place in node.follows {
                guard letsFollow(place, in: workflow) else {
                    fail(
                        "\(workflow).\(index + 1) counts; step \(place + 1), which it follows, is \(words(place, in: workflow))"
                    )
                    continue
                }
                if let earlier = one(place, in: workflow), earlier.began > later.began {
                    fail("\(workflow).\(index + 1) counts; step \(place + 1), which it follows, has begun again since")
                }
            }
        }
    }

    /// At the end of a workflow that nobody touched: a step that stands after a failed one says so.
    func ended(_ workflow: WorkflowID, _ rows: [Checks.End]) {
        guard let plan = simulation.plans[workflow], !plan.isFailFast else { return }
        for (index, node) in plan.nodes.enumerated() where rows[index].state == .blocked && node.kind != .ghost {
            let before = node.inputs.map(\.producer) + node.after + node.skipsWith + (node.when.map { [$0.node] } ?? [])
            guard before.allSatisfy({ rows[$0].state == .succeeded }),
                node.follows.contains(where: {
                    [.failed, .cancelled].contains(rows[$0].state) || rows[$0].reason == "exited"
                })
            else { continue }
            simulation.checks.mark("held by a follow")
            if rows[index].reason != "standsAfter" {
                fail("\(workflow).\(index + 1) stands after a failed step, and says \(rows[index].reason ?? "nothing")")
            }
        }
    }
}
