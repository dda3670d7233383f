import Actions
import Glibc
import Terminal
import Vocabulary

/// A text that is read block by block.
struct TextStream {
    private let source: any ByteSource
    /// Converts a block to the form in which it is returned.
    private let form: @Sendable ([UInt8]) -> [UInt8]
    private var offset = 0
    /// The bytes that were read and not returned yet.
    private var rest: [UInt8] = []
    private var hasEnded = false
    /// The number of lines that are left out at the beginning, and of lines that may still come.
    private var skipped: Int
    private var left: Int

    /// Gives out a text as it may be shown: keys are cut, and control characters are signs.
    ///
    /// - Parameters:
    ///   - from: the number of the first line.
    ///   - lines: the lines at most.
    init(
        shown source: any ByteSource, from: Int = 1, lines: Int = .max,
        withoutKeys: @escaping @Sendable (String) -> String
    ) {
        self.init(source, from: from, lines: lines) {
            Array(VisibleText.multiline(withoutKeys(String(decoding: $0, as: UTF8.self))).utf8)
        }
    }

    /// Gives out the bytes as they are.
    init(raw source: any ByteSource, from: Int = 1, lines: Int = .max) {
        self.init(source, from: from, lines: lines) { $0 }
    }

    private init(_ source: any ByteSource, from: Int, lines: Int, form: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        (self.source, self.form) = (source, form)
        (skipped, left) = (max(0, from - 1), lines)
    }

    /// Returns the next block, or `nil` at the end. It ends with a newline, unless a line is longer than a block or the
    /// text has no final newline.
    mutating func next() throws(Failure) -> [UInt8]? {
        while left > 0, let block = try nextBlock() {
            if isSkipped(block) { continue }
            let shown = wanted(of: form(block))
            if !shown.isEmpty { return Array(shown) }
        }
        return nil
    }

    /// Skips a block whose lines are all left out. Its lines are counted as they are, since only a key of many lines
    /// changes their number where it is cut.
    private mutating func isSkipped(_ block: [UInt8]) -> Bool {
        guard skipped > 0, !Self.mayHaveKeyBlock(block) else { return false }
        let lines = Self.newlines(in: block)
        guard lines < skipped || lines == skipped && block.last == 0x0A else { return false }
        skipped -= lines
        return true
    }

    private static func newlines(in block: [UInt8]) -> Int {
        block.withUnsafeBufferPointer { bytes in bytes.reduce(into: 0) { count, byte in count &+= byte == 0x0A ? 1 : 0 }
        }
    }

    private static func mayHaveKeyBlock(_ block: [UInt8]) -> Bool {
        let opening = "-----BEGIN "
        return block.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var place = start
            let end = start + bytes.count
            while let dash = memchr(place, Int32(UInt8(ascii: "-")), end - place) {
                if UnsafeRawPointer(dash) + opening.utf8.count <= end, memcmp(dash, opening, opening.utf8.count) == 0 {
                    return true
                }
                place = UnsafeRawPointer(dash) + 1
            }
            return false
        }
    }

    /// Counts the lines from here on to the end.
    mutating func countLines() throws(Failure) -> Int {
        var (count, isOpen) = (0, false)
        while left == .max, skipped == 0, let block = try nextBlock() {
            let shown = Self.mayHaveKeyBlock(block) ? form(block) : block
            count += Self.newlines(in: shown)
            isOpen = shown.last != 0x0A
        }
        while let block = try next() {
            count += block.count { $0 == 0x0A }
            isOpen = block.last != 0x0A
        }
        return count + (isOpen ? 1 : 0)
    }

    private mutating func wanted(of block: [UInt8]) -> ArraySlice<UInt8> {
        var rest = block[...]
        while skipped > 0 {
            guard let newline = rest.firstIndex(of: 0x0A) else { return [] }
            rest = rest[(newline + 1)...]
            skipped -= 1
        }
        guard left < .max else { return rest }
        var end = rest.startIndex
        while left > 0, end < rest.endIndex {
            guard let newline = rest[end...].firstIndex(of: 0x0A) else { return rest }
            end = newline + 1
            left -= 1
        }
        return rest[..<end]
    }

    private mutating func nextBlock() throws(Failure) -> [UInt8]? {
        if !hasEnded, rest.count < Limits.viewBlockBytes {
            let wanted = Limits.viewBlockBytes - rest.count
            let read = try source.read(wanted, at: offset)
            offset += read.count
            rest += read
            hasEnded = read.count < wanted
        }
        guard !rest.isEmpty else { return nil }
        let end = hasEnded ? rest.count : Self.end(of: rest)
        let block = Array(rest[..<end])
        rest.removeFirst(end)
        return block
    }

    /// Returns the offset at which a block is cut: after its last line, and before an incomplete key block. A block
    /// that is one long line is cut between characters.
    private static func end(of bytes: [UInt8]) -> Int {
        let opening = Array("-----BEGIN ".utf8)
        guard let newline = bytes.lastIndex(of: 0x0A) else { return endOfLongLine(bytes, opening) }
        let tail = max(0, newline - Limits.keyBlockBytes)
        var line = newline
        // Looks back line by line, as far as a key block can reach.
        while line > tail, let before = bytes[..<line].lastIndex(of: 0x0A) {
            let start = before + 1
            if bytes[start...].starts(with: opening) { return start }
            if bytes[start...].starts(with: "-----END ".utf8) { break }
            line = before
        }
        return newline + 1
    }

    /// Returns the offset at which a block of one long line is cut: before its last two words, since they may be the
    /// beginning of a key (`Bearer …`), and before an incomplete key block. If there is no such place, the block is cut
    /// between characters.
    private static func endOfLongLine(_ bytes: [UInt8], _ opening: [UInt8]) -> Int {
        let tail = max(1, bytes.count - Limits.keyBlockBytes)
        if let block = bytes[tail...].indices.last(where: { bytes[$0...].starts(with: opening) }),
            !endsBlock(bytes[block...])
        {
            return block
        }
        var (place, end) = (bytes.count, bytes.count - cutCharacter(at: bytes))
        for _ in 0..<2 {
            while place > tail, isOfWord(bytes[place - 1]) { place -= 1 }
            if place == tail { break }
            end = min(end, place)
            while place > tail, !isOfWord(bytes[place - 1]) { place -= 1 }
        }
        return end
    }

    /// Whether the last line of a key block is among the bytes, with the dashes at its end.
    private static func endsBlock(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let end = bytes.firstRange(of: Array("-----END ".utf8)) else { return false }
        return bytes[end.upperBound...].firstRange(of: Array("-----".utf8)) != nil
    }

    /// Whether a byte can stand within a key.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "_.~-+/=\\".utf8.contains(byte)
        }
    }

    /// Returns how many bytes at the end are the beginning of a character.
    private static func cutCharacter(at bytes: [UInt8]) -> Int {
        guard let lead = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[lead] >= 0xC0 else { return 0 }
        let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
        let there = bytes.count - lead
        return there < length ? there : 0
    }
}

/// A text that was made here, such as JSON that is laid out.
struct MemorySource: ByteSource {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
        Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
    }
}
