import Vocabulary

/// A text in which every occurrence of another text is replaced.
///
/// A text to look for without a line end is compared as Unicode does: `é` is one sign, however it is written. One with
/// a line end is compared byte by byte, and its `\n` also finds the `\r\n` of a text that has such line ends.
struct ReplacedText {
    let utf8: [UInt8]
    /// The number of places that were replaced.
    private(set) var count = 0

    /// Replaces from the start to the end. What was replaced is not looked at again.
    ///
    /// - Throws: `tooLarge` if the text would have more bytes than a step reads.
    init(_ text: [UInt8], find: String, with replacement: String) throws(Failure) {
        let isOfLines = find.utf8.contains { $0 == Self.feed || $0 == Self.carriageReturn }
        if isOfLines {
            (utf8, count) = try Self.replaced(Array(find.utf8), in: text, with: Array(replacement.utf8))
        } else {
            // New lines end as the others do. Where line ends are replaced, the new ones are those that were asked for.
            let ends = String(decoding: try TextLines(text).usualEnd, as: UTF8.self)
            let isPlain = !replacement.utf8.contains(Self.feed) || replacement.utf8.contains(Self.carriageReturn)
            let (replaced, count) = try Self.replaced(
                find, in: String(decoding: text, as: UTF8.self),
                with: isPlain ? replacement : replacement.replacing("\n", with: ends))
            (utf8, self.count) = (Array(replaced.utf8), count)
        }
    }

    private static let feed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func replaced(_ find: String, in text: String, with replacement: String) throws(Failure) -> (
        String, count: Int
    ) {
        // No more places than characters, and no more characters than bytes.
        let (added, isTooMuch) = (text.utf8.count / find.count).multipliedReportingOverflow(by: replacement.utf8.count)
        var count = 0
        if !isTooMuch, added <= Limits.readFileBytes - text.utf8.count {
            let places = text.ranges(of: find)
            guard !places.isEmpty else { return (text, 0) }
            var (replaced, end) = ("", text.startIndex)
            for place in places {
                replaced += text[end..<place.lowerBound]
                replaced += replacement
                end = place.upperBound
            }
            return (replaced + text[end...], places.count)
        }
        var replaced = BoundedText()
        var rest = text[...]
        while let place = rest.firstRange(of: find) {
            count += 1
            try replaced.append(rest[..<place.lowerBound])
            try replaced.append(replacement[...])
            rest = rest[place.upperBound...]
        }
        try replaced.append(rest)
        return (replaced.text, count)
    }

    private static func replaced(_ find: [UInt8], in text: [UInt8], with replacement: [UInt8]) throws(Failure)
        -> ([UInt8], count: Int)
    {
        var (replaced, place, count) = ([UInt8](), 0, 0)
        replaced.reserveCapacity(text.count)
        while place < text.count {
            if let end = end(of: find, in: text, at: place) {
                replaced += replacement
                count += 1
                place = end
            } else {
                replaced.append(text[place])
                place += 1
            }
            guard replaced.count <= Limits.readFileBytes else { throw BoundedText.tooLarge("The text would have") }
        }
        return (replaced, count)
    }

    /// Returns the end of an occurrence that begins at a place, or `nil` if none does.
    private static func end(of find: [UInt8], in text: [UInt8], at start: Int) -> Int? {
        var place = start
        for (index, byte) in find.enumerated() {
            let isPlainFeed = byte == feed && (index == 0 || find[index - 1] != carriageReturn)
            if isPlainFeed, place + 1 < text.count, text[place] == carriageReturn, text[place + 1] == feed {
                place += 1
            }
            guard place < text.count, text[place] == byte else { return nil }
            place += 1
        }
        return place
    }
}
