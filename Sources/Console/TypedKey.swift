import Actions
import Vocabulary

/// The check for a key in a line that the user typed for a planner.
enum TypedKey {
    /// Refuses a line that contains a key, since a model would receive it and the conversation would store it.
    ///
    /// - Throws: `keyInLine`.
    static func refuse(in line: String, _ context: CommandContext) throws(Failure) {
        guard let form = context.typedKey(line) else { return }
        throw Failure(
            .keyInLine, "This line holds \(form). It was not sent, and is kept nowhere.",
            remedy:
                "To store a key: \(Voice.call("connect")) asks for it, hidden. If others may have seen it, make a new one."
        )
    }
}
