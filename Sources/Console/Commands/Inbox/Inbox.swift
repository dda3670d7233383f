import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Inbox: Verb {
    package static let description = CommandDescription(
        "inbox", in: .inbox,
        summary: "List what waits for you: pending, put off, done.",
        details: """
            What is done leaves the inbox after 7 days.
            """,
        examples: ["inbox", "inbox --json", "inbox 3 --from 31"],
        takes: [[.entry]],
        values: ["--from": [.free], "--lines": [.free]])

    @Argument(help: "One entry, by its number: the values that it asks to confirm.")
    var number: Int64?

    @OptionGroup var span: Span

    @Flag(help: "Also what has been answered.")
    var all = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        if let number { return try show(try Find.await(number, in: context), in: context, output) }
        try span.refuse("one entry")
        let entries = context.people.entries(of: try context.look.awaits(true))
        let now = context.now()
        output.show(
            InboxView.lines(entries, showsDone: all, now: now, columns: output.columns),
            json: entries.filter { all || $0.record.status != .done }.map { $0.json(at: now) })
        return .succeeded
    }

    /// Shows one entry, or a part of its values. Changes nothing and claims nothing.
    private func show(_ record: AwaitRecord, in context: CommandContext, _ output: Output) throws(Failure) -> ExitStatus
    {
        let entry = context.people.entries(of: [record])[0]
        let asked = record.isAboutCall ? nil : try context.people.asked(record)
        let edits = record.draft?["edits"]?.object ?? JSON.Object()
        let values = asked?.confirmed(with: edits) ?? JSON.Object()
        let rows = InboxView.rows([entry], context.now(), output.columns)
        output.show(
            span.range(of: values.members.count).flatMap { span in
                asked.map { FocusView.values(values, $0, output.columns, span: span) }
            }
                ?? rows + (asked.map { FocusView.request($0, output.columns) } ?? []),
            json: [entry.json(at: context.now())])
        return .succeeded
    }
}
