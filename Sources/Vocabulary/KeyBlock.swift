extension Limits {
    /// The most bytes of a line of a key block that are read.
    fileprivate static let keyBlockLineBytes = 80

    /// The least bytes of a Base64 word that counts as a part of a key.
    fileprivate static let keyBlockWordBytes = 16

    /// The lines without a part of the key after which the search in a key block ends.
    fileprivate static let keyBlockOtherLines = 8
}

/// A search for a key of several lines, such as `-----BEGIN PRIVATE KEY-----`, from its first line on.
///
/// If all lines belong to the key, it is cut as a whole. If they contain other text (a comparison, a quotation,
/// numbered lines, source code), only the long Base64 words are cut, since a key in such a block can be nowhere else.
struct KeyBlock {
    private let block: KeyForm.Block
    private let name: String
    private let bytes: [UInt8]
    /// Whether the text is complete, so that no more bytes follow.
    private let isWhole: Bool

    init(_ block: KeyForm.Block, _ name: String, in bytes: [UInt8], isWhole: Bool) {
        self.block = block
        self.name = name
        self.bytes = bytes
        self.isWhole = isWhole
    }

    /// Searches for a key block.
    ///
    /// - Parameter place: the index at which the beginning of the block stands.
    func found(from place: Int) -> KeyFilter.Found {
        let limit = min(bytes.count, place + Limits.keyBlockBytes)
        let first = line(from: place, limit)
        guard let holds = Self.first(block.holds, in: first) else { return isOpen(first) ? .perhaps : .nothing }
        // With its newlines spelled, as in a text of JSON.
        if let last = Self.first(block.until, in: first[holds...]) {
            let body = first[holds..<last].dropFirst(block.holds.count)
            guard body.allSatisfy({ Self.isOfKey($0) || $0 == UInt8(ascii: "-") }) else {
                return words(from: holds + block.holds.count, limit, after: nil)
            }
            guard let end = end(first, from: last) else {
                return isOpen(first) ? .perhaps : .key(name, [place..<first.endIndex])
            }
            return .key(name, [place..<end])
        }
        if isOpen(first) { return .perhaps }
        var key = first.endIndex
        while key < limit {
            let next = line(from: key + 1, limit)
            if let last = Self.first(block.until, in: next),
                next[..<last].allSatisfy({ Self.blanks.contains($0) || Self.isOfKey($0) })
            {
                if let end = end(next, from: last) { return .key(name, [place..<end]) }
                return isOpen(next) ? .perhaps : .key(name, [place..<next.endIndex])
            }
            if isOpen(next) { return .perhaps }
            guard Self.isOfKey(next) else {
                // The first line may hold the key, if its newlines are spelled.
                return key == first.endIndex
                    ? words(from: holds + block.holds.count, limit, after: nil)
                    : words(from: key, limit, after: place..<key)
            }
            key = max(next.endIndex, key + 1)
        }
        return key == first.endIndex ? .nothing : .key(name, [place..<min(key, limit)])
    }

    /// Finds the long Base64 words of a block with other text in it. The search ends at the last line, at the next
    /// block, or after `Limits.keyBlockOtherLines` lines without such a word.
    ///
    /// - Parameter begun: the part of the key before `start`, if there is one.
    private func words(from start: Int, _ limit: Int, after begun: Range<Int>?) -> KeyFilter.Found {
        var ranges = [begun].compactMap(\.self)
        var (index, others, hasWord) = (start, 0, false)
        scan: while index < limit {
            switch bytes[index] {
            case let byte where Self.isOfWord(byte):
                let from = index
                while index < limit, Self.isOfWord(bytes[index]) { index += 1 }
                if index == bytes.count, !isWhole { return .perhaps }
                if index - from >= Limits.keyBlockWordBytes {
                    ranges.append(from..<index)
                    hasWord = true
                }
                continue
            case UInt8(ascii: "-") where [block.until, Self.next].contains { bytes[index...].starts(with: $0) }:
                break scan
            case 0x0A:
                others = hasWord ? 0 : others + 1
                hasWord = false
                if others > Limits.keyBlockOtherLines { break scan }
            default: break
            }
            index += 1
        }
        if index == bytes.count, !isWhole { return .perhaps }
        return ranges.isEmpty ? .nothing : .key(name, ranges)
    }

    private func line(from start: Int, _ limit: Int) -> ArraySlice<UInt8> {
        bytes[min(start, limit)..<limit].prefix(Limits.keyBlockLineBytes).prefix { $0 != 0x0A }
    }

    private func isOpen(_ line: ArraySlice<UInt8>) -> Bool { line.endIndex == bytes.count && !isWhole }

    /// Returns the index behind the dashes that end a line, or `nil` if they are missing.
    ///
    /// - Parameter last: the index of the words that open the line.
    private func end(_ words: ArraySlice<UInt8>, from last: Int) -> Int? {
        Self.first(Array("-----".utf8), in: words[last...].dropFirst(block.until.count)).map { $0 + 5 }
    }

    private static let next = Array("-----BEGIN ".utf8)

    private static let blanks: Set<UInt8> = [0x09, 0x0D, 0x20]

    /// Returns whether a byte may stand in a Base64 word.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
        default: false
        }
    }

    /// Returns whether a byte may stand in a key: a byte of Base64, or the backslash of an escaped newline.
    private static func isOfKey(_ byte: UInt8) -> Bool { isOfWord(byte) || byte == UInt8(ascii: "\\") }

    /// Returns whether a line may be a part of the key. It is empty, a header of the key, or one long Base64 word
    /// without spaces, unlike words of a language.
    private static func isOfKey(_ line: ArraySlice<UInt8>) -> Bool {
        var words = line.drop { blanks.contains($0) }
        while let last = words.last, blanks.contains(last) { words.removeLast() }
        if words.isEmpty { return true }
        if ["Proc-Type:", "DEK-Info:"].contains(where: { words.starts(with: $0.utf8) }), words.count <= 80 {
            return true
        }
        return words.allSatisfy(isOfKey) && (words.count >= Limits.keyBlockWordBytes || words.last == UInt8(ascii: "="))
    }

    private static func first(_ words: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = words.first, bytes.count >= words.count else { return words.isEmpty ? bytes.startIndex : nil }
        return (bytes.startIndex...(bytes.endIndex - words.count)).first { place in
            bytes[place] == first && bytes[place..<(place + words.count)].elementsEqual(words)
        }
    }
}
