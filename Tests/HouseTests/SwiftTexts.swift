import Glibc

/// A text in a Swift file that people read: a doc comment, a comment or a message.
struct SwiftText: Equatable {
    enum Kind: String, CaseIterable {
        case doc, comment, message
    }

    var kind: Kind
    /// The number of the first line, counted from 1.
    var line: Int
    /// The text with its lines joined by single spaces. A newline stands for an empty line, and `` ` `` for each piece
    /// of code or interpolation.
    var bytes: [UInt8] = []

    /// Returns the texts of a Swift file. A string literal is a message if it has three words and no SQL, or begins with
    /// the name of the program.
    static func all(in file: [UInt8]) -> [SwiftText] {
        var reader = SwiftTextReader(file: file)
        reader.read()
        return reader.texts.filter { $0.kind != .message || $0.isMessage }
    }

    private static let sql: Set<String> = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "WHERE", "FROM", "TABLE", "VALUES", "PRAGMA",
    ]

    private var isMessage: Bool {
        guard bytes.offset(of: " ") != nil else { return false }
        if bytes.starts(with: "assent ".utf8) { return true }
        let words = bytes.split { !$0.isLetter }.filter { $0.count > 1 }
        return words.count > 2 && !words.contains { Self.sql.contains(String(decoding: $0, as: UTF8.self)) }
    }

    /// Replaces each piece of code between backticks by one backtick, also if it goes over two lines.
    fileprivate mutating func replaceCode() {
        guard bytes.offset(of: "`") != nil else { return }
        var (kept, isCode): ([UInt8], Bool) = ([], false)
        for byte in bytes {
            if byte == tick {
                isCode.toggle()
                if !isCode { kept.append(tick) }
            } else if !isCode {
                kept.append(byte)
            }
        }
        bytes = kept
    }
}

private let tick = UInt8(ascii: "`")
private let quote = UInt8(ascii: "\"")
private let slash = UInt8(ascii: "/")
private let star = UInt8(ascii: "*")
private let hash = UInt8(ascii: "#")
private let newline = UInt8(ascii: "\n")
private let backslash = UInt8(ascii: "\\")

/// Collects the texts of one file. It looks into a line only if there is a quotation mark or a slash in it.
private struct SwiftTextReader {
    let file: [UInt8]
    var texts: [SwiftText] = []
    private var at = 0
    private var line = 1
    /// The comment that the next line may continue.
    private var comment: SwiftText?
    /// Whether the lines of the comment stand in a fenced block of code.
    private var isFenced = false

    init(file: [UInt8]) { self.file = file }

    mutating func read() {
        while at < file.count {
            let end = endOfLine(at)
            if !readCommentLine(end) {
                endComment()
                if holds(quote, end) || holds(slash, end) { readCode() } else { at = end }
            }
            // A literal over several lines has moved on.
            if at < file.count, file[at] == newline { (at, line) = (at + 1, line + 1) }
        }
        endComment()
    }

    /// Reads a line that is nothing but a comment, and returns whether it is one.
    private mutating func readCommentLine(_ end: Int) -> Bool {
        var start = at
        while start < end, file[start].isBlank { start += 1 }
        guard byte(start) == slash, byte(start + 1) == slash else { return false }
        let isDoc = byte(start + 2) == slash
        if let comment, comment.kind != (isDoc ? .doc : .comment) { endComment() }
        let text = file[start + (isDoc ? 3 : 2)..<end].trimmed
        if comment == nil { comment = SwiftText(kind: isDoc ? .doc : .comment, line: line) }
        if text.starts(with: "```".utf8) {
            isFenced.toggle()
        } else if text.isEmpty {
            comment?.bytes.append(newline)
        } else if !isFenced {
            if let last = comment?.bytes.last, last != newline { comment?.bytes.append(UInt8(ascii: " ")) }
            comment?.bytes += text
        }
        at = end
        return true
    }

    private mutating func endComment() {
        guard var ended = comment else { return }
        ended.replaceCode()
        if !ended.bytes.isEmpty { texts.append(ended) }
        (comment, isFenced) = (nil, false)
    }

    /// Reads up to the end of the line in which the last literal or block comment of this line ends.
    private mutating func readCode() {
        while at < file.count, file[at] != newline {
            switch file[at] {
            case slash where byte(at + 1) == slash:
                let last = endOfLine(at)
                var text = SwiftText(kind: .comment, line: line, bytes: Array(file[(at + 2)..<last].trimmed))
                text.replaceCode()
                texts.append(text)
                at = last
            case slash where byte(at + 1) == star: readBlockComment()
            case quote, hash: readString()
            default: at += 1
            }
        }
    }

    private mutating func readBlockComment() {
        var text = SwiftText(kind: byte(at + 2) == star ? .doc : .comment, line: line)
        at += 2
        while at < file.count, !(file[at] == star && byte(at + 1) == slash) {
            if file[at] == newline { line += 1 }
            text.bytes.append(file[at] == newline ? UInt8(ascii: " ") : file[at])
            at += 1
        }
        at = min(at + 2, file.count)
        text.replaceCode()
        texts.append(text)
    }

    /// Reads a literal, or moves on by one byte if none begins here.
    private mutating func readString() {
        let start = at
        while byte(at) == hash { at += 1 }
        let hashes = at - start
        guard byte(at) == quote else { return at = max(at, start + 1) }
        let isLong = byte(at + 1) == quote && byte(at + 2) == quote
        let quotes = isLong ? 3 : 1
        at += quotes
        var text = SwiftText(kind: .message, line: line)
        while at < file.count {
            let next = file[at]
            if next == newline {
                guard isLong else { break }
                line += 1
                at += 1
                while byte(at)?.isBlank ?? false { at += 1 }
                text.bytes.append(UInt8(ascii: " "))
            } else if next == backslash, repeats(hash, hashes, at: at + 1) {
                at += 1 + hashes
                readEscape(into: &text)
            } else if next == quote, repeats(quote, quotes, at: at), repeats(hash, hashes, at: at + quotes) {
                at += quotes + hashes
                break
            } else {
                text.bytes.append(next)
                at += 1
            }
        }
        texts.append(text)
    }

    private mutating func readEscape(into text: inout SwiftText) {
        switch byte(at) {
        case UInt8(ascii: "("):
            readInterpolation()
            text.bytes.append(tick)
        // The backslash at the end of a line joins the next one.
        case newline: break
        case UInt8(ascii: "n"):
            text.bytes.append(newline)
            at += 1
        default: at += 1
        }
    }

    /// Reads the parentheses of an interpolation, with the literals in them.
    private mutating func readInterpolation() {
        var depth = 0
        while at < file.count {
            switch file[at] {
            case UInt8(ascii: "("): (at, depth) = (at + 1, depth + 1)
            case UInt8(ascii: ")"):
                (at, depth) = (at + 1, depth - 1)
                if depth == 0 { return }
            case newline: (at, line) = (at + 1, line + 1)
            case quote, hash: readString()
            default: at += 1
            }
        }
    }

    private func repeats(_ wanted: UInt8, _ count: Int, at start: Int) -> Bool {
        var offset = 0
        while offset < count {
            guard byte(start + offset) == wanted else { return false }
            offset += 1
        }
        return true
    }

    private func byte(_ offset: Int) -> UInt8? { offset < file.count ? file[offset] : nil }

    private func endOfLine(_ start: Int) -> Int { file.offset(of: "\n", from: start) ?? file.count }

    /// Returns whether a byte stands between the current place and `end`.
    private func holds(_ wanted: UInt8, _ end: Int) -> Bool {
        file.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0 + at, Int32(wanted), end - at) != nil } ?? false
        }
    }
}
