package import JSON

/// A form that keys have, such as `ghp_` and 36 letters and digits.
package struct KeyForm: Hashable, Sendable {
    /// The name in messages, such as "a GitHub token".
    package let name: String
    let beginnings: [Beginning]
    /// Whether a byte may be part of the key, by byte. Keys are ASCII.
    let isBody: [Bool]
    let least: Int
    let digits: Int
    let parts: Int
    /// Whether the beginning of the key stays visible.
    let keepsBeginning: Bool
    let block: Block?

    struct Beginning: Hashable {
        let bytes: [UInt8]
        let isCaseless: Bool
    }

    /// A key of several lines.
    struct Block: Hashable {
        /// The text that the first line contains.
        let holds: [UInt8]
        /// The text that the last line contains.
        let until: [UInt8]
    }

    /// Reads a form of `Config/keys.yaml`, which explains its members. Returns `nil` if the form is not valid.
    package init?(_ json: JSON) {
        guard let name = json["name"]?.string, let begins = json["begins"]?.array?.compactMap(\.string),
            !begins.isEmpty,
            begins.allSatisfy({ $0.utf8.count > 1 && $0.utf8.allSatisfy { $0 < 0x80 } })
        else { return nil }
        self.name = name
        beginnings = begins.map { text in
            // A single word before a space is said in any case; a sign in it makes it the key's own.
            Beginning(bytes: Array(text.utf8), isCaseless: text.hasSuffix(" ") && text == text.lowercased())
        }
        var isBody = [Bool](repeating: false, count: 256)
        for byte in Self.bytes(of: Array((json["of"]?.string ?? "").utf8)) { isBody[Int(byte)] = true }
        self.isBody = isBody
        least = json["least"]?.int ?? 1
        digits = json["digits"]?.int ?? 0
        parts = json["parts"]?.int ?? 1
        keepsBeginning = json["keeps"]?.bool ?? false
        block = json["until"]?.string.map {
            Block(holds: Array((json["holds"]?.string ?? "").utf8), until: Array($0.utf8))
        }
        guard block != nil || isBody.contains(true) else { return nil }
    }

    /// Returns the bytes that `A-Z0-9_-` stands for, in which ranges and single signs may be mixed.
    private static func bytes(of ranges: [UInt8]) -> [UInt8] {
        var (bytes, index): ([UInt8], Int) = ([], 0)
        while index < ranges.count {
            if index + 2 < ranges.count, ranges[index + 1] == UInt8(ascii: "-"), ranges[index] < ranges[index + 2] {
                bytes += ranges[index]...ranges[index + 2]
                index += 3
            } else {
                bytes.append(ranges[index])
                index += 1
            }
        }
        return bytes
    }
}
