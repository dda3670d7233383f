package import Actions
import JSON
package import Vocabulary

/// An await with what a person wants to know of it before they open it.
package struct InboxEntry: Hashable, Sendable {
    package var record: AwaitRecord
    /// Of the workflow.
    package var title: String
    /// The step's node id.
    package var node: String
    package var blocked: [BlockedStep]

    package init(_ record: AwaitRecord, title: String = "", node: String = "", blocked: [BlockedStep] = []) {
        self.record = record
        self.title = title
        self.node = node
        self.blocked = blocked
    }
}

extension CommandContext {
    /// In the order of the records. What cannot be found out is left out: an inbox that shows less is better than none.
    func entries(of records: [AwaitRecord]) -> [InboxEntry] {
        let blocked = people.blocked(records.filter { $0.status != .done })
        var titles: [WorkflowID: String] = [:]
        var steps: [WorkflowID: [StepRecord]] = [:]
        return records.map { record in
            let id = record.step.workflow
            if titles[id] == nil {
                titles[id] = (try? look.summary(id))?.record.title ?? ""
                steps[id] = (try? look.steps(id)) ?? []
            }
            let step = steps[id]?.first { $0.id == record.step }
            return InboxEntry(
                record, title: titles[id] ?? "", node: step?.node ?? "", blocked: blocked[record.number] ?? [])
        }
    }
}
