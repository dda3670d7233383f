import Glibc

/// The state of the output of a plain screen, as far as the next piece depends on it.
///
/// Written text cannot be erased. So the prompt is shown only when all output about the line before is written. Output
/// that comes while it stands begins on a row of its own, below the half typed line, and the prompt is shown again
/// after it.
struct PlainWriter: Sendable {
    /// The states of the prompt.
    private enum Prompt {
        /// The line that was entered has not been dealt with.
        case none
        /// The next line may be entered. The prompt is shown once nothing prevents it.
        case due
        /// The prompt is on the screen, and the user's half typed line may follow it.
        case shown
    }

    /// The use of the input by the reading thread, which does one thing at a time.
    private enum Reader {
        case idle
        /// An entered line is being read from the kernel, so that a prompt would come too late for it.
        case reading
        /// A question is shown, or another program has the terminal. News wait until that ends. A prompt was left
        /// before it began, and can only be due meanwhile.
        case asking
    }

    /// The states of streamed text.
    private enum Stream: Equatable {
        case none
        /// A stream is open, and its next piece begins a row.
        case betweenRows
        /// A stream has begun a row of `column` cells, including the gutter. Without a gutter, cells are not counted.
        case inRow(column: Int)
    }

    private let input: Int32
    private let output: Int32
    /// The text of the prompt, or nil if no person types.
    private var promptText: String?
    private var prompt = Prompt.none
    private var reader = Reader.idle
    private var stream = Stream.none
    /// Whether the chat is at work. Other threads set this at any time, so all other states occur with it.
    private var isBusy = false
    /// A CR at the end of a piece, which is held back since the next piece may begin with its LF.
    private var held = ""
    private var waiting: [String] = []
    /// Whether streamed text stands behind a gutter. It does if a person reads, who might take it for a question of
    /// ours.
    private let hasGutter: Bool

    init(input: Int32, output: Int32, prompt: String?, hasGutter: Bool = false) {
        (self.input, self.output, promptText, self.hasGutter) = (input, output, prompt, hasGutter)
    }

    // MARK: - Text

    mutating func write(lines: [String]) {
        guard !lines.isEmpty else { return }
        // An incomplete streamed line must not be split.
        if isInRow || reader == .asking { return waiting += lines }
        leavePrompt()
        put(lines.map { $0 + "\n" }.joined())
        showPrompt()
    }

    /// Rings the bell, which takes no cell, so it may come within a line.
    mutating func ring() { put("\u{07}") }

    mutating func write(piece: String) {
        if stream == .none { stream = .betweenRows }
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
            put(streamed(VisibleText.multiline(String(scalars[..<rest]))).text)
            writeWaiting()
            stream = .betweenRows
        }
        if rest < scalars.endIndex {
            let row = streamed(VisibleText.line(String(scalars[rest...])))
            put(row.text)
            stream = .inRow(column: row.column)
        }
    }

    private var isInRow: Bool { if case .inRow = stream { true } else { false } }

    /// Returns text with the gutter in front of each row, and the cells of its last row. A row that would go over the
    /// margin is ended before it, between words where the text has them: if the terminal broke it, its rest would have
    /// no gutter.
    private func streamed(_ text: String) -> (text: String, column: Int) {
        guard hasGutter else { return (text, 0) }
        let columns = TerminalSize(of: output).columns
        var (out, column) = ("", 0)
        if case .inRow(let begun) = stream { column = begun }
        var beginsWord = column == 0
        for place in text.indices {
            let character = text[place]
            if character == "\n" {
                out += column == 0 ? Gutter.sign + "\n" : "\n"
                (column, beginsWord) = (0, true)
                continue
            }
            let width = DisplayWidth.most(of: character)
            let word = beginsWord ? Self.cells(ofWordIn: text[place...], atMost: columns) : 0
            let need = Gutter.cells + word <= columns ? max(word, width) : width
            beginsWord = character == " "
            if column > Gutter.cells, column + need > columns {
                out += "\n"
                column = 0
                // The end of the row stands for the space.
                if beginsWord { continue }
            }
            if column == 0 {
                out += Gutter.sign
                column = Gutter.cells
            }
            out.append(character)
            column += width
        }
        return (out, column)
    }

    /// Returns the cells of the word with which a text begins, of which no more than `most` are counted.
    private static func cells(ofWordIn text: Substring, atMost most: Int) -> Int {
        var cells = 0
        for character in text {
            guard character != " ", character != "\n", cells <= most else { break }
            cells += DisplayWidth.most(of: character)
        }
        return cells
    }

    mutating func endStream() {
        if !held.isEmpty { put(streamed(VisibleText.line(held)).text) }
        if isInRow || !held.isEmpty { put("\n") }
        (stream, held) = (.none, "")
        writeWaiting()
        showPrompt()
    }

    /// Ends the output, so that the next program's output begins on a row of its own.
    mutating func finish() {
        if prompt == .due { prompt = .none }
        endStream()
        leavePrompt()
        prompt = .none
    }

    // MARK: - The prompt

    mutating func change(prompt new: String) { if promptText != nil { promptText = new } }

    mutating func change(isBusy new: Bool) {
        isBusy = new
        showPrompt()
    }

    mutating func invite() {
        if prompt == .none { prompt = .due }
        showPrompt()
    }

    private mutating func showPrompt() {
        guard let promptText, prompt == .due, !isBusy, reader == .idle, stream == .none, !hasUnreadLine else { return }
        put(promptText)
        prompt = .shown
    }

    private mutating func leavePrompt() {
        guard prompt == .shown else { return }
        put("\n")
        prompt = .due
    }

    /// Whether an entered line was not read yet. The kernel hands a line over only once it is entered, and its newline
    /// is then on the screen.
    private var hasUnreadLine: Bool {
        var count: Int32 = 0
        return ioctl(input, UInt(FIONREAD), &count) == 0 && count > 0
    }

    // MARK: - What the reader says

    mutating func beginReading() { reader = .reading }

    /// Ends the reading of a line.
    ///
    /// - Parameter hasEntered: whether Enter was pressed, so that the terminal has begun a new row.
    mutating func endReading(hasEntered: Bool) {
        reader = .idle
        if hasEntered { prompt = .none }
        showPrompt()
    }

    /// Continues after Ctrl-C on a new row, since the terminal has written `^C`.
    mutating func interrupted() {
        put("\n")
        if prompt == .shown { prompt = .due }
        endRow()
        writeWaiting()
    }

    mutating func beginQuestion() {
        leavePrompt()
        if isInRow { put("\n") }
        endRow()
        reader = .asking
    }

    mutating func endQuestion() {
        reader = .idle
        writeWaiting()
        showPrompt()
    }

    /// Records that the row of a stream has ended, and that its next piece begins another.
    private mutating func endRow() { if isInRow { stream = .betweenRows } }

    private mutating func writeWaiting() {
        guard reader != .asking else { return }
        put(waiting.map { $0 + "\n" }.joined())
        waiting = []
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        if output == STDOUT_FILENO { StandardOutput.write(bytes) } else { _ = writeAll(bytes, to: output) }
    }
}
