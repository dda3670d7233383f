import Files
import Vocabulary

/// The meaning of a picture's values: the kind of its colors, the bits of each, its transparency and its profile.
package struct PictureColors: Hashable {
    package enum Kind {
        case gray, rgb, cmyk
        /// Colors that are passed on as they are, such as Lab or values with a point.
        case other
    }

    package var kind: Kind
    package var hasAlpha = false
    /// Whether a value has 16 bits.
    package var isDeep = false
    /// Whether the picture has a profile other than sRGB, without which its colors look different.
    package var hasProfile = false

    /// The largest value of a color.
    package var most: Int { isDeep ? 65_535 : 255 }

    /// Whether the values mean sRGB, or gray in the steps of sRGB, with or without a profile. Other colors count as
    /// such, since their profile is not known to apply to them.
    package var isSRGB: Bool { kind == .other || kind != .cmyk && !hasProfile }

    /// The number of values of a pixel besides its transparency, or `nil` if it is unknown.
    private var colorBands: Int? {
        switch kind {
        case .gray: 1
        case .rgb: 3
        case .cmyk: 4
        case .other: nil
        }
    }

    /// White, as the values of its bands, opaque if there is transparency.
    package var white: [Int] {
        Array(repeating: kind == .cmyk ? 0 : most, count: colorBands ?? 1) + (hasAlpha ? [most] : [])
    }

    /// Returns whether a format cannot hold these colors with their profile, so that they must become sRGB first.
    package func mustBeSRGB(in format: ImageFormat) -> Bool {
        switch format {
        case .jpg, .tiff: false
        case .png: kind == .cmyk
        // Gray becomes RGB there, to which the profile of a gray picture does not apply.
        case .webp, .avif: kind == .cmyk || kind == .gray && hasProfile
        case .gif: !isSRGB
        }
    }
}

extension PictureColors {
    /// Reads the fields of `vipsheader -a`. It does not say which profile a picture has, so that each counts as one
    /// other than sRGB.
    package init(fields: [String: String]) {
        kind =
            switch fields["interpretation"] {
            case "b-w", "grey16": .gray
            case "srgb", "rgb", "rgb16": .rgb
            case "cmyk": .cmyk
            default: .other
            }
        isDeep = fields["format"] == "ushort"
        if !isDeep, fields["format"] != "uchar" { kind = .other }
        hasProfile = fields["icc-profile-data"] != nil
        if let bands = fields["bands"].flatMap({ Int($0) }) { hasAlpha = colorBands.map { bands > $0 } ?? false }
    }

    /// Reads the beginning of a JPEG, a PNG or a WebP. Returns `nil` if the bytes end too early, or for other formats.
    ///
    /// - Parameter format: the format by `ImageHeader`.
    init?(_ bytes: [UInt8], format: String) {
        switch format {
        case "jpg": self.init(jpeg: bytes)
        case "png": self.init(png: bytes)
        case "webp": self.init(webp: bytes)
        default: return nil
        }
    }

    private init?(jpeg bytes: [UInt8]) {
        var place = 2
        var profile: ICCProfile?
        while bytes.bigNumber(1, at: place) == 0xFF, let marker = bytes.bigNumber(1, at: place + 1),
            let length = bytes.bigNumber(2, at: place + 2), length >= 2, marker != 0xDA
        {
            if marker == 0xE2, bytes.has("ICC_PROFILE\0", at: place + 4), bytes.bigNumber(1, at: place + 16) == 1 {
                profile = ICCProfile(Array(bytes[min(place + 18, bytes.count)..<min(place + 2 + length, bytes.count)]))
            }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                guard let bands = bytes.bigNumber(1, at: place + 9) else { return nil }
                kind = bands == 1 ? .gray : bands == 4 ? .cmyk : .rgb
                note(profile)
                return
            }
            place += 2 + length
        }
        return nil
    }

    private init?(png bytes: [UInt8]) {
        guard let depth = bytes.bigNumber(1, at: 24), let type = bytes.bigNumber(1, at: 25) else { return nil }
        kind = type & 2 == 0 ? .gray : .rgb
        (isDeep, hasAlpha) = (depth == 16, type & 4 != 0)
        var place = 8
        while let length = bytes.bigNumber(4, at: place), place + 8 <= bytes.count {
            if bytes.has("IDAT", at: place + 4) { return }
            if bytes.has("tRNS", at: place + 4) { hasAlpha = true }
            if bytes.has("iCCP", at: place + 4), place + 8 + length <= bytes.count {
                // A name, a zero, the method, and the profile in zlib.
                let data = bytes[place + 8..<place + 8 + length]
                let packed = data.drop { $0 != 0 }.dropFirst(2)
                note(Inflate.zlib(Array(packed), limit: Limits.profileBytes).flatMap { ICCProfile($0) })
            }
            place += 12 + length
        }
        return nil
    }

    private init?(webp bytes: [UInt8]) {
        kind = .rgb
        func little(_ place: Int) -> Int? {
            bytes.count < place + 4 ? nil : (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        guard bytes.has("VP8X", at: 12) else {
            if bytes.has("VP8L", at: 12) { hasAlpha = little(21).map { $0 >> 28 & 1 == 1 } ?? false }
            return
        }
        guard let flags = bytes.bigNumber(1, at: 20) else { return nil }
        hasAlpha = flags & 0x10 != 0
        guard flags & 0x20 != 0 else { return }
        // The profile comes first.
        guard bytes.has("ICCP", at: 30), let length = little(34), length <= bytes.count - 38 else { return nil }
        note(ICCProfile(Array(bytes[38..<38 + length])))
    }

    /// Records the profile of a picture. A profile for other colors than those of the picture does not count.
    private mutating func note(_ profile: ICCProfile?) {
        guard let profile, !profile.isSRGB else { return }
        hasProfile =
            switch profile.space {
            case .gray: kind == .gray
            case .rgb: kind == .rgb
            case .cmyk: kind == .cmyk
            }
    }
}

extension Limits {
    /// The most bytes of a color profile in a PNG that are unpacked. A larger one counts as broken.
    fileprivate static let profileBytes = 4 << 20
}
