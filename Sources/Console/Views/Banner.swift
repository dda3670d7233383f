import Terminal
import Vocabulary

/// The first line of a chat, such as `assent 0.1 · built-in planner (no model connected: /connect) · adaptive ·
/// ~/photos`.
enum Banner {
    /// Returns the banner of a chat.
    ///
    /// - Parameter model: the model in use, or nil for the built-in planner.
    static func line(model: String?, mode: ConfirmationMode, workspace: String) -> StyledText {
        StyledText("assent \(Root.version)", .bold)
            + StyledText(" · \(words(ofModel: model)) · \(mode.rawValue) · \(Self.short(workspace))", .dim)
    }

    /// Returns the words for the model in use, or for the planner if there is no model.
    static func words(ofModel model: String?) -> String {
        model ?? "built-in planner (no model connected: \(Voice.call("connect")))"
    }

    private static func short(_ folder: String) -> String {
        folder.shortened(home: TerminalCapabilities.environmentValue("HOME"))
    }
}
