import JSON
package import Vocabulary

/// The rules for a new graph of a workflow that already exists (`semantics.md` 14).
///
/// Nodes keep their numbers, by their ids, and new nodes come last. A removed node leaves a mark in its place, because
/// the history names nodes by number.
package enum Revision {
    /// The kind of a node that was removed.
    package static let removedKind = "Removed"

    /// Returns the new template with its nodes in the order of the old one. Removed nodes keep their place with
    /// `removedKind`.
    package static func merge(_ new: Template, into old: Template) -> Template {
        var merged = new
        let wanted = Dictionary(new.nodes.map { ($0.id, $0) }) { first, _ in first }
        let known = Set(old.nodes.map(\.id))
        merged.nodes =
            old.nodes.map { before in
                var node = wanted[before.id] ?? Template.Node(id: before.id, kind: removedKind, inputs: [], outputs: [])
                node.folded = before.folded
                return node
            } + new.nodes.filter { !known.contains($0.id) }
        return merged
    }

    /// Returns the nodes that differ between two graphs, by index: in kind, parameters, await, order or the sources of
    /// their inputs.
    package static func changes(from old: Graph, to new: Graph) -> [Int] {
        old.nodes.indices.filter { index in
            let (before, after) = (old.nodes[index], new.nodes[index])
            return before.kind != after.kind || before.params != after.params || before.awaits != after.awaits
                || feeds(of: before, in: old) != feeds(of: after, in: new)
                || before.when != after.when || before.control != after.control || before.skipsWith != after.skipsWith
        }
    }

    private static func feeds(of node: Graph.Node, in graph: Graph) -> [String: Template.Endpoint] {
        var feeds: [String: Template.Endpoint] = [:]
        for input in node.inputs {
            guard let producer = input.producer else { continue }
            feeds[input.port] = Template.Endpoint(graph.nodes[producer.node].id, producer.port)
        }
        return feeds
    }
}

extension Flow {
    /// Returns why the graph cannot be changed like this, such as a changed node that runs. `nil` if it can.
    package func faultOfRevising(to new: Graph) -> Failure? {
        guard new.nodes.count >= steps.count, zip(new.nodes, graph.nodes).allSatisfy({ $0.id == $1.id }) else {
            return Failure(.badRevision, "The new graph does not follow from the old one.")
        }
        guard
            let running = Revision.changes(from: graph, to: new).first(where: {
                steps[$0].state.isRunning || jobs[$0] != nil
            })
        else {
            return nil
        }
        return Failure(
            .stepRunning, "Step \(graph.label(of: running)) runs; only what does not run may change.",
            remedy: "Wait for it, or cancel it first.")
    }

    /// Applies the next revision of the graph. The history keeps the old one.
    ///
    /// - Parameter template: the text of the new template, for the store.
    package mutating func revise(to new: Graph, template: String, in transition: inout Transition) {
        let changed = Revision.changes(from: graph, to: new)
        let wasEnded = outcome != nil
        for index in changed {
            forgetEdits(of: index, under: new.nodes[index])
            clear(index, isRemoved: new.nodes[index].kind == Revision.removedKind, in: &transition)
        }
        adopt(new, in: &transition)
        transition.batch.template = template
        let words = "The graph was changed: \(changed.count) steps changed, \(transition.batch.stepsAdded.count) new."
        transition.batch.events.append(
            Event(at: transition.now, workflow: workflow, .workflowChanged(Reason(.revised, words))))
        if wasEnded, !transition.batch.stepsAdded.isEmpty { (outcome, transition.batch.outcome) = (nil, .some(nil)) }
        if outcome == nil {
            applyOrder(in: &transition)
            // What failed may be gone from the graph, and with it what held the others back.
            letGo(in: &transition)
            finishIfDone(in: &transition)
        } else {
            applyStaleness(in: &transition)
            order?.changed = []
        }
    }

    /// Removes the edits of a person for which the new definition of the step has another value.
    private mutating func forgetEdits(of index: Int, under node: Graph.Node) {
        guard let edits = steps[index].edits else { return }
        let kept = edits.members.filter {
            graph.nodes[index].kind == node.kind && graph.nodes[index].params[$0.key] == node.params[$0.key]
        }
        steps[index].edits = kept.isEmpty ? nil : JSON.Object(members: kept)
    }

    /// Closes the question about a changed node, and marks its outputs as stale.
    private mutating func clear(_ index: Int, isRemoved: Bool, in transition: inout Transition) {
        steps[index].replays = nil
        steps[index].tries = 0
        touch(index)
        switch steps[index].state {
        case .ready, .awaitingUser:
            closeAwait(of: index, resolution: "superseded", by: "revision", in: &transition)
            move(index, .invalidated, in: &transition)
        case .succeeded: markStale(index, since: run(of: index), in: &transition)
        case .failed, .cancelled: move(index, .invalidated, in: &transition)
        // From now on it is stale by itself, whatever becomes of what stands above it.
        case .blocked: if steps[index].staleSince != nil { steps[index].staleSince = run(of: index) }
        case .runningLocal, .queuedRemote, .runningRemote, .downloading: break
        }
        if isRemoved, steps[index].state == .blocked {
            steps[index].staleSince = nil
            move(
                index, .cancelled, reason: Reason(.removed, "It is not in the graph any more."), in: &transition
            )
        } else if steps[index].staleSince != nil {
            setReason(Self.definitionChanged, of: index, in: &transition)
        }
    }

    static var definitionChanged: Reason { Reason(.definitionChanged, "Its definition has changed.") }

    private mutating func adopt(_ new: Graph, in transition: inout Transition) {
        let added = Self.initialSteps(of: new, workflow: workflow, at: transition.now).dropFirst(steps.count)
        graph = new
        transition.batch.stepsAdded += added
        append(Array(added))
        for index in steps.indices {
            pending[index] = unsettledProducers(of: index)
            guard steps[index].kind != new.nodes[index].kind else { continue }
            steps[index].kind = new.nodes[index].kind
            touch(index)
        }
        countOrder()
        order?.changed = Array(steps.indices)
        // What the changed steps made stale was noted by the old order.
        let stale = steps.indices.compactMap { index in staleRunBefore(index).map { (index, $0) } }
        order?.stale = stale
    }
}
