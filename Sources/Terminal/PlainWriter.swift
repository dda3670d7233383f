import Glibc

/// The state of the output of a plain screen, as far as the next piece depends on it.
///
/// Written text cannot be erased. So the prompt is shown only when all output about the line before is written. Output
/// that comes while it stands begins on a row of its own, below the half typed line, and the prompt is shown again
/// after it.
struct PlainWriter: Sendable {
    private let input: Int32
    private let output: Int32
    /// The prompt, or nil if no person types.
    private var prompt: String?
    private var isPromptShown = false
    /// Whether the line that was entered has been dealt with.
    private var isInviting = false
    private var isBusy = false
    /// Whether a question is shown. News wait for its answer.
    private var isAsking = false
    /// Whether an entered line is being read from the kernel, so that a prompt would come too late for it.
    private var isReading = false
    private var isMidLine = false
    private var isStreaming = false
    /// A CR at the end of a piece, which is held back since the next piece may begin with its LF.
    private var held = ""
    private var waiting: [String] = []
    /// Whether streamed text stands behind a gutter. It does if a person reads, who might take it for a question of
    /// ours.
    private let hasGutter: Bool
    /// The cells of the streamed row so far, including the gutter.
    private var column = 0

    init(input: Int32, output: Int32, prompt: String?, hasGutter: Bool = false) {
        (self.input, self.output, self.prompt, self.hasGutter) = (input, output, prompt, hasGutter)
    }

    // MARK: - Text

    mutating func write(lines: [String]) {
        guard !lines.isEmpty else { return }
        // An incomplete streamed line must not be split.
        if isMidLine || isAsking { return waiting += lines }
        leavePrompt()
        put(lines.map { $0 + "\n" }.joined())
        showPrompt()
    }

    mutating func write(piece: String) {
        isStreaming = true
        var text = held + piece
        held = ""
        if text.unicodeScalars.last == "\r" {
            text.unicodeScalars.removeLast()
            held = "\r"
        }
        guard !text.isEmpty else { return }
        leavePrompt()
        let scalars = text.unicodeScalars
        let rest = scalars.lastIndex(of: "\n").map { scalars.index(after: $0) } ?? scalars.startIndex
        if rest > scalars.startIndex {
            put(streamed(VisibleText.multiline(String(scalars[..<rest]))))
            writeWaiting()
            isMidLine = false
        }
        if rest < scalars.endIndex {
            put(streamed(VisibleText.line(String(scalars[rest...]))))
            isMidLine = true
        }
    }

    /// Returns text with the gutter in front of each row. A row that would go over the margin is ended before it: if
    /// the terminal broke it, its rest would have no gutter.
    private mutating func streamed(_ text: String) -> String {
        guard hasGutter else { return text }
        let columns = TerminalSize(of: output).columns
        var (out, column) = ("", isMidLine ? self.column : 0)
        for character in text {
            if character == "\n" {
                out += column == 0 ? Gutter.sign + "\n" : "\n"
                column = 0
                continue
            }
            let width = DisplayWidth.most(of: character)
            if column > Gutter.cells, column + width > columns {
                out += "\n"
                column = 0
            }
            if column == 0 {
                out += Gutter.sign
                column = Gutter.cells
            }
            out.append(character)
            column += width
        }
        self.column = column
        return out
    }

    mutating func endStream() {
        if !held.isEmpty { put(streamed(VisibleText.line(held))) }
        if isMidLine || !held.isEmpty { put("\n") }
        (isMidLine, isStreaming, held) = (false, false, "")
        writeWaiting()
        showPrompt()
    }

    /// Ends the output, so that the next program's output begins on a row of its own.
    mutating func finish() {
        isInviting = false
        endStream()
        leavePrompt()
    }

    // MARK: - The prompt

    mutating func change(prompt new: String) { if prompt != nil { prompt = new } }

    mutating func change(isBusy new: Bool) {
        isBusy = new
        showPrompt()
    }

    mutating func invite() {
        isInviting = true
        showPrompt()
    }

    private mutating func showPrompt() {
        guard let prompt, isInviting, !isPromptShown, !isBusy, !isAsking, !isStreaming, !isReading, !hasUnreadLine
        else { return }
        put(prompt)
        isPromptShown = true
    }

    private mutating func leavePrompt() {
        if isPromptShown { put("\n") }
        isPromptShown = false
    }

    /// Whether an entered line was not read yet. The kernel hands a line over only once it is entered, and its newline
    /// is then on the screen.
    private var hasUnreadLine: Bool {
        var count: Int32 = 0
        return ioctl(input, UInt(FIONREAD), &count) == 0 && count > 0
    }

    // MARK: - What the reader says

    mutating func beginReading() { isReading = true }

    /// Ends the reading of a line.
    ///
    /// - Parameter hasEntered: whether Enter was pressed, so that the terminal has begun a new row.
    mutating func endReading(hasEntered: Bool) {
        isReading = false
        if hasEntered { (isPromptShown, isInviting) = (false, false) }
        showPrompt()
    }

    /// Continues after Ctrl-C on a new row, since the terminal has written `^C`.
    mutating func interrupted() {
        put("\n")
        (isPromptShown, isMidLine) = (false, false)
        writeWaiting()
    }

    mutating func beginQuestion() {
        leavePrompt()
        if isMidLine { put("\n") }
        (isMidLine, isAsking) = (false, true)
    }

    mutating func endQuestion() {
        isAsking = false
        writeWaiting()
        showPrompt()
    }

    private mutating func writeWaiting() {
        guard !isAsking else { return }
        put(waiting.map { $0 + "\n" }.joined())
        waiting = []
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        if output == STDOUT_FILENO { StandardOutput.write(bytes) } else { _ = writeAll(bytes, to: output) }
    }
}
