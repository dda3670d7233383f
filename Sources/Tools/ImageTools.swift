import Files
import JSON
import Pictures
import Sandbox
import Vips
import Vocabulary

/// The picture tools. Each says what becomes of an upright picture, and libvips computes it when the result is saved.
enum ImageTools {
    static func input(_ port: String, _ number: Int = 1, _ bench: inout Workbench) throws(Failure) -> Picture {
        try bench.picture(try bench.assignment.requiredInput(port), number)
    }

    /// Writes a result in the picture's own format and collects it.
    ///
    /// - Parameters:
    ///   - inSRGB: whether the picture is turned into sRGB first. It is also if the format cannot hold its colors.
    ///   - made: what becomes of the picture.
    static func finish(
        _ picture: Picture, _ bench: Workbench, as wanted: ImageFormat? = nil, quality: Int? = nil,
        needsAlpha: Bool = false, inSRGB: Bool = false, isMadeGray: Bool = false,
        _ made: (VipsImage) -> VipsImage
    ) throws(Failure) -> [Asset] {
        var picture = picture
        let format = wanted ?? picture.savedFormat(needsAlpha: needsAlpha)
        if inSRGB || picture.colors.mustBeSRGB(in: format) { try bench.turnIntoSRGB(&picture) }
        let file = "out.\(format.rawValue)"
        try bench.save(
            made(picture.image), as: file, options: format.saveOptions(quality: quality, isMadeGray: isMadeGray))
        return try bench.collect("image", from: file, name: picture.name(as: format)).map {
            $0.leavingOut(picture.leftOut)
        }
    }

    /// Writes a result with all frames or pages, if the tool and the format keep them. Else it is as `finish` writes
    /// it.
    static func finishAll(
        _ picture: Picture, _ bench: Workbench, as wanted: ImageFormat? = nil, quality: Int? = nil,
        inSRGB: Bool = false, isMadeGray: Bool = false,
        _ made: (VipsImage) -> VipsImage
    ) throws(Failure) -> [Asset] {
        let assignment = bench.assignment
        var picture = picture
        if let all = picture.allPages,
            PageRule.keeps(assignment.manifest.kind, assignment.params, format: picture.header?.format ?? "")
        {
            (picture.image, picture.pages) = (all, 1)
        }
        return try finish(
            picture, bench, as: wanted, quality: quality, inSRGB: inSRGB, isMadeGray: isMadeGray, made)
    }

    /// Scales a picture into a box, by a percentage, or to a number of megapixels. Its proportions stay.
    static func resize(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let assignment = bench.assignment
        let (width, height) = (assignment.integer("width"), assignment.integer("height"))
        let (scale, megapixels) = (assignment.number("scale"), assignment.number("megapixels"))
        let hasBox = width != nil || height != nil
        guard [hasBox, scale != nil, megapixels != nil].count(where: \.self) == 1 else {
            let isNone = !hasBox && scale == nil && megapixels == nil
            throw Failure(
                .badParam,
                isNone ? "Resize needs a width, a height, a scale or megapixels." : "Resize has more than one size.",
                remedy: "Give a width or a height or both, or a scale in percent, or megapixels.")
        }
        let fills = assignment.flag("fill")
        guard !fills || width != nil && height != nil else {
            throw Failure(.badParam, "To fill a box, Resize needs a width and a height.")
        }
        let mayGrow = assignment.params["enlarge"]?.bool != false
        let picture = try input("image", 1, &bench)
        guard hasBox else {
            let factor = try factor(scale: scale, megapixels: megapixels, picture)
            // The result must not exceed the number of megapixels.
            let rule: FloatingPointRoundingRule = megapixels == nil ? .toNearestOrAwayFromZero : .down
            let (width, height) = try size(of: picture, times: mayGrow ? factor : min(1, factor), rule)
            return try finishAll(picture, bench) { $0.thumbnail(width: width, height: height, .force) }
        }
        let unbounded = 10_000_000
        return try finishAll(picture, bench) {
            $0.thumbnail(
                width: width ?? unbounded, height: height ?? unbounded, mayGrow ? .both : .down, fills: fills)
        }
    }

    /// Returns the factor for width and height.
    private static func factor(scale: Double?, megapixels: Double?, _ picture: Picture) throws(Failure) -> Double {
        if let scale, scale > 0 { return scale / 100 }
        if let megapixels, megapixels > 0 {
            return (megapixels * 1_000_000 / (Double(picture.width) * Double(picture.height))).squareRoot()
        }
        throw Failure(.badParam, "The scale or the megapixels of Resize must be above 0.")
    }

    /// Returns the size of a picture whose sides are multiplied by a factor.
    ///
    /// - Throws: `tooLarge` if a side would be longer than `Limits.pictureSide`, or the picture larger than
    ///   `Limits.resizedPixels`.
    private static func size(
        of picture: Picture, times factor: Double, _ rule: FloatingPointRoundingRule
    ) throws(Failure) -> (width: Int, height: Int) {
        let sides = [picture.width, picture.height].map { max(1, (Double($0) * factor).rounded(rule)) }
        guard sides.allSatisfy({ $0 <= Double(Limits.pictureSide) }),
            sides[0] * sides[1] <= Double(Limits.resizedPixels)
        else {
            let made = sides.map { "\(Int(min($0, 1e9)))" }.joined(separator: "×")
            throw Failure(
                .tooLarge, "The picture is \(picture.width)×\(picture.height) and would become \(made).",
                remedy:
                    "At most \(Limits.pictureSide) px on a side and \(Limits.resizedPixels / 1_000_000) megapixels are made."
            )
        }
        return (Int(sides[0]), Int(sides[1]))
    }

    static func crop(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let assignment = bench.assignment
        guard let width = assignment.integer("width"), let height = assignment.integer("height") else {
            throw Failure(.badParam, "Crop needs a width and a height.")
        }
        let picture = try input("image", 1, &bench)
        let left = assignment.integer("left") ?? max(0, (picture.width - width) / 2)
        let top = assignment.integer("top") ?? max(0, (picture.height - height) / 2)
        guard left + width <= picture.width, top + height <= picture.height else {
            throw Failure(
                .badParam,
                "The picture is \(picture.width)×\(picture.height); a part of \(width)×\(height) at \(left), \(top) does not lie in it.",
                remedy: "Choose a smaller part, or resize the picture first.")
        }
        return try finishPart(picture, bench, left: left, top: top, width: width, height: height)
    }

    /// Cuts the largest square out of the middle of a picture.
    static func square(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try input("image", 1, &bench)
        let side = min(picture.width, picture.height)
        return try finishPart(
            picture, bench, left: (picture.width - side) / 2, top: (picture.height - side) / 2, width: side,
            height: side)
    }

    private static func finishPart(
        _ picture: Picture, _ bench: Workbench, left: Int, top: Int, width: Int, height: Int
    ) throws(Failure) -> [Asset] {
        // Only a part of the picture is decoded, so damage in the rest would not be noticed.
        if picture.header?.format == "jpg" { try bench.read(picture.image) }
        return try finish(picture, bench) { $0.cropped(left: left, top: top, width: width, height: height) }
    }

    static func mirror(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let direction = bench.assignment.text("direction") ?? "horizontal"
        return try finish(try input("image", 1, &bench), bench) { $0.flipped(direction) }
    }

    /// Rotates a picture. Quarter turns only move pixels. Other angles leave corners, which are transparent if the
    /// format allows it, else white.
    static func rotate(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let angle = bench.assignment.number("angle") ?? 90
        var picture = try input("image", 1, &bench)
        let turned = angle.truncatingRemainder(dividingBy: 360)
        let clockwise = turned < 0 ? turned + 360 : turned
        if let quarter = [0: "d0", 90: "d90", 180: "d180", 270: "d270"][clockwise] {
            return try finish(picture, bench) { $0.turned(quarter) }
        }
        // libvips weighs colors by their alpha here.
        guard picture.savedFormat().hasAlpha, picture.colors.kind != .cmyk else {
            let white = picture.colors.white.map { Double($0) }
            return try finish(picture, bench) { $0.rotated(clockwise, background: white) }
        }
        let most = Double(picture.colors.most)
        if !picture.colors.hasAlpha { picture.image = picture.image.withBand(most) }
        return try finish(picture, bench) { $0.rotated(clockwise) }
    }

    static func convert(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let format = bench.assignment.text("format").flatMap({ ImageFormat(suffix: $0) }) else {
            throw Failure(.badParam, "Convert image needs a format.")
        }
        let picture = try input("image", 1, &bench)
        return try finishAll(picture, bench, as: format, quality: bench.assignment.integer("quality")) { $0 }
    }

    /// Lays one picture over another. Both are in sRGB then, since the values of two profiles cannot be mixed.
    static func composite(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let (left, top) = (bench.assignment.integer("left") ?? 0, bench.assignment.integer("top") ?? 0)
        let base = try input("base", 1, &bench)
        var overlay = try input("overlay", 2, &bench)
        try bench.turnIntoSRGB(&overlay)
        try bench.readAlone(overlay.image)
        return try finish(base, bench, inSRGB: true) {
            $0.covered(by: overlay.image, "over", left: left, top: top)
        }.map { $0.leavingOut(base.leftOut.isEmpty ? overlay.leftOut : base.leftOut) }
    }

    /// Cuts a mask out of a picture. The mask, in grey and scaled to the picture's size, becomes the alpha of an
    /// overlay, and "dest-in" keeps the picture where the overlay is opaque.
    static func applyMask(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try input("image", 1, &bench)
        let mask = try input("mask", 2, &bench)
        let scaled = mask.image.thumbnail(width: picture.width, height: picture.height, .force)
        var gray = (try mask.isTransparent(bench) ? scaled.flattened() : scaled).inSpace("b-w")
        if picture.colors.isDeep {
            // libvips itself would turn 255 into 65535, but a value between by up to 255 too much.
            gray = gray.scaled(by: [257], plus: [0], isInBytes: false).cast(to: "ushort").meaning("grey16")
        }
        try bench.readAlone(gray)
        return try finish(picture, bench, needsAlpha: true, inSRGB: picture.colors.kind == .cmyk) {
            $0.covered(by: .joiningBands([gray, gray]), "dest-in")
        }
    }

    /// Makes a picture gray. Colors with a profile become sRGB first, since only their gray is the one that is seen.
    static func grayscale(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try input("image", 1, &bench)
        let isColored = picture.colors.kind != .gray
        return try finishAll(picture, bench, inSRGB: isColored, isMadeGray: isColored) {
            $0.inSpace(picture.colors.isDeep ? "grey16" : "b-w")
        }
    }

    /// Blurs a picture. Its colors are weighed by their alpha, so that those of transparent pixels do not show.
    static func blur(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let radius = bench.assignment.number("radius"), radius > 0 else {
            throw Failure(.badParam, "The radius of Blur must be above 0.")
        }
        let picture = try input("image", 1, &bench)
        guard picture.colors.hasAlpha else { return try finish(picture, bench) { $0.blurred(radius: radius) } }
        return try finish(picture, bench) {
            // Values with a point would be cut off, not rounded.
            $0.premultiplied.blurred(radius: radius).unpremultiplied.rounded
                .cast(to: picture.colors.isDeep ? "ushort" : "uchar")
        }
    }

    static func info(_ context: Builtin.Context, _ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try input("image", 1, &bench)
        let fields = try bench.fields(of: picture.image)
        func number(_ key: String) -> JSON? { fields[key].flatMap { Int($0) }.map { .int($0) } }
        let path = try bench.store.path(of: picture.asset)
        let format = ImageHeader.read(path)?.format ?? fields["vips-loader"] ?? "unknown"
        let json = JSON.of([
            "width": .int(picture.width), "height": .int(picture.height), "bands": number("bands"),
            "format": .string(format),
            "interpretation": fields["interpretation"].map { .string($0) },
            "sample": fields["format"].map { .string($0) },
            "pages": number("n-pages"), "bytes": .int(picture.asset.bytes), "name": .string(picture.asset.name),
        ])
        let kind = format == "jpg" ? "JPEG" : format.uppercased()
        let pages = number("n-pages")?.int.flatMap { $0 > 1 ? ", \($0) pages" : nil } ?? ""
        let said =
            "\(picture.asset.name) is \(picture.width)×\(picture.height) pixels, \(kind)\(pages), \(FileSize.words(picture.asset.bytes))"
        return try context.told(json, said, of: picture.asset.name, "info")
    }
}

extension Asset {
    /// Returns the asset with a note about the parts that were left out.
    func leavingOut(_ parts: [LeftOut]) -> Asset {
        guard !parts.isEmpty else { return self }
        var asset = self
        asset.partial = parts
        return asset
    }
}
