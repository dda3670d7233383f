import Vocabulary

/// Names of git in a form in which only equal bytes are equal texts. Swift compares `é` in two ways of writing as the
/// same text, and two names for git are one then.
package enum GitText {
    /// Returns bytes as ASCII, in which all other bytes and `%` are written as `%C3`.
    package static func ascii(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            if byte < 128, byte != UInt8(ascii: "%") {
                text.append(byte)
            } else {
                text += Array("%\([byte].hexDigits)".utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the text of an ASCII form. Bytes that are not UTF-8 are replaced.
    package static func plain(_ ascii: String) -> String {
        var (bytes, rest) = ([UInt8](), Array(ascii.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
