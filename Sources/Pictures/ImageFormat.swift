import Files

/// The picture formats that Assent can write.
package enum ImageFormat: String, CaseIterable {
    case jpg, png, webp, tiff, gif, avif

    package init?(suffix: String) {
        switch suffix.drop(while: { $0 == "." }).lowercased() {
        case "jpg", "jpeg", "jpe": self = .jpg
        case "png": self = .png
        case "webp": self = .webp
        case "tif", "tiff": self = .tiff
        case "gif": self = .gif
        case "avif": self = .avif
        default: return nil
        }
    }

    /// Returns the format for the result of a picture: the format of the original if it can be written, jpg for heic,
    /// else png.
    ///
    /// - Parameter format: the format of the original (`ImageHeader.format`), or `nil` if it is unknown.
    package static func saved(from format: String?) -> ImageFormat {
        format.flatMap { ImageFormat(suffix: $0) } ?? (format == "heic" ? .jpg : .png)
    }

    /// Returns a name with a suffix of this format: `cat.JPEG` stays for jpg, and `cat.heic` becomes `cat.jpg`.
    package func name(for original: String) -> String {
        let (stem, suffix) = stemAndSuffix(original)
        return safeName(stem + (ImageFormat(suffix: suffix) == self ? suffix : ".\(rawValue)"))
    }

    package var hasAlpha: Bool { self != .jpg }

    /// The value of white that libvips lays below transparent pixels. With 8 bits per color, it becomes 255.
    package static let white = 65_535

    /// Returns the options for libvips behind a file name. In jpg, which has no alpha, transparent pixels become white.
    ///
    /// - Parameters:
    ///   - quality: 1…100. The default is high enough for a chain of steps.
    ///   - stripping: whether metadata are removed.
    ///   - isMadeGray: whether a picture in color became gray, so that its profile does not apply any more. A tiff
    ///     would keep it. The other formats drop it, or make the picture RGB again.
    package func saveOptions(quality: Int? = nil, stripping: Bool = false, isMadeGray: Bool = false) -> String {
        var options: [String] = []
        switch self {
        case .jpg: options = ["Q=\(quality ?? 92)", "background=\(Self.white)", "optimize-coding"]
        case .webp: options = ["Q=\(quality ?? 90)"]
        case .avif: options = ["Q=\(quality ?? 70)"]
        case .tiff: options = ["compression=deflate"]
        case .png: options = ["compression=7"]
        case .gif: break
        }
        if stripping { options.append("strip") }
        if isMadeGray, self == .tiff { options.append("profile=none") }
        return options.isEmpty ? "" : "[\(options.joined(separator: ","))]"
    }
}
