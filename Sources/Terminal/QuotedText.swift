/// A text of others in indented rows behind the gutter. Long lines go on in the next row, so that each word is seen.
package struct QuotedText {
    /// The cells in front of each row.
    private static let indent = StyledText("       ")

    package let rows: [StyledText]
    private let limit: Int

    /// - Parameters:
    ///   - columns: the cells of a row, with its indent.
    ///   - limit: the most rows of its beginning.
    ///   - note: the last row, if there is one.
    package init(_ text: String, columns: Int, limit: Int, note: StyledText? = nil) {
        let left = Self.indent + Gutter.mark
        let rows = VisibleText.lines(text).flatMap { line in
            StyledText(line).wrapped(to: columns - left.width).map { left + $0 }
        }
        self.rows = rows + (note.map { [Self.indent + $0] } ?? [])
        self.limit = limit
    }

    /// Whether the beginning is not all of it.
    package var isCut: Bool { rows.count > limit }

    /// The first rows, and the number of the others.
    package var beginning: [StyledText] {
        guard isCut else { return rows }
        return rows.prefix(limit) + [Self.indent + StyledText("… \(rows.count - limit) more rows", .dim)]
    }
}
