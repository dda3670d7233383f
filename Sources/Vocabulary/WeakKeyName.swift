extension Limits {
    /// The most bytes of the name of a variable that may hold a key.
    static let longestKeyNameBytes = 64
}

/// The name that stands before a value which may be a key, such as `API_KEY`, `client-secret` or `"password"`.
struct WeakKeyName {
    enum Kind {
        /// A variable of an environment: `API_KEY`. Any value of it may be a key.
        case variable
        /// A name of keys in any case: `password`, `clientSecret`, `X-Api-Key`.
        case sure
        /// The header `Authorization`, whose value begins with the name of a scheme.
        case authorization
        /// A name of keys in the query of an address: `token`, `key`.
        case query
    }

    let kind: Kind
    /// The name in lower case, without the signs between its words.
    let folded: [UInt8]
    /// Whether the name stands in quotes.
    private(set) var isQuoted = false
    /// Whether the name is a part of the query of an address.
    private(set) var isInQuery = false
    /// Whether the name is an option of a command, such as `--password`.
    private(set) var isOption = false
    /// Whether the name opens an element of XML.
    private(set) var isElement = false
    /// Whether the name has a hyphen, as names of headers have.
    private(set) var hasHyphen = false

    private static let variableEnds = ends("key token secret password passwd passphrase pwd")
    private static let sureEnds = ends(
        """
        password passwd passphrase secret apikey accesskey secretkey privatekey accountkey sharedkey accesstoken refreshtoken authtoken keydata \
        apitoken bearertoken privatetoken sessiontoken securitytoken idtoken
        """)
    private static let passwordEnds = ends("password passwd passphrase pwd pass")
    private static let queryNames = ends("token key sig auth signature pass pwd")
    /// Parts of names of tokens that are not secret, such as the place in a list.
    private static let harmless = ends("page next continu sync csrf")

    private static func ends(_ words: String) -> [[UInt8]] { words.split(separator: " ").map { Array($0.utf8) } }

    /// Reads a name by itself. Returns `nil` if keys do not have such a name.
    init?(_ name: [UInt8]) {
        folded = name.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }.map {
            0x41...0x5A ~= $0 ? $0 | 0x20 : $0
        }
        let folded = folded
        func ends(in words: [[UInt8]]) -> Bool { words.contains { folded.suffix($0.count).elementsEqual($0) } }
        let isUpper = !name.contains { 0x61...0x7A ~= $0 }
        let isHeader = name.starts(with: "x-".utf8) || name.starts(with: "X-".utf8)
        let isPass = Self.endsInPass(name) || folded.elementsEqual("pwd".utf8)
        if folded.suffix(13).elementsEqual("authorization".utf8) {
            kind = .authorization
        } else if isUpper, ends(in: Self.variableEnds) || isPass {
            kind = .variable
        } else if ends(in: Self.sureEnds) || isPass || isHeader && ends(in: Self.variableEnds) {
            kind = .sure
        } else if Self.queryNames.contains(folded)
            || ends(in: [Array("token".utf8), Array("signature".utf8)])
                && !Self.harmless.contains(where: { folded.firstRange(of: $0) != nil })
        {
            kind = .query
        } else {
            return nil
        }
    }

    /// Reads the name that ends before a sign such as `=`, with the spaces and the quotes between them.
    init?(in bytes: [UInt8], before sign: Int) {
        var end = sign
        func skipSpaces() {
            while end > 0, sign - end < Self.mostSpaces, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        }
        var isQuoted = false
        if bytes[sign] != 0x20, bytes[sign] != UInt8(ascii: ">") {
            skipSpaces()
            if bytes[sign] == UInt8(ascii: "="), end > 0, bytes[end - 1] == UInt8(ascii: ":") {
                end -= 1
                skipSpaces()
            }
            if end > 0, bytes[end - 1] == UInt8(ascii: "]") { end -= 1 }
            if end > 0, bytes[end - 1] == UInt8(ascii: "\"") || bytes[end - 1] == UInt8(ascii: "'") {
                isQuoted = true
                end -= 1
                while end > 0, sign - end < Self.mostSpaces, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
            }
        }
        var start = end
        while start > 0, end - start < Limits.longestKeyNameBytes, Self.isPart(bytes[start - 1]) { start -= 1 }
        guard start < end else { return nil }
        // Every word stands before a space, and few are options.
        if bytes[sign] == 0x20, end - start < 3 || !bytes[start..<end].starts(with: "--".utf8) { return nil }
        var before = start > 0 ? bytes[start - 1] : nil
        if before == UInt8(ascii: "%") || before == UInt8(ascii: "\\") {
            // The first letters of the name belong to a sign: `%26token`, `\u0026token`, `\nTOKEN`.
            let sign = AddressSign(in: bytes, at: start - 1)
            if sign.end > start, sign.end < end {
                (before, start) = (sign.byte, sign.end)
            } else if before == UInt8(ascii: "\\"), "nrt".utf8.contains(bytes[start]), start + 1 < end {
                (before, start) = (0x0A, start + 1)
            }
        }
        let name = Array(bytes[start..<end])
        self.init(name)
        self.isQuoted = isQuoted
        isInQuery =
            before.map { "?&#".utf8.contains($0) } == true || bytes[..<start].suffix(5).elementsEqual("&amp;".utf8)
        isOption = name.starts(with: "--".utf8)
        isElement = before == UInt8(ascii: "<")
        hasHyphen = name.dropFirst().contains(UInt8(ascii: "-"))
    }

    /// Whether the name is that of a password, which is often short, and not of a token or a key.
    var isOfPassword: Bool {
        Self.passwordEnds.contains { folded.suffix($0.count).elementsEqual($0) }
    }

    /// The most spaces between a name and its sign.
    private static let mostSpaces = 40

    /// Whether the name's last word is "pass": `DB_PASS`, `dbPass`, `pass`, and not `compass`.
    private static func endsInPass(_ name: [UInt8]) -> Bool {
        let word = name.suffix(4)
        guard word.map({ $0 | 0x20 }).elementsEqual("pass".utf8) else { return false }
        guard let before = name.dropLast(4).last else { return true }
        let isCamel = word.first == UInt8(ascii: "P") && 0x61...0x7A ~= before
        return !isAlphanumeric(before) || isCamel
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }

    static func isPart(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Whether a value ends as names of keys do, so that it may be the name of a variable.
    static func isEnd(of value: [UInt8]) -> Bool {
        let folded = value.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return variableEnds.contains { folded.suffix($0.count).elementsEqual($0) } || endsInPass(value)
    }
}
