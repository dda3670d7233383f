extension Limits {
    /// The least bytes of a key in the query of an address, unless its name ends with `token`. A token outside of
    /// queries and options must be as long.
    fileprivate static let leastQueryKeyBytes = 16
    /// The least bytes of a password behind a name of passwords.
    fileprivate static let leastPasswordBytes = 4
}

/// Finds the value that belongs to a name of keys, and judges whether it may be a key. Code that names a variable,
/// words of a form, and blanks for other programs are not keys.
enum WeakKeyValue {
    /// The form in which a value stands behind its name.
    private struct Place {
        let name: WeakKeyName
        let sign: UInt8
        /// Whether the sign `=` is written with a percent sign.
        let isEncoded: Bool
        var isSpaced = false
        var quote: UInt8?
        /// Whether a backslash stands before the quotes, as in a text within a text.
        var isEscaped = false
    }

    /// Returns the place of the key behind a sign: `=`, `:`, the space after an option, or the end of an element of
    /// XML.
    static func range(in bytes: [UInt8], at sign: Int, end: Int, isEncoded: Bool) -> Range<Int>? {
        guard let name = WeakKeyName(in: bytes, before: sign) else { return nil }
        var place = Place(
            name: name, sign: bytes[sign] == UInt8(ascii: "\\") || isEncoded ? UInt8(ascii: "=") : bytes[sign],
            isEncoded: isEncoded)
        var start = end
        if place.sign == UInt8(ascii: "="), start < bytes.count, bytes[start] == UInt8(ascii: ">") { start += 1 }
        let first = start
        while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        place.isSpaced = start > first || sign > 0 && (bytes[sign - 1] == 0x20 || bytes[sign - 1] == 0x09)
        guard start < bytes.count, mayFollow(place, hasSpace: start > first) else { return nil }
        (place.quote, place.isEscaped, start) = quote(in: bytes, at: start)
        if name.kind == .authorization { start = scheme(in: bytes, from: start) }
        guard var end = valueEnd(in: bytes, from: start, place, limit: Limits.longestKeyBytes),
            isKey(bytes[start..<end], place, next: end < bytes.count ? bytes[end] : 0x0A)
        else { return nil }
        if end - start >= Limits.longestKeyBytes { end = valueEnd(in: bytes, from: start, place, limit: .max) ?? end }
        return start..<end
    }

    /// Whether a text is a key if it is the value of a member of this name in JSON.
    static func isKey(_ text: String, called name: String) -> Bool {
        guard let name = WeakKeyName(Array(name.utf8)) else { return false }
        let place = Place(name: name, sign: UInt8(ascii: ":"), isEncoded: false, quote: UInt8(ascii: "\""))
        return isKey(Array(text.utf8)[...], place, next: UInt8(ascii: "\""))
    }

    /// Whether letters and digits are among the bytes.
    static func isMixed(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { 0x30...0x39 ~= $0 } && bytes.contains { 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
    }

    // MARK: Where a value stands

    private static func mayFollow(_ place: Place, hasSpace: Bool) -> Bool {
        let name = place.name
        return switch place.sign {
        case UInt8(ascii: "="): name.kind != .query || (name.isInQuery || name.isOption) && !hasSpace
        case UInt8(ascii: ":"): name.isQuoted || name.kind != .query && (hasSpace || name.hasHyphen)
        case 0x20: name.isOption && !hasSpace
        default: name.isElement && name.kind == .sure && !hasSpace
        }
    }

    private static func quote(in bytes: [UInt8], at place: Int) -> (UInt8?, isEscaped: Bool, start: Int) {
        var start = place
        // Texts of Python may begin with a letter.
        if "bru".utf8.contains(bytes[start]) { start += 1 }
        let first = start
        while start < bytes.count, start - first < 4, bytes[start] == UInt8(ascii: "\\") { start += 1 }
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") else {
            return (nil, false, place)
        }
        return (bytes[start], start > first, start + 1)
    }

    /// Returns the place behind the name of a scheme: `Basic `, `Token `.
    private static func scheme(in bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, end - start < Limits.leastLoneKeyBytes, WeakKeyName.isAlphanumeric(bytes[end]) {
            end += 1
        }
        return end < bytes.count && bytes[end] == 0x20 ? end + 1 : start
    }

    /// Returns where a value ends, or where it has `limit` bytes. `nil` if it is the element of an array in code.
    private static func valueEnd(in bytes: [UInt8], from start: Int, _ place: Place, limit: Int) -> Int? {
        var end = start
        var isPath = true
        while end < bytes.count, end - start < limit {
            let byte = bytes[end]
            if byte == 0x0A { break }
            if let quote = place.quote, !place.isEscaped, place.name.kind != .authorization {
                if byte == quote { break }
                end += byte == UInt8(ascii: "\\") && end + 1 < bytes.count ? 2 : 1
                continue
            }
            if byte == UInt8(ascii: "\\") {
                let sign = AddressSign(in: bytes, at: end)
                if sign.byte != byte
                    ? isEnd(sign.byte, place) : end + 1 < bytes.count && "nrt\"'\\".utf8.contains(bytes[end + 1])
                {
                    break
                }
            } else if byte == UInt8(ascii: "%"), place.isEncoded {
                let sign = AddressSign(in: bytes, at: end)
                if sign.isPercent, isEnd(sign.byte, place) { break }
            } else if place.quote == nil, isPath, byte == UInt8(ascii: "["), end > start {
                return nil
            } else if isEnd(byte, place) {
                break
            }
            isPath = isPath && (WeakKeyName.isPart(byte) || byte == UInt8(ascii: "."))
            end += 1
        }
        return min(end, bytes.count)
    }

    private static func isEnd(_ byte: UInt8, _ place: Place) -> Bool {
        if let quote = place.quote {
            return byte == quote || byte <= 0x20 && (byte != 0x20 || place.name.kind == .authorization)
        }
        return byte <= 0x20 || "\"'`;,()<>|&".utf8.contains(byte) || place.name.isInQuery && byte == UInt8(ascii: "#")
    }

    // MARK: What a value is

    /// Whether a value may be a key.
    ///
    /// - Parameter next: the byte behind the value.
    private static func isKey(_ value: ArraySlice<UInt8>, _ place: Place, next: UInt8) -> Bool {
        guard value.count >= Limits.leastKeyBytes || isShortPassword(value, place), let first = value.first,
            !value.allSatisfy({ $0 == first })
        else { return false }
        if isFilledIn(value, place) || value.starts(with: "⟨".utf8) { return false }
        let isQuoted = place.quote != nil
        // A call of a function.
        if !isQuoted, next == UInt8(ascii: "(") { return false }
        // The folder of a shell.
        if place.name.folded.suffix(3).elementsEqual("pwd".utf8),
            first == UInt8(ascii: "/") || first == UInt8(ascii: "~")
        {
            return false
        }
        let isLoose = place.isSpaced && !isQuoted || place.sign == UInt8(ascii: ":") && !isQuoted || place.sign == 0x20
        switch place.name.kind {
        case .variable:
            if place.sign == UInt8(ascii: ":"), !isQuoted {
                return isMixed(value) || place.name.folded.count > 6 && next == 0x0A
            }
            return !isLoose || isMixed(value)
        case .sure:
            if isReference(value, isQuoted: isQuoted) { return false }
            if isQuoted || place.sign == UInt8(ascii: ">") { return !isProse(value) }
            return !isLoose || isMixed(value)
        case .authorization: return isMixed(value) || isScrambled(value)
        case .query:
            let least =
                place.name.folded.suffix(5).elementsEqual("token".utf8)
                ? Limits.leastKeyBytes : Limits.leastQueryKeyBytes
            if place.name.isInQuery { return value.count >= least && (least == Limits.leastKeyBytes || isMixed(value)) }
            guard place.name.folded.suffix(5).elementsEqual("token".utf8) else { return false }
            return (place.name.isOption || value.count >= Limits.leastQueryKeyBytes) && isMixed(value)
                && !isProse(value)
        }
    }

    /// Whether a value that is too short for a key may be a password: `DB_PASSWORD=horse`, `"password": "horse7"`.
    private static func isShortPassword(_ value: ArraySlice<UInt8>, _ place: Place) -> Bool {
        guard value.count >= Limits.leastPasswordBytes, value.count < Limits.leastKeyBytes, place.name.isOfPassword
        else {
            return false
        }
        let isAssigned = place.name.kind == .variable && place.sign == UInt8(ascii: "=") && !place.isSpaced
        let word = String(decoding: value, as: UTF8.self).lowercased()
        return (isAssigned || place.quote != nil) && !noPasswords.contains(word)
    }

    /// The values of passwords in samples, schemas and code.
    private static let noPasswords: Set<String> = [
        "string", "secret", "hidden", "text", "null", "none", "true", "false", "email", "user", "name", "type", "input",
        "empty", "test", "changed", "value", "field", "label",
    ]

    /// Returns whether the value is a blank that another program or a user fills in.
    private static func isFilledIn(_ value: ArraySlice<UInt8>, _ place: Place) -> Bool {
        guard let first = value.first else { return false }
        if first == UInt8(ascii: "%"), place.isEncoded || place.name.isInQuery { return false }
        return "${<(%=[".utf8.contains(first)
    }

    /// Whether a value is words with spaces between them, and no digit.
    private static func isProse(_ value: ArraySlice<UInt8>) -> Bool {
        value.contains(0x20) && !value.contains { 0x30...0x39 ~= $0 }
    }

    /// Whether a value has lower and upper case in turns, as Base64 has.
    private static func isScrambled(_ value: ArraySlice<UInt8>) -> Bool {
        zip(value, value.dropFirst()).contains { 0x61...0x7A ~= $0 && 0x41...0x5A ~= $1 }
    }

    /// Whether a value is the name of a variable in code or of an environment: `self.password`, `dbPassword`,
    /// `API_KEY`.
    private static func isReference(_ value: ArraySlice<UInt8>, isQuoted: Bool) -> Bool {
        let bytes = Array(value)
        guard bytes.allSatisfy({ WeakKeyName.isPart($0) || $0 == UInt8(ascii: ".") }) else { return false }
        let isUpper = !bytes.contains { 0x61...0x7A ~= $0 }
        let isWord = bytes.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
        if WeakKeyName.isEnd(of: bytes) {
            // A word such as "Password" is a label.
            if isQuoted { return isUpper || isWord && bytes.count <= "passphrase".utf8.count }
            return bytes.contains(UInt8(ascii: ".")) || bytes.contains(UInt8(ascii: "_")) || isUpper || isCamel(bytes)
                || bytes.count <= "passphrase".utf8.count && isWord
        }
        guard !isQuoted, let root = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).first,
            root.count < bytes.count
        else { return false }
        return roots.contains(String(decoding: root, as: UTF8.self))
    }

    private static func isCamel(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.lastIndex(where: { 0x41...0x5A ~= $0 }), last > 0 else { return false }
        return 0x61...0x7A ~= bytes[0] && 0x61...0x7A ~= bytes[last - 1]
    }

    /// The first words of expressions in code.
    private static let roots: Set<String> = [
        "app", "args", "body", "config", "context", "credentials", "ctx", "data", "env", "event", "form", "input",
        "local", "module",
        "options",
        "opts", "os", "params", "process", "props", "req", "request", "secrets", "self", "settings", "state", "this",
        "user", "values",
        "var",
    ]
}
