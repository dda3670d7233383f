import Actions
import JSON
import Terminal
import Vocabulary

/// A fact about a call that a question shows, with its label.
struct Detail {
    var label: String
    var value: String
    var style: Style = []

    /// The least cells of the column of labels.
    private static let labelWidth = 12
    static let indent = 3
    /// The mark before every continued row. Text from outside thus cannot look like a row of ours.
    static let gutter = Gutter.mark

    /// The rows of a detail on the screen.
    struct Drawn {
        var rows: [StyledText]
        /// Whether a part of the value is not shown.
        var isCut = false
    }

    /// Returns the rows of words of a question that are not hashed. They are broken at spaces, behind the same gutter.
    static func words(_ text: StyledText, columns: Int, indent: Int) -> [StyledText] {
        let left = StyledText(spaces: min(indent, columns / 4))
        return text.wrapped(to: max(2, columns - left.width - gutter.width)).enumerated().map { index, row in
            left + (index == 0 ? StyledText() : gutter) + row
        }
    }

    /// Returns the lines of each detail, below each other, with one column for the labels.
    ///
    /// - Parameters:
    ///   - rowsLimit: the rows of one value beyond which its middle is replaced by a count, or nil to show all.
    ///   - verb: the verb that prints all rows of the values, or nil if a key of the question does so. The number of
    ///     the value is added to it.
    static func lines(of details: [Detail], columns: Int, rowsLimit: Int?, whole verb: String? = nil) -> [Drawn] {
        let room = max(labelWidth, columns * 2 / 5)
        let widest = details.map { DisplayWidth.of(VisibleText.line($0.label)) + 1 }.filter { $0 <= room }.max() ?? 0
        let margin = min(indent + max(widest, labelWidth), columns / 2)
        return details.enumerated().map { index, detail in
            let call = verb.map { ": \(Voice.call("\($0) --from \(index + 1) --lines 1"))" } ?? ""
            return detail.lines(columns: columns, margin: margin, rowsLimit: rowsLimit, call)
        }
    }

    /// Returns the rows of the value, below its name.
    ///
    /// - Parameter call: the verb that prints all of the value, behind its colon.
    private func lines(columns: Int, margin: Int, rowsLimit: Int?, _ call: String) -> Drawn {
        let left = StyledText(spaces: margin)
        let name = StyledText(spaces: min(Self.indent, columns / 4)) + StyledText(label, .dim)
        let hasRoom = name.width < margin
        // A long label is shown whole, in rows of its own.
        let above = hasRoom ? [] : names(room: columns - left.width - Self.gutter.width, left)
        let room = max(4, columns - margin - Self.gutter.width)
        func drawn(_ text: String, isFirst: Bool) -> [StyledText] {
            self.rows(of: text, room).enumerated().map { index, row in
                isFirst && index == 0 && hasRoom ? name.padded(to: margin) + row : left + Self.gutter + row
            }
        }
        func marker(_ words: String) -> [StyledText] {
            guard !call.isEmpty else { return [(left + StyledText("… \(words) …", .warning)).truncated(to: columns)] }
            return Layout.wrapped(StyledText("… \(words)\(call)", .dim), columns: columns, indent: margin)
        }
        if let rowsLimit, let ends = VisibleText.ends(of: value) {
            // Only the ends of a very long value are read, since no more would be shown.
            let (head, tail) = (drawn(ends.head, isFirst: true), drawn(ends.tail, isFirst: false))
            let words = "cut here: \(value.utf8.count) bytes in all"
            return Drawn(
                rows: above + head.prefix(rowsLimit / 2) + marker(words) + tail.suffix(rowsLimit / 2), isCut: true)
        }
        let rows = drawn(value, isFirst: true)
        guard let rowsLimit, rows.count > rowsLimit else { return Drawn(rows: above + rows) }
        let hidden = rows.count - 2 * (rowsLimit / 2)
        let words = "\(Amounts.count(hidden, "more row")); \(value.unicodeScalars.count) characters in all"
        return Drawn(rows: above + rows.prefix(rowsLimit / 2) + marker(words) + rows.suffix(rowsLimit / 2), isCut: true)
    }

    private func names(room: Int, _ left: StyledText) -> [StyledText] {
        let indent = StyledText(spaces: Self.indent)
        return StyledText(label, .dim).rows(of: max(4, room)).enumerated().map { index, row in
            (index == 0 ? indent : left + Self.gutter) + row
        }
    }

    /// Returns the rows of a value. It is split by scalars, since CR LF is one character and the CR must be visible.
    private func rows(of value: String, _ room: Int) -> [StyledText] {
        value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            StyledText(String($0), style).rows(of: room)
        }
    }
}
