import Terminal
import Vocabulary

/// The dialogue of an editor with the person at a terminal, line by line.
struct Talk: Sendable {
    let asking: QuestionDialogue
    var screen: any Screen { asking.screen }

    var columns: Int { screen.columns }

    func say(_ lines: [StyledText]) { screen.show(lines) }

    /// Gives a text back that answers nothing any more: on the input line of a chat, or else as rows.
    func giveBack(_ text: String) {
        guard !screen.putBack(text, isAsked: false) else { return }
        say([StyledText("What you have written:", .dim)] + QuotedText(text, columns: columns, limit: .max).rows)
    }

    func say(_ failure: Failure) { screen.show(FailureLine.lines(failure, columns: columns)) }

    /// Asks for a line.
    ///
    /// - Parameter own: the words that the question itself understands behind a `/`.
    /// - Returns: nil if the person leaves by Esc, Ctrl-C or the end of input.
    func line(_ lines: [StyledText], own words: Set<String> = []) async -> String? {
        await entry(lines, isLong: false, own: words)
    }

    /// Asks for a text of several lines, which begins with a text and keeps that up to date.
    func passage(_ text: EntryText) async -> String? { await entry([], isLong: true, text: text) }

    private func entry(
        _ lines: [StyledText], isLong: Bool, own: Set<String> = [], text: EntryText? = nil
    ) async -> String? {
        let question = KeyQuestion(lines, .entry(isLong: isLong), text: text)
        guard case .word(let words) = await asking.ask(question, own: own) else { return nil }
        if !isLong, !words.isEmpty { screen.show(StyledText("  › ", .dim) + StyledText(words)) }
        return isLong ? words : words.trimmed
    }

    /// Asks for a letter.
    ///
    /// - Parameter atOnce: the letters that let nothing happen, so that they need no Enter.
    /// - Returns: nil if the person leaves.
    func key(_ lines: [StyledText], of keys: [Character], atOnce: Set<Character> = ["n"]) async -> Character? {
        var question = KeyQuestion(lines, .keys(keys, atOnce: atOnce))
        question.showsAnswer = true
        guard case .key(let key) = await asking.ask(question) else { return nil }
        return key
    }

    /// Asks whether the person wants an answer in spite of an oddity, and returns whether they do.
    func isMeant(_ oddity: Failure) async -> Bool {
        let lines =
            FailureLine.lines(oddity, columns: columns) + [Self.keys(["y": "take it all the same", "n": "back"])]
        return await key(lines, of: ["y", "n"]) == "y"
    }

    static func keys(_ keys: KeyValuePairs<Character, String>) -> StyledText {
        keys.reduce(into: StyledText("  ")) { line, key in
            line += Layout.key("\(key.key)", key.value) + "  "
        }
    }
}
