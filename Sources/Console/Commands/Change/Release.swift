import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Release: Verb {
    package static let description = CommandDescription(
        "release", in: .change,
        summary: "Let a workflow go on that is set aside: imported, or damaged and mended.",
        examples: ["release w3"],
        takes: [[.workflow]])

    @Argument(help: "The workflow, such as w3. Without it, the only one that is set aside.")
    var workflow: WorkflowID?

    @Flag(help: "Take it as it is now, though a bit of the file has changed. Look at it first.")
    var asItIs = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let aside = Set(try context.diagnostics.quarantined().map(\.workflow))
        let workflow = try Chosen.only(workflow, "is set aside", in: context, output) { aside.contains($0.record.id) }
        try context.diagnostics.release(workflow, asItIs: asItIs)
        output.show(
            [
                StyledText(
                    "\(workflow) goes on: \(Voice.call("show \(workflow)"))"
                        + (context.look.hasEngine() ? "" : " · to go on now: 'assent work --until-idle'"))
            ],
            json: [["workflow": .string(workflow.description), "released": true]])
        return .succeeded
    }
}
