/// A question that is answered with a letter, with a word to type, or with a line. Any other input is not an answer.
package struct KeyQuestion: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        /// A letter of the list and Enter. `yes` and `no` are the letters `y` and `n`. The letters of `atOnce` let
        /// nothing happen, so they need no Enter as the first key that is pressed at the question. Neither does `/`.
        case keys([Character], atOnce: Set<Character> = ["n", "d"])
        /// A word of the list, exactly, and Enter.
        case words([String])
        /// A line that names an entry of a list. The caller checks whether the list has it. `hint` says what can be
        /// typed. An empty line is an answer only if `takesEmpty` is true.
        case pick(hint: String, takesEmpty: Bool)
        /// Any line, an empty one included.
        case text
        /// Content of the user: a line, or, if it may be long, all lines up to a line with only a full stop. Pasted
        /// text is accepted as it is. An empty first line is the empty text.
        case entry(isLong: Bool)
        /// A secret in one line, typed or pasted. Only its length is shown until ^T shows it.
        case secret

        /// Whether the question is a decision or a picker. It accepts keys only once the user has stopped typing, and
        /// lines that begin with `/` are requests to look around.
        package var isDecision: Bool {
            switch self {
            case .keys, .words, .pick: true
            case .text, .entry, .secret: false
            }
        }
    }

    package enum Answer: Hashable, Sendable {
        case key(Character)
        case word(String)
        /// A line that begins with `/`, or the `/` alone: the user wants to look around before answering.
        case verb(String)
        case none(Reason)

        /// Whether a person gave it.
        var isGiven: Bool { if case .none = self { false } else { true } }
    }

    /// The reason why there is no answer. It never counts as a yes.
    package enum Reason: Hashable, Sendable {
        case escape, interrupt, endOfInput, timeout
        /// The asking task was cancelled, since the question was answered elsewhere or the call no longer exists.
        case withdrawn
        /// The input or output is not a terminal, so no person can be asked.
        case noTerminal
    }

    /// The lines to draw, including the choices.
    package var lines: [StyledText]
    package var form: Form
    /// The milliseconds without a key after which keys are accepted.
    package var armingMilliseconds: Int32
    package var timeoutMilliseconds: Int64?
    /// The text of a long entry, which begins with it and keeps it up to date, or nil if only the answer counts.
    package var text: EntryText?
    /// Whether the answer is drawn below the question when it is given, so that no other line comes between them.
    package var showsAnswer = false
    /// The lines that are drawn below the question if the user leaves it.
    package var leaving: [StyledText] = []

    package init(
        _ lines: [StyledText], _ form: Form, armingMilliseconds: Int32? = nil, timeoutMilliseconds: Int64? = nil,
        text: EntryText? = nil
    ) {
        self.text = text
        (self.lines, self.form, self.timeoutMilliseconds) = (lines, form, timeoutMilliseconds)
        self.armingMilliseconds = armingMilliseconds ?? (form.isDecision ? TerminalLimits.armingMilliseconds : 0)
    }

    /// Returns the lines that stay below the question after its end.
    func lines(below answer: Answer) -> [StyledText] {
        switch answer {
        case .key(let key) where showsAnswer: [Self.row(of: String(key))]
        case .word(let word) where showsAnswer && !word.allSatisfy(\.isWhitespace): [Self.row(of: word)]
        case .none(.escape), .none(.interrupt), .none(.timeout), .none(.endOfInput): leaving
        case .key, .word, .verb, .none: []
        }
    }

    private static func row(of typed: String) -> StyledText { StyledText("   › ", .dim) + StyledText(typed) }

    /// Returns the row below the question, such as `type y and Enter, or press n / · Esc: no answer`.
    ///
    /// - Parameters:
    ///   - isUntouched: whether no key was pressed at the question, so that a letter can act at once.
    ///   - refused: the line that was entered last, if it was not an answer.
    ///   - refusal: the reason why the line that was entered or pasted last was refused, such as `has a NUL in it`.
    ///   - isShown: whether a secret is shown as it is.
    ///   - columns: the most cells of the row. Explanations are left out first, the keys last.
    func hint(
        typed: String, isWrong: Bool, isUntouched: Bool = true, refused: String = "", refusal: String? = nil,
        isShown: Bool = false, columns: Int = 200
    ) -> StyledText {
        let dots = min(typed.count, max(4, min(24, columns - 26)))
        let shown = form == .secret && !isShown ? String(repeating: "•", count: dots) : typed
        let tail = takesLine || !shown.isEmpty ? StyledText("› " + shown, .question) : StyledText()
        var rows = explanations(isWrong, refused, isUntouched: isUntouched).map { $0 + tail }
        if let refusal {
            let reason = StyledText("not taken, since it \(refusal) · ", .warning)
            rows = rows.map { reason + $0 } + [reason + tail] + rows.map { StyledText("not taken · ", .warning) + $0 }
        }
        return rows.first { $0.width <= columns } ?? rows.last ?? tail
    }

    /// Returns the hint of a decision that does not accept keys yet, since the user is typing.
    static func unarmed(columns: Int) -> StyledText {
        let rows = ["this goes to your next line: pause to answer", "pause to answer"].map { StyledText($0, .dim) }
        return rows.first { $0.width <= columns } ?? StyledText("pause", .dim)
    }

    /// Returns the hint of a question that waits for the end of a paste, during which nothing answers it.
    static func withinPaste(columns: Int) -> StyledText {
        let words = [
            "a paste has not ended, and answers nothing: paste again to end it", "a paste has not ended", "paste open",
        ]
        let rows = zip(words, [" · Esc: no answer", " · Esc: no answer", " · Esc"]).map {
            StyledText($0 + $1, .warning)
        }
        return rows.first { $0.width <= columns } ?? StyledText("Esc", .warning)
    }

    /// Whether a line is read from the first character on.
    private var takesLine: Bool { if case .keys = form { false } else { true } }

    private static func row(_ letters: [Character]) -> String { letters.map(String.init).joined(separator: " ") }

    /// Returns the words for the possible actions, from the longest form to the shortest.
    private func explanations(_ isWrong: Bool, _ refused: String, isUntouched: Bool) -> [StyledText] {
        let style: Style = isWrong ? .warning : .dim
        let wrong = refused.isEmpty || !isWrong ? "" : "\"\(VisibleText.cut(refused, to: 24))\" is none of them: "
        func rows(_ what: String, _ ends: [String]) -> [StyledText] {
            [wrong, ""].flatMap { before in ends.map { StyledText(before + what, style) + StyledText($0 + " ", .dim) } }
        }
        switch form {
        case .keys(let keys, let atOnce):
            let letters = keys.filter { $0 != "/" }
            let pressed = isUntouched ? letters.filter(atOnce.contains) + ["/"] : []
            let typed = Self.row(letters.filter { !pressed.contains($0) } + (isUntouched ? [] : ["/"]))
            // Where no letter wants Enter, only those that are pressed are named.
            guard !typed.isEmpty else {
                let short = Self.row(pressed)
                return rows("press \(short)", [" · Esc: no answer", " · Esc"]) + [StyledText("\(short) ", style)]
            }
            let press = pressed.isEmpty ? "" : ", or press \(Self.row(pressed))"
            let short = "\(typed) Enter\(pressed.isEmpty ? "" : " · \(Self.row(pressed))")"
            return rows("type \(typed) and Enter\(press)", [" · Esc: no answer", " · Esc"])
                + [StyledText("\(short) · Esc ", style), StyledText("\(short) ", style)]
        case .words(let words):
            let shown = (words.filter { $0 != "/" } + ["/…"]).joined(separator: " or ")
            return rows("type \(shown) and Enter", [" · Esc: no answer", " · Esc"])
        case .pick(let hint, _):
            return rows(hint, [" · / looks · Esc leaves", " · Esc leaves", " · Esc"]) + [
                StyledText("type it · Esc ", .dim)
            ]
        case .text: return [StyledText("type it and Enter, or only Enter ", .dim), StyledText("type it, Enter ", .dim)]
        case .entry(let isLong):
            let how = isLong ? "a line with only . ends it" : "type it and Enter"
            return [StyledText(how + " · Esc: leave it ", .dim), StyledText(how + " · Esc ", .dim)]
        case .secret:
            return [
                "type it and Enter · ^T shows it · Esc leaves it ", "Enter · ^T shows it · Esc leaves it ",
                "Enter · ^T shows · Esc ",
            ]
            .map {
                StyledText($0, .dim)
            }
        }
    }
}
