import Actions
import JSON
import Terminal
import Vocabulary

/// The continuation of the chat in another conversation. In a shell, `Root.opened` starts a chat in it instead.
enum SessionResume {
    static func run(_ id: SessionID?, in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus
    {
        guard let chat = context.chat, !output.isJSON || id != nil else {
            throw Failure(.badUsage, "The chat prints no JSON.", remedy: "Use 'assent ask … --session s3 --json'.")
        }
        let picked: SessionID?
        if let id {
            picked = id
        } else {
            picked = try await SessionPicker(context: context, screen: output.screen).pick()
        }
        if let picked { try await chat.goOn(in: picked) }
        return .succeeded
    }
}
