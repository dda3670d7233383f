package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Mode: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Show or set how much is asked.",
        discussion: """
            In the chat it holds for that session; with --always for those that begin later. To be asked less is confirmed at the
            terminal. Examples:

              /mode always-ask
              assent mode adaptive --always
            """)

    @Argument(help: "always-ask, adaptive or auto.")
    var mode: ConfirmationMode?

    @Flag(help: "Also for sessions that begin later.")
    var always = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    var isChange: Bool { mode != nil || always }

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        if isChange {
            let wanted = if let mode { mode } else { try house.settings.mode() }
            guard try await change(to: wanted, in: house, output) else { return .denied }
        }
        let now = try house.settings.mode()
        output.show(ModeView.lines(now, columns: output.columns), json: [["mode": .string(now.rawValue)]])
        return .succeeded
    }

    private func change(to wanted: ConfirmationMode, in house: House, _ output: Output) async throws(Failure) -> Bool {
        guard always || house.settings.setMode != nil else {
            throw Failure(
                "badUsage", "A mode is one session's, and here is none.",
                remedy: "For later sessions: 'assent mode \(wanted.rawValue) --always'. For one: 'assent --mode \(wanted.rawValue)'.")
        }
        let now = try house.settings.mode()
        let isLooser = ConfirmationMode.strictest(now, wanted) != wanted
        if isLooser || (always && wanted == .auto), try await !isConfirmed(wanted, now, in: house, output) { return false }
        if always { try house.settings.keepMode(wanted) }
        house.settings.setMode?(wanted)
        return true
    }

    private func isConfirmed(
        _ wanted: ConfirmationMode, _ now: ConfirmationMode, in house: House, _ output: Output
    ) async throws(Failure) -> Bool {
        guard output.canAsk else {
            throw Failure(
                "denied", "To be asked less (\(wanted.rawValue) in place of \(now.rawValue)) is confirmed at a terminal.",
                remedy: "Run it there.")
        }
        let answer = await QuestionDialogue(house: house, screen: output.screen).ask(ModeView.question(wanted, columns: output.columns))
        if answer == .key("y") { return true }
        output.screen.show(StyledText("It stays at \(now.rawValue).", .dim))
        return false
    }
}

package struct Chat: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Open the chat in this folder.",
        discussion: """
            Examples:

              assent --mode always-ask
              assent -c
              assent --model work
            """)

    @Option(help: "How much is asked in this chat: always-ask, adaptive or auto.")
    var mode: ConfirmationMode?

    @Flag(name: [.customShort("c"), .customLong("continue")], help: "Go on in the newest conversation of this folder.")
    var continues = false

    @Option(help: "Go on in this conversation of this folder, such as s3.")
    var session: SessionID?

    @Flag(help: .hidden)
    var pick = false
    @OptionGroup var model: ModelOption

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        guard !shared.json else { throw Failure("badUsage", "The chat prints no JSON.", remedy: "Use 'assent ask … --json'.") }
        try model.take(in: house)
        let chosen: ConfirmationMode
        if let mode { chosen = mode } else { chosen = try house.settings.mode() }
        var named = session
        if pick {
            named = try await SessionPicker(house: house, screen: output.screen).pick()
            guard named != nil else { return .succeeded }
        }
        let (left, notice) = try SessionChoice(isNewest: continues, named: named).opened(in: house)
        output.tell(notice: notice)
        return await Chatting(house: house, screen: output.screen, mode: chosen, left: left).run()
    }
}
