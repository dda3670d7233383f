import Files
import Glibc
import JSON
import Pictures
import Sandbox
import Vips
import Vocabulary

/// The compression of a picture to a file that is smaller than a limit. A small file stays unchanged. Otherwise the
/// quality is reduced, then the size, and the result says so. Another format is used only if the picture's own format
/// cannot be made small enough.
///
/// Metadata cost bytes, so libvips drops them. The EXIF data, without copies and notes, and the profile are put into
/// the result again. Without its profile, a picture is turned into sRGB. libvips keeps all metadata of a webp (8.14).
/// Those of an avif stay if they fit.
struct Compression {
    private var picture: Picture
    private let limit: Int
    /// The metadata of the picture, and the part that the result has.
    private let metadata: CarriedMetadata?
    private var carried: CarriedMetadata?
    /// Whether metadata and the profile stay in a webp or an avif.
    private var keepsMetadata = true
    /// The EXIF data and the profile may each have a quarter of the limit.
    private static let mostMetadata = 4
    /// The range of qualities. It goes very low, since block artefacts are better than another size than was requested.
    private static let qualities = 10...90

    init(_ bench: inout Workbench) throws(Failure) {
        let (kilobytes, megabytes) = (bench.assignment.number("targetKB"), bench.assignment.number("targetMB"))
        switch (kilobytes, megabytes) {
        case (let kilobytes?, nil): limit = Int(kilobytes * 1000)
        case (nil, let megabytes?): limit = Int(megabytes * 1_000_000)
        default: throw Failure(.badParam, "Compress needs either targetKB or targetMB.")
        }
        picture = try bench.picture(try bench.assignment.requiredInput("image"), 1)
        let isSmall = picture.asset.bytes <= limit
        let path = try bench.store.path(of: picture.asset)
        metadata = isSmall ? nil : CarriedMetadata(of: path, format: picture.header?.format)
    }

    mutating func run(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        if picture.asset.bytes <= limit { return unchanged(bench) }
        let own = picture.savedFormat()
        keepsMetadata = own == .webp || own == .avif
        if own == .avif {
            if let file = try bestQuality(own, of: picture.image, bench) { return try finish(file, own, bench) }
            keepsMetadata = false
        }
        for format in own == .jpg || own == .webp || own == .avif ? [own] : [own, .jpg] {
            carried = metadata?.part(for: format, picture.colors, most: limit / Self.mostMetadata)
            let keepsProfile = keepsMetadata ? !picture.colors.mustBeSRGB(in: own) : carried?.hasProfile ?? false
            if !keepsProfile { try bench.turnIntoSRGB(&picture) }
            if let (file, isScaled) = try smallest(format, bench) {
                return try finish(file, format, isScaled: isScaled, bench)
            }
        }
        throw Failure(
            .cannotCompress, "\(picture.asset.name) cannot be made smaller than \(limit) bytes.",
            remedy: "Allow a larger file.")
    }

    private func unchanged(_ bench: Workbench) -> [Asset] {
        let asset = picture.asset
        var meta = asset.meta
        meta["unchanged"] = true
        meta["warned"] = nil
        return bench.assignment.asset(
            "file", AssetStore.Content(hash: asset.hash, bytes: asset.bytes), name: asset.name, meta: meta
        )
        .map { [$0] } ?? []
    }

    /// Returns the picture with the best quality that fits at full size, or at the largest scale that fits. Returns
    /// `nil` if even a very small picture is too large.
    private func smallest(_ format: ImageFormat, _ bench: Workbench) throws(Failure) -> (file: String, isScaled: Bool)?
    {
        var source = picture.image
        var scale = 1.0
        for round in 0..<12 {
            if let file = try bestQuality(format, of: source, bench) { return (file, round > 0) }
            // The size is proportional to the area. The factor is a little smaller, since headers do not shrink.
            let size = bench.size(of: "try.\(format.rawValue)") ?? limit * 4
            scale *= min(0.9, max(0.2, (Double(limit) / Double(max(size, 1))).squareRoot() * 0.95))
            let width = max(1, Int(Double(picture.width) * scale))
            let height = max(1, Int(Double(picture.height) * scale))
            guard min(width, height) >= 8 else { return nil }
            source = picture.image.thumbnail(width: width, height: height, .down)
        }
        return nil
    }

    /// Finds the best quality that fits, by bisection. The last attempt is in `try.EXT`, and the best that fits in
    /// `fits.EXT`. Returns `nil` if none fits.
    private func bestQuality(_ format: ImageFormat, of source: VipsImage, _ bench: Workbench) throws(Failure) -> String?
    {
        let isGraded = format == .jpg || format == .webp || format == .avif
        var (low, high) = isGraded ? (Self.qualities.lowerBound, Self.qualities.upperBound) : (1, 1)
        var best: String?
        // If the lowest quality does not fit, no other does.
        var quality = low
        while low <= high {
            let file = "try.\(format.rawValue)"
            try bench.save(source, as: file, options: options(format, quality))
            if let size = bench.size(of: file), size <= limit - (carried?.bytes ?? 0) {
                let kept = "fits.\(format.rawValue)"
                try bench.keep(file, as: kept)
                best = kept
                low = quality + 1
            } else {
                high = quality - 1
            }
            quality = (low + high) / 2
        }
        return best
    }

    private func options(_ format: ImageFormat, _ quality: Int) -> String {
        switch format {
        case .jpg, .webp, .avif: format.saveOptions(quality: quality, stripping: !keepsMetadata)
        case .png: "[compression=9,palette,strip]"
        case .tiff: "[compression=deflate,strip]"
        case .gif: ""
        }
    }

    private func finish(_ file: String, _ format: ImageFormat, isScaled: Bool = false, _ bench: Workbench)
        throws(Failure) -> [Asset]
    {
        guard let size = bench.size(of: file), size <= limit else {
            throw Failure(.cannotCompress, "\(picture.asset.name) cannot be made smaller than \(limit) bytes.")
        }
        var meta = JSON.Object()
        if format.rawValue != picture.header?.format { meta["convertedTo"] = .string(format.rawValue) }
        if isScaled {
            let (width, height) = try bench.measure(.file(file))
            meta["resized"] = .string("\(width)×\(height)")
        }
        try carried?.put(into: "\(bench.folder.path)/\(file)", format)
        let isLost = metadata?.hasEXIF == true && carried?.hasEXIF != true && !keepsMetadata
        let lost = isLost ? [LeftOut(.traits, why: "date, camera and place (EXIF data)")] : []
        return try bench.collect("file", from: file, name: picture.name(as: format), meta: meta).map {
            $0.leavingOut(picture.leftOut + lost)
        }
    }
}
