/// A sign of an address as texts write it: plain, `%3A`, `%253A`, or as JSON writes it (`\/`, `\u003a`).
struct AddressSign {
    var byte: UInt8
    /// The place behind the sign.
    var end: Int
    /// Whether the sign is written with a percent sign.
    var isPercent = false

    /// The most levels of notations within each other that are resolved.
    private static let deepest = 4

    /// Reads the sign at a place, which is inside of the bytes.
    init(in bytes: [UInt8], at index: Int) {
        (byte, end) = (bytes[index], index + 1)
        switch byte {
        case UInt8(ascii: "%"):
            var place = index + 1
            for _ in 0..<Self.deepest where Self.holds("25", in: bytes, at: place) { place += 2 }
            guard let value = Self.hex(in: bytes, at: place) else { return }
            (byte, end, isPercent) = (value, place + 2, true)
        case UInt8(ascii: "\\"):
            var place = index
            while place < bytes.count, place - index < Self.deepest, bytes[place] == UInt8(ascii: "\\") { place += 1 }
            guard place < bytes.count else { return }
            if bytes[place] == UInt8(ascii: "/") { (byte, end) = (bytes[place], place + 1) }
            guard Self.holds("u00", in: bytes, at: place), let value = Self.hex(in: bytes, at: place + 3) else {
                return
            }
            (byte, end) = (value, place + 5)
        default: break
        }
    }

    private static func holds(_ text: StaticString, in bytes: [UInt8], at place: Int) -> Bool {
        guard place + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { bytes[place..<place + $0.count].elementsEqual($0) }
    }

    private static func hex(in bytes: [UInt8], at place: Int) -> UInt8? {
        guard place + 2 <= bytes.count else { return nil }
        return UInt8(String(decoding: bytes[place..<place + 2], as: UTF8.self), radix: 16)
    }
}

/// Finds passwords of addresses: `https://ana:…@example.org`, `//ana:…@h`, and the same as JSON, queries and forms
/// write it.
enum AddressPassword {
    /// Returns the place of the password in the address whose first slash is `slash`.
    static func range(in bytes: [UInt8], from slash: AddressSign) -> Range<Int>? {
        guard slash.end < bytes.count else { return nil }
        let second = AddressSign(in: bytes, at: slash.end)
        guard second.byte == UInt8(ascii: "/"), second.isPercent == slash.isPercent else { return nil }
        var colons = Ends(), ats = Ends()
        var index = second.end
        let first = index
        while index < bytes.count, index - first < Limits.longestKeyBytes {
            let sign = AddressSign(in: bytes, at: index)
            if isEnd(sign, isPercent: slash.isPercent) { break }
            if sign.byte == UInt8(ascii: ":") { colons.note(sign, at: index) }
            if sign.byte == UInt8(ascii: "@") { ats.note(sign, at: index) }
            index = sign.end
        }
        // A password may have such a sign in it, too: the last one counts, and a plain one before one with a percent
        // sign.
        guard let end = ats.lastPlain ?? ats.lastPercent else { return nil }
        guard let colon = [colons.firstPlain, colons.firstPercent].compactMap(\.self).first(where: { $0.end < end })
        else {
            return token(in: bytes, from: first, to: end)
        }
        guard !"${<".utf8.contains(bytes[colon.end]) else { return nil }
        return colon.end..<end
    }

    /// Returns the place of a key that stands where the name of a user does: long, and of letters and digits.
    private static func token(in bytes: [UInt8], from start: Int, to end: Int) -> Range<Int>? {
        guard end - start >= Limits.leastLoneKeyBytes, WeakKeyValue.isMixed(bytes[start..<end]) else { return nil }
        return bytes[start..<end].allSatisfy(WeakKeyName.isAlphanumeric) ? start..<end : nil
    }

    /// Whether the host of an address is over. A sign with a percent sign ends only addresses that are written so,
    /// which stand in queries.
    private static func isEnd(_ sign: AddressSign, isPercent: Bool) -> Bool {
        if sign.isPercent, !isPercent { return false }
        if isPercent, !sign.isPercent, "&;=,".utf8.contains(sign.byte) { return true }
        return sign.byte <= 0x20 || "/\"'`<>\\?#".utf8.contains(sign.byte)
    }

    /// The places of a sign in an address.
    private struct Ends {
        var firstPlain: AddressSign?
        var firstPercent: AddressSign?
        var lastPlain: Int?
        var lastPercent: Int?

        mutating func note(_ sign: AddressSign, at index: Int) {
            if sign.isPercent {
                firstPercent = firstPercent ?? sign
                lastPercent = index
            } else {
                firstPlain = firstPlain ?? sign
                lastPlain = index
            }
        }
    }
}
