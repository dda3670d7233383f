import Vocabulary

extension Limits {
    /// The most places in a file of YAML at which a list or a mapping may be a key. Such a key is refused after it was
    /// read, but reading hashes its whole content.
    package static let yamlFlowKeys = 1_000
}

/// Characters that replace `&`, `*` and `?` in a text of YAML while it is parsed, so that the parser meets no anchor,
/// no alias and no `?` before a key. The parser hashes keys before their content can be counted, and aliases may repeat
/// their content without end.
///
/// Scalars get their characters back. A plain scalar that begins with a stand-in was an anchor, an alias or a `?`
/// before a key.
enum YAMLStandIns {
    /// The first three bytes in UTF-8 of the stand-ins U+10FFF0 to U+10FFF2, in Unicode's last area for private use. A
    /// fourth byte follows.
    private static let head: [UInt8] = [0xF4, 0x8F, 0xBF]
    private static let scalars: ClosedRange<Unicode.Scalar> = "\u{10FFF0}"..."\u{10FFF2}"
    /// The escape for a stand-in in double quotes, without the `\` and the last digit.
    private static let escape: [UInt8] = Array("u0010fff".utf8)

    private static func last(for byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "&"): 0xB0
        case UInt8(ascii: "*"): 0xB1
        case UInt8(ascii: "?"): 0xB2
        default: nil
        }
    }

    /// Returns the text for the parser.
    ///
    /// - Throws: `badYAML` if the text contains a stand-in itself, and `tooLarge` if it may have too many keys that are
    ///   lists or mappings.
    static func put(into text: String, file: String) throws(Problem) -> String {
        let bytes = Array(text.utf8)
        var parsed: [UInt8] = []
        parsed.reserveCapacity(bytes.count + bytes.count / 8)
        var line = 1
        // Without `?`, only a list or mapping that ends with `]` or `}` on the same line can be such a key, with at
        // most 1024 characters.
        var flowKeys = 0
        var isAfterFlow = false
        for (place, byte) in bytes.enumerated() {
            if let end = last(for: byte) {
                parsed += head
                parsed.append(end)
                isAfterFlow = false
                continue
            }
            parsed.append(byte)
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
            case UInt8(ascii: ":"): flowKeys += isAfterFlow ? 1 : 0
            case UInt8(ascii: "\n"): line += 1
            case head[0], UInt8(ascii: "\\"):
                guard !isOne(bytes[place...]) else {
                    throw Problem(
                        .badYAML, at: "\(file):\(line)",
                        "A character from U+10FFF0 to U+10FFFF is here, which no text needs.")
                }
            default: break
            }
            isAfterFlow = byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
        }
        guard flowKeys <= Limits.yamlFlowKeys else {
            throw Problem(
                .tooLarge, at: file,
                "In \(flowKeys) places a key may be no text; at most \(Limits.yamlFlowKeys) are read.")
        }
        return String(decoding: parsed, as: UTF8.self)
    }

    /// Returns whether bytes begin with a stand-in, or with its escape in double quotes.
    private static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "\\") else {
            return bytes.starts(with: head) && bytes.dropFirst(3).first.map { 0xB0...0xBF ~= $0 } ?? false
        }
        // The digits of an escape may be upper or lower case.
        return bytes.dropFirst().starts(with: escape) { $0 | 0x20 == $1 }
    }

    /// Returns a text of the parser with its original characters.
    static func takenOut(of text: String) -> String {
        guard text.utf8.contains(head[0]) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{10FFF0}": scalars.append("&")
            case "\u{10FFF1}": scalars.append("*")
            case "\u{10FFF2}": scalars.append("?")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    // MARK: In words

    /// Returns the reason why a plain scalar of the parser is not a text, or `nil` if it is one.
    static func fault(ofPlain text: String) -> String? {
        guard let first = text.unicodeScalars.first, scalars.contains(first) else { return nil }
        let word = takenOut(of: text).split(whereSeparator: \.isWhitespace).first.map { String($0.prefix(40)) } ?? ""
        switch first {
        case "\u{10FFF0}": return "\(word) is an anchor; take it away, or put the text in quotes."
        case "\u{10FFF1}": return "\(word) is an alias; write out what it stands for, or put the text in quotes."
        default: return "\"?\" begins a key or a text; take it away, or put the text in quotes."
        }
    }

    /// Returns the anchor or alias on the line of a problem or on the line before, if there is one. Its stand-in may be
    /// the reason why the parser stopped.
    static func word(near line: Int, in text: String) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let words = lines.prefix(max(line, 1)).suffix(2).flatMap { $0.split(whereSeparator: \.isWhitespace) }
        let found = words.last { word in
            (word.first == "&" || word.first == "*") && word.count > 1
                && word.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        return found.map { String($0.prefix(40)) }
    }
}
