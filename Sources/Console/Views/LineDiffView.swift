import Actions
import Terminal
import Vocabulary

extension LineDiff {
    /// The unchanged lines that are shown before and after each change.
    static let shownContext = 2

    /// Returns the rows behind a gutter, so that no line of a file looks like a row of ours.
    func drawn(columns: Int) -> [StyledText] {
        let left = StyledText(Layout.spaces(min(Detail.indent, columns / 4))) + Detail.gutter
        let room = max(4, columns - left.width - 2)
        func rows(_ sign: String, _ line: Source, _ style: Style) -> [StyledText] {
            let rows = StyledText(line.text, style).rows(of: room).enumerated().map { index, row in
                left + StyledText(index == 0 ? sign : "  ", style) + row
            }
            // This text begins in the column of the signs, where no text of a file can begin.
            return rows + (line.hasEnd ? [] : [left + StyledText("\\ no newline at the end", .dim)])
        }
        return lines.flatMap { line in
            switch line {
            case .same(let line): rows("  ", line, .dim)
            case .gone(let line): rows("- ", line, .failure)
            case .new(let line): rows("+ ", line, .success)
            case .unchanged(let count):
                [left + StyledText("⋯ \(Amounts.count(count, "line")) as \(count == 1 ? "it is" : "they are")", .dim)]
            }
        }.map { $0.width <= columns ? $0 : $0.truncated(to: columns) }
    }
}

extension LineDiff.Source {
    var text: String { VisibleText.unforged(String(decoding: bytes, as: UTF8.self)) }
}
