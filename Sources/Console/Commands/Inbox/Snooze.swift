import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

extension Limits {
    /// The longest time for which an entry of the inbox can be put off, in seconds: 30 days.
    fileprivate static let longestSnoozeSeconds = 30.0 * 86_400
}

package struct Snooze: Verb {
    package static let description = CommandDescription(
        "snooze", in: .inbox,
        summary: "Put an entry of the inbox off.",
        details: """
            For an hour, unless it is said for how long; five times at most. When it expires stays as it was.
            """,
        examples: ["snooze 3 --for 2h"],
        takes: [[.entry]],
        values: ["--for": [.free]])

    @Argument(help: "The number in the inbox. Without it, the only entry there is.")
    var number: Int64?

    @Option(name: .customLong("for"), parsing: .unconditional, help: "How long: 30m, 2h, 1d.")
    var duration: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let number = try ChosenEntry.only(number, "can be put off", in: context, output)
        let record = try Find.await(number, in: context)
        guard let seconds = duration.map({ WrittenDuration.seconds($0) }) ?? Limits.snoozeSeconds else {
            throw Failure(
                .badUsage, "\"\(duration ?? "")\" is no time to wait.", remedy: "Write it like 30m, 2h or 1d.")
        }
        guard seconds <= Limits.longestSnoozeSeconds else {
            throw Failure(
                .badUsage, "\"\(duration ?? "")\" is too long to put off.", remedy: "At most 30d, five times.")
        }
        let until = try context.people.snooze(number, seconds: seconds)
        output.show(
            [StyledText("\(number): put off, back \(Amounts.age(of: until, now: context.now())) · \(record.title)")],
            json: [["await": .int(Int(number)), "snoozed": true, "until": .string(until.description)]])
        return .succeeded
    }
}
