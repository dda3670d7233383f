import Glibc
package import Vocabulary

/// An encoding in which texts are read and written.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16 LE"
    case utf16BigEndian = "UTF-16 BE"
    case latin1 = "Latin-1"
    case windows1252 = "Windows-1252"

    /// The name of the encoding for users, such as `Latin-1`.
    package var name: String { rawValue }
}

/// The form in which a text was written: its encoding, and whether a byte order mark stands at its beginning.
package struct TextForm: Hashable, Sendable {
    package var encoding: TextEncoding
    package var hasMark: Bool

    /// Creates a form. Without arguments it is UTF-8 without a mark.
    package init(_ encoding: TextEncoding = .utf8, hasMark: Bool = false) {
        (self.encoding, self.hasMark) = (encoding, hasMark)
    }

    /// The byte order mark at the beginning of a text of this form, or nothing.
    private var mark: [UInt8] {
        guard hasMark else { return [] }
        return switch encoding {
        case .utf8: [0xEF, 0xBB, 0xBF]
        case .utf16LittleEndian: [0xFF, 0xFE]
        case .utf16BigEndian: [0xFE, 0xFF]
        case .latin1, .windows1252: []
        }
    }

    /// Returns the bytes of a text in this form.
    ///
    /// - Parameters:
    ///   - text: the text in UTF-8, without a mark.
    ///   - name: the name of the text, for the failure.
    /// - Throws: `notText` for a sign that the encoding does not have.
    package func bytes(of text: [UInt8], _ name: String) throws(Failure) -> [UInt8] {
        switch encoding {
        case .utf8: return hasMark ? mark + text : text
        case .utf16LittleEndian, .utf16BigEndian:
            var bytes = mark
            bytes.reserveCapacity(2 + 2 * text.count)
            for unit in String(decoding: text, as: UTF8.self).utf16 {
                let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8))
                bytes.append(encoding == .utf16LittleEndian ? low : high)
                bytes.append(encoding == .utf16LittleEndian ? high : low)
            }
            return bytes
        case .latin1, .windows1252:
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.count)
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                guard let byte = byte(of: scalar) else {
                    let sign = scalar.isUnseen ? "" : "\(scalar), "
                    let code = String(scalar.value, radix: 16, uppercase: true)
                    throw Failure(
                        .notText, "\(name) is \(encoding.name), which does not have the sign \(sign)U+\(code).",
                        remedy: "Write the text without it, or make \(name) UTF-8 first.")
                }
                bytes.append(byte)
            }
            return bytes
        }
    }

    private func byte(of scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0..<0x80, 0xA0...0xFF: UInt8(scalar.value)
        default:
            encoding == .windows1252
                ? Self.windowsSigns.firstIndex(of: scalar).map { UInt8($0 + 0x80) } : nil
        }
    }

    /// The signs of Windows-1252 from 0x80 to 0x9F. A NUL stands for a byte that means nothing.
    fileprivate static let windowsSigns: [Unicode.Scalar] = Array(
        "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ".unicodeScalars)
}

/// A text that was read in one of the known encodings.
///
/// All tools read texts by this type, so that they agree on the encoding, on the byte order mark, and on what is no
/// text: bytes with a NUL, and other control characters in a text that is not UTF-8.
package struct EncodedText: Sendable {
    /// The text in UTF-8, without the byte order mark.
    package let utf8: [UInt8]
    package let form: TextForm

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - name: the name of the text, for the failure.
    ///   - form: the form of the text, if it is known.
    /// - Throws: `notText` with the reason, or with the encoding if it is another one.
    package init(_ bytes: [UInt8], _ name: String, form known: TextForm? = nil) throws(Failure) {
        guard let form = known ?? Self.form(of: bytes) else {
            let other = Self.otherEncoding(bytes[...]).map { "it is \($0), which is not read" }
            throw Self.failure(name, other ?? "it has control bytes, or is damaged")
        }
        let isRead: (text: [UInt8]?, fault: String) =
            switch form.encoding {
            case .utf8: (Self.utf8(bytes, form), "it is not UTF-8, or has NUL bytes")
            case .utf16LittleEndian, .utf16BigEndian:
                (Self.utf8(ofUTF16: bytes, form), "it is \(form.encoding.name) with half of a sign, or with a NUL")
            case .latin1, .windows1252: (Self.utf8(ofLatin: bytes), "it has control bytes")
            }
        guard let text = isRead.text else { throw Self.failure(name, isRead.fault) }
        (utf8, self.form) = (text, form)
    }

    private static func failure(_ name: String, _ fault: String) -> Failure {
        Failure(
            .notText, "\(name) is not a text in UTF-8, UTF-16 or Latin-1: \(fault).",
            remedy: "FileLoader takes any file.")
    }

    // MARK: Which encoding it is

    /// The bytes at the beginning in which UTF-16 without a mark is found by its NULs.
    static var probedBytes: Int { 4096 }

    /// Returns the form of a text by its bytes, or `nil` if it is no known one.
    private static func form(of bytes: [UInt8]) -> TextForm? {
        if otherEncoding(bytes[...]) != nil { return nil }
        if let form = form(ofBeginning: bytes.prefix(probedBytes), of: bytes.count) { return form }
        if isUTF8(bytes) { return TextForm(.utf8) }
        return latinEncoding(bytes).map { TextForm($0) }
    }

    /// Returns the form that the first bytes of a text show, by a mark or by NULs, or `nil` if all bytes are
    /// needed.
    ///
    /// - Parameter size: the number of bytes of the whole text.
    static func form(ofBeginning bytes: ArraySlice<UInt8>, of size: Int) -> TextForm? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return TextForm(.utf8, hasMark: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return TextForm(.utf16LittleEndian, hasMark: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return TextForm(.utf16BigEndian, hasMark: true) }
        return utf16WithoutMark(bytes.prefix(probedBytes), of: size).map { TextForm($0) }
    }

    /// Returns the name of an encoding or a format that is recognised and not read, or `nil`.
    static func otherEncoding(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if bytes.starts(with: [0x2B, 0x2F, 0x76]), bytes.count > 3, "89+/".utf8.contains(bytes[bytes.startIndex + 3]) {
            return "UTF-7"
        }
        if bytes.starts(with: [0x1B, 0x24]) { return "ISO-2022" }
        // The first bytes of a picture would be letters in Latin-1.
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "a picture (JPEG)" }
        return nil
    }

    /// Returns the encoding of UTF-16 without a mark. In most such texts, a large part of the signs is ASCII, so that
    /// every second byte is NUL and the others are not.
    private static func utf16WithoutMark(_ head: ArraySlice<UInt8>, of size: Int) -> TextEncoding? {
        guard size.isMultiple(of: 2), head.contains(0) else { return nil }
        let head = Array(head)
        var (even, odd) = (0, 0)
        for (place, byte) in head.enumerated() where byte == 0 {
            if place.isMultiple(of: 2) { even += 1 } else { odd += 1 }
        }
        let most = head.count / 2
        let encoding: TextEncoding
        if even == 0, odd * 5 >= most * 2 {
            encoding = .utf16LittleEndian
        } else if odd == 0, even * 5 >= most * 2 {
            encoding = .utf16BigEndian
        } else {
            return nil
        }
        // Small numbers in two bytes each look the same, but they are control characters.
        let isText = stride(from: 0, to: head.count - 1, by: 2).allSatisfy { place in
            let sum = UInt16(head[place]) + UInt16(head[place + 1])
            return sum >= 0x20 || isBlank(UInt8(sum))
        }
        return isText ? encoding : nil
    }

    /// Returns the encoding of a text with one byte a sign. Damaged UTF-8, which has more whole signs of several bytes
    /// than wrong bytes, is none.
    private static func latinEncoding(_ bytes: [UInt8]) -> TextEncoding? {
        for byte in bytes {
            switch byte {
            case 0x80..<0xA0: guard isKnownToWindows(byte) else { return nil }
            case 0..<0x20 where !isBlank(byte), 0x7F: return nil
            default: break
            }
        }
        guard !isDamagedUTF8(bytes) else { return nil }
        return bytes.contains { (0x80..<0xA0).contains($0) } ? .windows1252 : .latin1
    }

    private static func isDamagedUTF8(_ bytes: [UInt8]) -> Bool {
        var (place, whole, wrong) = (0, 0, 0)
        while place < bytes.count {
            let byte = bytes[place]
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1
            let end = min(place + length, bytes.count)
            let isWhole = length > 1 && String(validating: bytes[place..<end], as: UTF8.self) != nil
            if isWhole { whole += 1 } else if byte >= 0x80 { wrong += 1 }
            place = isWhole ? end : place + 1
        }
        return whole >= wrong
    }

    static func isKnownToWindows(_ byte: UInt8) -> Bool {
        TextForm.windowsSigns[Int(byte) - 0x80].value != 0
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D }

    // MARK: Into UTF-8

    private static func hasNUL(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { memchr($0, 0, buffer.count) != nil } ?? false
        }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    private static func utf8(_ bytes: [UInt8], _ form: TextForm) -> [UInt8]? {
        let text = form.hasMark ? Array(bytes.dropFirst(3)) : bytes
        return isUTF8(text) && !hasNUL(text) ? text : nil
    }

    private static func utf8(ofUTF16 bytes: [UInt8], _ form: TextForm) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: form.hasMark ? 2 : 0, to: bytes.count, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return form.encoding == .utf16LittleEndian ? first | second << 8 : first << 8 | second
        }
        guard !units.contains(0) else { return nil }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }

    /// Returns a part of a text: in UTF-8, else with one byte a sign, else with a mark in the place of each wrong byte.
    package static func text(ofPart bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? text(ofLatin: bytes) ?? String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a text with one byte a sign, or `nil` if one of its bytes is no sign of Windows-1252 or a NUL.
    package static func text(ofLatin bytes: ArraySlice<UInt8>) -> String? {
        utf8(ofLatin: Array(bytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func utf8(ofLatin bytes: [UInt8]) -> [UInt8]? {
        var text = String.UnicodeScalarView()
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case 0x80..<0xA0:
                guard isKnownToWindows(byte) else { return nil }
                text.append(TextForm.windowsSigns[Int(byte) - 0x80])
            case 0: return nil
            default: text.append(Unicode.Scalar(byte))
            }
        }
        return Array(String(text).utf8)
    }
}
