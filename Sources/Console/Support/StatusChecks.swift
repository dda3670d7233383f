import Actions
import JSON
import Terminal
import Vocabulary

/// The switch for the status checks of remote jobs (`semantics.md` 10).
enum StatusChecks {
    static func turn(_ isOn: Bool, of workflow: WorkflowID, in context: CommandContext, _ output: Output)
        throws(Failure)
        -> ExitStatus
    {
        if let outcome = try Find.workflow(workflow, in: context).record.outcome {
            throw Find.isOver(workflow, outcome)
        }
        let words =
            isOn
            ? "Status checks of \(workflow) go on."
            : "Pauses status checks only; the remote job goes on. To take them up: \(Voice.call("poll \(workflow) on"))"
        // The command is also sent if it seems to change nothing, since an opposite one may be queued.
        try context.again.command(workflow, .poll(isOn), "person", nil)
        output.show(
            [StyledText(words + Answers.goingOn(context))],
            json: [["workflow": .string(workflow.description), "paused": .bool(!isOn)]])
        return .succeeded
    }
}
