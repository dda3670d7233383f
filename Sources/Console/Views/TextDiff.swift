import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The most lines that are matched one by one, counted in both texts between their equal beginnings and ends. If
    /// there are more, all old lines are shown as removed, and all new ones as added.
    fileprivate static let matchedLines = 3_000
}

/// The comparison of two texts line by line: the removed lines, the new ones, and a few unchanged lines around them.
struct TextDiff {
    enum Line: Hashable {
        case same(Source)
        case gone(Source)
        case new(Source)
        /// The number of unchanged lines in a row that are not shown.
        case unchanged(Int)
    }

    /// The unchanged lines that are shown before and after each change.
    static let contextLines = 2
    /// The most lines of each text that are compared.
    static let linesLimit = 5000

    let lines: [Line]

    /// Compares the texts of a change. Fails if one of them is too long.
    init?(_ change: TextChange) {
        let (before, after) = (Self.split(change.before), Self.split(change.after))
        guard before.count <= Self.linesLimit, after.count <= Self.linesLimit else { return nil }
        lines = Self.folded(Self.merged(before, after))
    }

    /// A line as it is compared: by its bytes, and by whether a newline ends it. Texts that are equal for Unicode can
    /// be different files.
    struct Source: Hashable {
        let bytes: [UInt8]
        var hasEnd = true

        var text: String { VisibleText.unforged(String(decoding: bytes, as: UTF8.self)) }
    }

    /// Returns the lines of a text, split at newlines. A CR stays in its line and is shown.
    private static func split(_ text: String?) -> [Source] {
        guard let text, !text.isEmpty else { return [] }
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Source(bytes: Array($0)) }
        if lines[lines.count - 1].bytes.isEmpty { lines.removeLast() } else { lines[lines.count - 1].hasEnd = false }
        return lines
    }

    /// Returns the lines of both texts. Their equal beginnings and ends are set aside, and the lines between them are
    /// matched. If matching would take long, all old lines are removed and all new ones are added.
    private static func merged(_ before: [Source], _ after: [Source]) -> [Line] {
        let head = zip(before, after).prefix { $0 == $1 }.count
        let most = min(before.count, after.count) - head
        let tail = zip(before.reversed(), after.reversed()).prefix(most).prefix { $0 == $1 }.count
        let (old, new) = (before[head..<before.count - tail], after[head..<after.count - tail])
        let middle =
            old.count + new.count > Limits.matchedLines
            ? old.map { Line.gone($0) } + new.map { Line.new($0) } : matched(Array(old), Array(new))
        return after[..<head].map { .same($0) } + middle + after[(after.count - tail)...].map { .same($0) }
    }

    private static func matched(_ before: [Source], _ after: [Source]) -> [Line] {
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var (old, new) = (0, 0)
        var lines: [Line] = []
        while old < before.count || new < after.count {
            if old < before.count, removed.contains(old) {
                lines.append(.gone(before[old]))
                old += 1
            } else if new < after.count, inserted.contains(new) {
                lines.append(.new(after[new]))
                new += 1
            } else {
                lines.append(.same(after[new]))
                (old, new) = (old + 1, new + 1)
            }
        }
        return lines
    }

    /// Returns the lines in which unchanged lines far from every change are replaced by their number.
    private static func folded(_ lines: [Line]) -> [Line] {
        var isNear = [Bool](repeating: false, count: lines.count)
        for (index, line) in lines.enumerated() {
            if case .same = line { continue }
            for near in max(0, index - contextLines)...min(lines.count - 1, index + contextLines) {
                isNear[near] = true
            }
        }
        var folded: [Line] = []
        for (index, line) in lines.enumerated() {
            if isNear[index] {
                folded.append(line)
            } else if case .unchanged(let count) = folded.last {
                folded[folded.count - 1] = .unchanged(count + 1)
            } else {
                folded.append(.unchanged(1))
            }
        }
        return folded
    }

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
