/// The view of the first bytes of a binary file.
package enum ByteView {
    /// Draws rows such as `00000010  89 50 4e 47 …  .PNG`, with as many bytes in a row as fit.
    ///
    /// - Parameter place: the place of the first byte in the file.
    package static func lines(_ bytes: [UInt8], from place: Int = 0, columns: Int) -> [StyledText] {
        let count = [16, 8, 4].first { 10 + 4 * $0 + 1 <= columns } ?? 2
        return stride(from: 0, to: bytes.count, by: count).map { start in
            let row = bytes[start..<min(start + count, bytes.count)]
            let digits = row.map { hex(Int($0), 2) }.joined(separator: " ")
            let signs = String(decoding: row.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
            return StyledText(hex(place + start, 8) + "  ", .dim)
                + StyledText(digits + Layout.spaces(3 * count - digits.count + 1))
                + StyledText(signs, .accent)
        }
    }

    private static func hex(_ number: Int, _ digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
