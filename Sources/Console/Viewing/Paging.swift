import Actions
import Synchronization
import Terminal
import Vocabulary

extension Limits {
    /// The lines of a text that are shown if there is no pager, such as in a chat that reads from a pipe.
    fileprivate static let viewedLines = 200

    /// The bytes of a text that are shown, about, if there is no pager.
    fileprivate static let viewedBytes = 256 << 10

    /// The most bytes of a line that are shown if there is no pager. A longer line is cut.
    fileprivate static let viewedLineBytes = 16 << 10
}

/// A view of a text that may be longer than the screen: on the screen if it fits, else in the user's pager, else cut.
struct Paging {
    let context: CommandContext
    let output: Output
    /// The words by which the rest can be asked for, as they are typed.
    let target: String

    private var screen: any Screen { output.screen }
    /// The rows that fit above the prompt and the line with the position.
    private var room: Int { max(1, screen.rows - 3) }
    private var canPage: Bool { screen.capabilities.isTerminal && !screen.capabilities.isPlain }

    // MARK: A text

    /// Shows a text, page by page if it is longer than the screen.
    ///
    /// - Parameters:
    ///   - first: the number of the first line of the stream.
    ///   - hasEnd: whether the stream goes on to the end of the text.
    func show(_ stream: TextStream, from first: Int = 1, hasEnd: Bool = true) async throws(Failure) {
        var stream = stream
        var (head, lines, rows) = ([UInt8](), [String](), 0)
        while rows <= room, let block = try stream.next() {
            head += block
            lines = Self.lines(of: head)
            // Not all lines of a block are looked at: one more than fit tells enough.
            rows = lines.prefix(room + 1).reduce(0) { $0 + self.rows(of: $1) }
        }
        guard rows > room else { return screen.show(lines.flatMap(drawn)) }
        if canPage, await page(TextPage(head, stream)) { return }
        // What is written line by line waits for the terminal, so that memory does not grow.
        if !output.isChat, screen.capabilities.isTerminal, screen.capabilities.isPlain {
            return try showAll(head, stream)
        }
        try showBeginning(head, stream, from: first, hasEnd)
    }

    /// Shows the whole text, since a terminal keeps the lines that have left it at its top.
    private func showAll(_ head: [UInt8], _ stream: TextStream) throws(Failure) {
        var stream = stream
        screen.show(Self.lines(of: head).flatMap(drawn))
        while let block = try stream.next() { screen.show(Self.lines(of: block).flatMap(drawn)) }
    }

    /// Shows at most `Limits.viewedLines` lines. A last line that is not complete is shown in part, and counts as left
    /// out.
    private func showBeginning(_ head: [UInt8], _ stream: TextStream, from first: Int, _ hasEnd: Bool) throws(Failure) {
        var (stream, text) = (stream, head)
        func newlines() -> Int { text.count { $0 == 0x0A } }
        while newlines() <= Limits.viewedLines, text.count < Limits.viewedBytes, let block = try stream.next() {
            text += block
        }
        let isCut = text.last != 0x0A
        let lines = Self.lines(of: text)
        let shown = lines.prefix(Limits.viewedLines)
        let following = try stream.countLines()
        // What follows of a line that is cut is counted with it.
        let isPartial = isCut && following > 0
        let whole = shown.count - (isPartial && shown.count == lines.count ? 1 : 0)
        let rest = lines.count - whole + following - (isPartial ? 1 : 0)
        let next = first + whole
        let remainder = Remainder(
            next..<next + max(0, rest), of: hasEnd ? next + rest - 1 : .max, "more line", "view \(target)")
        screen.show(shown.flatMap { drawn(Self.cut($0)) } + remainder.lines(columns: output.columns, indent: 0))
    }

    /// Cuts a line that is longer than `Limits.viewedLineBytes`.
    private static func cut(_ line: String) -> String {
        guard line.utf8.count > Limits.viewedLineBytes else { return line }
        return String(decoding: line.utf8.prefix(Limits.viewedLineBytes), as: UTF8.self) + "…"
    }

    private func rows(of line: String) -> Int {
        let room = max(1, output.columns - 2)
        // The bytes of a line are at least as many as its cells.
        return line.utf8.count <= room ? 1 : drawn(line).count
    }

    private func drawn(_ line: String) -> [StyledText] {
        StyledText(line).rows(of: max(1, output.columns - 2)).map { Gutter.mark + $0 }
    }

    private static func lines(of text: [UInt8]) -> [String] {
        guard !text.isEmpty else { return [] }
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        return (text.last == 0x0A ? lines.dropLast() : lines[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Lines that were drawn

    /// Shows lines of a fixed form.
    ///
    /// - Parameters:
    ///   - rest: the lines below them, such as the number of rows that are left out.
    ///   - hasGutter: whether the lines have the sign of text from others already.
    func show(_ lines: [StyledText], rest: [StyledText] = [], hasGutter: Bool = false) async {
        let lines = hasGutter ? lines : lines.map { Gutter.mark + $0 }
        guard lines.count + rest.count > room, canPage else { return screen.show(lines + rest) }
        if await !page(LinesPage(lines + rest)) { screen.show(lines + rest) }
    }

    private func page(_ text: any PagedText) async -> Bool {
        let hasPaged = Kept(false)
        let viewing = context.viewing
        let isLent = await screen.lend { terminal in hasPaged.value = viewing.page(text, at: terminal) }
        return isLent && hasPaged.value
    }
}

/// A text for the pager: the part that was read already, then the rest as it is needed.
final class TextPage: PagedText {
    private let state: Mutex<(head: [UInt8], stream: TextStream)>

    init(_ head: [UInt8], _ stream: TextStream) { state = Mutex((head, stream)) }

    func next(hasColour: Bool) -> [UInt8]? {
        state.withLock { state in
            if !state.head.isEmpty {
                defer { state.head = [] }
                return state.head
            }
            // A file that cannot be read on ends here, as it does in every pager.
            return try? state.stream.next()
        }
    }
}

/// A list of drawn lines for the pager.
final class LinesPage: PagedText {
    private static let together = 100
    private let rest: Mutex<ArraySlice<StyledText>>

    init(_ lines: [StyledText]) { rest = Mutex(lines[...]) }

    func next(hasColour: Bool) -> [UInt8]? {
        let lines = rest.withLock { rest in
            defer { rest = rest.dropFirst(Self.together) }
            return rest.prefix(Self.together)
        }
        guard !lines.isEmpty else { return nil }
        return Array(lines.map { $0.rendered(hasColour: hasColour) + "\n" }.joined().utf8)
    }
}
