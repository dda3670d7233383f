import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Chat: Verb {
    package static let description = CommandDescription(
        "chat", in: .conversation,
        summary: "Open the chat in this folder.",
        examples: ["chat", "chat --mode always-ask", "chat -c", "chat --model work"],
        notInChat: "This is the chat already.",
        values: [
            "--mode": [.choice(of: ConfirmationMode.self)], "--session": [.conversation], "--model": [.connection],
        ])

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

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard !shared.json else {
            throw Failure(.badUsage, "The chat prints no JSON.", remedy: "Use 'assent ask … --json'.")
        }
        try model.take(in: context)
        let chosen: ConfirmationMode
        if let mode { chosen = mode } else { chosen = try context.mode() }
        var named = session
        if pick {
            named = try await SessionPicker(context: context, screen: output.screen).pick()
            guard named != nil else { return .succeeded }
        }
        let (left, notice) = try SessionChoice(isNewest: continues, named: named).opened(in: context)
        output.tell(notice: notice)
        return await Chatting(context: context, screen: output.screen, mode: chosen, left: left).run()
    }
}
