import Actions
package import ArgumentParser
package import Vocabulary

package struct Reject: Verb {
    package static let description = CommandDescription(
        "reject", in: .inbox,
        summary: "Say no to an entry of the inbox, with a reason.",
        examples: ["reject 3 \"keep the notes\""],
        takes: [[.entry], [.free]],
        values: ["--reason": [.free]])

    @Argument(help: "The number in the inbox. Without it, the only entry there is.")
    var number: Int64?

    @Argument(help: "Why: it goes to the model or the step as its error.")
    var words: [String] = []

    @Option(name: .customLong("reason"), help: "The same, as an option.")
    var reason: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let number = try ChosenEntry.only(number, "can be rejected", in: context, output)
        let record = try Find.await(number, in: context)
        let answer = Answer.no(reason: reason ?? words.joined(separator: " "))
        guard case .no(let why) = answer, !record.isAboutCall else {
            return Answers.show(
                try context.act.answer(record, answer, context.people.name), answer.word, of: record,
                goingOn: Answers.goingOn(context), output)
        }
        let outcome = try context.people.complete(number, .rejected(reason: why))
        return Answers.show(outcome, "rejected", of: record, goingOn: Answers.goingOn(context), output)
    }
}
