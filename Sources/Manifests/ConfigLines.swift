/// The lines of a text, each with its own line end, so that a change of one line leaves every other byte as it was.
///
/// A line ends with LF, CRLF or CR, as in YAML. Lines are parted by Unicode scalars: as a Swift `Character`, CRLF is
/// one sign.
struct ConfigLines {
    struct Line {
        var words: String
        /// Empty for the last line of a text without a final line end.
        var end: String
    }

    private(set) var all: [Line] = []

    init(_ text: String) {
        var words = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        var place = scalars.startIndex
        while place < scalars.endIndex {
            let scalar = scalars[place]
            place = scalars.index(after: place)
            guard scalar == "\n" || scalar == "\r" else {
                words.append(scalar)
                continue
            }
            var end = String(scalar)
            if scalar == "\r", place < scalars.endIndex, scalars[place] == "\n" {
                end = "\r\n"
                place = scalars.index(after: place)
            }
            all.append(Line(words: String(words), end: end))
            words = String.UnicodeScalarView()
        }
        if !words.isEmpty { all.append(Line(words: String(words), end: "")) }
    }

    /// The whole text.
    var text: String { all.map { $0.words + $0.end }.joined() }
    /// The texts of the lines, without their ends.
    var words: [String] { all.map(\.words) }
    /// The line end that the file uses, or LF for a text without one.
    private var end: String { all.first { !$0.end.isEmpty }?.end ?? "\n" }

    /// Replaces the words of one line and keeps its line end.
    mutating func replace(_ index: Int, with words: String) { all[index].words = words }

    /// Inserts lines before the line at `index`. At the end of the text, the new last line ends as the old one did.
    mutating func insert(_ words: [String], at index: Int) {
        let usual = end
        let isOpen = index == all.count && all.last?.end.isEmpty == true
        if isOpen { all[all.count - 1].end = usual }
        all.insert(contentsOf: words.map { Line(words: $0, end: usual) }, at: index)
        if isOpen, !words.isEmpty { all[all.count - 1].end = "" }
    }

    /// Adds lines at the end of the text.
    mutating func append(_ words: [String]) { insert(words, at: all.count) }

    /// Removes lines. A text without a final line end stays without one.
    mutating func remove(_ range: Range<Int>) {
        let isOpen = range.upperBound == all.count && all.last?.end.isEmpty == true
        all.removeSubrange(range)
        if isOpen, !all.isEmpty { all[all.count - 1].end = "" }
    }
}

/// A line of the form `key: value  # comment`, parted at its signs.
struct ConfigMember {
    /// The number of spaces before the key.
    let indent: Int
    /// The key without quotes.
    let key: String
    /// The line up to its value, with the spaces before the value.
    private let head: String
    /// The value as it is written. It is empty if the value stands on later lines.
    let value: String
    /// The spaces and the comment behind the value.
    private let tail: String

    /// Splits a line into key and value. Returns `nil` for a line of another form.
    init?(_ line: String) {
        let scalars = Array(line.unicodeScalars)
        func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
        let start = scalars.firstIndex { $0 != " " } ?? scalars.count
        guard start < scalars.count, scalars[start] != "#",
            scalars[start] != "-" || scalars.dropFirst(start + 1).first != " "
        else {
            return nil
        }
        var place = start
        if scalars[start] == "\"" || scalars[start] == "'" {
            guard let close = Self.close(of: scalars, from: start) else { return nil }
            (key, place) = (text(start + 1..<close), close + 1)
            while place < scalars.count, scalars[place] == " " { place += 1 }
            guard place < scalars.count, scalars[place] == ":" else { return nil }
        } else {
            let colon = scalars.indices.dropFirst(start).first {
                scalars[$0] == ":" && ($0 + 1 == scalars.count || scalars[$0 + 1] == " ")
            }
            guard let colon else { return nil }
            let end = scalars[start..<colon].lastIndex { $0 != " " }.map { $0 + 1 } ?? colon
            (key, place) = (text(start..<end), colon)
        }
        place += 1
        while place < scalars.count, scalars[place] == " " { place += 1 }
        let end = Self.end(ofValue: scalars, from: place)
        indent = start
        (head, value, tail) = (text(0..<place), text(place..<end), text(end..<scalars.count))
    }

    /// Returns the line with another value and the same comment.
    func line(withValue value: String) -> String {
        guard !value.isEmpty else { return String(head.reversed().drop { $0 == " " }.reversed()) + tail }
        return (head.unicodeScalars.last == " " ? head : head + " ") + value
            + (self.value.isEmpty && !tail.isEmpty ? "  " : "") + tail
    }

    /// Returns the place of the quote that closes a quoted text.
    private static func close(of scalars: [Unicode.Scalar], from start: Int) -> Int? {
        var place = start + 1
        while place < scalars.count {
            if scalars[place] == "\\", scalars[start] == "\"" {
                place += 1
            } else if scalars[place] == scalars[start] {
                guard scalars[start] == "'", place + 1 < scalars.count, scalars[place + 1] == "'" else { return place }
                place += 1
            }
            place += 1
        }
        return nil
    }

    private static func end(ofValue scalars: [Unicode.Scalar], from start: Int) -> Int {
        guard start < scalars.count, scalars[start] != "#" else { return start }
        if scalars[start] == "\"" || scalars[start] == "'" {
            return close(of: scalars, from: start).map { $0 + 1 } ?? scalars.count
        }
        let comment = scalars.indices.dropFirst(start + 1).first {
            scalars[$0] == "#" && (scalars[$0 - 1] == " " || scalars[$0 - 1] == "\t")
        }
        let end = comment ?? scalars.count
        return scalars[start..<end].lastIndex { $0 != " " && $0 != "\t" }.map { $0 + 1 } ?? start
    }
}
