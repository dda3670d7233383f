/// The text in typed bytes, without the sequences of other keys and of the terminal itself.
enum TypedText {
    /// Removes escape sequences: those of arrows and function keys, answers of the terminal, the marks of a paste.
    static func withoutSequences(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == 0x1B else {
                kept.append(bytes[index])
                index += 1
                continue
            }
            index = end(ofSequenceAt: index, in: bytes)
        }
        return kept
    }

    /// Returns typed characters as text of one row. Newlines become spaces, except at the end, where they are dropped.
    /// A key that deletes is applied.
    static func row(_ bytes: [UInt8]) -> String {
        var row = String.UnicodeScalarView()
        for scalar in String(decoding: withoutSequences(bytes), as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\u{7F}", "\u{8}": if !row.isEmpty { row.removeLast() }
            case "\u{15}", "\u{3}": row = String.UnicodeScalarView()
            case "\r", "\n", "\t": row.append(" ")
            default: if scalar.value >= 0x20, InputDecoder.isTypeable(scalar) { row.append(scalar) }
            }
        }
        while row.last == " " { row.removeLast() }
        return String(row)
    }

    /// Returns typed characters for the input line. Several lines become a paste, so that they are not joined into one
    /// and each is an order of its own.
    static func lines(_ bytes: [UInt8]) -> [UInt8] {
        let rows = withoutSequences(bytes).split { $0 == 0x0D || $0 == 0x0A }.map { row(Array($0)) }
            .filter { !$0.isEmpty }
        let text = Array(rows.joined(separator: "\n").utf8)
        return rows.count > 1 ? PasteMarks.begin + text + PasteMarks.end : text
    }

    /// Returns the index after a sequence. CSI ends with its final byte, OSC, DCS and similar ones with BEL or ST, and
    /// SS3 and Meta after one character.
    private static func end(ofSequenceAt start: Int, in bytes: [UInt8]) -> Int {
        guard start + 1 < bytes.count else { return bytes.count }
        switch bytes[start + 1] {
        case UInt8(ascii: "["):
            var index = start + 2
            while index < bytes.count, !(0x40...0x7E).contains(bytes[index]) { index += 1 }
            return min(bytes.count, index + 1)
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            var index = start + 2
            while index < bytes.count {
                if bytes[index] == 0x07 { return index + 1 }
                if bytes[index] == 0x1B { return min(bytes.count, index + 2) }
                index += 1
            }
            return index
        case UInt8(ascii: "O"): return min(bytes.count, start + 3)
        case 0x1B: return start + 1
        default: return start + 2
        }
    }
}
