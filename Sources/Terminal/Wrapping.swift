/// The breaking of a line into rows.
extension StyledText {
    fileprivate struct Glyph {
        let character: Character
        let style: Style
        let width: Int
        var isSpace: Bool { character == " " }
    }

    private var glyphs: [Glyph] {
        spans.flatMap { span in
            span.text.map { Glyph(character: $0, style: span.style, width: DisplayWidth.most(of: $0)) }
        }
    }

    fileprivate init(glyphs: some Sequence<Glyph>) {
        self.init()
        var (run, style) = ("", Style())
        for glyph in glyphs {
            if glyph.style != style {
                append(run, style)
                (run, style) = ("", glyph.style)
            }
            run.append(glyph.character)
        }
        append(run, style)
    }

    /// The cells on a terminal that draws all parts of an emoji sequence side by side.
    private var mostWidth: Int {
        spans.reduce(0) { sum, span in
            sum
                + (span.text.utf8.allSatisfy { $0 < 0x80 }
                    ? span.text.utf8.count : span.text.reduce(0) { $0 + DisplayWidth.most(of: $1) })
        }
    }

    /// Returns rows of at most `width` cells, broken beside wide characters and at spaces, which are dropped there. A
    /// word that is longer than a row is split.
    package func wrapped(to width: Int) -> [StyledText] {
        let width = max(2, width)
        guard mostWidth > width else { return [self] }
        return ByteLine(self).map { $0.rows(of: width) } ?? wrappedGlyphs(to: width)
    }

    /// Returns rows of at most `width` cells for any line, character by character.
    func wrappedGlyphs(to width: Int) -> [StyledText] { GlyphLine(glyphs: glyphs).rows(of: width) }

    /// Returns rows as the terminal itself would break them: at the margin, with all characters.
    package func rows(of columns: Int) -> [StyledText] {
        let columns = max(2, columns)
        guard mostWidth > columns else { return [self] }
        var rows: [StyledText] = []
        var (row, column) = ([Glyph](), 0)
        for glyph in glyphs {
            if column + glyph.width > columns {
                rows.append(StyledText(glyphs: row))
                (row, column) = ([], 0)
            }
            row.append(glyph)
            column += glyph.width
        }
        return rows + [StyledText(glyphs: row)]
    }

    /// Returns a row of at most `width` cells. If the text is longer, `…` replaces its end.
    package func truncated(to width: Int) -> StyledText {
        guard mostWidth > width else { return self }
        guard width > 0 else { return StyledText() }
        var left = width - 1
        let kept = glyphs.prefix { glyph in
            left -= glyph.width
            return left >= 0
        }
        return StyledText(glyphs: kept) + StyledText("…", .dim)
    }
}

/// A line that can be broken between any two of its places.
private protocol BreakableLine {
    var count: Int { get }
    func isSpace(_ place: Int) -> Bool
    /// Returns the cells of the character at a place.
    func width(_ place: Int) -> Int
    func part(_ range: Range<Int>) -> StyledText
}

extension BreakableLine {
    func rows(of width: Int) -> [StyledText] {
        var rows: [StyledText] = []
        var start = 0
        while start < count {
            let end = rowEnd(from: start, width: width)
            var shown = end
            if end < count { while shown > start, isSpace(shown - 1) { shown -= 1 } }
            rows.append(part(start..<shown))
            start = end
            while start < count, isSpace(start) { start += 1 }
        }
        return rows
    }

    /// Returns the end of the row that begins at `start`: after the last space that fits, or at the margin if there is
    /// none.
    private func rowEnd(from start: Int, width: Int) -> Int {
        var (index, column, lastBreak) = (start, 0, start)
        while index < count {
            let cells = self.width(index)
            if isSpace(index) || (cells == 2 && index > start) { lastBreak = index }
            // A space may go over the margin, since it is not shown.
            if column + cells > width {
                return lastBreak > start && !(start..<lastBreak).allSatisfy(isSpace) ? lastBreak : max(index, start + 1)
            }
            column += cells
            index += 1
            if cells == 2 { lastBreak = index }
        }
        return count
    }
}

private struct GlyphLine: BreakableLine {
    let glyphs: [StyledText.Glyph]

    var count: Int { glyphs.count }
    func isSpace(_ place: Int) -> Bool { glyphs[place].isSpace }
    func width(_ place: Int) -> Int { glyphs[place].width }
    func part(_ range: Range<Int>) -> StyledText { StyledText(glyphs: glyphs[range]) }
}

/// A line of ASCII, which takes as many cells as bytes, so characters need not be found. This matters since an open
/// paragraph is broken again for each token.
private struct ByteLine: BreakableLine {
    private let line: StyledText
    private let bytes: [UInt8]

    /// Fails if the line is not ASCII.
    init?(_ line: StyledText) {
        bytes = line.spans.flatMap(\.text.utf8)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.line = line
    }

    var count: Int { bytes.count }
    func isSpace(_ place: Int) -> Bool { bytes[place] == UInt8(ascii: " ") }
    func width(_ place: Int) -> Int { 1 }

    func part(_ range: Range<Int>) -> StyledText {
        var part = StyledText()
        var start = 0
        for span in line.spans where start < range.upperBound {
            let end = start + span.text.utf8.count
            let shown = range.clamped(to: start..<end)
            part.join(String(decoding: bytes[shown], as: UTF8.self), span.style)
            start = end
        }
        return part
    }
}
