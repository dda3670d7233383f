/// A table whose columns are as wide as their widest cell. If the terminal is too narrow, columns shrink, and cells
/// break into rows.
struct MarkdownTable {
    private let rows: [[StyledText]]
    private let alignments: [DisplayWidth.Alignment]
    private static let leastColumn = 4
    private static let gap = 3

    init(_ node: MarkdownTree.Node, renderer: MarkdownRenderer) {
        alignments = node.columnAlignments
        rows = node.children.enumerated().map { index, row in
            row.children.map { cell in
                let lines = renderer.inline(cell, style: index == 0 ? .bold : [])
                return lines.dropFirst().reduce(lines[0]) { $0 + " " + $1 }
            }
        }
    }

    func lines(width: Int) -> [StyledText] {
        guard let columns = columns(within: width) else { return records(width: width) }
        var lines: [StyledText] = []
        for (index, row) in rows.enumerated() {
            lines += drawn(row, columns)
            if index == 0 { lines.append(rule(columns)) }
        }
        return lines
    }

    /// Returns the widths of the columns, or nil if not even narrow ones fit.
    private func columns(within width: Int) -> [Int]? {
        let count = alignments.count
        var widths = (0..<count).map { column in
            max(1, rows.map { $0.indices.contains(column) ? $0[column].width : 0 }.max() ?? 1)
        }
        let room = width - Self.gap * max(0, count - 1)
        guard count > 0, room >= count * Self.leastColumn || room >= widths.reduce(0, +) else { return nil }
        var excess = widths.reduce(0, +) - room
        while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
            // The widest column shrinks to the next widest in one step, so that a cell of a million characters does not
            // take a million steps.
            let others = widths.indices.filter { $0 != widest }.map { widths[$0] }
            let next = max(Self.leastColumn, min(widths[widest] - 1, others.max() ?? 0))
            let step = min(excess, widths[widest] - next)
            guard step > 0 else { return nil }
            widths[widest] -= step
            excess -= step
        }
        return widths
    }

    private func drawn(_ row: [StyledText], _ columns: [Int]) -> [StyledText] {
        let cells = columns.indices.map { column in
            row.indices.contains(column) ? row[column].wrapped(to: columns[column]) : [StyledText()]
        }
        let height = cells.map(\.count).max() ?? 1
        return (0..<height).map { line in
            var text = StyledText()
            for (column, cell) in cells.enumerated() {
                if column > 0 { text += StyledText(" │ ", .dim) }
                let content = line < cell.count ? cell[line] : StyledText()
                let isLast = column == columns.count - 1 && alignments[column] == .leading
                text += isLast ? content : content.padded(to: columns[column], alignments[column])
            }
            return text
        }
    }

    private func rule(_ columns: [Int]) -> StyledText {
        StyledText(columns.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─"), .dim)
    }

    /// Returns each row as a list of its cells, for a table with too many columns for the screen.
    private func records(width: Int) -> [StyledText] {
        let head = rows.first ?? []
        let bodies = rows.count > 1 ? Array(rows.dropFirst()) : rows
        return bodies.enumerated().flatMap { index, row -> [StyledText] in
            let cells = row.enumerated().flatMap { column, cell -> [StyledText] in
                let name = column < head.count && rows.count > 1 ? head[column] + ": " : StyledText()
                return (name + cell).wrapped(to: width)
            }
            return index == 0 ? cells : [rule([min(width, 8)])] + cells
        }
    }
}
