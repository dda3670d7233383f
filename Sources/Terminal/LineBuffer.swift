/// The reason why a line is refused. No part of such a line is executed.
package enum LineFault: Hashable, Sendable {
    case tooLong(limit: Int)
    case hasNUL

    /// The end of a sentence about the line, such as `has a NUL in it`.
    package var words: String {
        switch self {
        case .tooLong(let limit): "has more than \(limit) bytes"
        case .hasNUL: "has a NUL in it"
        }
    }
}

/// A splitter of bytes into lines. The bytes come in pieces, cut anywhere. A line with an error is reported once, as
/// soon as the error is known, and dropped up to its newline.
struct LineBuffer {
    enum Item: Hashable {
        case line([UInt8])
        case refused(LineFault)
    }

    /// The most bytes of a line, without its newline.
    let limit: Int
    private var line: [UInt8] = []
    private var isRefused = false

    init(limit: Int) { self.limit = limit }

    mutating func feed(_ bytes: some Collection<UInt8>) -> [Item] {
        var items: [Item] = []
        var rest = bytes[...]
        while let newline = rest.firstIndex(of: 0x0A) {
            items += take(rest[..<newline])
            items += end()
            rest = rest[rest.index(after: newline)...]
        }
        return items + take(rest)
    }

    /// Ends the line at the end of the input. A last line needs no newline.
    mutating func end() -> [Item] {
        defer { forget() }
        return isRefused ? [] : [.line(line)]
    }

    /// Drops the bytes of the line so far. The next byte begins another line.
    mutating func forget() {
        line = []
        isRefused = false
    }

    var isEmpty: Bool { line.isEmpty }

    private mutating func take(_ piece: some Collection<UInt8>) -> [Item] {
        guard !isRefused else { return [] }
        let fault: LineFault? =
            if piece.contains(0) { .hasNUL } else if line.count + piece.count > limit { .tooLong(limit: limit) } else {
                nil
            }
        guard let fault else {
            line += piece
            return []
        }
        line = []
        isRefused = true
        return [.refused(fault)]
    }
}
