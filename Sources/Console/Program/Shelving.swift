package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct ArchiveWorkflow: Verb {
    package static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Take a workflow out of the list. Nothing of it is lost.",
        discussion: """
            Example:

              assent archive w3
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        try Shelf.put(workflow, true, in: house, output)
    }
}

package struct Unarchive: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Bring an archived workflow back into the list.",
        discussion: """
            Example:

              assent unarchive w3
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        try Shelf.put(workflow, false, in: house, output)
    }
}

private enum Shelf {
    static func put(_ workflow: WorkflowID, _ isArchived: Bool, in house: House, _ output: Output) throws(Failure) -> ExitStatus {
        let record = try Find.workflow(workflow, in: house).record
        let isChanged = try house.again.archive(workflow, isArchived, "person")
        let words =
            isArchived
            ? "\(workflow) is \(isChanged ? "" : "already ")archived; 'list --all' shows it"
                + (record.outcome == nil ? ". It is not over: it goes on out of sight; 'cancel \(workflow)' ends it." : "")
            : "\(workflow) is in the list\(isChanged ? " again" : "")"
        output.show(
            [StyledText(words)],
            json: [
                [
                    "workflow": .string(workflow.description), "archived": .bool(isArchived), "changed": .bool(isChanged),
                    "isOver": .bool(record.outcome != nil),
                ]
            ])
        return .succeeded
    }
}

package struct Delete: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Take a workflow that has ended away for good, with its history. Its files stay; contents go with 'cache free'.",
        discussion: """
            Examples:

              assent delete w3
              assent delete w3 --yes   (for scripts)
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.workflow(workflow, in: house).record
        let isAside = try house.keep.quarantined().contains { $0.workflow == workflow }
        guard record.outcome != nil || isAside else {
            throw Failure("workflowUnderWay", "\(workflow) is under way.", remedy: "Cancel it first: assent cancel \(workflow)")
        }
        if !yes {
            guard output.canAsk else {
                throw Failure("badUsage", "This cannot be undone, and there is no terminal to ask at.", remedy: "Add --yes.")
            }
            let lines = [
                StyledText("Delete \(workflow) (\(record.title)) with all of its history? This cannot be undone.", .question)
            ]
            guard
                await QuestionDialogue(house: house, screen: output.screen).ask(KeyQuestion(lines, .words([workflow.description])))
                    == .word(workflow.description)
            else {
                output.screen.show(StyledText("Nothing was deleted.", .dim))
                return .denied
            }
        }
        try house.again.delete(workflow)
        output.show(
            [StyledText("\(workflow) is deleted.")], json: [["workflow": .string(workflow.description), "deleted": true]])
        return .succeeded
    }
}
