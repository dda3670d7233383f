/// The color spaces that a file names without a profile, and that libvips does not read (8.14): gamma and primaries of a
/// PNG (PNG 3.0, 11.3.2), and the numbers of a HEIF (ISO/IEC 23091-2).
enum UnreadColors {
    /// The gamma of sRGB in a PNG, times 100,000, and how much one that passes for it may differ.
    private static let gamma = 45_455
    private static let nearGamma = 1_000

    /// The numbers of the primaries of sRGB, and of unknown ones.
    private static let plainPrimaries = [1, 2]

    /// The numbers of curves for high dynamic range.
    private static let brightCurves = [16, 18]

    /// Whether the values of a picture do not mean sRGB for a reader that knows more than libvips.
    ///
    /// - Parameter format: the format by `ImageHeader`.
    static func are(in bytes: [UInt8], format: String) -> Bool {
        switch format {
        case "png": areInPNG(bytes)
        case "avif", "heic": areInHEIF(bytes)
        default: false
        }
    }

    private static func areInPNG(_ bytes: [UInt8]) -> Bool {
        var place = 8
        var hasGamma = false
        while let length = bytes.bigNumber(4, at: place), let name = name(bytes, at: place + 4), name != "IDAT" {
            let data = place + 8
            switch name {
            // A profile, and the mark of sRGB, count more than the gamma.
            case "iCCP", "sRGB": return false
            case "gAMA": hasGamma = bytes.bigNumber(4, at: data).map { abs($0 - gamma) > nearGamma } ?? false
            case "cICP":
                return isOther(primaries: bytes.bigNumber(1, at: data), curve: bytes.bigNumber(1, at: data + 1))
            default: break
            }
            place = data + length + 4
        }
        return hasGamma
    }

    private static func areInHEIF(_ bytes: [UInt8]) -> Bool {
        guard !["colrprof", "colrrICC"].contains(where: { bytes.firstRange(of: Array($0.utf8)) != nil }),
            let place = bytes.firstRange(of: Array("colrnclx".utf8))?.upperBound
        else { return false }
        return isOther(primaries: bytes.bigNumber(2, at: place), curve: bytes.bigNumber(2, at: place + 2))
    }

    private static func isOther(primaries: Int?, curve: Int?) -> Bool {
        guard let primaries, let curve else { return false }
        return !plainPrimaries.contains(primaries) || brightCurves.contains(curve)
    }

    private static func name(_ bytes: [UInt8], at place: Int) -> String? {
        place <= bytes.count - 4 ? String(decoding: bytes[place..<place + 4], as: UTF8.self) : nil
    }
}
