import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Mode: Verb {
    package static let description = CommandDescription(
        "mode", in: .setup,
        summary: "Show or set how much is asked.",
        details: """
            In the chat it holds for that session; with --always for those that begin later. To be asked less is confirmed at the \
            terminal.
            """,
        examples: ["mode adaptive", "mode", "mode adaptive --always"],
        takes: [[.choice(of: ConfirmationMode.self)]])

    @Argument(help: "always-ask, adaptive or auto.")
    var mode: ConfirmationMode?

    @Flag(help: "Also for sessions that begin later.")
    var always = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { isChange ? .decides : .looks }

    var isChange: Bool { mode != nil || always }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        if isChange {
            let wanted = if let mode { mode } else { try context.mode() }
            guard try await ModeChange(wanted: wanted, isForLater: always).carryOut(in: context, output) else {
                return .denied
            }
        }
        let now = try context.mode()
        output.show(ModeView.lines(now, columns: output.columns), json: [["mode": .string(now.rawValue)]])
        return .succeeded
    }
}
