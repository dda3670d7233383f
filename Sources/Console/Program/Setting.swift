package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Mode: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Show or set how much is asked.",
        discussion: """
            Example:

              assent mode always-ask
            """)

    @Argument(help: "always-ask, adaptive or auto.")
    var mode: ConfirmationMode?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        if let mode { try house.settings.setMode(mode) }
        let now = try house.settings.mode()
        output.show(ModeView.lines(now, columns: output.columns), json: [["mode": .string(now.rawValue)]])
        return .succeeded
    }
}

package struct Chat: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Open the chat in this folder.",
        discussion: """
            Example:

              assent --mode always-ask
            """)

    @Option(help: "How much is asked in this chat: always-ask, adaptive or auto.")
    var mode: ConfirmationMode?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        guard !shared.json else { throw Failure("badUsage", "The chat prints no JSON.", remedy: "Use 'assent ask … --json'.") }
        let chosen: ConfirmationMode
        if let mode { chosen = mode } else { chosen = try house.settings.mode() }
        return await Chatting(house: house, screen: output.screen, mode: chosen).run()
    }
}
