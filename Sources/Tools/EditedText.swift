import Glibc
import Vocabulary

extension Limits {
    /// The most places that a message about an edit names.
    fileprivate static let editPlaces = 8

    /// The lines that a message names as the nearest to a text that does not stand in the file.
    fileprivate static let nearestLines = 3

    /// The lines of a file that are compared with a text that does not stand in it.
    fileprivate static let comparedLines = 50_000

    /// The characters of a line in such a message.
    fileprivate static let nearestLineCharacters = 160
}

/// A text to which edits are applied, one after the other. Bytes are compared. Line ends of `find` and `replace`
/// become those of the text.
struct EditedText {
    private(set) var utf8: [UInt8]

    private let keys: KeyFilter

    /// - Parameter keys: finds keys, whose lines no message shows.
    init(_ utf8: [UInt8], _ keys: KeyFilter = KeyFilter()) { (self.utf8, self.keys) = (utf8, keys) }

    /// Replaces a text that stands exactly once, or every occurrence of it.
    ///
    /// - Returns: why nothing was replaced, as a sentence for the writer of the edit, or nil.
    mutating func replace(_ find: String, with replacement: String, isEverywhere: Bool) -> String? {
        let (wanted, new) = fitted(find, replacement)
        let places = Self.places(of: wanted, in: utf8, overlap: !isEverywhere)
        guard !places.isEmpty else { return missing(find) }
        guard places.count == 1 || isEverywhere else {
            let lines = places.prefix(Limits.editPlaces).map { String(line(at: $0)) }.joined(separator: ", ")
            let more = places.count > Limits.editPlaces ? " and others" : ""
            return "find stands \(places.count) times, in lines \(lines)\(more), and must stand once. "
                + "Add the text around it, or say \"all\": true."
        }
        var (edited, end) = ([UInt8](), 0)
        edited.reserveCapacity(utf8.count + places.count * max(0, new.count - wanted.count))
        for place in places {
            edited += utf8[end..<place]
            edited += new
            end = place + wanted.count
        }
        utf8 = edited + utf8[end...]
        return nil
    }

    /// Replaces the whole text. New lines end as those of the old text.
    mutating func replaceAll(with text: String) {
        utf8 =
            usesPairs && !text.utf8.contains(Self.carriageReturn) ? Self.withPairs(Array(text.utf8)) : Array(text.utf8)
    }

    // MARK: Line ends

    private static let feed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Whether the first line ends with CRLF.
    private var usesPairs: Bool {
        guard let first = utf8.firstIndex(of: Self.feed), first > 0 else { return false }
        return utf8[first - 1] == Self.carriageReturn
    }

    private static func withPairs(_ text: [UInt8]) -> [UInt8] {
        var pairs: [UInt8] = []
        pairs.reserveCapacity(text.count + 64)
        for byte in text {
            if byte == feed, pairs.last != carriageReturn { pairs.append(carriageReturn) }
            pairs.append(byte)
        }
        return pairs
    }

    private static func withoutPairs(_ text: [UInt8]) -> [UInt8] {
        var feeds: [UInt8] = []
        for byte in text {
            if byte == feed, feeds.last == carriageReturn { feeds.removeLast() }
            feeds.append(byte)
        }
        return feeds
    }

    /// Returns both texts of a replacement with the line ends of this text. If `find` stands there as it is
    /// written, it stays so.
    private func fitted(_ find: String, _ replacement: String) -> ([UInt8], [UInt8]) {
        let (wanted, new) = (Array(find.utf8), Array(replacement.utf8))
        let hasOwnEnds = wanted.contains(Self.carriageReturn) || new.contains(Self.carriageReturn)
        if usesPairs {
            let pairs = Self.withPairs(wanted)
            let isThere = wanted == pairs || Self.places(of: wanted, in: utf8).isEmpty
            return isThere ? (pairs, hasOwnEnds ? new : Self.withPairs(new)) : (wanted, new)
        }
        guard hasOwnEnds, Self.places(of: wanted, in: utf8).isEmpty else { return (wanted, new) }
        return (Self.withoutPairs(wanted), Self.withoutPairs(new))
    }

    // MARK: Places

    /// Returns the places of a text in another one.
    ///
    /// - Parameter overlap: whether places that overlap are returned, too.
    private static func places(of wanted: [UInt8], in text: [UInt8], overlap: Bool = false) -> [Int] {
        text.withUnsafeBytes { text in
            wanted.withUnsafeBytes { wanted in
                guard let base = text.baseAddress, let find = wanted.baseAddress else { return [] }
                var (places, start) = ([Int](), 0)
                while start + wanted.count <= text.count,
                    let found = memchr(base + start, Int32(wanted[0]), text.count - wanted.count - start + 1)
                {
                    let place = UnsafeRawPointer(found) - base
                    let isWhole = memcmp(found, find, wanted.count) == 0
                    if isWhole { places.append(place) }
                    start = place + (isWhole && !overlap ? wanted.count : 1)
                }
                return places
            }
        }
    }

    private func line(at place: Int) -> Int { utf8[..<place].count { $0 == Self.feed } + 1 }

    // MARK: What is near

    /// Returns the sentence for a text that does not stand in the file, with the lines that are nearest to its
    /// first line.
    private func missing(_ find: String) -> String {
        let sentence = "find stands 0 times."
        let first = find.split(whereSeparator: \.isNewline).lazy.map(Self.trimmed).first { !$0.isEmpty }
        guard let first else { return sentence }
        let words = Self.words(of: first)
        var ranked: [(line: Int, text: Substring, score: Double)] = []
        let lines = String(decoding: utf8, as: UTF8.self).split(
            maxSplits: Limits.comparedLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let keyLines = KeyLines(of: String(decoding: utf8, as: UTF8.self), keys)
        for (index, line) in lines.prefix(Limits.comparedLines).enumerated() {
            let text = Self.trimmed(line)
            guard !text.isEmpty, !keyLines.holds(index) else { continue }
            let own = Self.words(of: text)
            let shared = Double(own.intersection(words).count)
            let score = text == first ? 2 : shared / Double(max(1, own.union(words).count))
            if score > 0.3 { ranked.append((index + 1, line, score)) }
        }
        let near = ranked.sorted { ($1.score, $0.line) < ($0.score, $1.line) }.prefix(Limits.nearestLines)
        guard !near.isEmpty else { return sentence + " No line is like it: read the file again." }
        let shown = near.map { "\($0.line): \($0.text.prefix(Limits.nearestLineCharacters))" }
        return sentence + " The nearest lines are\n" + shown.joined(separator: "\n")
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace ?? false { line.removeLast() }
        return line
    }

    private static func words(of line: Substring) -> Set<Substring> {
        Set(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    }
}
