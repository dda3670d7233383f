/// A question that is answered with a key, or with a word to type. Only what is listed answers; everything else is no answer at all.
package struct KeyQuestion: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case keys([Character])
        /// One of these, exactly, and Enter.
        case words([String])
        /// Any line, an empty one included.
        case text
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
    func hint(typed: String, isWrong: Bool) -> StyledText {
        let escape = StyledText(" · Esc: no answer ", .dim)
        switch form {
        case .keys(let keys):
            let names = StyledText("press " + keys.map(String.init).joined(separator: " "), isWrong ? .warning : .dim)
            return names + escape
        case .words(let words):
            let names = StyledText("type " + words.joined(separator: " or ") + " and Enter", isWrong ? .warning : .dim)
            return names + escape + StyledText("› " + typed, .question)
        case .text: return StyledText("type it and Enter, or only Enter ", .dim) + StyledText("› " + typed, .question)
        }
    }
}

/// What the bytes that arrive mean for a question; pure.
struct AnswerReader {
    enum Step: Hashable {
        case answered(KeyQuestion.Answer)
        /// Nothing that answers; the hint shows what would.
        case goOn(isWrong: Bool)
    }

    let form: KeyQuestion.Form
    /// A key with Enter after it is that key: what speaks or writes for a person sends lines.
    let acceptsLines: Bool
    private(set) var typed = ""

    init(_ form: KeyQuestion.Form, acceptsLines: Bool = false) { (self.form, self.acceptsLines) = (form, acceptsLines) }

    mutating func forget() { typed = "" }

    /// `bytes` is all that arrived in one go: a key of its own comes alone, so that more than one character is a paste or a sequence, not a keystroke.
    mutating func receive(_ bytes: [UInt8]) -> Step {
        switch bytes {
        case []: return .answered(.none(.endOfInput))
        case [0x1B]: return .answered(.none(.escape))
        default: break
        }
        if bytes.contains(0x03) { return .answered(.none(.interrupt)) }
        if bytes.contains(0x04) { return .answered(.none(.endOfInput)) }
        if bytes.first == 0x1B { return .goOn(isWrong: true) }
        switch form {
        case .keys(let keys): return key(bytes, keys)
        case .words(let words):
            return line(bytes) { typed in words.contains { !$0.isEmpty && $0.unicodeScalars.elementsEqual(typed.unicodeScalars) } }
        case .text: return line(bytes) { _ in true }
        }
    }

    private func key(_ bytes: [UInt8], _ keys: [Character]) -> Step {
        var bytes = bytes[...]
        if acceptsLines {
            if bytes.last == 0x0A { bytes.removeLast() }
            if bytes.last == 0x0D { bytes.removeLast() }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.count == 1, let key = text.first, keys.contains(key) else { return .goOn(isWrong: true) }
        return .answered(.key(key))
    }

    private mutating func line(_ bytes: [UInt8], answers: (String) -> Bool) -> Step {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\r", "\n":
                if answers(typed) { return .answered(.word(typed)) }
                typed = ""
                return .goOn(isWrong: true)
            case "\u{7F}", "\u{8}": if !typed.isEmpty { typed.removeLast() }
            case "\u{15}": typed = ""
            default: if !VisibleText.isHidden(scalar), typed.utf8.count < 1024 { typed.unicodeScalars.append(scalar) }
            }
        }
        return .goOn(isWrong: false)
    }
}
