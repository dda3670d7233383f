/// The fitting of lines into the columns of the terminal.
package enum Layout {
    /// The cells between two columns of a table.
    package static let gap = 2

    /// Returns a text as rows that are broken at spaces. The first row is indented by `indent` cells, and the others by
    /// `hanging`.
    package static func wrapped(_ text: StyledText, columns: Int, indent: Int = 0, hanging: Int? = nil) -> [StyledText]
    {
        let (first, rest) = (bounded(indent, columns), bounded(hanging ?? indent, columns))
        let rows = text.wrapped(to: max(2, columns - max(first, rest)))
        // A text that fits beside the smaller indent needs no second row.
        if first < rest, text.width <= columns - first { return [StyledText(spaces(first)) + text] }
        return rows.enumerated().map { index, row in StyledText(spaces(index == 0 ? first : rest)) + row }
    }

    /// Returns `left` with `right` at the end of the row. If there is no space for both, `right` is placed below.
    package static func spread(_ left: StyledText, _ right: StyledText, columns: Int, measure: Int, hanging: Int)
        -> [StyledText]
    {
        let width = min(columns, measure)
        guard !right.isEmpty else { return wrapped(left, columns: columns, hanging: hanging) }
        guard left.width + gap + right.width <= columns else {
            return wrapped(left, columns: columns, hanging: hanging) + wrapped(right, columns: columns, indent: hanging)
        }
        let space = max(gap, width - left.width - right.width)
        return [left + StyledText(spaces(space)) + right]
    }

    /// Returns rows of cells in columns that are as wide as their widest cells. If that is too wide, the widest columns
    /// shrink, and a cut cell keeps its end.
    package static func table(_ rows: [[StyledText]], columns: Int, indent: Int = 2, gap: Int = gap) -> [StyledText] {
        let count = rows.map(\.count).max() ?? 0
        let indent = bounded(indent, columns)
        var widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0 }
        narrow(&widths, to: columns - indent, gap: gap)
        return rows.map { row in
            var line = StyledText(spaces(indent))
            var pending = 0
            for (cell, width) in zip(row, widths) where width > 0 {
                let cell = fitted(cell, to: width)
                if !cell.isEmpty {
                    line += StyledText(spaces(pending)) + cell
                    pending = 0
                }
                pending += width - cell.width + gap
            }
            return line.truncated(to: columns)
        }
    }

    /// Returns the lines of each row of a table whose last column is never cut. If it does not fit beside the others,
    /// it continues below them.
    package static func ledger(_ rows: [[StyledText]], columns: Int, below indent: Int, gap: Int) -> [[StyledText]] {
        let heads = table(rows.map { $0.dropLast() }, columns: columns, gap: gap)
        let margin = (heads.map(\.width).max() ?? 0) + gap
        return zip(heads, rows).map { head, row in
            guard let last = row.last, !last.isEmpty else { return [head] }
            guard margin + last.width <= columns else {
                return [head] + wrapped(last, columns: columns, indent: indent, hanging: indent + 2)
            }
            return [head.padded(to: margin) + last]
        }
    }

    /// A row of a list whose title always stays.
    package struct Row: Hashable, Sendable {
        /// The cells that stand before the title on every screen.
        package var head: [StyledText]
        package var title: StyledText
        /// The cells that stand below the title on a narrow screen.
        package var rest: [StyledText]
        /// The words that stand behind the title, and below it on a narrow screen.
        package var remarks: [StyledText]

        /// Creates a row.
        package init(
            head: [StyledText] = [], title: StyledText, rest: [StyledText] = [], remarks: [StyledText] = []
        ) {
            (self.head, self.title, self.rest, self.remarks) = (head, title, rest, remarks)
        }
    }

    /// The columns below which a list stacks its rows.
    package static let narrowColumns = 60

    /// Returns a table of the rows, or stacked rows on a narrow screen.
    package static func list(_ rows: [Row], columns: Int) -> [StyledText] {
        guard columns >= narrowColumns else { return stacked(rows, columns: columns) }
        return table(
            rows.map { $0.head + $0.rest + [$0.remarks.reduce($0.title) { $0 + " " + $1 }] }, columns: columns)
    }

    /// Returns two lines or more for each row: the head with the title, which is cut at its end, and the others below.
    package static func stacked(_ rows: [Row], columns: Int) -> [StyledText] {
        let heads = table(rows.map(\.head), columns: columns)
        let isHeadless = rows.allSatisfy(\.head.isEmpty)
        let margin = isHeadless ? gap : min((heads.map(\.width).max() ?? 0) + gap, columns * 2 / 3)
        return zip(heads, rows).flatMap { head, row in
            let below = dotted(row.rest + row.remarks)
            return [(fitted(head, to: max(0, margin - gap)).padded(to: margin) + row.title).truncated(to: columns)]
                + (below.isEmpty ? [] : wrapped(below, columns: columns, indent: 6))
        }
    }

    private static func narrow(_ widths: inout [Int], to columns: Int, gap: Int) {
        func total() -> Int { widths.reduce(0, +) + gap * max(0, widths.count(where: { $0 > 0 }) - 1) }
        while total() > columns, let widest = widths.max(), widest > 3, let index = widths.lastIndex(of: widest) {
            widths[index] -= 1
        }
    }

    /// Returns a text of at most `width` cells. A count replaces the middle of a longer text, and its end stays.
    package static func fitted(_ text: StyledText, to width: Int) -> StyledText {
        guard text.width > width else { return text }
        let glyphs = text.spans.flatMap { span in span.text.map { ($0, span.style) } }
        let cut = VisibleText.cut(text.plain, to: width)
        // The cut keeps a part of both ends. Their styles are found by their positions.
        let (head, tail) = (Array(cut.prefix { $0 != "…" }), Array(cut.reversed().prefix { $0 != "…" }))
        var fitted = StyledText()
        for (character, style) in glyphs.prefix(head.count) { fitted.append(String(character), style) }
        fitted.append(String(cut.dropFirst(head.count).dropLast(tail.count)), .dim)
        for (character, style) in glyphs.suffix(tail.count) { fitted.append(String(character), style) }
        return fitted
    }

    /// Returns pieces side by side, with as many in a line as fit.
    package static func packed(_ pieces: [StyledText], columns: Int, indent: Int = 2, gap: Int = 3) -> [StyledText] {
        let left = bounded(indent, columns)
        var lines: [StyledText] = []
        var line = StyledText()
        for piece in pieces {
            if !line.isEmpty, left + line.width + gap + piece.width > columns {
                lines += wrapped(line, columns: columns, indent: left, hanging: left)
                line = StyledText()
            }
            line += (line.isEmpty ? StyledText() : StyledText(spaces(gap))) + piece
        }
        return line.isEmpty ? lines : lines + wrapped(line, columns: columns, indent: left, hanging: left + 2)
    }

    /// Returns a key that answers, with its meaning: `[y] yes`.
    package static func key(_ key: String, _ words: String) -> StyledText {
        StyledText("[\(key)]", [.question, .bold]) + StyledText(" \(words)")
    }

    /// Returns the parts that are not empty, as `a · b · c`.
    package static func dotted(_ parts: [StyledText]) -> StyledText {
        parts.filter { !$0.isEmpty }.enumerated().reduce(into: StyledText()) { line, part in
            if part.offset > 0 { line.append(" · ", .dim) }
            line += part.element
        }
    }

    /// Returns an indent that is at most half of a row.
    private static func bounded(_ indent: Int, _ columns: Int) -> Int { max(0, min(indent, columns / 2)) }

    package static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
