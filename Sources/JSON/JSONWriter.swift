extension JSON {
    /// The value as one line of JSON, with its keys in their original order.
    package var text: String { written(sortingKeys: false, indent: nil) }

    /// The canonical text, which is the same for equal values: keys sorted by their UTF-8 bytes, no space, shortest
    /// numbers, minimal escapes (after RFC 8785, but with exact 64-bit integers). Digests are computed over its bytes.
    package var canonical: String { written(sortingKeys: true, indent: nil) }

    /// The value as indented JSON for users, with two spaces a level.
    package var pretty: String { written(sortingKeys: false, indent: 0) }

    /// Appends the value as one line of JSON.
    package func write(into bytes: inout [UInt8]) { write(into: &bytes, sortingKeys: false, indent: nil) }

    private func written(sortingKeys: Bool, indent: Int?) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        write(into: &bytes, sortingKeys: sortingKeys, indent: indent)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(into bytes: inout [UInt8], sortingKeys: Bool, indent: Int?) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value): bytes.append(contentsOf: Self.shortest(value).utf8)
        case .string(let value): Self.write(value, into: &bytes)
        case .array(let elements):
            Self.list(elements, "[", "]", into: &bytes, indent: indent) { element, bytes, indent in
                element.write(into: &bytes, sortingKeys: sortingKeys, indent: indent)
            }
        case .object(let object):
            let members =
                sortingKeys
                ? object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : object.members
            Self.list(members, "{", "}", into: &bytes, indent: indent) { member, bytes, indent in
                Self.write(member.key, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                if indent != nil { bytes.append(UInt8(ascii: " ")) }
                member.value.write(into: &bytes, sortingKeys: sortingKeys, indent: indent)
            }
        }
    }

    private static func list<Element>(
        _ elements: [Element], _ open: Unicode.Scalar, _ close: Unicode.Scalar, into bytes: inout [UInt8], indent: Int?,
        _ write: (Element, inout [UInt8], Int?) -> Void
    ) {
        func newLine(_ level: Int) {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
        }
        bytes.append(UInt8(ascii: open))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if let indent { newLine(indent + 1) }
            write(element, &bytes, indent.map { $0 + 1 })
        }
        if let indent, !elements.isEmpty { newLine(indent) }
        bytes.append(UInt8(ascii: close))
    }

    private static func shortest(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int(value)) }
        return "\(value)"
    }

    private static func write(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
            case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
            case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
            case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
            case 0x00..<0x20, 0x7F:
                bytes.append(contentsOf: #"\u00"#.utf8)
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 0xF))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}
