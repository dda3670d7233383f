import Files
import Vocabulary

/// A writer for grey pictures as PNG. Masks consist of large even areas, so only runs of equal bytes are compressed.
enum PNGWriter {
    /// Returns a grey picture as PNG.
    ///
    /// - Parameter rows: the grey of each pixel, with `width` pixels a row.
    static func grey(_ rows: [UInt8], width: Int) -> [UInt8] {
        let height = width == 0 ? 0 : rows.count / width
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        // Eight bits, grey, deflate, adaptive filters, not interlaced.
        append("IHDR", big(width) + big(height) + [8, 0, 0, 0, 0], to: &file)
        append("IDAT", zlib(filtered(rows, width, height)), to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// Returns the rows, each as its difference to the row above ("Up"), so that unchanged pixels are zeros.
    private static func filtered(_ rows: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: height * (width + 1))
        for row in 0..<height {
            let (from, to) = (row * width, row * (width + 1))
            bytes[to] = 2
            for column in 0..<width {
                let above = row == 0 ? 0 : rows[from - width + column]
                bytes[to + 1 + column] = rows[from + column] &- above
            }
        }
        return bytes
    }

    private static func append(_ name: String, _ data: [UInt8], to file: inout [UInt8]) {
        let named = Array(name.utf8) + data
        var crc = CRC32()
        crc.add(named)
        file += big(data.count) + named + big(Int(crc.value))
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Compresses bytes to a zlib stream (RFC 1950): one block with the fixed codes of RFC 1951, whose only matches
    /// repeat the byte before.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var out = BitWriter([0x78, 0x01])
        out.add(0b011, 3)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            out.addCode(Int(byte))
            place += 1
            var run = 0
            while place + run < bytes.count, bytes[place + run] == byte, run < 258 * 1024 { run += 1 }
            place += run
            while run >= 3 {
                // The rest must not be one or two bytes long.
                let length = run > 258 ? min(258, run - 3) : run
                addMatch(length, to: &out)
                run -= length
            }
            for _ in 0..<run { out.addCode(Int(byte)) }
        }
        out.addCode(256)
        return out.finished() + big(Int(adler32(bytes)))
    }

    /// Adds a match that repeats the last byte `length` times.
    private static func addMatch(_ length: Int, to out: inout BitWriter) {
        let index = Deflate.lengthBases.lastIndex { $0 <= length }!
        out.addCode(257 + index)
        out.add(UInt32(length - Deflate.lengthBases[index]), Deflate.lengthExtras[index])
        out.add(0, 5)
    }
}

/// A list of bits, which begins at the lowest bit of each byte (RFC 1951, 3.1.1).
private struct BitWriter {
    private var bytes: [UInt8]
    private var pending: UInt64 = 0
    private var count = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func add(_ bits: UInt32, _ length: Int) {
        pending |= UInt64(bits) << UInt64(count)
        count += length
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    /// Adds a symbol by the fixed table (RFC 1951, 3.2.6), whose codes begin with the highest bit.
    mutating func addCode(_ symbol: Int) {
        let (code, length): (Int, Int) =
            switch symbol {
            case ..<144: (0x30 + symbol, 8)
            case ..<256: (0x190 + symbol - 144, 9)
            case ..<280: (symbol - 256, 7)
            default: (0xC0 + symbol - 280, 8)
            }
        var reversed: UInt32 = 0
        for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << UInt32(length - 1 - bit) }
        add(reversed, length)
    }

    consuming func finished() -> [UInt8] {
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
        return bytes
    }
}

/// Returns the checksum of RFC 1950.
private func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
        low += UInt32(byte)
        if low >= 65521 { low -= 65521 }
        high += low
        if high >= 65521 { high -= 65521 }
    }
    return high << 16 | low
}
