import Actions
import Terminal
import Vocabulary

/// The question before a change after which the user is asked less. It is put only at a terminal, so that no script can
/// loosen the user's settings.
struct AskingLess {
    /// The words for the calls that will no longer be asked about.
    let words: String
    /// The words after a no.
    let kept: String
    /// The words for the change in the refusal if the user cannot be asked.
    let refusal: String
    /// Further words below the question, or an empty text.
    var explanation = ""

    /// Returns whether the user says yes.
    ///
    /// - Throws: `denied` if the user cannot be asked.
    func isConfirmed(in context: CommandContext, _ output: Output) async throws(Failure) -> Bool {
        guard output.canAsk else {
            throw Failure(.denied, "\(refusal) is confirmed at a terminal.", remedy: "Run it there.")
        }
        let answer = await QuestionDialogue(context: context, screen: output.screen).ask(
            question(columns: output.columns))
        if answer == .key("y") { return true }
        output.screen.show(StyledText(kept, .dim))
        return false
    }

    /// Returns the question as it is drawn.
    func question(columns: Int) -> KeyQuestion {
        let head = StyledText(" ? ", [.question, .bold]) + StyledText("be asked less: \(words)", .bold)
        let text = explanation.isEmpty ? [] : Layout.wrapped(StyledText(explanation), columns: columns, indent: 3)
        let keys = Layout.packed(
            [Layout.key("y", "yes"), Layout.key("n", "no"), Layout.key("/", "look")], columns: columns, indent: 3,
            gap: 2)
        return KeyQuestion([head] + text + keys, .keys(["y", "n"]))
    }
}

/// A change of the mode, which says how much is asked.
struct ModeChange {
    let wanted: ConfirmationMode
    /// Whether the change also applies to later sessions.
    let isForLater: Bool

    /// Changes the mode of the session, if there is one, and of later sessions if that is wanted.
    ///
    /// - Returns: false if the user would be asked less, and says no to that.
    /// - Throws: `badUsage` if there is no session and later ones are not meant, `denied` if the user cannot be asked.
    func carryOut(in context: CommandContext, _ output: Output) async throws(Failure) -> Bool {
        guard isForLater || context.chat != nil else {
            throw Failure(
                .badUsage, "A mode is one session's, and here is none.",
                remedy:
                    "For later sessions: 'assent mode \(wanted.rawValue) --always'. For one: 'assent --mode \(wanted.rawValue)'."
            )
        }
        let session = try context.mode()
        // A looser mode of the session must not hide that later sessions would be asked less.
        let now = isForLater ? ConfirmationMode.strictest(session, try context.settings.mode()) : session
        let isLooser = ConfirmationMode.strictest(now, wanted) != wanted
        if isLooser || (isForLater && wanted == .auto) {
            let less = AskingLess(
                words: wanted.rawValue, kept: "It stays at \(now.rawValue).",
                refusal: "To be asked less (\(wanted.rawValue) in place of \(now.rawValue))",
                explanation: "\(wanted.rawValue) \(wanted.words)")
            guard try await less.isConfirmed(in: context, output) else { return false }
        }
        if isForLater { try context.settings.setMode(wanted) }
        context.chat?.mode = wanted
        return true
    }
}
