/// A question that is answered with a key, or with a word to type. Only what is listed answers; everything else is no answer at all.
package struct KeyQuestion: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case keys([Character])
        /// One of these, exactly, and Enter.
        case words([String])
        /// Any line, an empty one included.
        case text
        /// Content of the person's: a line, or, if it may be long, all lines up to one with nothing but a full stop. What is pasted is taken
        /// as it is. An empty first line is the empty text.
        case entry(isLong: Bool)
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
    /// - Parameter refused: the line that was entered last, if it was none of the words.
    func hint(typed: String, isWrong: Bool, refused: String = "") -> StyledText {
        let escape = StyledText(" · Esc: no answer ", .dim)
        switch form {
        case .keys(let keys):
            let names = StyledText("press " + keys.map(String.init).joined(separator: " "), isWrong ? .warning : .dim)
            return names + escape
        case .words(let words):
            let before = refused.isEmpty ? "" : "\"\(VisibleText.cut(refused, to: 24))\" is none of them: "
            let names = StyledText(before + "type " + words.joined(separator: " or ") + " and Enter", isWrong ? .warning : .dim)
            return names + escape + StyledText("› " + typed, .question)
        case .text: return StyledText("type it and Enter, or only Enter ", .dim) + StyledText("› " + typed, .question)
        case .entry(let isLong):
            let how = isLong ? "a line with only . ends it" : "type it and Enter"
            return StyledText(how + " · Esc: leave it ", .dim) + StyledText("› " + typed, .question)
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
    /// What was entered last and was no answer.
    private(set) var refused = ""
    /// Lines that are complete, of a long entry.
    private var lines: [String] = []
    private var lineBytes = 0
    /// Those of them that have not been shown yet.
    private var unshown: [String] = []

    init(_ form: KeyQuestion.Form, acceptsLines: Bool = false) { (self.form, self.acceptsLines) = (form, acceptsLines) }

    /// What was typed before the terminal changed, since it may have been meant for something else; content stays.
    mutating func forget() { if case .entry = form {} else { typed = "" } }

    /// Lines that were completed since this was asked last.
    mutating func takeLines() -> [String] {
        defer { unshown = [] }
        return unshown
    }

    /// `bytes` is all that arrived in one go: a key of its own comes alone, so that more than one character is a paste or a sequence, not a keystroke.
    mutating func receive(_ bytes: [UInt8]) -> Step {
        switch bytes {
        case []: return .answered(.none(.endOfInput))
        case [0x1B]: return .answered(.none(.escape))
        default: break
        }
        if case .entry(let isLong) = form, let pasted = Self.pasted(bytes) { return take(pasted, isLong) }
        if bytes.contains(0x03) { return .answered(.none(.interrupt)) }
        if case .entry(isLong: true) = form, bytes == [0x04], !lines.isEmpty || !typed.isEmpty { return .answered(.word(entered)) }
        if bytes.contains(0x04) { return .answered(.none(.endOfInput)) }
        if bytes.first == 0x1B { return .goOn(isWrong: true) }
        switch form {
        case .keys(let keys): return key(bytes, keys)
        case .words(let words):
            return line(bytes) { typed in words.contains { !$0.isEmpty && $0.unicodeScalars.elementsEqual(typed.unicodeScalars) } }
        case .text, .entry(isLong: false): return line(bytes) { _ in true }
        case .entry(isLong: true): return long(bytes)
        }
    }

    // MARK: Content

    private var entered: String { (lines + (typed.isEmpty ? [] : [typed])).joined(separator: "\n") }

    /// What stands between the marks of a bracketed paste.
    private static func pasted(_ bytes: [UInt8]) -> String? {
        let (begin, end) = (Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8))
        guard bytes.starts(with: begin) else { return nil }
        var content = bytes.dropFirst(begin.count)
        if let place = content.indices.last(where: { content[$0] == 0x1B }), content[place...].starts(with: end) {
            content = content[..<place]
        }
        return String(decoding: content, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    /// A paste answers nothing by itself.
    private mutating func take(_ pasted: String, _ isLong: Bool) -> Step {
        let parts = pasted.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index > 0 {
                guard isLong else { break }
                complete()
            }
            for scalar in part.unicodeScalars { add(scalar) }
        }
        return .goOn(isWrong: false)
    }

    private mutating func long(_ bytes: [UInt8]) -> Step {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard scalar == "\r" || scalar == "\n" else {
                add(scalar)
                continue
            }
            if typed == "." || typed.isEmpty && lines.isEmpty {
                typed = ""
                return .answered(.word(entered))
            }
            complete()
        }
        return .goOn(isWrong: false)
    }

    private mutating func complete() {
        // Beyond what is taken only the end is heard.
        guard lineBytes < TerminalLimits.entryBytes else { return typed = "" }
        lines.append(typed)
        lineBytes += typed.utf8.count + 1
        unshown.append(typed)
        typed = ""
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\u{7F}", "\u{8}": if !typed.isEmpty { typed.removeLast() }
        case "\u{15}": typed = ""
        default:
            let isAllowed: Bool
            let limit: Int
            if case .entry = form {
                // Whatever it is, it is shown in visible forms only.
                isAllowed = scalar == "\t" || scalar.properties.generalCategory != .control
                limit = TerminalLimits.entryBytes
            } else {
                isAllowed = !VisibleText.isHidden(scalar)
                limit = 1024
            }
            if isAllowed, typed.isEmpty || typed.utf8.count + lineBytes < limit { typed.unicodeScalars.append(scalar) }
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
                (refused, typed) = (typed, "")
                return .goOn(isWrong: true)
            default: add(scalar)
            }
        }
        return .goOn(isWrong: false)
    }
}
