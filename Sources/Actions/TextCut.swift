/// A long text for a reader with little space. It gives its beginning and its end, with the size of the part that is
/// left out, or a page from any place on.
///
/// Places are bytes of UTF-8. A cut falls between lines if a line ends near, and never inside a character.
package struct TextCut {
    private let bytes: [UInt8]
    /// The cost of one byte, of which a room is the sum.
    private let cost: Cost

    /// The cost of a byte in the place where a text is to stand.
    package enum Cost: CaseIterable, Sendable {
        /// Each byte costs 1.
        case plain
        /// The text stands in a JSON string, where some bytes are escaped.
        case inJSON

        func of(_ byte: UInt8) -> Int {
            switch (self, byte) {
            case (.inJSON, UInt8(ascii: "\"")), (.inJSON, UInt8(ascii: "\\")): 2
            case (.inJSON, 0x08...0x0A), (.inJSON, 0x0C...0x0D): 2
            case (.inJSON, ..<0x20), (.inJSON, 0x7F): 6
            case (.plain, _), (.inJSON, _): 1
            }
        }
    }

    package init(_ text: String, cost: Cost = .plain) {
        bytes = Array(text.utf8)
        self.cost = cost
    }

    package var byteCount: Int { bytes.count }

    /// The number of lines. A last line without a newline counts.
    package var lineCount: Int { lines(in: 0..<bytes.count) }

    /// Returns the room that the whole text takes, or `most` if it takes more.
    package func room(upTo most: Int) -> Int {
        var sum = 0
        for byte in bytes {
            sum += cost.of(byte)
            if sum >= most { return most }
        }
        return sum
    }

    /// The beginning and the end of a text that is cut in the middle.
    package struct Ends: Hashable {
        package var head: String
        package var tail: String
        /// The place where the head ends, from which a page can continue.
        package var from: Int
        /// The place where the tail begins.
        package var to: Int
        package var leftOutLines: Int

        package var leftOutBytes: Int { to - from }
    }

    /// Returns the beginning and the end of the text, which fit together into `room`. Returns nil if the whole text
    /// fits.
    package func ends(room: Int) -> Ends? { ends(head: room - room / 2, tail: room / 2) }

    /// Returns the beginning and the end of the text, each with its own room. Returns nil if the whole text fits.
    package func ends(head: Int, tail: Int) -> Ends? {
        guard room(upTo: head + tail + 1) > head + tail else { return nil }
        let from = end(of: 0, room: head)
        let to = max(from, start(room: tail))
        return Ends(
            head: text(0..<from), tail: text(to..<bytes.count), from: from, to: to,
            leftOutLines: lines(in: from..<to))
    }

    /// Returns the text from a place on that fits into `room`, at least one character, with its range.
    package func page(from offset: Int, room: Int) -> (text: String, range: Range<Int>) {
        let from = boundary(max(0, min(offset, bytes.count)))
        var to = end(of: from, room: room)
        if to == from, from < bytes.count { to = boundary(from + 1) }
        return (text(from..<to), from..<to)
    }

    // MARK: Places

    /// Returns the end of the part that begins at `start` and fits into `room`.
    private func end(of start: Int, room: Int) -> Int {
        var (place, left) = (start, room)
        while place < bytes.count, cost.of(bytes[place]) <= left {
            left -= cost.of(bytes[place])
            place += 1
        }
        guard place < bytes.count else { return place }
        let middle = start + (place - start) / 2
        if let newline = bytes[middle..<place].lastIndex(of: 0x0A) { return newline + 1 }
        while place > start, isInside(place) { place -= 1 }
        return place
    }

    /// Returns the start of the last part of the text that fits into `room`.
    private func start(room: Int) -> Int {
        var (place, left) = (bytes.count, room)
        while place > 0, cost.of(bytes[place - 1]) <= left {
            left -= cost.of(bytes[place - 1])
            place -= 1
        }
        guard place > 0, bytes[place - 1] != 0x0A else { return place }
        let middle = place + (bytes.count - place) / 2
        if let newline = bytes[place..<middle].firstIndex(of: 0x0A) { return newline + 1 }
        return boundary(place)
    }

    /// Returns the next place that is not inside a character.
    private func boundary(_ place: Int) -> Int {
        var place = place
        while isInside(place) { place += 1 }
        return place
    }

    private func isInside(_ place: Int) -> Bool { place < bytes.count && bytes[place] & 0xC0 == 0x80 }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func lines(in range: Range<Int>) -> Int {
        guard let last = bytes[range].last else { return 0 }
        return bytes[range].count { $0 == 0x0A } + (last == 0x0A ? 0 : 1)
    }
}
