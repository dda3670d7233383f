/// A sign or word of a condition, with its place.
struct ConditionToken: Hashable {
    enum Kind: Hashable {
        /// An identifier, or a word of the language such as `and`. Names with full stops are one token.
        case word(String)
        case text(String)
        case number(ExactNumber)
        case date(CivilDate)
        /// `= != < <= > >= ( ) [ ] ,`
        case sign(String)
        case end
    }

    let kind: Kind
    /// Counts scalars from 0.
    let offset: Int
    /// The token as a problem names it.
    let shown: String
}

/// A fault of a condition, and its place.
package struct ConditionFault: Error, Hashable, Sendable {
    package let code: Code
    package let message: String
    /// Counts scalars of the condition from 0.
    package let offset: Int
}

/// Cuts the text of a condition into tokens.
struct ConditionLexer {
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Cuts a text.
    ///
    /// - Throws: `badCondition` at the first sign that begins nothing.
    static func tokens(of text: String) throws(ConditionFault) -> [ConditionToken] {
        var lexer = ConditionLexer(text)
        var tokens: [ConditionToken] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private mutating func next() throws(ConditionFault) -> ConditionToken {
        while place < scalars.count, [" ", "\t", "\n", "\r"].contains(scalars[place]) { place += 1 }
        let start = place
        guard place < scalars.count else { return ConditionToken(kind: .end, offset: start, shown: "the end") }
        let scalar = scalars[place]
        if scalar == "'" || scalar == "\"" { return try text(scalar) }
        if Self.isDigit(scalar) || scalar == "-" { return try number() }
        if Self.isBeginning(scalar) { return try word() }
        for sign in ["!=", "<=", ">=", "=", "<", ">", "(", ")", "[", "]", ","] where starts(with: sign) {
            place += sign.unicodeScalars.count
            return ConditionToken(kind: .sign(sign), offset: start, shown: "\"\(sign)\"")
        }
        let shown =
            scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F
            ? "\"\(scalar)\"" : "U+\(String(scalar.value, radix: 16, uppercase: true))"
        throw ConditionFault(code: .badCondition, message: "\(shown) means nothing here.", offset: start)
    }

    private func starts(with sign: String) -> Bool {
        let wanted = Array(sign.unicodeScalars)
        return place + wanted.count <= scalars.count && Array(scalars[place..<place + wanted.count]) == wanted
    }

    /// Reads a text in `'…'` or `"…"`. A quote inside is doubled.
    private mutating func text(_ quote: Unicode.Scalar) throws(ConditionFault) -> ConditionToken {
        let start = place
        place += 1
        var text = String.UnicodeScalarView()
        while place < scalars.count {
            if scalars[place] == quote {
                guard place + 1 < scalars.count, scalars[place + 1] == quote else {
                    place += 1
                    return ConditionToken(kind: .text(String(text)), offset: start, shown: "a text")
                }
                place += 1
            }
            text.append(scalars[place])
            place += 1
        }
        throw ConditionFault(
            code: .badCondition, message: "The text that begins here has no closing \(quote).", offset: start)
    }

    /// Reads `-12.5`, or `2026-11-25`.
    private mutating func number() throws(ConditionFault) -> ConditionToken {
        let start = place
        place += 1
        while place < scalars.count, Self.isDigit(scalars[place]) || Self.isInWord(scalars[place]) { place += 1 }
        let written = String(String.UnicodeScalarView(scalars[start..<place]))
        if let date = CivilDate(written) { return ConditionToken(kind: .date(date), offset: start, shown: written) }
        if let number = ExactNumber(written) {
            return ConditionToken(kind: .number(number), offset: start, shown: written)
        }
        let cut = written.prefix(40)
        throw ConditionFault(
            code: .badCondition, message: "\(cut) is neither a number, such as -1.5, nor a day, such as 2026-11-25.",
            offset: start)
    }

    /// Reads `hurt`, or `corners.front-left`.
    private mutating func word() throws(ConditionFault) -> ConditionToken {
        let start = place
        while place < scalars.count, Self.isInWord(scalars[place]) { place += 1 }
        let written = String(String.UnicodeScalarView(scalars[start..<place]))
        let isName = written.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(ConditionWords.isID)
        guard isName else {
            throw ConditionFault(
                code: .badCondition, message: "\(written.prefix(40)) is no name of a step.", offset: start)
        }
        return ConditionToken(kind: .word(written), offset: start, shown: written)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9") ~= scalar }

    private static func isBeginning(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z") ~= scalar || ("A"..."Z") ~= scalar
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        isBeginning(scalar) || isDigit(scalar) || scalar == "-" || scalar == "."
    }
}

/// The words of the language, and the form of names.
package enum ConditionWords {
    /// The words that no step can be called.
    package static let reserved: Set<String> = [
        "and", "or", "not", "in", "exists", "matches", "selected", "count", "answer",
    ]

    /// Whether a text can be one part of a name: letters, digits and `_`, and hyphens between them. The first is a
    /// letter or `_`.
    package static func isID(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, let last = bytes.last, isLetter(first), last != UInt8(ascii: "-") else {
            return false
        }
        return bytes.allSatisfy {
            isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
