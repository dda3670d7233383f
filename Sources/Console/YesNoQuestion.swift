import Terminal

/// A question of the console that the keys `y` and `n` answer, and that belongs to no call.
struct YesNoQuestion {
    /// The question itself.
    let head: String
    /// A dimmed sentence behind the question, with a space in front of it, or an empty text.
    var hint = ""
    /// The words beside the two keys.
    let yes: String
    let no: String

    /// Asks the user.
    ///
    /// - Returns: nil if the user cannot be asked, or has not answered.
    func ask(in context: CommandContext, _ screen: any Screen) async -> Bool? {
        guard screen.canAsk else { return nil }
        let lines = Layout.wrapped(
            StyledText(" ? ", [.question, .bold]) + StyledText(head, .bold) + StyledText(hint, .dim),
            columns: screen.columns, hanging: 3)
        let choices = StyledText("   [y] \(yes)   [n] \(no) ", .question)
        let question = KeyQuestion(lines + [choices], .keys(["y", "n"]))
        switch await QuestionDialogue(context: context, screen: screen).ask(question) {
        case .key("y"): return true
        case .key("n"): return false
        default: return nil
        }
    }
}
