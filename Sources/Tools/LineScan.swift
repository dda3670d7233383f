import Glibc
import Vocabulary

/// The lines of a text that are wanted, found while the text is read piece by piece. All lines are counted, and
/// only the wanted ones are held.
struct LineScan {
    /// A wanted line without its end.
    struct Line {
        /// The beginning of the line, or of its part from the offset on. It is cut above the limit of a page.
        var bytes: [UInt8] = []
        /// The bytes of the whole line.
        var length = 0
        /// The bytes of the line before `bytes`.
        var start = 0
        var endsWithPair = false
    }

    private static let feed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The fewest bytes of a number in front of a line, with its tab and the line end.
    private static let numberBytes = 6

    private let end: UInt8
    private let wanted: Range<Int>
    private let offset: Int
    private let limit: Int

    /// The wanted lines that fit, and the first that does not.
    private(set) var lines: [Line] = []
    /// The place of the first wanted line, in bytes.
    private(set) var firstByte = 0
    /// The number of line ends so far.
    private(set) var ends = 0
    /// The number of bytes so far.
    private(set) var bytes = 0
    /// Whether the first line ends with CRLF.
    private(set) var firstEndsWithPair = false
    private(set) var hasCarriageReturn = false
    private var isInLine = false
    private var last: UInt8 = 0
    private var held = 0

    /// - Parameters:
    ///   - wanted: the numbers of the wanted lines, from 1.
    ///   - offset: the bytes of the first wanted line that are left out.
    ///   - limit: the bytes of lines that are held.
    ///   - endsWithCarriageReturn: whether a line ends with CR. Otherwise it ends with LF or CRLF.
    init(_ wanted: Range<Int>, offset: Int, limit: Int, endsWithCarriageReturn: Bool) {
        end = endsWithCarriageReturn ? Self.carriageReturn : Self.feed
        (self.wanted, self.offset, self.limit) = (wanted, offset, limit)
    }

    /// The number of lines so far. A last line without an end counts.
    var count: Int { ends + (isInLine ? 1 : 0) }

    /// The last byte of each line end.
    var lineEnd: UInt8 { end }

    /// Puts a mark in the place of a line that may hold a key.
    mutating func hide(_ index: Int) {
        let mark = Array(KeyLines.mark.utf8)
        lines[index] = Line(bytes: mark, length: mark.count, endsWithPair: lines[index].endsWithPair)
    }

    /// Whether a line ends with CR.
    var endsWithReturns: Bool { end == Self.carriageReturn }

    /// Whether a text without any LF has CR, so that these are the ends of its lines.
    var needsCarriageReturns: Bool { end == Self.feed && ends == 0 && hasCarriageReturn }

    /// Looks at the next piece of the text.
    mutating func add(_ piece: UnsafeRawBufferPointer) {
        guard let base = piece.baseAddress, !piece.isEmpty else { return }
        if ends == 0, !hasCarriageReturn {
            hasCarriageReturn = memchr(base, Int32(Self.carriageReturn), piece.count) != nil
        }
        var place = 0
        while place < piece.count {
            let found = memchr(base + place, Int32(end), piece.count - place)
            let stop = found.map { UnsafeRawPointer($0) - base } ?? piece.count
            if wanted.contains(ends + 1), stop > place || found != nil {
                if lines.isEmpty { firstByte = bytes + place }
                take(UnsafeRawBufferPointer(rebasing: piece[place..<stop]), ends: found != nil)
            }
            isInLine = found == nil
            if found != nil {
                if ends == 0, end == Self.feed {
                    firstEndsWithPair = (stop > 0 ? piece[stop - 1] : last) == Self.carriageReturn
                }
                ends += 1
            }
            place = stop + 1
        }
        last = piece[piece.count - 1]
        bytes += piece.count
    }

    /// Takes a part of a wanted line.
    private mutating func take(_ part: UnsafeRawBufferPointer, ends: Bool) {
        let isFirst = self.ends + 1 == wanted.lowerBound
        if lines.count <= self.ends + 1 - wanted.lowerBound {
            // The first line that does not fit is the last that is needed.
            guard held <= limit else { return }
            lines.append(Line(start: isFirst ? max(0, offset - 3) : 0))
            held += Self.numberBytes
        }
        let index = self.ends + 1 - wanted.lowerBound
        let skipped = min(part.count, max(0, lines[index].start - lines[index].length))
        let room = max(0, limit + 8 - lines[index].bytes.count)
        let kept = part.dropFirst(skipped).prefix(room)
        lines[index].bytes.append(contentsOf: kept)
        lines[index].length += part.count
        held += kept.count
        guard ends, end == Self.feed else { return }
        let before = part.isEmpty && lines[index].length > 0 ? last : part.last
        let isPair = before == Self.carriageReturn
        guard isPair else { return }
        lines[index].endsWithPair = true
        lines[index].length -= 1
        let isHeld = lines[index].start + lines[index].bytes.count > lines[index].length
        if isHeld, !lines[index].bytes.isEmpty { lines[index].bytes.removeLast() }
    }
}
