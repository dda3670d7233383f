import Actions
package import ArgumentParser
package import Vocabulary

package struct Skip: Verb {
    package static let description = CommandDescription(
        "skip", in: .inbox,
        summary: "Leave an entry of the inbox out: its step gives nothing.",
        details: """
            Only where no other step requires what it gives. In a shell it runs what can go on then, and ends with the exit code of \
            the workflow: 3 if it waits for another answer.
            """,
        examples: ["skip 3", "skip 3 \"they have none\""],
        takes: [[.entry], [.free]])

    @Argument(help: "The number in the inbox. Without it, the only entry that can be skipped.")
    var number: Int64?

    @Argument(help: "Why: it stays with the step.")
    var words: [String] = []

    @OptionGroup var detached: DetachOption
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let number = try ChosenEntry.only(number, "can be skipped", in: context, output) { $0.request?.canSkip == true }
        let record = try Find.await(number, in: context)
        let goingOn = GoingOn(context: context, output: output, isDetached: detached.detach)
        return try await goingOn.run(record.step.workflow) { () throws(Failure) in
            let outcome = try context.people.skip(record, reason: words.joined(separator: " "))
            return Answers.show(outcome, "skipped", of: record, output)
        }
    }
}
