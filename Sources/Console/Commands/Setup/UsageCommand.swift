import Actions
package import ArgumentParser
import Terminal
package import Vocabulary

package struct UsageCommand: Verb {
    package static let description = CommandDescription(
        "usage", in: .setup,
        summary: "Show what models have taken: tokens and money. What takes room on the disk is shown by 'cache'.",
        details: """
            Tokens are those that servers count. A price is known where the model's profile has one.
            """,
        examples: ["usage --by day", "usage", "usage --by session", "usage --by day --limit 7"],
        values: ["--by": [.choice(of: UsageGrouping.self)], "--limit": [.free], "--from": [.free]])

    @Option(help: "session, model or day.")
    var by = UsageGrouping.model

    @Option(parsing: .unconditional, help: "How many at most: 20 unless said; all with --json.")
    var limit: Int?

    @Option(parsing: .unconditional, help: "The first entry that is shown, from 1.")
    var from = 1

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let limit = try ListLimit.checked(limit, isForAll: output.isJSON)
        try ListLimit.checked(from: from)
        let (shown, rest) = ListLimit.page(
            try context.sessions.usage(by, Int.max), from: from, limit: limit, "more entry", "usage --by \(by.rawValue)"
        )
        output.show(
            TokenView.lines(shown, columns: output.columns) + rest.lines(columns: output.columns),
            json: shown.map { $0.json(by: by) })
        return .succeeded
    }
}

extension UsageGrouping: ExpressibleByArgument {}
