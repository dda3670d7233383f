import Files
package import Vocabulary

extension Limits {
    /// The most bytes of a content of which the encoding is found out to show it.
    fileprivate static let decodedBytes = 4 << 20
}

/// A text that is not UTF-8, as it is shown.
package struct DecodedText: Sendable {
    package let text: String
    /// The name of the encoding, such as `Latin-1`.
    package let encoding: String

    /// Reads a content that is a text in another encoding than UTF-8.
    ///
    /// - Parameter count: how many bytes the content has.
    /// - Returns: `nil` for a text in UTF-8, for a content that is no text, and for a long one.
    package init?(_ source: any ByteSource, _ count: Int) throws(Failure) {
        guard count <= Limits.decodedBytes else { return nil }
        guard let read = Self.decoded(try source.read(count, at: 0)) else { return nil }
        self = read
    }

    private init(_ read: EncodedText) {
        (text, encoding) = (String(decoding: read.utf8, as: UTF8.self), read.form.encoding.name)
    }

    private static func decoded(_ bytes: [UInt8]) -> DecodedText? {
        guard let read = try? EncodedText(bytes, "The text"), read.form.encoding != .utf8 else { return nil }
        return DecodedText(read)
    }

    /// Returns a text, or the beginning of one, for people and models. Bytes that are no text in any known encoding
    /// become U+FFFD. A byte order mark is left out.
    ///
    /// - Parameter isCut: whether the bytes are the beginning of a longer text.
    static func shown(_ written: [UInt8], isCut: Bool = false) -> String {
        let bytes = written.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(written.dropFirst(3)) : written
        // The beginning of a text may end within a sign of UTF-8.
        let isUTF8 = (0...(isCut ? 3 : 0)).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
        let isPlain = isUTF8 && !bytes.contains(0)
        return (isPlain ? nil : decoded(bytes)?.text) ?? String(decoding: bytes, as: UTF8.self)
    }
}
