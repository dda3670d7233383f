/// Base64 (RFC 4648), and `data:` URLs (RFC 2397).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (index, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(index) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    package static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = bytes.count - start
            let group =
                UInt32(bytes[start]) << 16 | (left > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[start + 2]) : 0)
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 63)])
            text.append(left > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
            text.append(left > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes base64, also in the form for URLs and with line breaks. Returns `nil` if the text is malformed.
    package static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for letter in text {
            if letter == 0x0A || letter == 0x0D { continue }
            if letter == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            let value = values[Int(letter)]
            guard value < 64, padding == 0 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
                bits = 0
            }
        }
        guard padding == 0 || padding <= 2 && (count + padding) % 4 == 0 else { return nil }
        switch count % 4 {
        case 0: break
        case 2: bytes.append(UInt8(bits >> 4 & 255))
        case 3: bytes += [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        default: return nil
        }
        return bytes
    }

    /// Decodes a `data:` URL. Returns its content and media type, or `nil` if the text is not such a URL.
    package static func bytes(ofDataURL url: String) -> (bytes: [UInt8], type: String)? {
        guard url.hasPrefix("data:"), let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let head = url[url.index(url.startIndex, offsetBy: 5)..<comma]
        let type = String(head.prefix { $0 != ";" })
        let content = url.utf8[url.utf8.index(after: comma)...]
        if head.hasSuffix(";base64") { return bytes(of: content).map { ($0, type) } }
        return (unescaped(content), type)
    }

    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let letter = rest.popFirst() {
            if letter == UInt8(ascii: "%"), let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(letter)
            }
        }
        return bytes
    }
}
