/// A decoder from bytes of a keyboard to scalars. Invalid UTF-8 becomes U+FFFD. Invisible characters are dropped,
/// except the controls that keys send.
struct InputDecoder {
    private var bytes: [UInt8] = []
    private var start = 0

    mutating func feed(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    mutating func clear() { (bytes, start) = ([], 0) }

    /// Skips some bytes.
    mutating func drop(_ count: Int) { start = min(bytes.count, start + count) }

    /// The bytes that have not been read.
    var rest: [UInt8] { Array(bytes[start...]) }

    /// The first byte that has not been read, or nil.
    var pending: UInt8? { start < bytes.count ? bytes[start] : nil }

    /// Returns the next scalar, or nil while its bytes are incomplete.
    mutating func next() -> Unicode.Scalar? {
        while let (scalar, length) = decode() {
            start += length
            if Self.isTypeable(scalar) { return scalar }
        }
        return nil
    }

    /// Returns whether a scalar can be typed. Joiners and variation selectors belong to emoji, so they can.
    static func isTypeable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 || [0x200C, 0x200D, 0xFE0E, 0xFE0F].contains(scalar.value) || !VisibleText.isHidden(scalar)
    }

    private func decode() -> (Unicode.Scalar, Int)? {
        guard start < bytes.count else { return nil }
        let first = bytes[start]
        let length =
            switch first {
            case 0x00..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        if length == 0 { return ("\u{FFFD}", 1) }
        let tail = bytes[(start + 1)..<min(bytes.count, start + length)]
        if let bad = tail.firstIndex(where: { $0 & 0xC0 != 0x80 }) { return ("\u{FFFD}", bad - start) }
        guard tail.count == length - 1 else { return nil }
        var iterator = bytes[start..<(start + length)].makeIterator()
        var codec = UTF8()
        guard case .scalarValue(let scalar) = codec.decode(&iterator) else { return ("\u{FFFD}", length) }
        return (scalar, length)
    }
}
