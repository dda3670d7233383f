import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The most columns of a table that are drawn at once.
    package static let tableColumns = 200

    /// The most characters of a cell that are drawn. A longer text is cut.
    fileprivate static let tableCellCharacters = 200

    /// The most cells of a table that are drawn at once.
    package static let tableCells = 50_000
}

/// A table of a file: rows of cells, as CSV writes them (RFC 4180).
struct ViewedTable: Hashable {
    private let bytes: [UInt8]
    private let separator: UInt8
    /// The places at which the rows begin. The cells are read when they are drawn, since a table may have many more of
    /// them.
    private var starts: [UInt32] = []

    /// Finds the rows.
    init(_ bytes: [UInt8], separator: UInt8) {
        (self.bytes, self.separator) = (bytes, separator)
        var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while place < bytes.count {
            starts.append(UInt32(place))
            place = rowEnd(from: place) { _ in }
        }
    }

    /// The number of rows. The first one is the head.
    var count: Int { starts.count }

    /// All cells of all rows, the head first.
    var rows: [[String]] { starts.indices.map { row($0) } }

    /// Reads the cells of a row. A cell in quotes may contain separators, newlines, and quotes that are written twice.
    ///
    /// - Returns: the place at which the next row begins.
    private func rowEnd(from start: Int, _ take: ([UInt8]) -> Void) -> Int {
        var (cell, isQuoted, index) = ([UInt8](), false, start)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    cell.append(byte)
                    continue
                }
                isQuoted = index < bytes.count && bytes[index] == byte
                if isQuoted {
                    cell.append(byte)
                    index += 1
                }
            } else if byte == UInt8(ascii: "\""), cell.isEmpty {
                isQuoted = true
            } else if byte == separator {
                take(cell)
                cell = []
            } else if byte == 0x0A {
                if cell.last == 0x0D { cell.removeLast() }
                take(cell)
                return index
            } else {
                cell.append(byte)
            }
        }
        take(cell)
        return index
    }

    /// Returns some cells of a row.
    ///
    /// - Parameter columns: the numbers of the cells, from 0.
    private func row(_ index: Int, _ columns: Range<Int> = 0..<Int.max) -> [String] {
        var (cells, column) = ([String](), 0)
        _ = rowEnd(from: Int(starts[index])) { cell in
            if columns.contains(column) { cells.append(String(decoding: cell, as: UTF8.self)) }
            column += 1
        }
        return cells
    }

    private func width(_ index: Int) -> Int {
        var count = 0
        _ = rowEnd(from: Int(starts[index])) { _ in count += 1 }
        return count
    }

    /// Returns the end of the first rows that together have at most as many cells as are drawn at once.
    ///
    /// - Parameters:
    ///   - numbers: the rows, where 1 is the head.
    ///   - column: the first column that is drawn.
    func bounded(_ numbers: Range<Int>, from column: Int) -> Int {
        var left = Limits.tableCells
        for number in numbers {
            left -= min(Limits.tableColumns, max(1, width(number - 1) - column + 1))
            if left < 0, number > numbers.lowerBound { return number }
        }
        return numbers.upperBound
    }

    /// Draws rows of the table under its head, aligned. If the columns do not fit side by side, it draws lists of names
    /// and values.
    ///
    /// - Parameters:
    ///   - numbers: the rows, where 1 is the head.
    ///   - column: the first column, from 1.
    ///   - verb: the command that draws the same rows from another column on.
    func lines(_ numbers: Range<Int>, from column: Int = 1, verb: String = "view", columns: Int) -> [StyledText] {
        guard count > 0 else { return [] }
        let shown = [0] + numbers.clamped(to: 2..<max(2, self.count + 1)).map { $0 - 1 }
        let all = shown.map(width).max() ?? 0
        let count = min(Limits.tableColumns, max(0, all - column + 1))
        guard count > 0 else { return [] }
        let drawn = shown.map { index in
            row(index, column - 1..<column - 1 + count).map { Self.cell($0, index == 0 ? .bold : []) }
        }
        let lines = Self.aligned(drawn, count, columns) ?? Self.listed(drawn, columns)
        guard column + count <= all else { return lines }
        let hidden = all - column - count + 1
        let words = "… \(Amounts.count(hidden, "more column")): \(Voice.call("\(verb) --column \(column + count)"))"
        return lines + Layout.wrapped(StyledText(words, .dim), columns: columns)
    }

    private static func cell(_ text: String, _ style: Style) -> StyledText {
        let cut =
            text.count > Limits.tableCellCharacters ? String(text.prefix(Limits.tableCellCharacters - 1)) + "…" : text
        return StyledText(cut, style)
    }

    private static let leastColumn = 6

    /// Returns the rows aligned in columns, or nil if not even narrow columns fit.
    private static func aligned(_ rows: [[StyledText]], _ count: Int, _ columns: Int) -> [StyledText]? {
        var widths = (0..<count).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].width : 0 }.max() ?? 0
        }
        let gaps = 2 * max(0, count - 1)
        while widths.reduce(gaps, +) > columns, let widest = widths.max(), widest > leastColumn {
            widths[widths.lastIndex(of: widest)!] -= 1
        }
        guard widths.reduce(gaps, +) <= columns else { return nil }
        let isNumber = (0..<count).map { column in
            rows.dropFirst().allSatisfy { row in
                !row.indices.contains(column) || row[column].isEmpty || Double(row[column].plain) != nil
            }
        }
        let lines = rows.map { row in
            widths.indices.reduce(into: StyledText()) { line, column in
                let cell = row.indices.contains(column) ? Layout.fitted(row[column], to: widths[column]) : StyledText()
                if column > 0 { line += StyledText("  ") }
                line +=
                    column == count - 1 && !isNumber[column]
                    ? cell : cell.padded(to: widths[column], isNumber[column] ? .trailing : .leading)
            }
        }
        let rule = StyledText(widths.map { String(repeating: "─", count: $0) }.joined(separator: "──"), .dim)
        return [lines[0], rule] + lines.dropFirst()
    }

    private static func listed(_ rows: [[StyledText]], _ columns: Int) -> [StyledText] {
        let head = rows[0]
        return rows.dropFirst().enumerated().flatMap { index, row in
            (index == 0 ? [] : [StyledText(String(repeating: "─", count: min(8, columns)), .dim)])
                + row.enumerated().flatMap { column, cell in
                    ((head.indices.contains(column) ? head[column] + ": " : StyledText()) + cell).wrapped(to: columns)
                }
        }
    }
}
