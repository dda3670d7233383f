package import ArgumentParser
import Terminal
package import Vocabulary

package struct UsageCommand: Verb {
    package static let configuration = CommandConfiguration(
        commandName: "usage",
        abstract: "Show what models have taken: tokens and money. What takes room on the disk is shown by 'cache'.",
        discussion: """
            Tokens are those that servers count. A price is known where the model's profile has one. Examples:

              assent usage
              assent usage --by session
              assent usage --by day --limit 7
            """)

    @Option(help: "session, model or day.")
    var by = UsageGrouping.model

    @Option(parsing: .unconditional, help: "How many at most: 20 unless said; all with --json.")
    var limit: Int?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let limit = try ListLimit.checked(limit, isForAll: output.isJSON)
        let all = try house.sessions.usage(by, Int.max)
        let shown = Array(all.prefix(limit))
        output.show(
            TokenView.lines(shown, columns: output.columns) + Layout.rest(shown: shown.count, of: all.count, columns: output.columns),
            json: shown.map { $0.json(by: by) })
        return .succeeded
    }
}

extension UsageGrouping: ExpressibleByArgument {}
