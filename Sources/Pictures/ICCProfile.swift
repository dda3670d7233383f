import Glibc
import Vocabulary

extension Limits {
    /// The most tags of a color profile that are looked at. Profiles of pictures have some 20.
    fileprivate static let profileTags = 200
}

/// The parts of a color profile that say what the values of a picture mean (ICC.1:2022, 7.2 and 7.3).
struct ICCProfile {
    /// A kind of colors that a profile describes.
    enum Space {
        case gray, rgb, cmyk
    }

    let space: Space

    /// Whether the profile describes sRGB, so that a picture looks the same without it.
    let isSRGB: Bool

    /// The red, green and blue of sRGB, adapted to D50, in the coordinates of XYZ (IEC 61966-2-1).
    private static let primaries: [(tag: String, xyz: [Double])] = [
        ("rXYZ", [0.4360, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
    ]

    /// How much a coordinate may differ from that of sRGB.
    private static let nearPrimary = 0.002

    /// The light of the middle value of sRGB, and how much it may differ. A gamma of 2.2 differs by more.
    private static let middle = 0.2140
    private static let nearMiddle = 0.002

    /// Reads a profile. Returns `nil` if it is broken, or describes other colors than gray, RGB or CMYK.
    init?(_ bytes: [UInt8]) {
        guard bytes.has("acsp", at: 36) else { return nil }
        if bytes.has("RGB ", at: 16) {
            space = .rgb
        } else if bytes.has("GRAY", at: 16) {
            space = .gray
        } else if bytes.has("CMYK", at: 16) {
            space = .cmyk
        } else {
            return nil
        }
        isSRGB = space == .rgb && Self.isSRGB(bytes)
    }

    private static func isSRGB(_ bytes: [UInt8]) -> Bool {
        // A table of colors would count more than the primaries.
        guard place(of: "A2B0", in: bytes) == nil, place(of: "A2B1", in: bytes) == nil else { return false }
        for (tag, wanted) in primaries {
            guard let place = place(of: tag, in: bytes), bytes.has("XYZ ", at: place) else { return false }
            for (index, coordinate) in wanted.enumerated() {
                guard let value = fixed(bytes, at: place + 8 + 4 * index), abs(value - coordinate) < nearPrimary else {
                    return false
                }
            }
        }
        return ["rTRC", "gTRC", "bTRC"].allSatisfy { tag in
            place(of: tag, in: bytes).flatMap { light(bytes, at: $0) }.map { abs($0 - middle) < nearMiddle } ?? false
        }
    }

    private static func place(of tag: String, in bytes: [UInt8]) -> Int? {
        guard let count = bytes.bigNumber(4, at: 128) else { return nil }
        for index in 0..<min(count, Limits.profileTags) where bytes.has(tag, at: 132 + 12 * index) {
            return bytes.bigNumber(4, at: 136 + 12 * index)
        }
        return nil
    }

    /// Returns a number of type s15Fixed16.
    private static func fixed(_ bytes: [UInt8], at place: Int) -> Double? {
        bytes.bigNumber(4, at: place).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    /// Returns the light, from 0 to 1, that a curve gives for the middle value.
    private static func light(_ bytes: [UInt8], at place: Int) -> Double? {
        if bytes.has("curv", at: place), let count = bytes.bigNumber(4, at: place + 8) {
            guard count != 0 else { return 0.5 }
            if count == 1 { return bytes.bigNumber(2, at: place + 12).map { pow(0.5, Double($0) / 256) } }
            guard let below = bytes.bigNumber(2, at: place + 12 + 2 * ((count - 1) / 2)),
                let above = bytes.bigNumber(2, at: place + 12 + 2 * (count / 2))
            else { return nil }
            return Double(below + above) / 2 / 65_535
        }
        guard bytes.has("para", at: place), let kind = bytes.bigNumber(2, at: place + 8), kind <= 4 else { return nil }
        let numbers = (0..<[1, 3, 4, 5, 7][kind]).compactMap { fixed(bytes, at: place + 12 + 4 * $0) }
        guard numbers.count == [1, 3, 4, 5, 7][kind] else { return nil }
        let (scale, offset) = kind == 0 ? (1, 0) : (numbers[1], numbers[2])
        guard kind < 3 || 0.5 >= numbers[4] else { return nil }
        let added = kind == 2 ? numbers[3] : kind == 4 ? numbers[5] : 0
        return pow(scale * 0.5 + offset, numbers[0]) + added
    }
}
