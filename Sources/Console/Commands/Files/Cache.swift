import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Cache: Verb {
    package static let description = CommandDescription(
        "cache", in: .files,
        summary: "Show what takes room, or free some.",
        examples: ["cache", "cache free --dry-run", "cache free"],
        takes: [[.choice(of: Action.self)]])

    package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable { case free }

    @Argument(help: "free: take away what can be made again and what nobody needs.")
    var action: Action?

    @Flag(help: "Only say what would go.")
    var dryRun = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { action == nil || dryRun ? .looks : .decides }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        switch action {
        case nil:
            guard !dryRun else {
                throw Failure(.badUsage, "--dry-run belongs to 'free'.", remedy: "Write 'assent cache free --dry-run'.")
            }
            let usage = try await context.keep.usage()
            output.show(UsageView.lines(usage, columns: output.columns), json: [usage.json])
        case .free:
            let freed = try await context.keep.free(isDryRun: dryRun)
            output.show(UsageView.lines(freed, columns: output.columns), json: [freed.json])
        }
        return .succeeded
    }
}
