extension Limits {
    /// The most lines that are matched one by one, counted in both texts between their equal beginnings and ends.
    /// If there are more, all old lines are removed, and all new ones are added.
    fileprivate static let matchedLines = 3_000

    /// The most lines of each text that are compared.
    package static let comparedLines = 5_000
}

/// The comparison of two texts line by line: the removed lines, the new ones, and a few unchanged lines around
/// them.
package struct LineDiff: Hashable, Sendable {
    package enum Line: Hashable, Sendable {
        case same(Source)
        case gone(Source)
        case new(Source)
        /// The number of unchanged lines in a row that are left out.
        case unchanged(Int)
    }

    package let lines: [Line]

    /// Compares two texts, of which nil is a file that does not exist.
    ///
    /// - Parameter context: the unchanged lines that are kept before and after each change.
    /// - Returns: nil if one of the texts has more than `Limits.comparedLines` lines.
    package init?(_ change: TextChange, context: Int) {
        let (before, after) = (Self.split(change.before), Self.split(change.after))
        guard before.count <= Limits.comparedLines, after.count <= Limits.comparedLines else { return nil }
        lines = Self.folded(Self.merged(before, after), context)
    }

    /// A line as it is compared: by its bytes, and by whether a newline ends it. Texts that are equal for Unicode
    /// can be different files.
    package struct Source: Hashable, Sendable {
        package let bytes: [UInt8]
        package var hasEnd = true

        package init(bytes: [UInt8], hasEnd: Bool = true) { (self.bytes, self.hasEnd) = (bytes, hasEnd) }
    }

    /// Returns the lines of a text, split at newlines. A CR stays in its line and is shown.
    private static func split(_ text: String?) -> [Source] {
        guard let text, !text.isEmpty else { return [] }
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Source(bytes: Array($0)) }
        if lines[lines.count - 1].bytes.isEmpty { lines.removeLast() } else { lines[lines.count - 1].hasEnd = false }
        return lines
    }

    /// Returns the lines of both texts. Their equal beginnings and ends are set aside, and the lines between them
    /// are matched. If matching would take long, all old lines are removed and all new ones are added.
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
    private static func folded(_ lines: [Line], _ context: Int) -> [Line] {
        var isNear = [Bool](repeating: false, count: lines.count)
        for (index, line) in lines.enumerated() {
            if case .same = line { continue }
            for near in max(0, index - context)...min(lines.count - 1, index + context) {
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
}
