package import JSON

/// Cuts what may be a key by what stands around it: `API_KEY=…`, and the password of an address
/// (`https://ana:…@example.org`).
///
/// This is a guess, unlike the forms of `KeyFilter`. So it holds only for what a model hears, and what is stored
/// stays as it is.
package enum WeakKeys {
    /// The ends of names of variables that may hold a key.
    private static let names = ["key", "token", "secret", "password", "passwd", "passphrase", "pwd"].map { Array($0.utf8) }
    /// The ends that count in lower case too. `key=` and `token=` are words of many programs.
    private static let anyCase = ["password", "passwd", "passphrase"].map { Array($0.utf8) }

    package static func cut(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(UInt8(ascii: "=")) || bytes.contains(UInt8(ascii: "@")) else { return text }
        var (kept, from, index) = ([UInt8](), 0, 0)
        while index < bytes.count {
            let found =
                switch bytes[index] {
                case UInt8(ascii: "="): value(in: bytes, after: index).map { ($0, "the value of a key") }
                case UInt8(ascii: ":"): password(in: bytes, from: index).map { ($0, "a password in an address") }
                default: nil as (Range<Int>, String)?
                }
            guard let (range, name) = found else {
                index += 1
                continue
            }
            kept += bytes[from..<range.lowerBound]
            kept += Array(KeyFilter.mark(name, range.count).utf8)
            (from, index) = (range.upperBound, range.upperBound)
        }
        return from == 0 ? text : String(decoding: kept + bytes[from...], as: UTF8.self)
    }

    /// Every text in it, names of members included.
    package static func cut(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): .string(cut(text))
        case .array(let elements): .array(elements.map(cut))
        case .object(let object): .object(JSON.Object(members: object.members.map { .init(key: cut($0.key), value: cut($0.value)) }))
        case .null, .bool, .int, .double: json
        }
    }

    // MARK: KEY=…

    private static func value(in bytes: [UInt8], after equals: Int) -> Range<Int>? {
        guard isName(in: bytes, before: equals) else { return nil }
        var start = equals + 1
        var quote: UInt8?
        if start < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[start]) {
            quote = bytes[start]
            start += 1
        }
        // What another program fills in, or is called, is no key.
        if start < bytes.count, "${<(%=".utf8.contains(bytes[start]) { return nil }
        var end = start
        while end < bytes.count, end - start < Limits.longestKeyBytes, !isEnd(bytes[end], quote) { end += 1 }
        // A call of a function.
        if quote == nil, end < bytes.count, bytes[end] == UInt8(ascii: "(") { return nil }
        return end - start >= Limits.leastKeyBytes ? start..<end : nil
    }

    private static func isEnd(_ byte: UInt8, _ quote: UInt8?) -> Bool {
        if let quote { return byte == quote || byte == UInt8(ascii: "\n") }
        return byte <= 0x20 || "\"'`;,()<>|&".utf8.contains(byte)
    }

    private static func isName(in bytes: [UInt8], before equals: Int) -> Bool {
        var start = equals
        while start > 0, equals - start < Limits.longestKeyNameBytes, isOfName(bytes[start - 1]) { start -= 1 }
        let name = bytes[start..<equals]
        let lower = name.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let isUpper = !name.contains { 0x61...0x7A ~= $0 }
        return (isUpper ? names : anyCase).contains { lower.suffix($0.count).elementsEqual($0) }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || 0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }

    // MARK: user:password@

    /// Finds the password of an address.
    ///
    /// - Parameter colon: the colon of `://`, or any other.
    private static func password(in bytes: [UInt8], from colon: Int) -> Range<Int>? {
        guard colon + 2 < bytes.count, bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/") else { return nil }
        var (index, start, end): (Int, Int?, Int?) = (colon + 3, nil, nil)
        while index < bytes.count, index - colon < Limits.longestKeyBytes {
            let byte = bytes[index]
            if byte <= 0x20 || "/\"'`<>\\?#".utf8.contains(byte) { break }
            if byte == UInt8(ascii: ":"), start == nil { start = index + 1 }
            // A password may have such a sign in it, too: the last one counts.
            if byte == UInt8(ascii: "@") { end = index }
            index += 1
        }
        guard let start, let end, start < end, !"${<".utf8.contains(bytes[start]) else { return nil }
        return start..<end
    }
}

extension String {
    /// Returns the text without a key that a server has said back. A short key stays: as a part of words it would cut
    /// them.
    package func without(key: String?) -> String {
        guard let key, key.utf8.count >= Limits.leastKeyBytes else { return self }
        return split(separator: key, omittingEmptySubsequences: false).joined(separator: "(the key)")
    }
}
