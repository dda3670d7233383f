/// A small terminal: enough of ECMA-48 to see what a person would see. Sequences it does not know are recorded, so that
/// a test can demand there are none.
package struct PtyScreen: Sendable {
    package struct Cell: Hashable, Sendable {
        package var text: String
        /// Parameters of the SGR sequences in force, e.g. `1;31`; empty for none.
        package var style: String
        /// The right half of a wide character.
        var isFiller = false
    }

    package private(set) var columns: Int
    package private(set) var rows: Int
    package private(set) var row = 0
    package private(set) var column = 0
    /// Rows that have left at the top.
    package private(set) var scrollback: [String] = []
    package private(set) var unknown: [String] = []
    /// Private modes that are on, e.g. 2004 for bracketed paste.
    package private(set) var modes: Set<Int> = [25]
    /// Whether rows are broken anew when the width changes, as most terminals do it. xterm cuts them.
    package var reflows = false
    /// Whether a row goes on in the next one, since it reached the last column.
    private var goesOn: [Bool]
    private var scrollbackGoesOn: [Bool] = []

    private var cells: [[Cell]]
    private var style = ""
    /// The cursor as `ESC 7` saved it.
    private var saved = (row: 0, column: 0)
    private var isWrapPending = false
    private var pending: [UInt8] = []
    private let width: @Sendable (Character) -> Int

    /// `width` says how many cells a character takes here.
    package init(columns: Int, rows: Int, width: @escaping @Sendable (Character) -> Int) {
        (self.columns, self.rows, self.width) = (columns, rows, width)
        cells = Array(repeating: [], count: rows)
        goesOn = Array(repeating: false, count: rows)
    }

    /// All lines, scrollback first, each as long as it was printed.
    package var wholeLines: [String] {
        var all: [String] = []
        var isBegun = false
        for (row, more) in zip(scrollback + lines, scrollbackGoesOn + goesOn) {
            if isBegun { all[all.count - 1] += row } else { all.append(row) }
            isBegun = more
        }
        return all
    }

    /// Rows without the spaces at their end.
    package var lines: [String] { cells.map(Self.text) }

    /// All that can be seen, scrollback first, without the empty rows at the end.
    package var text: String {
        var all = scrollback + lines
        while all.last == "" { all.removeLast() }
        return all.joined(separator: "\n")
    }

    package func style(row: Int, column: Int) -> String {
        cells[row].indices.contains(column) ? cells[row][column].style : ""
    }

    /// Returns the character that begins in a cell. `nil` for the right half of a wide character, and beyond the end of
    /// the row.
    package func character(row: Int, column: Int) -> String? {
        cells[row].indices.contains(column) && !cells[row][column].isFiller ? cells[row][column].text : nil
    }

    private mutating func pushTopRow() {
        scrollback.append(Self.text(cells.removeFirst()))
        scrollbackGoesOn.append(goesOn.removeFirst())
    }

    /// Breaks the rows of the screen anew, with the cursor at the character where it was.
    private mutating func reflow(to columns: Int) {
        var whole: [[Cell]] = []
        var cursor = (line: 0, offset: 0)
        for index in cells.indices {
            if index > 0, goesOn[index - 1] {
                whole[whole.count - 1] += cells[index]
            } else {
                whole.append(cells[index])
            }
            guard index == row else { continue }
            let before = whole[whole.count - 1].count - cells[index].count
            cursor = (whole.count - 1, before + column + (isWrapPending ? 1 : 0))
        }
        while whole.count > cursor.line + 1, whole.last?.isEmpty ?? false { whole.removeLast() }
        (cells, goesOn, row) = ([], [], 0)
        for (number, line) in whole.enumerated() {
            let count = max(1, (line.count + columns - 1) / columns)
            if number == cursor.line {
                row = cells.count + min(count - 1, cursor.offset / columns)
                column = min(columns - 1, cursor.offset - (row - cells.count) * columns)
                isWrapPending = cursor.offset - (row - cells.count) * columns >= columns
            }
            for part in 0..<count {
                cells.append(Array(line[min(line.count, part * columns)..<min(line.count, (part + 1) * columns)]))
                goesOn.append(part < count - 1)
            }
        }
        while cells.count > rows {
            pushTopRow()
            row = max(0, row - 1)
        }
        while cells.count < rows {
            cells.append([])
            goesOn.append(false)
        }
    }

    /// Cuts or fills. Nothing is broken anew unless the screen reflows.
    package mutating func resize(columns: Int, rows: Int) {
        if reflows, columns != self.columns { reflow(to: columns) }
        while self.rows > rows {
            if row > 0 {
                pushTopRow()
                row -= 1
            } else {
                cells.removeLast()
                goesOn.removeLast()
            }
            self.rows -= 1
        }
        while self.rows < rows {
            cells.append([])
            goesOn.append(false)
            self.rows += 1
        }
        cells = cells.map { Array($0.prefix(columns)) }
        self.columns = columns
        column = min(column, columns - 1)
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        var index = 0
        while index < pending.count, let next = consume(at: index) { index = next }
        pending.removeFirst(index)
    }

    // MARK: - Reading

    /// Reads a control, a sequence or a character, and returns the index after it. `nil` if it is not complete.
    private mutating func consume(at index: Int) -> Int? {
        let byte = pending[index]
        switch byte {
        case 0x1B: return escape(at: index)
        case 0x0D: (column, isWrapPending) = (0, false)
        case 0x0A: lineFeed()
        case 0x08: (column, isWrapPending) = (max(0, column - 1), false)
        case 0x07: break
        case 0x00..<0x20, 0x7F: unknown.append("control \(byte)")
        default: return character(at: index)
        }
        return index + 1
    }

    private mutating func character(at index: Int) -> Int? {
        let first = pending[index]
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard index + length <= pending.count else { return nil }
        put(String(decoding: pending[index..<index + length], as: UTF8.self))
        return index + length
    }

    private mutating func escape(at index: Int) -> Int? {
        guard index + 1 < pending.count else { return nil }
        switch pending[index + 1] {
        case UInt8(ascii: "["): break
        case UInt8(ascii: "7"):
            saved = (row, column)
            return index + 2
        case UInt8(ascii: "8"):
            (row, column, isWrapPending) = (min(saved.row, rows - 1), min(saved.column, columns - 1), false)
            return index + 2
        // The status of programs (OSC 7501) draws nothing.
        case UInt8(ascii: "]") where pending[(index + 2)...].starts(with: "7501;".utf8):
            return endOfString(from: index + 2)
        case UInt8(ascii: "]") where pending.count < index + 7 && "7501;".utf8.starts(with: pending[(index + 2)...]):
            return nil
        case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"):
            unknown.append("ESC \(pending[index + 1])")
            return endOfString(from: index + 2)
        default:
            unknown.append("ESC \(pending[index + 1])")
            return index + 2
        }
        guard let end = pending[(index + 2)...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
        control(String(decoding: pending[(index + 2)..<end], as: UTF8.self), Character(Unicode.Scalar(pending[end])))
        return end + 1
    }

    /// Returns the index after a string of the terminal's, such as a picture: it ends with BEL or `ESC \`, and draws
    /// nothing here.
    private func endOfString(from index: Int) -> Int? {
        var index = index
        while index < pending.count {
            if pending[index] == 0x07 { return index + 1 }
            if pending[index] == 0x1B, index + 1 < pending.count, pending[index + 1] == UInt8(ascii: "\\") {
                return index + 2
            }
            index += 1
        }
        return nil
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = numbers.first ?? 0
        let count = max(1, first)
        if final != "m" { isWrapPending = false }
        switch final {
        case "A": row = max(0, row - count)
        case "B": row = min(rows - 1, row + count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "G": column = min(columns - 1, count - 1)
        case "H":
            (row, column) = (min(rows - 1, count - 1), min(columns - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1))
        case "K": eraseLine(first)
        case "J": eraseDisplay(first)
        case "P": erase(count)
        case "@": insert(count)
        case "m": style = first == 0 ? numbers.dropFirst().map(String.init).joined(separator: ";") : parameters
        case "h" where parameters.hasPrefix("?"): Int(parameters.dropFirst()).map { _ = modes.insert($0) }
        case "l" where parameters.hasPrefix("?"): Int(parameters.dropFirst()).map { _ = modes.remove($0) }
        default: unknown.append("CSI \(parameters)\(final)")
        }
    }

    // MARK: - Drawing

    private mutating func put(_ scalar: String) {
        // A scalar that joins the character before it (a mark, VS16, the rest of an emoji) takes no new cell.
        if column > 0 || isWrapPending, let index = lastCharacter, (cells[row][index].text + scalar).count == 1 {
            cells[row][index].text += scalar
            return
        }
        let width = width(Character(scalar))
        if isWrapPending || column + width > columns {
            column = 0
            goesOn[row] = true
            lineFeed()
        }
        isWrapPending = false
        while cells[row].count < column + width { cells[row].append(Cell(text: " ", style: "")) }
        for offset in 0..<width {
            cells[row][column + offset] = Cell(text: offset == 0 ? scalar : "", style: style, isFiller: offset > 0)
        }
        column += width
        if column >= columns { (column, isWrapPending) = (columns - 1, true) }
    }

    private var lastCharacter: Int? {
        var index = (isWrapPending ? column + 1 : column) - 1
        while index >= 0, index < cells[row].count, cells[row][index].isFiller { index -= 1 }
        return cells[row].indices.contains(index) ? index : nil
    }

    private mutating func lineFeed() {
        isWrapPending = false
        if row + 1 < rows {
            row += 1
        } else {
            pushTopRow()
            cells.append([])
            goesOn.append(false)
        }
    }

    private mutating func eraseLine(_ mode: Int) {
        if mode != 1 { goesOn[row] = false }
        switch mode {
        case 0: cells[row] = Array(cells[row].prefix(column))
        case 1:
            for index in 0...column where index < cells[row].count { cells[row][index] = Cell(text: " ", style: "") }
        default: cells[row] = []
        }
    }

    private mutating func eraseDisplay(_ mode: Int) {
        switch mode {
        case 0:
            eraseLine(0)
            for below in (row + 1)..<max(row + 1, rows) { (cells[below], goesOn[below]) = ([], false) }
        case 2:
            cells = Array(repeating: [], count: rows)
            goesOn = Array(repeating: false, count: rows)
        default: unknown.append("CSI \(mode)J")
        }
    }

    private mutating func erase(_ count: Int) {
        guard column < cells[row].count else { return }
        cells[row].removeSubrange(column..<min(cells[row].count, column + count))
    }

    private mutating func insert(_ count: Int) {
        guard column < cells[row].count else { return }
        cells[row].insert(contentsOf: Array(repeating: Cell(text: " ", style: ""), count: count), at: column)
        cells[row] = Array(cells[row].prefix(columns))
    }

    private static func text(_ row: [Cell]) -> String {
        var text = row.map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }
}
