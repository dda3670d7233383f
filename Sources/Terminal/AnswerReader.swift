/// A reader of the bytes that answer a question. It is pure.
struct AnswerReader {
    enum Step: Hashable {
        case answered(KeyQuestion.Answer)
        /// The bytes do not answer the question. If `isWrong`, the hint shows what would.
        case goOn(isWrong: Bool)
    }

    let form: KeyQuestion.Form
    private(set) var typed = ""
    /// Whether a single character has arrived for a question that a key answers. It is that key if nothing follows.
    private(set) var isLetterAlone = false
    /// Whether a single Esc has arrived within a paste. It leaves the question, unless it begins the end mark.
    private(set) var isEscapeAlone = false
    /// Whether a secret is shown as it is.
    private(set) var isShown = false
    /// The line that was entered last and is not an answer.
    private(set) var refused = ""
    /// The reason why the line that was entered or pasted last was refused, or nil.
    private(set) var lastFault: LineFault?
    /// The error in the line that is being typed, or in a whole long entry. While there is one, Enter does not accept
    /// it.
    private var fault: LineFault?
    private var paste = PasteBuffer(limit: TerminalLimits.entryBytes)
    /// The complete lines of a long entry.
    private var lines: [String] = []
    private var lineBytes = 0
    /// The complete lines that have not been shown yet.
    private var unshown: [String] = []

    init(_ form: KeyQuestion.Form) { self.form = form }

    /// Drops the typed characters after the terminal has changed, since they may have been meant for something else.
    /// Content stays.
    mutating func forget() { if !isContent { (typed, isLetterAlone) = ("", false) } }

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
        (lastFault, isLetterAlone, isEscapeAlone) = (nil, false, bytes == [0x1B] && paste.isOpen)
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
        case .keys(let keys): return key(TypedText.withoutSequences(bytes), keys)
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
        (lastFault, fault, isLetterAlone, isEscapeAlone) = (nil, nil, false, false)
        forget()
        return .goOn(isWrong: true)
    }

    // MARK: Content

    private var entered: String { (lines + (typed.isEmpty ? [] : [typed])).joined(separator: "\n") }

    /// Adds a paste to the content, if content is asked for. A paste never answers a question by itself.
    private mutating func take(_ pasted: PasteBuffer.Result) -> Step {
        guard isContent else { return .goOn(isWrong: true) }
        let isLong = form == .entry(isLong: true)
        switch pasted {
        case .open: return .goOn(isWrong: false)
        case .refused(let fault):
            lastFault = fault
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
        (lastFault, self.fault, typed, lines, lineBytes) = (fault, nil, "", [], 0)
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
        guard case .keys(let keys) = form, isLetterAlone, let letter = typed.first else { return .goOn(isWrong: false) }
        (isLetterAlone, typed) = (false, "")
        if let answer = Self.answer(String(letter), keys) { return .answered(answer) }
        refused = String(letter)
        return .goOn(isWrong: true)
    }

    /// Reads keys for a question that one key answers. A key that comes alone waits for what follows. Other input is a
    /// line, which Enter ends. Bytes with more than one line were pasted, and are refused.
    private mutating func key(_ bytes: [UInt8], _ keys: [Character]) -> Step {
        var text = String(decoding: bytes, as: UTF8.self)[...]
        let isEntered = text.last.map(Self.isEnter) ?? false
        if isEntered { text.removeLast() }
        guard !text.contains(where: Self.isEnter) else { return refuse() }
        let wasEmpty = typed.isEmpty
        for scalar in text.unicodeScalars { add(scalar) }
        guard isEntered else {
            isLetterAlone = wasEmpty && text.count == 1 && typed.count == 1
            return .goOn(isWrong: typed.isEmpty && !text.isEmpty)
        }
        if fault == nil, !hasHidden, let answer = Self.answer(typed, keys) {
            typed = ""
            return .answered(answer)
        }
        return refuse()
    }

    /// Whether a character is the key Enter. Other characters that end a line are not.
    private static func isEnter(_ sign: Character) -> Bool { sign == "\r" || sign == "\n" || sign == "\r\n" }

    private mutating func refuse() -> Step {
        (lastFault, fault, refused, typed) = (fault, nil, fault == nil ? typed : "", "")
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
                if answers(typed) { return .answered(.word(typed)) }
                (refused, typed) = (typed, "")
                return .goOn(isWrong: true)
            default: add(scalar)
            }
        }
        return .goOn(isWrong: false)
    }
}
