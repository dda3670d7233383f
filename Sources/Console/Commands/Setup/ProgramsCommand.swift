import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct ProgramsCommand: Verb {
    package static let description = CommandDescription(
        "programs", in: .setup,
        summary: "Say which of your own programs commands may use.",
        details: """
            Commands see the system's programs. Folders of your PATH below your home, such as those of pyenv, \
            rustup, nvm, go and uv, are shown to them once you allow them: read-only, and without files that may \
            hold keys. The first command asks about all of them at once. An answer holds in every workspace, and \
            for the next command at once.
            """,
        examples: [
            "programs allow ~/.cargo/bin",
            "programs list",
            "programs revoke ~/.cargo/bin",
        ],
        takes: [[.choice(of: Action.self)], [.file]])

    package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable { case list, allow, revoke }

    @Argument(help: "list, allow or revoke.")
    var action: Action = .list

    @Argument(
        help: "A folder with programs, such as ~/.cargo/bin, or the folder that an installer made, such as ~/.pyenv.")
    var folders: [String] = []

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { isChange ? .decides : .looks }

    private var isChange: Bool { action != .list }

    package func validate() throws {
        guard isChange != folders.isEmpty else {
            throw ValidationError(
                isChange ? "Which folder? Such as ~/.cargo/bin." : "'programs list' lists them all.")
        }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let programs = context.programs
        for folder in folders { _ = try programs.answer(folder, isAllowed: action == .allow) }
        let now = try programs.list()
        output.show(ProgramView.lines(now, in: programs, columns: output.columns), json: now.map(ProgramView.json))
        return .succeeded
    }
}
