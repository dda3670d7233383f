/// A reader of the bytes that answer a question. It is pure.
struct AnswerReader {
    enum Step: Hashable {
        case answered(KeyQuestion.Answer)
        /// The bytes do not answer the question. If `isWrong`, the hint shows what would.
        case goOn(isWrong: Bool)
    }

    /// The reason why a line at a decision was not typed as its answer.
    enum Doubt: Hashable {
        /// The line was being typed when the question appeared.
        case begunBefore
        /// A paste came while the line was typed.
        case hasPaste

        /// The end of a sentence about the line.
        var words: String {
            switch self {
            case .begunBefore: "was begun before the question"
            case .hasPaste: "has a paste in it"
            }
        }
    }

    let form: KeyQuestion.Form
    private(set) var typed = ""
    /// Whether the first key at the question is a letter that acts at once. It does if nothing follows it.
    private(set) var isLetterAlone = false
    /// Whether no character has been typed since the question was put.
    private(set) var isUntouched = true
    /// The reason why the line that is being typed lets nothing happen, or nil. It holds until Enter ends the line.
    private var doubt: Doubt?
    /// The characters that ended a line which was begun before the question.
    private var begun = ""
    /// Whether a single Esc has arrived within a paste. It leaves the question, unless it begins the end mark.
    private(set) var isEscapeAlone = false
    /// Whether a secret is shown as it is.
    private(set) var isShown = false
    /// The line that was entered last and is not an answer.
    private(set) var refused = ""
    /// The reason why the line that was entered or pasted last was refused, as the end of a sentence about it, or nil.
    private(set) var refusal: String?
    /// The error in the line that is being typed, or in a whole long entry. While there is one, Enter does not accept
    /// it.
    private var fault: LineFault?
    private var paste = PasteBuffer(limit: TerminalLimits.entryBytes)
    /// The complete lines of a long entry.
    private var lines: [String] = []
    private var lineBytes = 0
    /// The complete lines that have not been shown yet.
    private var unshown: [String] = []

    /// - Parameter text: the text with which a long entry begins. Its lines are complete.
    init(_ form: KeyQuestion.Form, beginningWith text: String = "") {
        self.form = form
        guard case .entry(isLong: true) = form, !text.isEmpty else { return }
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        (lineBytes, unshown) = (text.utf8.count + 1, lines)
    }

    /// Makes the line that is being typed let nothing happen, since a part of it was not typed at the question.
    mutating func doubt(_ reason: Doubt) {
        guard form.isDecision else { return }
        (doubt, isLetterAlone) = (doubt ?? reason, false)
    }

    /// Makes a letter wait for Enter after the terminal has changed, since its key may have been on its way before.
    mutating func holdLetter() { isLetterAlone = false }

    /// Returns the characters that ended a line which was begun before the question, and forgets them.
    mutating func takeBegun() -> String {
        defer { begun = "" }
        return begun
    }

    private var isContent: Bool {
        switch form {
        case .entry, .secret: true
        case .keys, .words, .pick, .text: false
        }
    }

    /// Returns the lines that were completed since the last call.
    mutating func takeLines() -> [String] {
        defer { unshown = [] }
        return unshown
    }

    /// Reads the bytes that arrived at once. A key comes alone, so more than one character is a paste or a sequence.
    mutating func receive(_ bytes: [UInt8]) -> Step {
        (refusal, isLetterAlone, isEscapeAlone) = (nil, false, bytes == [0x1B] && paste.isOpen)
        switch bytes {
        case []: return .answered(.none(.endOfInput))
        // While a paste is open, Esc may begin its end mark.
        case [0x1B] where !paste.isOpen: return .answered(.none(.escape))
        case [0x03]: return .answered(.none(.interrupt))
        // NUL is not a key here. Among other bytes, it would be content.
        case [0x00]: return .goOn(isWrong: true)
        case [0x14] where form == .secret:
            isShown.toggle()
            return .goOn(isWrong: false)
        default: break
        }
        if paste.isOpen || PasteBuffer.begins(bytes) { return take(paste.feed(bytes)) }
        if bytes.contains(0x03) { return .answered(.none(.interrupt)) }
        if case .entry(isLong: true) = form, bytes == [0x04], !lines.isEmpty || !typed.isEmpty { return end() }
        if bytes.contains(0x04) { return .answered(.none(.endOfInput)) }
        if bytes.first == 0x1B { return .goOn(isWrong: true) }
        switch form {
        case .keys(let keys, let atOnce): return key(TypedText.withoutSequences(bytes), keys, atOnce)
        case .words(let words):
            return line(bytes) { typed in
                words.contains { !$0.isEmpty && $0.unicodeScalars.elementsEqual(typed.unicodeScalars) }
            }
        case .pick(_, let takesEmpty): return line(bytes) { takesEmpty || !$0.allSatisfy(\.isWhitespace) }
        case .text, .secret, .entry(isLong: false): return line(bytes) { _ in true }
        case .entry(isLong: true): return long(bytes)
        }
    }

    /// Refuses a paste as an answer. A letter before it no longer counts as a letter alone.
    mutating func refusePaste() -> Step {
        (refusal, fault, isLetterAlone, isEscapeAlone) = (nil, nil, false, false)
        if !typed.isEmpty { doubt(.hasPaste) }
        return .goOn(isWrong: true)
    }

    // MARK: Content

    /// The text of a long entry so far.
    var entered: String { (lines + (typed.isEmpty ? [] : [typed])).joined(separator: "\n") }

    /// Adds a paste to the content, if content is asked for. A paste never answers a question by itself.
    private mutating func take(_ pasted: PasteBuffer.Result) -> Step {
        guard isContent else { return .goOn(isWrong: true) }
        let isLong = form == .entry(isLong: true)
        switch pasted {
        case .open: return .goOn(isWrong: false)
        case .refused(let fault):
            refusal = fault.words
            return .goOn(isWrong: true)
        case .text(let text):
            for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                // An entry of one line keeps all pasted text, with spaces in place of newlines.
                if index > 0, isLong { complete() }
                if index > 0, !isLong, !part.isEmpty { add(" ") }
                for scalar in part.unicodeScalars { add(scalar) }
            }
            return .goOn(isWrong: false)
        }
    }

    private mutating func long(_ bytes: [UInt8]) -> Step {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard scalar == "\r" || scalar == "\n" else {
                add(scalar)
                continue
            }
            if typed == "." || typed.isEmpty && lines.isEmpty && fault == nil {
                typed = ""
                return end()
            }
            complete()
        }
        return .goOn(isWrong: false)
    }

    /// Ends a long entry. If it has an error, all of it is dropped, and the entry starts again.
    private mutating func end() -> Step {
        guard let fault else { return .answered(.word(entered)) }
        (refusal, self.fault, typed, lines, lineBytes) = (fault.words, nil, "", [], 0)
        return .goOn(isWrong: true)
    }

    private mutating func complete() {
        defer { typed = "" }
        lineBytes += typed.utf8.count + 1
        if lineBytes > TerminalLimits.entryBytes { fault = fault ?? .tooLong(limit: TerminalLimits.entryBytes) }
        guard fault == nil else { return }
        lines.append(typed)
        unshown.append(typed)
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        isUntouched = false
        switch scalar {
        case "\u{7F}", "\u{8}": if !typed.isEmpty { typed.removeLast() }
        case "\u{15}":
            typed = ""
            if case .entry(isLong: true) = form {} else { fault = nil }
        case "\0": fault = .hasNUL
        default:
            guard isTaken(scalar) else { return }
            let limit = isContent ? TerminalLimits.entryBytes : TerminalLimits.wordBytes
            if typed.utf8.count + UTF8.width(scalar) + lineBytes > limit { fault = fault ?? .tooLong(limit: limit) }
            // Of a dropped line, two bytes are kept, so that the end of a long entry, a line with only a full stop, is
            // recognised.
            if fault == nil || typed.utf8.count < 2 { typed.unicodeScalars.append(scalar) }
        }
    }

    private func isTaken(_ scalar: Unicode.Scalar) -> Bool {
        // An invisible character beside the letter of an answer makes it another text. The hint shows it in a visible
        // form.
        if form.isDecision { return true }
        // Content may hold it, since it is shown in visible forms only.
        return isContent
            ? scalar == "\t" || scalar.properties.generalCategory != .control : !VisibleText.isHidden(scalar)
    }

    /// Whether an invisible character was typed.
    private var hasHidden: Bool { typed.unicodeScalars.contains { VisibleText.isHidden($0) } }

    // MARK: Keys and lines

    /// Returns the meaning of a letter or an Esc that arrived alone, once nothing has followed it.
    mutating func settle() -> Step {
        if isEscapeAlone { return .answered(.none(.escape)) }
        guard case .keys(let keys, _) = form, isLetterAlone, let answer = Self.answer(typed, keys) else {
            return .goOn(isWrong: false)
        }
        (isLetterAlone, typed) = (false, "")
        return .answered(answer)
    }

    /// Reads a line for a question that one letter answers. Only a letter that lets nothing happen may come without
    /// Enter, as the first key, and it waits for what follows. Bytes with more than one line were pasted, and are
    /// refused.
    private mutating func key(_ bytes: [UInt8], _ keys: [Character], _ atOnce: Set<Character>) -> Step {
        var text = String(decoding: bytes, as: UTF8.self)[...]
        let isEntered = text.last.map(Self.isEnter) ?? false
        if isEntered { text.removeLast() }
        guard !text.contains(where: Self.isEnter) else { return refuse() }
        let isFirst = isUntouched
        for scalar in text.unicodeScalars { add(scalar) }
        guard isEntered else {
            let isAtOnce = typed == "/" || typed.count == 1 && typed.first.map(atOnce.contains) ?? false
            isLetterAlone = isFirst && isAtOnce && Self.answer(typed, keys) != nil
            return .goOn(isWrong: !text.isEmpty && !mayBecomeAnswer(keys))
        }
        guard fault == nil, !hasHidden, let answer = Self.answer(typed, keys) else { return refuse() }
        if case .key(let letter) = answer, doubt != nil, !atOnce.contains(letter) { return refuse() }
        typed = ""
        return .answered(answer)
    }

    /// Whether the typed characters are the beginning of an answer.
    private func mayBecomeAnswer(_ keys: [Character]) -> Bool {
        let answers = keys.map(String.init) + ["yes", "no"]
        return !typed.isEmpty && (typed.hasPrefix("/") || answers.contains { $0.utf8.starts(with: typed.utf8) })
    }

    /// Whether a character is the key Enter. Other characters that end a line are not.
    private static func isEnter(_ sign: Character) -> Bool { sign == "\r" || sign == "\n" || sign == "\r\n" }

    private mutating func refuse() -> Step {
        refusal = fault?.words ?? doubt?.words
        if fault == nil, doubt == .begunBefore { begun = typed }
        (refused, fault, doubt, typed) = (refusal == nil ? typed : "", nil, nil, "")
        return .goOn(isWrong: true)
    }

    private static func answer(_ line: String, _ keys: [Character]) -> KeyQuestion.Answer? {
        if line.hasPrefix("/") { return .verb(line) }
        // Only the letter itself answers, not a character that Unicode treats as equal to it.
        guard line.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let letter: Character? = line.count == 1 ? line.first : line == "yes" ? "y" : line == "no" ? "n" : nil
        return letter.flatMap { keys.contains($0) ? .key($0) : nil }
    }

    private mutating func line(_ bytes: [UInt8], answers: (String) -> Bool) -> Step {
        let bytes = isContent ? bytes : TypedText.withoutSequences(bytes)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\r", "\n":
                if fault != nil || form.isDecision && hasHidden { return refuse() }
                if form.isDecision, typed.hasPrefix("/") {
                    defer { typed = "" }
                    return .answered(.verb(typed))
                }
                let isDoubted = doubt != nil && typed != "no" && typed != "details"
                guard !isDoubted, answers(typed) else { return refuse() }
                return .answered(.word(typed))
            default: add(scalar)
            }
        }
        return .goOn(isWrong: false)
    }
}
