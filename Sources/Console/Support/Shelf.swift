import Actions
import JSON
import Terminal
import Vocabulary

enum Shelf {
    static func put(_ record: WorkflowRecord, _ isArchived: Bool, in context: CommandContext, _ output: Output)
        throws(Failure)
    {
        let workflow = record.id
        let isChanged = try context.again.archive(workflow, isArchived, "person")
        let words =
            isArchived
            ? "\(workflow) is \(isChanged ? "" : "already ")archived; 'list --all' shows it"
                + (record.outcome == nil
                    ? ". It is not over: it goes on out of sight; 'cancel \(workflow)' ends it." : "")
            : "\(workflow) is in the list\(isChanged ? " again" : "")"
        output.show(
            [StyledText(words)],
            json: [
                [
                    "workflow": .string(workflow.description), "archived": .bool(isArchived),
                    "changed": .bool(isChanged),
                    "isOver": .bool(record.outcome != nil),
                ]
            ])
    }
}
