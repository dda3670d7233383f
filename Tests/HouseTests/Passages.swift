import CaseNames
import Glibc

/// A run of comment lines in a source file, or a paragraph of a Markdown page, with its lines joined by single spaces.
struct Passage {
    private(set) var bytes: [UInt8] = []
    private var starts: [(offset: Int, line: Int)] = []

    /// Returns the number of the line, counted from 1, from which the byte at `offset` came.
    func line(at offset: Int) -> Int { starts.last { $0.offset <= offset }?.line ?? 1 }

    /// Appends a line without the spaces at its ends, and returns whether the line follows the passage's last line.
    fileprivate mutating func append(_ text: ArraySlice<UInt8>, line: Int) -> Bool {
        if let last = starts.last?.line, line > last + 1 { return false }
        if !starts.isEmpty { bytes.append(UInt8(ascii: " ")) }
        starts.append((bytes.count, line))
        bytes += text.trimmed
        return true
    }
}

/// The kinds of files in which people write sentences, by how a sentence is told from the rest.
enum Language {
    /// Swift, C, and JSON with comments: `//` and `/* */`, outside string literals.
    case slashes
    /// YAML, shell, Python, Makefile: `#`, outside quotes.
    case hash
    /// A Markdown page without its fenced code.
    case markdown

    init?(path: String) {
        switch path.split(separator: "/").last?.split(separator: ".").last {
        case "swift", "c", "h", "json": self = .slashes
        case "yaml", "yml", "sh", "py", "service", "Makefile": self = .hash
        case "md": self = .markdown
        default: return nil
        }
    }

    /// Returns the comments or paragraphs of a file, in order.
    func passages(of file: [UInt8]) -> [Passage] {
        var reader = PassageReader(file: file)
        switch self {
        case .slashes: reader.readSlashComments()
        case .hash: reader.readHashComments()
        case .markdown: reader.readParagraphs()
        }
        return reader.passages
    }
}

/// Collects the passages of one file.
private struct PassageReader {
    let file: [UInt8]
    var passages: [Passage] = []
    /// The offset up to which newlines have been counted, and the number of the line there.
    private var counted = (offset: 0, line: 1)

    init(file: [UInt8]) { self.file = file }

    mutating func readSlashComments() {
        var at = 0
        while at < file.count {
            switch file[at] {
            case UInt8(ascii: "/") where byte(at + 1) == UInt8(ascii: "/"):
                let end = endOfLine(at)
                add(file[at..<end].drop { $0 == UInt8(ascii: "/") }, at: at)
                at = end
            case UInt8(ascii: "/") where byte(at + 1) == UInt8(ascii: "*"):
                at = readBlockComment(at)
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                at = endOfString(at)
            default:
                at += 1
            }
        }
    }

    mutating func readHashComments() {
        for (start, line) in file.lines() {
            var quote: UInt8?
            var last = UInt8(ascii: " ")
            for (offset, byte) in line.enumerated() {
                if byte == UInt8(ascii: "#"), quote == nil, last.isBlank {
                    add(line.dropFirst(offset + 1), at: start + offset)
                    break
                }
                if byte == quote {
                    quote = nil
                } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), !last.isNameByte {
                    quote = byte
                }
                last = byte
            }
        }
    }

    mutating func readParagraphs() {
        var isFenced = false
        var continues = false
        for (start, line) in file.lines() {
            let text = line.trimmed
            if text.starts(with: "```".utf8) || text.starts(with: "~~~".utf8) {
                (isFenced, continues) = (!isFenced, false)
            } else if text.isEmpty {
                continues = false
            } else if !isFenced {
                if !continues || text.startsBlock { passages.append(Passage()) }
                add(text, at: start)
                continues = text.first != UInt8(ascii: "#")
            }
        }
    }

    private mutating func add(_ text: ArraySlice<UInt8>, at offset: Int) {
        while let newline = file.offset(of: "\n", from: counted.offset), newline < offset {
            counted = (newline + 1, counted.line + 1)
        }
        if let last = passages.indices.last, passages[last].append(text, line: counted.line) { return }
        var passage = Passage()
        _ = passage.append(text, line: counted.line)
        passages.append(passage)
    }

    /// Adds the lines of a comment that may hold others, and returns the offset of its end.
    private mutating func readBlockComment(_ start: Int) -> Int {
        var (at, depth, lineStart) = (start + 2, 1, start + 2)
        while at < file.count, depth > 0 {
            switch (file[at], byte(at + 1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): (at, depth) = (at + 2, depth + 1)
            case (UInt8(ascii: "*"), UInt8(ascii: "/")): (at, depth) = (at + 2, depth - 1)
            case (UInt8(ascii: "\n"), _):
                add(file[lineStart..<at].trimmed.drop { $0 == UInt8(ascii: "*") }, at: lineStart)
                (at, lineStart) = (at + 1, at + 1)
            default: at += 1
            }
        }
        add(file[lineStart..<max(lineStart, at - 2)].trimmed.drop { $0 == UInt8(ascii: "*") }, at: lineStart)
        return at
    }

    /// Returns the offset after the string literal that begins at `start`, or the next offset if none begins there.
    private func endOfString(_ start: Int) -> Int {
        var at = start
        while byte(at) == UInt8(ascii: "#") { at += 1 }
        let hashes = at - start
        guard byte(at) == UInt8(ascii: "\"") else { return max(at, start + 1) }
        let isLong = byte(at + 1) == UInt8(ascii: "\"") && byte(at + 2) == UInt8(ascii: "\"")
        let quotes = isLong ? 3 : 1
        at += quotes
        while at < file.count {
            switch file[at] {
            case UInt8(ascii: "\n") where !isLong:
                return at
            case UInt8(ascii: "\\") where repeats(UInt8(ascii: "#"), hashes, at: at + 1):
                at += 1 + hashes
                at = byte(at) == UInt8(ascii: "(") ? endOfInterpolation(at) : at + 1
            case UInt8(ascii: "\"")
            where repeats(UInt8(ascii: "\""), quotes, at: at) && repeats(UInt8(ascii: "#"), hashes, at: at + quotes):
                return at + quotes + hashes
            default:
                at += 1
            }
        }
        return at
    }

    /// Returns the offset after the parentheses of an interpolation, whose own strings may hold others.
    private func endOfInterpolation(_ start: Int) -> Int {
        var (at, depth) = (start, 0)
        while at < file.count {
            switch file[at] {
            case UInt8(ascii: "("): (at, depth) = (at + 1, depth + 1)
            case UInt8(ascii: ")"):
                (at, depth) = (at + 1, depth - 1)
                if depth == 0 { return at }
            case UInt8(ascii: "\""), UInt8(ascii: "#"): at = endOfString(at)
            default: at += 1
            }
        }
        return at
    }

    private func repeats(_ wanted: UInt8, _ count: Int, at start: Int) -> Bool {
        (0..<count).allSatisfy { byte(start + $0) == wanted }
    }

    private func byte(_ offset: Int) -> UInt8? { offset < file.count ? file[offset] : nil }

    private func endOfLine(_ start: Int) -> Int { file.offset(of: "\n", from: start) ?? file.count }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r") }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isLetter: Bool { (self | 32) >= UInt8(ascii: "a") && (self | 32) <= UInt8(ascii: "z") }

    /// Whether the byte may stand in a word of a path: a letter, a digit, `_`, `.`, `/` or `-`.
    var isNameByte: Bool {
        isLetter || isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: ".") || self == UInt8(ascii: "/")
            || self == UInt8(ascii: "-")
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces and tabs at both ends.
    var trimmed: ArraySlice<UInt8> {
        var slice = drop { $0.isBlank }
        while let last = slice.last, last.isBlank { slice.removeLast() }
        return slice
    }

    /// Whether a line of Markdown begins a heading, a table row, a quotation or an item of a list.
    fileprivate var startsBlock: Bool {
        guard let first else { return true }
        if first.isDigit { return drop { $0.isDigit }.starts(with: ". ".utf8) }
        return first == UInt8(ascii: "|") || first == UInt8(ascii: "#") || first == UInt8(ascii: ">")
            || starts(with: "- ".utf8)
            || starts(with: "* ".utf8)
    }
}

extension [UInt8] {
    /// Returns the first offset at or after `start` at which `needle` stands, or nil if it does not occur there.
    func offset(of needle: StaticString, from start: Int = 0) -> Int? {
        withUnsafeBytes { (bytes) -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            let first = Int32(needle.utf8Start.pointee)
            let last = bytes.count - needle.utf8CodeUnitCount
            var at = start
            while at <= last {
                guard let found = memchr(base + at, first, last - at + 1) else { return nil }
                if memcmp(found, needle.utf8Start, needle.utf8CodeUnitCount) == 0 {
                    return UnsafeRawPointer(found) - base
                }
                at = UnsafeRawPointer(found) - base + 1
            }
            return nil
        }
    }

    /// Returns all lines without their newlines, each with the offset of its first byte.
    func lines() -> [(start: Int, line: ArraySlice<UInt8>)] {
        var lines: [(start: Int, line: ArraySlice<UInt8>)] = []
        var start = 0
        while start < count {
            let end = offset(of: "\n", from: start) ?? count
            lines.append((start, self[start..<end]))
            start = end + 1
        }
        return lines
    }
}
