/// The only way by which text of others (models, tools, servers, file names) reaches a screen. Each character that
/// could move the cursor, change the writing direction or hide is drawn as a visible sign, so that the user sees all of
/// it.
///
/// ESC becomes `␛`, other C0 controls their pictures, any other invisible character `⟨U+202E⟩`, and a tab becomes
/// spaces. Escaping text that is visible already changes nothing.
package enum VisibleText {
    /// Returns a text as one row. A newline is drawn as `␊`.
    package static func line(_ text: String) -> String { escape(text, keepsNewlines: false) }

    /// Returns a text as `line` does, but keeps newlines. CR LF counts as one newline.
    package static func multiline(_ text: String) -> String { escape(text, keepsNewlines: true) }

    /// Returns a text in which our own signs (`␛`, `⟨U+202E⟩`, `⟨cut: …⟩`) are spelled out: their first character
    /// becomes `⟨U+241B⟩`. Use it before drawing a text that must be read exactly.
    package static func unforged(_ text: String) -> String {
        // All of them begin with this byte.
        guard text.utf8.contains(0xE2) else { return text }
        let scalars = Array(text.unicodeScalars)
        var out = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isSign =
                scalar == "\u{27E8}"
                && ["U+", "cut:"].contains { scalars[(index + 1)...].starts(with: $0.unicodeScalars) }
            guard isSign || (0x2400...0x2421).contains(scalar.value) else {
                out.append(scalar)
                continue
            }
            out.append(contentsOf: "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩".unicodeScalars)
        }
        return String(out)
    }

    /// Returns the rows of a text. A final newline does not begin another row.
    package static func lines(_ text: String) -> [String] {
        var rows = multiline(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if rows.count > 1, rows.last == "" { rows.removeLast() }
        return rows
    }

    /// Cuts a text to `width` cells. A marker in its middle says how many characters are missing, and the end is always
    /// shown. For a very long text (`ends`), the marker counts bytes.
    package static func cut(_ text: String, to width: Int) -> String {
        if let ends = ends(of: text) {
            let (head, tail) = (Array(line(ends.head)), Array(line(ends.tail)))
            return cut(head, tail, to: width) { shown in marker(text.utf8.count - shown.utf8.count, "bytes") }
        }
        let visible = line(text)
        guard DisplayWidth.of(visible) > width else { return visible }
        let characters = Array(visible)
        return cut(characters, characters, to: width) { shown in marker(characters.count - shown.count) }
    }

    /// Returns the beginning of one row and the end of another, with a marker between them.
    private static func cut(
        _ first: [Character], _ last: [Character], to width: Int, _ marker: (_ shown: String) -> String
    ) -> String {
        var parts = (head: "", tail: "")
        // The marker's own width depends on the shown text, and is settled after two rounds.
        for _ in 0..<2 {
            let room = width - DisplayWidth.of(marker(parts.head + parts.tail))
            guard room >= 2 else { return narrow(last, width) }
            let tail = suffix(of: last, cells: room - room / 2)
            parts = (prefix(of: first, cells: room - DisplayWidth.of(tail)), tail)
        }
        return parts.head + marker(parts.head + parts.tail) + parts.tail
    }

    /// Returns the beginning and the end of a text, and the number of bytes between them, if reading all of it would be
    /// noticeably slow. Returns nil for a shorter text.
    package static func ends(of text: String) -> (head: String, hiddenBytes: Int, tail: String)? {
        let (bytes, part) = (text.utf8, TerminalLimits.longTextEndBytes)
        guard bytes.count > TerminalLimits.longTextBytes else { return nil }
        func scalar(at offset: Int) -> String.Index {
            var index = bytes.index(bytes.startIndex, offsetBy: offset)
            while bytes[index] & 0xC0 == 0x80 { index = bytes.index(before: index) }
            return index
        }
        let (head, tail) = (String(text[..<scalar(at: part)]), String(text[scalar(at: bytes.count - part)...]))
        return (head, bytes.count - head.utf8.count - tail.utf8.count, tail)
    }

    /// Cuts rows to at most `count`. One row replaces those in the middle, and says how many are missing.
    package static func cut(_ rows: [String], toRows count: Int) -> [String] {
        guard rows.count > count, count > 0 else { return rows }
        let tail = max(1, count / 2)
        let head = max(0, count - tail - 1)
        let marker = "… \(rows.count - head - tail) lines …"
        return Array(rows.prefix(head)) + (count > 1 ? [marker] : []) + Array(rows.suffix(tail))
    }

    private static func marker(_ hidden: Int, _ noun: String = "") -> String {
        "…(+\(hidden)\(noun.isEmpty ? "" : " \(noun)"))…"
    }

    private static func narrow(_ characters: [Character], _ width: Int) -> String {
        guard width > 1 else { return width == 1 ? "…" : "" }
        return "…" + suffix(of: characters, cells: width - 1)
    }

    private static func prefix(of characters: [Character], cells: Int) -> String {
        var left = cells
        return String(
            characters.prefix { character in
                left -= DisplayWidth.of(character)
                return left >= 0
            })
    }

    private static func suffix(of characters: [Character], cells: Int) -> String {
        String(prefix(of: characters.reversed(), cells: cells).reversed())
    }
}

// MARK: - Escaping

extension VisibleText {
    private static func escape(_ text: String, keepsNewlines: Bool) -> String {
        let isHarmless = text.utf8.allSatisfy { (0x20...0x7E).contains($0) || (keepsNewlines && $0 == 0x0A) }
        if isHarmless { return text }
        var writer = VisibleWriter(keepsNewlines: keepsNewlines)
        let scalars = Array(text.unicodeScalars)
        for index in scalars.indices {
            writer.write(scalars[index], next: index + 1 < scalars.count ? scalars[index + 1] : nil)
        }
        return String(writer.out)
    }

    /// Whether a scalar has no visible shape: controls, bidi and other format characters, separators, tags, fillers,
    /// variation selectors, noncharacters.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        // The character is drawn as a plain sign that it is not (`;`, a backtick, `K`), or as nothing (a blank of
        // Braille).
        default:
            return [0x037E, 0x1FEF, 0x212A, 0x2800].contains(scalar.value) || properties.isDefaultIgnorableCodePoint
                || properties.isNoncharacterCodePoint
        }
    }
}

private struct VisibleWriter {
    let keepsNewlines: Bool
    var out = String.UnicodeScalarView()
    private var previous: Unicode.Scalar?
    private var column = 0
    private var marks = 0

    init(keepsNewlines: Bool) { self.keepsNewlines = keepsNewlines }

    mutating func write(_ scalar: Unicode.Scalar, next: Unicode.Scalar?) {
        switch scalar.value {
        case 0x0A where keepsNewlines: newline()
        case 0x0D where keepsNewlines && next == "\n": break
        case 0x09: repeat { put(" ") } while column % 4 != 0
        case 0x00..<0x20: put(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
        case 0x20..<0x7F: put(scalar)
        case 0x7F: put("\u{2421}")
        case 0x200D: joinsEmoji(next) ? append(scalar) : spell(scalar)
        case 0xFE0E, 0xFE0F: previous?.properties.isEmoji == true ? append(scalar) : spell(scalar)
        default: other(scalar)
        }
    }

    private mutating func other(_ scalar: Unicode.Scalar) {
        if VisibleText.isHidden(scalar) { return spell(scalar) }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark:
            marks += 1
            if marks > TerminalLimits.combiningMarks { return spell(scalar) }
            // Without a base, the mark would be drawn on a character of ours.
            if previous == nil { put("\u{25CC}") }
            append(scalar)
        default: put(scalar)
        }
    }

    private func joinsEmoji(_ next: Unicode.Scalar?) -> Bool {
        guard let previous, let next else { return false }
        let isEmoji = { (scalar: Unicode.Scalar) in scalar.value > 0x7F && scalar.properties.isEmoji }
        return (isEmoji(previous) || previous.value == 0xFE0F) && isEmoji(next)
    }

    private mutating func newline() {
        out.append("\n")
        (previous, column, marks) = (nil, 0, 0)
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        append(scalar)
        marks = 0
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        out.append(scalar)
        column += DisplayWidth.of(scalar)
        previous = scalar
    }

    private mutating func spell(_ scalar: Unicode.Scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        for sign in "⟨U+\(padded)⟩".unicodeScalars { append(sign) }
    }
}
