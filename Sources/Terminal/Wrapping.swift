/// Breaking a line into rows.
extension StyledText {
    private struct Glyph {
        let character: Character
        let style: Style
        let width: Int
        var isSpace: Bool { character == " " }
    }

    private var glyphs: [Glyph] {
        spans.flatMap { span in span.text.map { Glyph(character: $0, style: span.style, width: DisplayWidth.most(of: $0)) } }
    }

    private init(glyphs: some Sequence<Glyph>) {
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

    /// Cells on a terminal that draws all parts of an emoji sequence.
    private var mostWidth: Int {
        spans.reduce(0) { sum, span in
            sum + (span.text.utf8.allSatisfy { $0 < 0x80 } ? span.text.utf8.count : span.text.reduce(0) { $0 + DisplayWidth.most(of: $1) })
        }
    }

    private var isASCII: Bool { spans.allSatisfy { $0.text.utf8.allSatisfy { $0 < 0x80 } } }

    /// Of a line of ASCII, which takes as many cells as bytes, so that no character has to be looked for: an open paragraph is broken anew
    /// for each token.
    private func cells(_ range: Range<Int>) -> StyledText {
        var row = StyledText()
        var start = 0
        for span in spans where start < range.upperBound {
            let bytes = span.text.utf8
            let (from, to) = (max(range.lowerBound - start, 0), min(range.upperBound - start, bytes.count))
            if from < to {
                let (first, last) = (bytes.index(bytes.startIndex, offsetBy: from), bytes.index(bytes.startIndex, offsetBy: to))
                row.join(String(span.text[first..<last]), span.style)
            }
            start += bytes.count
        }
        return row
    }

    /// `wrapped` of a line of ASCII.
    private func wrappedASCII(to width: Int) -> [StyledText] {
        let isSpace = spans.flatMap { $0.text.utf8.map { $0 == UInt8(ascii: " ") } }
        var rows: [StyledText] = []
        var start = 0
        while start < isSpace.count {
            var end = isSpace.count
            if end - start > width {
                // A space may hang over the margin: it is not shown.
                let lastBreak = isSpace[start...(start + width)].lastIndex(of: true) ?? start
                end = isSpace[start..<lastBreak].contains(false) ? lastBreak : start + width
            }
            var shown = end
            if end < isSpace.count { while shown > start, isSpace[shown - 1] { shown -= 1 } }
            rows.append(cells(start..<shown))
            start = end
            while start < isSpace.count, isSpace[start] { start += 1 }
        }
        return rows
    }

    /// Rows of at most `width` cells, broken at spaces (which go) and beside wide characters; a word that is longer than a row is split.
    package func wrapped(to width: Int) -> [StyledText] {
        let width = max(2, width)
        guard mostWidth > width else { return [self] }
        if isASCII { return wrappedASCII(to: width) }
        return wrappedGlyphs(to: width)
    }

    /// The same of any line.
    func wrappedGlyphs(to width: Int) -> [StyledText] {
        let glyphs = glyphs
        var rows: [StyledText] = []
        var start = 0
        while start < glyphs.count {
            let end = Self.rowEnd(glyphs, from: start, width: width)
            var shown = end
            if end < glyphs.count { while shown > start, glyphs[shown - 1].isSpace { shown -= 1 } }
            rows.append(StyledText(glyphs: glyphs[start..<shown]))
            start = end
            while start < glyphs.count, glyphs[start].isSpace { start += 1 }
        }
        return rows
    }

    /// Where the row that begins at `start` ends: after the last space that fits, else at the margin.
    private static func rowEnd(_ glyphs: [Glyph], from start: Int, width: Int) -> Int {
        var (index, column, lastBreak) = (start, 0, start)
        while index < glyphs.count {
            let glyph = glyphs[index]
            if glyph.isSpace || (glyph.width == 2 && index > start) { lastBreak = index }
            // A space may hang over the margin: it is not shown.
            if column + glyph.width > width {
                return lastBreak > start && !glyphs[start..<lastBreak].allSatisfy(\.isSpace) ? lastBreak : max(index, start + 1)
            }
            column += glyph.width
            index += 1
            if glyph.width == 2 { lastBreak = index }
        }
        return glyphs.count
    }

    /// Rows as the terminal itself would break them: at the margin, nothing left out.
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

    /// One row of at most `width` cells, with `…` for what is missing.
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
