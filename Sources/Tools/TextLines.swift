import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most lines of a text that a tool sorts, filters or numbers.
    package static let textLines = 5_000_000
}

/// A text as its lines, as every tool counts and changes them. A line ends with LF or CRLF, or with CR in a text without
/// any LF. Each line keeps its own end, and the text keeps whether its last line has one.
struct TextLines {
    typealias Bytes = ArraySlice<UInt8>

    /// A line without its end, and the end: `\n`, `\r\n`, `\r`, or nothing for a last line without one.
    struct Line {
        var content: Bytes
        var end: Bytes
    }

    private static let feed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private(set) var lines: [Line] = []
    /// Whether the last line has an end. An empty text counts as one that has.
    let endsWithEnd: Bool
    /// The end of the first line, or `\n` if no line has one.
    let usualEnd: Bytes

    /// Splits a text in UTF-8, which has no byte order mark. An empty text has no lines.
    ///
    /// - Throws: `tooManyLines` above `Limits.textLines`.
    init(_ text: [UInt8]) throws(Failure) {
        var start = 0
        var feeds = Self.places(of: Self.feed, in: text, most: Limits.textLines)
        if feeds.isEmpty { feeds = Self.places(of: Self.carriageReturn, in: text, most: Limits.textLines) }
        lines.reserveCapacity(feeds.count + 1)
        for feed in feeds {
            let isPair = feed > start && text[feed] == Self.feed && text[feed - 1] == Self.carriageReturn
            let end = isPair ? feed - 1 : feed
            lines.append(Line(content: text[start..<end], end: text[end...feed]))
            start = feed + 1
        }
        if start < text.count { lines.append(Line(content: text[start...], end: [])) }
        guard lines.count <= Limits.textLines else {
            throw Failure(
                .tooManyLines, "The text has more than \(Limits.textLines) lines.")
        }
        endsWithEnd = lines.last.map { !$0.end.isEmpty } ?? true
        usualEnd = lines.first.flatMap { $0.end.isEmpty ? nil : $0.end } ?? [Self.feed]
    }

    /// Returns the places of a byte, one more than `most` if there are more.
    private static func places(of byte: UInt8, in text: [UInt8], most: Int) -> [Int] {
        text.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return [] }
            var (feeds, start) = ([Int](), 0)
            while start < buffer.count, feeds.count <= most,
                let found = memchr(base + start, Int32(byte), buffer.count - start)
            {
                feeds.append(UnsafeRawPointer(found) - base)
                start = feeds[feeds.count - 1] + 1
            }
            return feeds
        }
    }

    /// Returns the text of other lines, with the last line's end as in this text.
    ///
    /// - Throws: `tooLarge` if the text would have more bytes than a step reads.
    func text(of lines: some Collection<Line>) throws(Failure) -> [UInt8] {
        let count = lines.reduce(0) { $0 + $1.content.count + max($1.end.count, usualEnd.count) }
        guard count <= Limits.readFileBytes else { throw BoundedText.tooLarge("The text would have") }
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var left = lines.count
        for line in lines {
            left -= 1
            text += line.content
            if left > 0 || endsWithEnd { text += line.end.isEmpty ? usualEnd : line.end }
        }
        return text
    }
}

/// A text to look for in lines, as it is written: no sign in it has a meaning of its own.
struct LiteralSearch {
    enum Place: String {
        case contains, begins, ends
    }

    private let isCaseIgnored: Bool
    /// The bytes to look for, in lower case if case is ignored. Empty if the text has other signs than ASCII.
    private let bytes: [UInt8]
    private let text: String

    /// - Throws: `badParam` for an empty text and for one with a line break, which no line can hold.
    init(_ text: String, ignoringCase isCaseIgnored: Bool) throws(Failure) {
        guard !text.isEmpty else { throw Failure(.badParam, "\"text\" is empty: there is nothing to look for.") }
        guard !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            throw Failure(
                .badParam, "\"text\" has a line break in it, and lines are looked at one by one.",
                remedy: "Look for one line.")
        }
        self.isCaseIgnored = isCaseIgnored
        self.text = isCaseIgnored ? text.withoutCase : text
        bytes = text.utf8.allSatisfy { $0 < 0x80 } ? Array(self.text.utf8) : []
    }

    func matches(_ line: TextLines.Bytes, at place: Place = .contains) -> Bool {
        // In a line with other signs than ASCII, such as `ſ`, a letter may have more forms than two.
        let isText = bytes.isEmpty || isCaseIgnored && line.contains { $0 >= 0x80 }
        return isText ? matchesAsText(line, place) : matchesAsBytes(line, place)
    }

    /// Compares as Unicode does: `é` is one sign, however it is written.
    private func matchesAsText(_ line: TextLines.Bytes, _ place: Place) -> Bool {
        let written = String(decoding: line, as: UTF8.self)
        let line = isCaseIgnored ? written.withoutCase : written
        return switch place {
        case .contains: line.contains(text)
        case .begins: line.hasPrefix(text)
        case .ends: line.hasSuffix(text)
        }
    }

    private func matchesAsBytes(_ line: TextLines.Bytes, _ place: Place) -> Bool {
        guard line.count >= bytes.count else { return false }
        let last = line.endIndex - bytes.count
        return switch place {
        case .begins: isThere(in: line, at: line.startIndex)
        case .ends: isThere(in: line, at: last)
        case .contains: (line.startIndex...last).contains { isThere(in: line, at: $0) }
        }
    }

    private func isThere(in line: TextLines.Bytes, at start: Int) -> Bool {
        for (offset, byte) in bytes.enumerated() {
            let found = line[start + offset]
            guard (isCaseIgnored ? found.inLowerCase : found) == byte else { return false }
        }
        return true
    }
}

/// The first number of a line, compared digit by digit, so that no number is too long or loses digits.
struct LineNumber: Comparable {
    private let isNegative: Bool
    /// The digits before the point, without zeros in front.
    private let whole: TextLines.Bytes
    /// The digits behind the point, without zeros at the end.
    private let fraction: TextLines.Bytes

    /// Finds the first number of a line, such as `-3.5` in `at -3.5 °C`. A minus counts if no letter or digit stands
    /// before it.
    init?(firstIn line: TextLines.Bytes) {
        guard let start = line.firstIndex(where: \.isDigit) else { return nil }
        let end = line[start...].firstIndex { !$0.isDigit } ?? line.endIndex
        whole = line[start..<end].drop { $0 == UInt8(ascii: "0") }
        var decimals: TextLines.Bytes = []
        if end < line.endIndex, line[end] == UInt8(ascii: ".") {
            decimals = line[(end + 1)...].prefix(while: \.isDigit)
        }
        while decimals.last == UInt8(ascii: "0") { decimals = decimals.dropLast() }
        fraction = decimals
        let isZero = whole.isEmpty && decimals.isEmpty
        let before = line[..<start]
        isNegative = !isZero && before.last == UInt8(ascii: "-") && !(before.dropLast().last?.isOfWord ?? false)
    }

    static func < (one: LineNumber, other: LineNumber) -> Bool {
        guard one.isNegative == other.isNegative else { return one.isNegative }
        return one.isNegative ? other.isSmaller(than: one) : one.isSmaller(than: other)
    }

    static func == (one: LineNumber, other: LineNumber) -> Bool {
        one.isNegative == other.isNegative && one.whole.elementsEqual(other.whole)
            && one.fraction.elementsEqual(other.fraction)
    }

    /// Compares without the signs.
    private func isSmaller(than other: LineNumber) -> Bool {
        if whole.count != other.whole.count { return whole.count < other.whole.count }
        if !whole.elementsEqual(other.whole) { return whole.lexicographicallyPrecedes(other.whole) }
        return fraction.lexicographicallyPrecedes(other.fraction)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isOfWord: Bool {
        self >= 0x80 || isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(inLowerCase)
    }
    fileprivate var inLowerCase: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
