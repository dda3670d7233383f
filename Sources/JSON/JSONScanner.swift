/// A single pass over the bytes. It is neither re-entrant nor kept.
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let depthLimit: Int
    let allowsComments: Bool
    var position = 0
    /// The number of line breaks before `position`, plus 1. Those in comments are not counted.
    private var line = 1
    /// Whether the values are built. Otherwise the text is only checked, and every value is returned as null.
    var keepsValues = true
    /// The lines of the keys and values so far, or `nil` if they are not asked for.
    var lines: [Int]?
    /// The key of the list in the outermost object whose elements are handed on instead of kept, and what takes them.
    var handedOn: (key: String, take: (JSON) -> Void)?

    init(bytes: UnsafeBufferPointer<UInt8>, depthLimit: Int, allowsComments: Bool) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.allowsComments = allowsComments
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
    }

    mutating func document() throws(JSONReader.Failure) -> JSON {
        let value = try value(depth: 0)
        try skipSpace()
        guard position == bytes.count else { throw failure("There is more text after the end of the value") }
        return value
    }

    private func failure(
        _ message: String, at place: Int? = nil, _ code: JSONReader.Failure.Code = .badJSON
    ) -> JSONReader.Failure {
        let end = min(place ?? position, bytes.count)
        var line = 1
        var lineStart = 0
        for index in 0..<end where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            lineStart = index + 1
        }
        return JSONReader.Failure(code: code, message: message, line: line, column: end - lineStart + 1)
    }

    private mutating func skipSpace() throws(JSONReader.Failure) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0D, 0x09: position += 1
            case 0x0A:
                position += 1
                line += 1
            case UInt8(ascii: "/") where allowsComments: try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSONReader.Failure) {
        let start = position
        position += 1
        switch peek() {
        case UInt8(ascii: "/"):
            while position < bytes.count, bytes[position] != 0x0A { position += 1 }
        case UInt8(ascii: "*"):
            position += 1
            while !(peek() == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
                guard position < bytes.count else { throw failure("This comment has no end", at: start) }
                position += 1
            }
            position += 2
        default: throw failure("Expected a value, found '/'", at: start)
        }
    }

    private func peek(_ ahead: Int = 0) -> UInt8? {
        position + ahead < bytes.count ? bytes[position + ahead] : nil
    }

    private mutating func value(depth: Int) throws(JSONReader.Failure) -> JSON {
        try skipSpace()
        guard depth <= depthLimit else { throw failure("Nested deeper than \(depthLimit) levels") }
        lines?.append(line)
        switch peek() {
        case nil: throw failure("The text ends where a value should be")
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
            return try number()
        case let byte?: throw failure("Expected a value, found \(inWords(byte))")
        }
    }

    private func inWords(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    }

    private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONReader.Failure) -> JSON {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count else { throw failure("Expected '\(word)'") }
        for index in 0..<count where bytes[position + index] != word.utf8Start[index] {
            throw failure("Expected '\(word)'")
        }
        position += count
        return value
    }

    private mutating func object(depth: Int) throws(JSONReader.Failure) -> JSON {
        let start = position
        position += 1
        var object = JSON.Object()
        // A set finds repeated keys in large objects. For a few members a search along the list is faster.
        var seen: Set<ExactText>? = keepsValues ? nil : []
        var isEmpty = true
        while true {
            try skipSpace()
            if peek() == UInt8(ascii: "}"), isEmpty || allowsComments { break }
            guard peek() == UInt8(ascii: "\"") else {
                throw peek() == nil ? failure("This object has no end", at: start) : failure("Expected a key in quotes")
            }
            let keyStart = position
            lines?.append(line)
            let key = try string()
            if seen == nil, object.members.count == 16 { seen = Set(object.keys.map(ExactText.init)) }
            let exact = exactKey(key, keyStart..<position)
            let isRepeated = seen.map { $0.contains(exact) } ?? (object[key] != nil)
            guard !isRepeated else { throw failure("The key \"\(key)\" is there twice", at: keyStart, .repeatedKey) }
            seen?.insert(exact)
            isEmpty = false
            try skipSpace()
            guard peek() == UInt8(ascii: ":") else { throw failure("Expected ':' after the key \"\(key)\"") }
            position += 1
            let value = try depth == 0 && key == handedOn?.key ? handedOnList() : value(depth: depth + 1)
            if keepsValues { object.append(unchecked: key, value) }
            try skipSpace()
            guard peek() == UInt8(ascii: ",") else { break }
            position += 1
        }
        guard peek() == UInt8(ascii: "}") else {
            throw peek() == nil ? failure("This object has no end", at: start) : failure("Expected ',' or '}'")
        }
        position += 1
        return .object(object)
    }

    /// Returns what a key is compared by. Where only the text is checked, halves of a surrogate pair are different keys,
    /// although each of them is read as U+FFFD.
    private func exactKey(_ key: String, _ written: Range<Int>) -> ExactText {
        guard !keepsValues, key.unicodeScalars.contains("\u{FFFD}") else { return ExactText(key) }
        return ExactText(String(decoding: bytes[written], as: UTF8.self))
    }

    private mutating func handedOnList() throws(JSONReader.Failure) -> JSON {
        try skipSpace()
        return try peek() == UInt8(ascii: "[") ? array(depth: 1, to: handedOn?.take) : value(depth: 1)
    }

    private mutating func array(depth: Int, to take: ((JSON) -> Void)? = nil) throws(JSONReader.Failure) -> JSON {
        let start = position
        position += 1
        var elements: [JSON] = []
        var isEmpty = true
        while true {
            try skipSpace()
            if peek() == UInt8(ascii: "]"), isEmpty || allowsComments { break }
            let value = try value(depth: depth + 1)
            if let take { take(value) } else if keepsValues { elements.append(value) }
            isEmpty = false
            try skipSpace()
            guard peek() == UInt8(ascii: ",") else { break }
            position += 1
        }
        guard peek() == UInt8(ascii: "]") else {
            throw peek() == nil ? failure("This list has no end", at: start) : failure("Expected ',' or ']'")
        }
        position += 1
        return .array(elements)
    }

    private mutating func number() throws(JSONReader.Failure) -> JSON {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        let digitsStart = position
        skipDigits()
        guard position > digitsStart else { throw failure("Expected a digit") }
        guard bytes[digitsStart] != UInt8(ascii: "0") || position == digitsStart + 1 else {
            throw failure("A number does not begin with 0", at: digitsStart)
        }
        var isWhole = true
        if peek() == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try requireDigits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            try requireDigits()
        }
        guard keepsValues else { return .null }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let whole = Int(text) { return .int(whole) }
        guard let fraction = Double(text), fraction.isFinite else {
            throw failure("The number \(text) is too large", at: start)
        }
        return .double(fraction)
    }

    private mutating func skipDigits() {
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    }

    private mutating func requireDigits() throws(JSONReader.Failure) {
        let start = position
        skipDigits()
        guard position > start else { throw failure("Expected a digit") }
    }

    private mutating func string() throws(JSONReader.Failure) -> String {
        let start = position
        position += 1
        let first = position
        skipPlain()
        if peek() == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(UnsafeBufferPointer(rebasing: bytes[first..<position]), from: start)
        }
        var content = Array(bytes[first..<position])
        while true {
            switch peek() {
            case nil: throw failure("This text has no closing quote", at: start)
            case UInt8(ascii: "\""):
                position += 1
                return try text(content, from: start)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &content)
            case let byte? where byte < 0x20:
                throw failure("A line break or control character inside a text must be written as an escape")
            default:
                let from = position
                skipPlain()
                content.append(contentsOf: bytes[from..<position])
            }
        }
    }

    private mutating func skipPlain() {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
            position += 1
        }
    }

    private func text(_ content: [UInt8], from start: Int) throws(JSONReader.Failure) -> String {
        try content.withUnsafeBufferPointer { bytes throws(JSONReader.Failure) in try text(bytes, from: start) }
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSONReader.Failure) -> String {
        // Most text is ASCII. The library's check is generic, and looks its types up again for each text.
        if Self.isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("This text is not UTF-8", at: start)
        }
        return text
    }

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }

    private mutating func escape(into content: inout [UInt8]) throws(JSONReader.Failure) {
        let place = position - 1
        guard let byte = peek() else { throw failure("This text has no closing quote", at: place) }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "u"): content.append(contentsOf: UTF8.encode(try unicodeEscape(at: place))!)
        default: throw failure("'\\' is followed by \(inWords(byte)), which is no escape", at: place)
        }
    }

    /// Reads the digits of an escape after `\u`. A lone surrogate becomes U+FFFD, since models send half of an emoji at
    /// the end of a text that was cut.
    private mutating func unicodeEscape(at place: Int) throws(JSONReader.Failure) -> Unicode.Scalar {
        let high = try hex4(at: place)
        if (0xD800..<0xDC00).contains(high), peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            let back = position
            position += 2
            let low = try hex4(at: place)
            if (0xDC00..<0xE000).contains(low),
                let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            {
                return scalar
            }
            position = back
        }
        return Unicode.Scalar(high) ?? "\u{FFFD}"
    }

    private mutating func hex4(at place: Int) throws(JSONReader.Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("'\\u' needs four hexadecimal digits", at: place)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
