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
