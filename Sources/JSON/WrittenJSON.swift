/// A JSON value as it is written, for tools that pass values on: every part keeps its bytes.
///
/// `JSON` rounds long numbers, writes `-0.0` as `0`, and has no half of a surrogate pair. This value is a slice of the
/// text that was read, so its numbers, escapes and spaces stay.
package struct WrittenJSON: Sendable {
    private let bytes: [UInt8]
    private let range: Range<Int>

    /// A member of an object.
    package struct Member: Sendable {
        /// The key without escapes. Halves of surrogate pairs are U+FFFD.
        package let key: String
        /// The key with its quotes, as it is written.
        package let writtenKey: [UInt8]
        package let value: WrittenJSON

        /// Creates a member of a key and its written form.
        package init(key: String, writtenKey: [UInt8], value: WrittenJSON) {
            (self.key, self.writtenKey, self.value) = (key, writtenKey, value)
        }

        /// Returns whether two members have the same key.
        package func hasKey(of other: Member) -> Bool {
            key.isWritten(as: other.key) && (!key.unicodeScalars.contains("\u{FFFD}") || writtenKey == other.writtenKey)
        }
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) { (self.bytes, self.range) = (bytes, range) }

    /// Reads a JSON text.
    ///
    /// - Throws: as `JSONReader.read` does, but numbers may be of any length and size.
    package static func read(_ bytes: [UInt8], limits: JSONReader.Limits = .init()) throws(JSONReader.Failure)
        -> WrittenJSON
    {
        try JSONReader.check(bytes, limits: limits)
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = bytes[start...].firstIndex { !isSpace($0) } ?? start
        return WrittenJSON(bytes, first..<end(of: bytes, first))
    }

    /// The bytes of the value, without the spaces around it.
    package var written: ArraySlice<UInt8> { bytes[range] }

    /// The text of the value, without the spaces around it.
    package var text: String { String(decoding: written, as: UTF8.self) }

    package var isNull: Bool { bytes[range.lowerBound] == UInt8(ascii: "n") }

    /// The value as it can be computed with.
    ///
    /// - Throws: `badJSON` for a number that is too large.
    package var value: JSON {
        get throws(JSONReader.Failure) { try JSONReader.read(Array(written)) }
    }

    /// The text of a string. It is `nil` for other values, and for a string with half of a surrogate pair, which no
    /// text can hold.
    package var string: String? {
        guard bytes[range.lowerBound] == UInt8(ascii: "\""), !hasHalfOfPair else { return nil }
        return decoded
    }

    /// Whether the value is a string that is no text, since it has half of a surrogate pair.
    package var isHalfText: Bool { bytes[range.lowerBound] == UInt8(ascii: "\"") && hasHalfOfPair }

    private var decoded: String { (try? JSONReader.read(Array(written)))?.string ?? "" }

    /// The members of an object in their order, or `nil` for other values.
    package var members: [Member]? {
        guard bytes[range.lowerBound] == UInt8(ascii: "{") else { return nil }
        var members: [Member] = []
        var place = next(range.lowerBound + 1)
        while bytes[place] != UInt8(ascii: "}") {
            let key = WrittenJSON(bytes, place..<Self.end(of: bytes, place))
            let start = next(next(key.range.upperBound) + 1)
            let value = WrittenJSON(bytes, start..<Self.end(of: bytes, start))
            members.append(Member(key: key.decoded, writtenKey: Array(key.written), value: value))
            place = afterComma(value.range.upperBound)
        }
        return members
    }

    /// The elements of a list, or `nil` for other values.
    package var elements: [WrittenJSON]? {
        guard bytes[range.lowerBound] == UInt8(ascii: "[") else { return nil }
        var elements: [WrittenJSON] = []
        var place = next(range.lowerBound + 1)
        while bytes[place] != UInt8(ascii: "]") {
            let element = WrittenJSON(bytes, place..<Self.end(of: bytes, place))
            elements.append(element)
            place = afterComma(element.range.upperBound)
        }
        return elements
    }

    package subscript(key: String) -> WrittenJSON? { members?.first { $0.key.isWritten(as: key) }?.value }

    /// Returns an object of some members, in one line.
    package static func object(_ members: [Member]) -> [UInt8] {
        var text = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += member.writtenKey
            text.append(UInt8(ascii: ":"))
            text += member.value.written
        }
        return text + [UInt8(ascii: "}")]
    }

    /// The value laid out for users, with two spaces a level. Numbers stay as they are written. Texts are shown without
    /// escapes where that is possible.
    package var pretty: String {
        var text = ""
        layOut(into: &text, "\n")
        return text
    }

    private func layOut(into text: inout String, _ newLine: String) {
        let inner = newLine + "  "
        if let members {
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index > 0 ? "," : "") + inner
                text +=
                    member.key.unicodeScalars.contains("\u{FFFD}")
                    ? String(decoding: member.writtenKey, as: UTF8.self) : JSON.string(member.key).text
                text += ": "
                member.value.layOut(into: &text, inner)
            }
            text += members.isEmpty ? "}" : newLine + "}"
        } else if let elements {
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? "," : "") + inner
                element.layOut(into: &text, inner)
            }
            text += elements.isEmpty ? "]" : newLine + "]"
        } else {
            text += string.map { JSON.string($0).text } ?? self.text
        }
    }

    // MARK: Places in a text that was checked

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Returns the place of the next sign that is no space.
    private func next(_ place: Int) -> Int {
        var place = place
        while Self.isSpace(bytes[place]) { place += 1 }
        return place
    }

    private func afterComma(_ place: Int) -> Int {
        let sign = next(place)
        return bytes[sign] == UInt8(ascii: ",") ? next(sign + 1) : sign
    }

    /// Returns the end of the value that begins at a place.
    private static func end(of bytes: [UInt8], _ start: Int) -> Int {
        var (place, depth) = (start, 0)
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""): place = endOfString(bytes, place)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                place += 1
            default:
                // A number or a word ends before the next sign of structure. Inside a list the signs are skipped.
                repeat { place += 1 } while depth == 0 && place < bytes.count && isOfAtom(bytes[place])
            }
            if depth == 0 { return place }
        }
        return place
    }

    private static func isOfAtom(_ byte: UInt8) -> Bool {
        !isSpace(byte) && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "}") && byte != UInt8(ascii: "]")
    }

    private static func endOfString(_ bytes: [UInt8], _ start: Int) -> Int {
        var place = start + 1
        while bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        return place + 1
    }

    /// Whether one of the escapes of a string is half of a surrogate pair.
    private var hasHalfOfPair: Bool {
        var place = range.lowerBound
        var hasHigh = false
        while place < range.upperBound {
            guard bytes[place] == UInt8(ascii: "\\") else {
                if hasHigh { return true }
                place += 1
                continue
            }
            let unit = bytes[place + 1] == UInt8(ascii: "u") ? Self.unit(bytes[(place + 2)..<(place + 6)]) : 0
            let isLow = (0xDC00..<0xE000).contains(unit)
            if isLow != hasHigh { return true }
            hasHigh = (0xD800..<0xDC00).contains(unit)
            place += unit == 0 && bytes[place + 1] != UInt8(ascii: "u") ? 2 : 6
        }
        return hasHigh
    }

    private static func unit(_ digits: ArraySlice<UInt8>) -> UInt32 {
        UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }
}
