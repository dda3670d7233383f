/// A real PNG (8-bit RGB, no compression): a gradient with noise, the same for the same numbers.
struct Picture: Sendable {
    var width = 16
    var height = 12
    var seed = 0

    var png: [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += Self.chunk("IHDR", Self.big(UInt32(width)) + Self.big(UInt32(height)) + [8, 2, 0, 0, 0])
        bytes += Self.chunk("IDAT", Self.stored(scanlines))
        bytes += Self.chunk("IEND", [])
        return bytes
    }

    private var scanlines: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(height * (1 + width * 3))
        var noise = UInt32(truncatingIfNeeded: seed) &* 2_654_435_761 | 1
        for row in 0..<height {
            bytes.append(0)
            for column in 0..<width {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                bytes += [UInt8(column * 255 / width), UInt8(row * 255 / height), UInt8(noise >> 24)]
            }
        }
        return bytes
    }

    /// RFC 1950 around stored blocks of RFC 1951.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let (length, isLast) = (UInt16(block.count), block.endIndex == bytes.count)
            out += [isLast ? 1 : 0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
            out += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return out + big(high << 16 | low)
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in named {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return big(UInt32(data.count)) + named + big(~sum)
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}
