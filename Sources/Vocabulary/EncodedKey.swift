/// The forms that a key takes in base64 (RFC 4648, 4 and 5), also amid other bytes as in the header of a basic login
/// (`user:key`), and in hexadecimal. Servers and programs use these without a purpose. An attacker may encode a key in
/// other ways, which are not known here.
enum EncodedKey {
    /// Returns all forms of a key, each without the characters that depend on the bytes around it: up to two of base64
    /// on either side.
    static func all(of key: [UInt8]) -> [[UInt8]] {
        // A byte may be the first, second or third of a group.
        let groups = (0..<3).flatMap { before in ["+/", "-_"].map { base64(key, before: before, last: $0) } }
        return groups + ["0123456789abcdef", "0123456789ABCDEF"].map { hexadecimal(key, Array($0.utf8)) }
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Encodes a key that begins within a group of three bytes.
    ///
    /// - Parameters:
    ///   - before: how many bytes of its first group come before the key.
    ///   - last: the two characters of the alphabet that differ.
    private static func base64(_ key: [UInt8], before: Int, last: String) -> [UInt8] {
        let alphabet = letters + last.utf8
        let bytes = [UInt8](repeating: 0, count: before) + key
        let first = (before * 8 + 5) / 6
        return (first..<(bytes.count * 8 / 6)).map { place in
            let (byte, bit) = (place * 6 / 8, place * 6 % 8)
            let pair = UInt16(bytes[byte]) << 8 | (byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) : 0)
            return alphabet[Int(pair >> (10 - bit) & 0x3F)]
        }
    }

    private static func hexadecimal(_ key: [UInt8], _ digits: [UInt8]) -> [UInt8] {
        key.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
