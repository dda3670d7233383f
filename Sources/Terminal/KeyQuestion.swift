/// A question that is answered with a key, or with a word to type. Only what is listed answers; everything else is no answer at all.
package struct KeyQuestion: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case keys([Character])
        /// One of these, exactly, and Enter. `/` stands for every line that begins with it.
        case words([String])
        /// Any line, an empty one included.
        case text
        /// Content of the person's: a line, or, if it may be long, all lines up to one with nothing but a full stop. What is pasted is taken
        /// as it is. An empty first line is the empty text.
        case entry(isLong: Bool)
        /// A key: a line, typed or pasted, of which only the length is shown until ^T shows it.
        case secret
    }

    package enum Answer: Hashable, Sendable {
        case key(Character)
        case word(String)
        case none(Reason)
    }

    /// Why there is no answer. None of these is a yes.
    package enum Reason: Hashable, Sendable {
        case escape, interrupt, endOfInput, timeout
        /// The asking task was cancelled: somebody else has answered, or the call is gone.
        case withdrawn
        /// Nobody can be asked here: it is not a terminal.
        case noTerminal
    }

    /// What is painted, the choices included.
    package var lines: [StyledText]
    package var form: Form
    /// How long keys are thrown away after the question was painted.
    package var armingMilliseconds: Int32
    package var timeoutMilliseconds: Int64?

    package init(_ lines: [StyledText], _ form: Form, armingMilliseconds: Int32 = 250, timeoutMilliseconds: Int64? = nil) {
        (self.lines, self.form) = (lines, form)
        (self.armingMilliseconds, self.timeoutMilliseconds) = (armingMilliseconds, timeoutMilliseconds)
    }

    /// The row below the question.
    ///
    /// - Parameters:
    ///   - refused: the line that was entered last, if it was none of the words.
    ///   - fault: the reason why what was entered or pasted last was not taken.
    ///   - isShown: whether a secret is shown as it is.
    func hint(typed: String, isWrong: Bool, refused: String = "", fault: LineFault? = nil, isShown: Bool = false) -> StyledText {
        let isHidden = form == .secret && !isShown
        let hint = hint(isHidden ? String(repeating: "•", count: min(typed.count, 24)) : typed, isWrong, refused)
        guard let fault else { return hint }
        return StyledText("not taken, since it \(fault.words) · ", .warning) + hint
    }

    private func hint(_ typed: String, _ isWrong: Bool, _ refused: String) -> StyledText {
        let escape = StyledText(" · Esc: no answer ", .dim)
        switch form {
        case .keys(let keys):
            let names = StyledText("press " + keys.map(String.init).joined(separator: " "), isWrong ? .warning : .dim)
            return names + escape
        case .words(let words):
            let before = refused.isEmpty ? "" : "\"\(VisibleText.cut(refused, to: 24))\" is none of them: "
            let shown = words.map { $0 == "/" ? "/…" : $0 }.joined(separator: " or ")
            let names = StyledText(before + "type \(shown) and Enter", isWrong ? .warning : .dim)
            return names + escape + StyledText("› " + typed, .question)
        case .text: return StyledText("type it and Enter, or only Enter ", .dim) + StyledText("› " + typed, .question)
        case .entry(let isLong):
            let how = isLong ? "a line with only . ends it" : "type it and Enter"
            return StyledText(how + " · Esc: leave it ", .dim) + StyledText("› " + typed, .question)
        case .secret:
            return StyledText("type it and Enter · ^T shows it · Esc leaves it ", .dim) + StyledText("› " + typed, .question)
        }
    }
}
