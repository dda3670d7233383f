/// The recognition of a text's encoding from pieces, for files that are too large to be held in memory. It agrees
/// with `EncodedText`.
///
/// A text in UTF-8 needs one pass over its pieces. For another text, the first pass says so (`isUTF8`), and a
/// second pass with a `LatinProbe` recognizes an encoding of one byte a sign.
package struct TextProbe {
    /// Whether all pieces so far are UTF-8.
    package private(set) var isUTF8 = true
    /// The bytes of a sign that begins in one piece and ends in the next.
    private var carried: [UInt8] = []

    package init() {}

    /// Returns the form that the first bytes of a text show, or `nil` if all of its bytes are needed.
    ///
    /// - Parameters:
    ///   - bytes: the first 4096 bytes, or all of a shorter text.
    ///   - size: the number of bytes of the whole text.
    package static func form(ofBeginning bytes: [UInt8], of size: Int) -> TextForm? {
        EncodedText.form(ofBeginning: bytes.prefix(EncodedText.probedBytes), of: size)
    }

    /// Returns the name of an encoding or a format that is recognised by its first bytes and not read, or `nil`.
    package static func otherEncoding(ofBeginning bytes: [UInt8]) -> String? { EncodedText.otherEncoding(bytes[...]) }

    /// Looks at the next piece of the text.
    package mutating func add(_ piece: UnsafeRawBufferPointer) {
        guard isUTF8, !piece.isEmpty else { return }
        var piece = piece
        if !carried.isEmpty {
            let needed = Self.length(from: carried[0]) - carried.count
            carried += piece.prefix(needed)
            guard carried.count == Self.length(from: carried[0]) else { return }
            isUTF8 = carried.withUnsafeBytes(Self.isUTF8)
            carried = []
            piece = UnsafeRawBufferPointer(rebasing: piece[min(needed, piece.count)...])
        }
        let half = Self.halfSign(at: piece)
        carried = Array(piece.suffix(half))
        isUTF8 = isUTF8 && Self.isUTF8(UnsafeRawBufferPointer(rebasing: piece.dropLast(half)))
    }

    /// Ends the text, which must not end within a sign.
    package mutating func end() { isUTF8 = isUTF8 && carried.isEmpty }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            _ = try UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span)
            return true
        } catch {
            return false
        }
    }

    /// Returns the number of bytes at the end of a piece that begin a sign and do not end it.
    private static func halfSign(at piece: UnsafeRawBufferPointer) -> Int {
        for count in 1...3 where count <= piece.count {
            let byte = piece[piece.count - count]
            if byte & 0xC0 != 0x80 { return length(from: byte) > count ? count : 0 }
        }
        return 0
    }

    /// Returns the number of bytes of a sign by its first byte.
    fileprivate static func length(from first: UInt8) -> Int {
        first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    }
}

/// The recognition of an encoding with one byte a sign from pieces. Control characters and damaged UTF-8 are no
/// text.
package struct LatinProbe {
    private var isPossible = true
    private var hasWindowsSigns = false
    /// The whole signs of UTF-8 with several bytes, and the bytes from 0x80 on that belong to none.
    private var (whole, wrong) = (0, 0)
    private var carried: [UInt8] = []

    package init() {}

    /// Looks at the next piece of the text.
    package mutating func add(_ piece: UnsafeRawBufferPointer) {
        guard isPossible else { return }
        for byte in piece where byte < 0x20 || (0x7F..<0xA0).contains(byte) {
            if byte >= 0x80 { hasWindowsSigns = true }
            guard byte < 0x20 ? EncodedText.isBlank(byte) : byte >= 0x80 && EncodedText.isKnownToWindows(byte) else {
                isPossible = false
                return
            }
        }
        var bytes = carried
        carried = []
        bytes.append(contentsOf: piece)
        // A sign that may go on in the next piece waits for it.
        let last = bytes.suffix(3).lastIndex { $0 >= 0xC2 }
        let half = last.map { TextProbe.length(from: bytes[$0]) > bytes.count - $0 ? bytes.count - $0 : 0 } ?? 0
        carried = Array(bytes.suffix(half))
        count(bytes.dropLast(half))
    }

    private mutating func count(_ bytes: ArraySlice<UInt8>) {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            guard byte >= 0x80 else {
                place += 1
                continue
            }
            let length = TextProbe.length(from: byte)
            let end = min(place + length, bytes.endIndex)
            let isWhole = length > 1 && String(validating: bytes[place..<end], as: UTF8.self) != nil
            if isWhole { whole += 1 } else { wrong += 1 }
            place = isWhole ? end : place + 1
        }
    }

    /// Ends the text, and returns its encoding, or `nil` if it has none of one byte a sign.
    package mutating func end() -> TextEncoding? {
        count(carried[...])
        carried = []
        guard isPossible, wrong > whole else { return nil }
        return hasWindowsSigns ? .windows1252 : .latin1
    }
}
