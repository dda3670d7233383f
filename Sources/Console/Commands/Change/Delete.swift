import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Delete: Verb {
    package static let description = CommandDescription(
        "delete", in: .change,
        summary:
            "Take ended workflows away for good, with their history. Files stay; contents go with 'cache free'.",
        examples: ["delete w3", "delete w1 w2 w5-w9", .init("delete w3 --yes", note: "for scripts")],
        takes: [[.workflow]])

    @Argument(help: "The workflows, such as w3, or w5-w9 of this folder. Without one, the only one that has ended.")
    var workflows: [WorkflowSpan] = []

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let several = SeveralRuns(context: context, output: output)
        let named =
            workflows.isEmpty
            ? try several.named([
                WorkflowSpan(
                    try Chosen.only(nil, "can be deleted", in: context, output) { $0.record.outcome != nil })
            ]) : try several.named(workflows)
        var (found, failures) = ([WorkflowSummary](), named.failures)
        for summary in named.found {
            guard let failure = try context.again.faultOfDeleting(summary.record) else {
                found.append(summary)
                continue
            }
            guard named.found.count + named.failures.count > 1 else { throw failure }
            failures.append(failure)
            several.fail(failure)
        }
        guard !found.isEmpty else { return .gravest(failures.map(ExitStatus.init(of:))) }
        if !yes, try await !isConfirmed(found, several) {
            output.screen.show(StyledText("Nothing was deleted.", .dim))
            return .denied
        }
        return several.each(found, failures) { record throws(Failure) in
            try context.again.delete(record.id)
            output.show(
                [StyledText("\(record.id) is deleted.")],
                json: [["workflow": .string(record.id.description), "deleted": true]])
        }
    }

    /// Asks the user once for all workflows.
    private func isConfirmed(_ found: [WorkflowSummary], _ several: SeveralRuns) async throws(Failure) -> Bool {
        guard several.output.canAsk else {
            throw Failure(
                .badUsage, "This cannot be undone, and there is no terminal to ask at.", remedy: "Add --yes.")
        }
        let (count, id) = (found.count, found[0].record.id)
        let what =
            count == 1 ? "\(id) (\(found[0].record.title)) with all of its" : "\(count) workflows with all of their"
        let head = StyledText("Delete \(what) history? This cannot be undone.", .question)
        let lines = Layout.wrapped(head, columns: several.output.columns) + (count == 1 ? [] : several.rows(found))
        let word = count == 1 ? id.description : "delete \(count)"
        let dialogue = QuestionDialogue(context: several.context, screen: several.output.screen)
        return await dialogue.ask(KeyQuestion(lines, .words([word]))) == .word(word)
    }
}
