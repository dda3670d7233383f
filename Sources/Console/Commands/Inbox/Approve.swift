import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Approve: Verb {
    package static let description = CommandDescription(
        "approve", in: .inbox,
        summary: "Answer a question of the inbox at this terminal.",
        details: """
            In a shell it runs what can go on then, shows it, and ends with the exit code of the workflow: 3 if another question \
            is open.
            """,
        examples: [
            "approve 3", .init("approve 3 --digest 9f86d081…", note: "for scripts; never for what cannot be undone"),
        ],
        takes: [[.entry]],
        values: ["--digest": [.free]])

    @Argument(help: "The number in the inbox. Without it, the only entry that asks for a yes.")
    var number: Int64?

    @Option(help: "The digest of the call, from 'assent inbox --json': approves exactly that call without asking.")
    var digest: String?

    @OptionGroup var detached: DetachOption
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let number = try ChosenEntry.only(number, "asks for a yes", in: context, output) { $0.type == .confirmCall }
        let record = try Find.await(number, in: context)
        try record.requireOpen()
        guard record.type == .confirmCall else {
            throw Failure(
                .badUsage, "\(number) asks you to \(record.type.words), not for a yes.",
                remedy: try context.people.asked(record).howToAnswer)
        }
        let goingOn = GoingOn(context: context, output: output, isDetached: detached.detach)
        return try await goingOn.run(record.step.workflow) { () async throws(Failure) in
            try await answer(record, in: context, output)
        }
    }

    private func answer(_ record: AwaitRecord, in context: CommandContext, _ output: Output) async throws(Failure)
        -> ExitStatus
    {
        let number = record.number
        guard let digest else { return try await Answers.ask(record, in: context, output) }
        guard record.isAboutCall else {
            guard digest == record.digest?.hex else { throw Answers.otherDigest(number) }
            let outcome = try context.people.complete(number, .agreed(edits: nil))
            return Answers.show(outcome, Answer.yes.word, of: record, output)
        }
        let question = try context.look.question(record)
        guard question.wordToType == nil else {
            throw Failure(
                .denied, "This cannot be undone, so it is only approved at a terminal.",
                remedy: "Run 'assent approve \(number)' there.")
        }
        guard digest == question.digest.hex else { throw Answers.otherDigest(number) }
        let outcome = try context.act.answer(record, .yes, "person by digest")
        return Answers.show(outcome, Answer.yes.word, of: record, output)
    }
}
