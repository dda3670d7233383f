/// A renderer of Markdown that arrives in pieces. It returns the lines that are final, and those of the block that is
/// still open.
///
/// The text is divided into blocks by its own lines only, never by the ends of pieces, and each block is drawn by
/// itself. So the same text gives the same lines however it is cut, and only the open block is ever parsed again.
/// `feed` parses nothing before a block is complete.
package struct StreamingMarkdown {
    /// The cells of a row. A change affects only later blocks.
    package var width: Int

    private var finished: [StyledText] = []
    private var block: [String] = []
    private var blockBytes = 0
    private var blankLines = 0
    private var shape = MarkdownLine.Shape.blank
    private var fence: MarkdownLine.Fence?
    private var partial = ""
    private var hasShownBlock = false

    package init(width: Int) { self.width = width }

    /// Adds the next piece.
    package mutating func feed(_ piece: String) {
        // Scalars, not characters, since the character CR LF would hide the newline.
        var rest = piece.unicodeScalars[...]
        while let newline = rest.firstIndex(of: "\n") {
            partial.unicodeScalars.append(contentsOf: rest[..<newline])
            rest = rest[rest.index(after: newline)...]
            endLine()
        }
        partial.unicodeScalars.append(contentsOf: rest)
        while partial.utf8.count > TerminalLimits.openBlockBytes { splitPartial() }
    }

    /// Ends the text, so that the open block becomes final.
    package mutating func finish() {
        if !partial.isEmpty { endLine() }
        flush()
        fence = nil
    }

    /// Returns the lines that have become final since the last call.
    package mutating func takeFinished() -> [StyledText] {
        defer { finished = [] }
        return finished
    }

    /// The lines of the open block, as if the text ended here.
    package var open: [StyledText] {
        var ended = self
        ended.finished = []
        ended.finish()
        return ended.finished
    }

    /// Returns the lines of a whole text.
    package static func lines(_ text: String, width: Int) -> [StyledText] {
        var markdown = StreamingMarkdown(width: width)
        markdown.feed(text)
        markdown.finish()
        return markdown.takeFinished()
    }

    // MARK: Lines to blocks

    private static func visible(_ line: String) -> String {
        VisibleText.line(
            line.unicodeScalars.last == "\r" ? String(String.UnicodeScalarView(line.unicodeScalars.dropLast())) : line)
    }

    private mutating func endLine() {
        let line = Self.visible(partial)
        partial = ""
        if let fence { return inFence(fence, line) }
        let kind = MarkdownLine.shape(of: line)
        if kind == .blank { return blank() }
        if block.isEmpty { return begin(line, kind) }
        if blankLines > 0, !MarkdownLine.continues(shape, afterBlank: line, kind) { return begin(line, kind) }
        if blankLines == 0, MarkdownLine.interrupts(shape, line, kind) { return begin(line, kind) }
        append(line, kind)
    }

    private mutating func blank() {
        guard !block.isEmpty else { return }
        // Lists and indented code may continue after a blank line. The next line decides.
        if shape == .list || shape == .indented { blankLines += 1 } else { flush() }
    }

    private mutating func begin(_ line: String, _ kind: MarkdownLine.Shape) {
        flush()
        switch kind {
        case .fence(let opened):
            fence = opened
            gap()
            if !opened.info.isEmpty { finished.append(MarkdownRenderer.codeLabel(opened.info)) }
        case .heading, .rule:
            block = [line]
            flush()
        case .blank, .text, .list, .quote, .indented:
            shape = kind
            add(line)
        }
    }

    private mutating func append(_ line: String, _ kind: MarkdownLine.Shape) {
        if blockBytes + line.utf8.count > TerminalLimits.openBlockBytes, kind == shape || kind == .text {
            let same = shape
            flush()
            // The same paragraph, list or table continues, so no empty line is inserted.
            (hasShownBlock, shape) = (false, same)
            return add(line)
        }
        for _ in 0..<blankLines { add("") }
        blankLines = 0
        add(line)
        if shape == .text, MarkdownLine.isUnderline(line) { flush() }
    }

    private mutating func add(_ line: String) {
        block.append(line)
        blockBytes += line.utf8.count + 1
    }

    private mutating func inFence(_ fence: MarkdownLine.Fence, _ line: String) {
        if fence.isClosed(by: line) {
            self.fence = nil
        } else {
            finished.append(MarkdownRenderer.codeLine(fence.content(of: line)))
        }
    }

    private mutating func flush() {
        let lines = rendered(block)
        (block, blockBytes, blankLines, shape) = ([], 0, 0, .blank)
        guard !lines.isEmpty else { return }
        gap()
        finished += lines
    }

    private mutating func gap() {
        if hasShownBlock { finished.append(StyledText()) }
        hasShownBlock = true
    }

    private func rendered(_ source: [String]) -> [StyledText] {
        guard !source.isEmpty else { return [] }
        let tree = MarkdownTree(source.joined(separator: "\n") + "\n")
        return tree.read { MarkdownRenderer(width: width).lines(of: $0.children) } ?? []
    }

    /// Cuts a long line without an end at a space, since an open block must stay small.
    private mutating func splitPartial() {
        let limit = partial.utf8.index(partial.utf8.startIndex, offsetBy: TerminalLimits.openBlockBytes)
        let end =
            limit.samePosition(in: partial.unicodeScalars)
            ?? partial.unicodeScalars.index(before: partial.unicodeScalars.endIndex)
        let scalars = partial.unicodeScalars
        let space = scalars[..<end].lastIndex(of: " ").map { scalars.index(after: $0) } ?? end
        let rest = String(scalars[space...])
        partial = String(scalars[..<space])
        endLine()
        partial = rest
    }
}
