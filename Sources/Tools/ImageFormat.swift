/// The picture formats that are written here.
enum ImageFormat: String, CaseIterable {
    case jpg, png, webp, tiff, gif, avif

    init?(suffix: String) {
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

    /// What a result is written in whose original is in `format` (`ImageHeader.format`): the same where it can be
    /// written; jpg for the photos of telephones, png for the rest.
    static func saved(from format: String?) -> ImageFormat {
        format.flatMap { ImageFormat(suffix: $0) } ?? (format == "heic" ? .jpg : .png)
    }

    /// `cat.JPEG` stays; `cat.heic`, or a name that lies about its content, gets the format's own suffix.
    func name(for original: String) -> String {
        let (stem, suffix) = stemAndSuffix(original)
        return safeName(stem + (ImageFormat(suffix: suffix) == self ? suffix : ".\(rawValue)"))
    }

    var hasAlpha: Bool { self != .jpg }

    /// The options that libvips reads behind a file name. jpg has no alpha: what was transparent becomes white.
    /// - Parameter quality: 1…100; without it, one at which a chain of steps does not wear a picture out.
    func saveOptions(quality: Int? = nil, stripping: Bool = false) -> String {
        var options: [String] = []
        switch self {
        case .jpg: options = ["Q=\(quality ?? 92)", "background=255", "optimize-coding"]
        case .webp: options = ["Q=\(quality ?? 90)"]
        case .avif: options = ["Q=\(quality ?? 70)"]
        case .tiff: options = ["compression=deflate"]
        case .png: options = ["compression=7"]
        case .gif: break
        }
        if stripping { options.append("strip") }
        return options.isEmpty ? "" : "[\(options.joined(separator: ","))]"
    }
}
