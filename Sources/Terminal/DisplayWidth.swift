/// The number of cells that text takes on a terminal. It uses own tables, since `wcwidth` returns -1 before `setlocale`
/// and for emoji newer than glibc.
///
/// It expects text as `VisibleText` returns it. Controls take no cells.
package enum DisplayWidth {
    /// Returns the cells of a single scalar: 0, 1 or 2.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value >= 0x20 && !(0x7F..<0xA0).contains(value) && value != 0xAD ? 1 : 0 }
        if isWide(value) || scalar.properties.isEmojiPresentation { return isRegional(scalar) ? 1 : 2 }
        // The vowels and finals of a Hangul syllable are drawn onto its first letter.
        if (0x1160...0x11FF).contains(value) { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
            return 0
        default: return 1
        }
    }

    /// Returns the cells of a character as drawn. An emoji sequence (joined, with a skin tone, with VS16, a flag)
    /// counts as one emoji.
    package static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.dropFirst().isEmpty { return of(first) }
        let isEmoji = first.properties.isEmoji
        if isEmoji,
            scalars.contains(where: { $0.value == 0xFE0F || $0.value == 0x200D || $0.properties.isEmojiModifier })
        {
            return 2
        }
        if isRegional(first) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// Returns the most cells that any terminal takes for a character, since some draw the parts of an emoji sequence
    /// side by side. Use it if a row must not go over the margin.
    package static func most(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard !scalars.dropFirst().isEmpty else { return of(character) }
        return max(of(character), scalars.reduce(0) { $0 + ($1.value == 0xFE0F ? 1 : of($1)) })
    }

    /// Returns the cells of a whole text in one row.
    package static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    package enum Alignment: Sendable { case leading, centre, trailing }

    /// Returns `text` filled with spaces to `width` cells. A longer text stays as it is.
    package static func pad(_ text: String, to width: Int, _ alignment: Alignment = .leading) -> String {
        let (left, right) = padding(of(text), to: width, alignment)
        return String(repeating: " ", count: left) + text + String(repeating: " ", count: right)
    }

    /// Returns a text of at most `width` cells. If it is longer, `…` replaces its end.
    package static func truncate(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        guard width > 0 else { return "" }
        var left = width - 1
        let kept = text.prefix { character in
            left -= of(character)
            return left >= 0
        }
        return kept + "…"
    }

    /// Returns rows of at most `width` cells, broken at spaces if there are any.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        StyledText(text).wrapped(to: width).map(\.plain)
    }

    static func padding(_ cells: Int, to width: Int, _ alignment: Alignment) -> (left: Int, right: Int) {
        let missing = max(0, width - cells)
        switch alignment {
        case .leading: return (0, missing)
        case .trailing: return (missing, 0)
        case .centre: return (missing / 2, missing - missing / 2)
        }
    }

    private static func isRegional(_ scalar: Unicode.Scalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

    /// Returns whether a scalar is wide: East Asian Width W and F (Unicode 16), without the emoji that the standard
    /// library knows.
    private static func isWide(_ value: UInt32) -> Bool {
        guard value >= 0x1100 else { return false }
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value)
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x4DFF,
        0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x18D00...0x18D08, 0x1AFF0...0x1B2FB, 0x1D300...0x1D356, 0x1D360...0x1D376,
        0x1F200...0x1F265, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F7E0...0x1F7F0, 0x1F900...0x1F9FF,
        0x1FA70...0x1FAFF,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
