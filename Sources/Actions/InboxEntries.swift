import Services
import Storage
package import Vocabulary
import Workflows

/// The entries of the inbox, as lists show them.
extension InboxActions {
    /// Returns an entry for each record, in their order. Data that cannot be read stays empty, since a shorter entry is
    /// better than none.
    package func entries(of records: [AwaitRecord]) -> [InboxEntry] {
        let blocked = blockedSteps(by: records.filter { $0.status != .done })
        let ids = Set(records.map(\.step.workflow))
        let titles = Dictionary(uniqueKeysWithValues: ids.map { ($0, title(of: $0)) })
        let nodes = Dictionary(uniqueKeysWithValues: ids.flatMap(steps).map { ($0.id, $0.node) })
        let rows = Dictionary(uniqueKeysWithValues: ids.map { ($0, WorkflowRecords(shared).rows(of: $0)) })
        return records.map { record in
            InboxEntry(
                record, title: titles[record.step.workflow] ?? "", node: nodes[record.step] ?? "",
                isFolded: rows[record.step.workflow]?.isFolded(record.step.index) ?? false,
                blocked: blocked[record.number] ?? [])
        }
    }

    /// Returns the steps that cannot start before an await is done, the nearest first (`semantics.md` 45). An await has
    /// none if its workflow cannot be read.
    ///
    /// - Returns: the steps by the number of the await.
    package func blockedSteps(by records: [AwaitRecord]) -> [Int64: [BlockedStep]] {
        var blocked: [Int64: [BlockedStep]] = [:]
        for (workflow, records) in Dictionary(grouping: records, by: \.step.workflow) {
            guard let (graph, _) = graph(of: workflow) else { continue }
            // A step that has ended waits for no answer.
            let tools = shared.knownTools
            let waiting = Set(steps(of: workflow).filter { !$0.state.isTerminal }.map { $0.id.index - 1 })
            for record in records {
                blocked[record.number] = graph.heldUp(by: record.step.index - 1).filter(waiting.contains).map { index in
                    let node = graph.nodes[index]
                    return BlockedStep(
                        step: index + 1, node: node.id, title: tools[node.kind]?.title ?? node.kind)
                }
            }
        }
        return blocked
    }

    /// Returns the graph of a workflow with its template, or nil if it cannot be read.
    func graph(of workflow: WorkflowID) -> (graph: Graph, template: Template)? {
        guard let template = try? WorkflowRecords(shared).template(workflow),
            let graph = Workflows.check(template, against: shared.knownEngineTools, isStored: true).0
        else { return nil }
        return (graph, template)
    }

    private func title(of workflow: WorkflowID) -> String {
        (try? WorkflowRecords(shared).summary(workflow))?.record.title ?? ""
    }

    private func steps(of workflow: WorkflowID) -> [StepRecord] {
        (try? WorkflowRecords(shared).steps(workflow)) ?? []
    }
}
