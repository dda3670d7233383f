import JSON
import Vocabulary

/// The picture tools that are more than one line of a program. All run libvips' programs on upright pictures under names of ours.
enum ImageTools {
    private static func input(_ port: String, _ number: Int = 1, _ bench: inout Workbench) throws(Failure) -> Picture {
        try bench.picture(try bench.assignment.requiredInput(port), number)
    }

    /// Writes a result in the picture's own format and collects it.
    private static func finish(
        _ picture: Picture, _ bench: Workbench, as wanted: ImageFormat? = nil, quality: Int? = nil, needsAlpha: Bool = false,
        _ words: (String) -> [String]
    ) throws(Failure) -> [Asset] {
        let format = wanted ?? picture.savedFormat(needsAlpha: needsAlpha)
        let file = "out.\(format.rawValue)"
        try bench.run(words(file + format.saveOptions(quality: quality)))
        return try bench.collect("image", from: file, name: picture.name(as: format))
    }

    /// Into the box that is given, whichever way it has to grow or shrink.
    static func resize(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let (width, height) = (bench.assignment.integer("width"), bench.assignment.integer("height"))
        guard width != nil || height != nil else { throw Failure("badParam", "Resize needs a width or a height.") }
        let fills = bench.assignment.params["fill"]?.bool == true
        guard !fills || width != nil && height != nil else {
            throw Failure("badParam", "To fill a box, Resize needs a width and a height.")
        }
        let picture = try input("image", 1, &bench)
        let unbounded = "10000000"
        return try finish(picture, bench) { out in
            ["vips", "thumbnail", picture.file, out, width.map { "\($0)" } ?? unbounded, "--height", height.map { "\($0)" } ?? unbounded]
                + (bench.assignment.params["enlarge"]?.bool == false ? ["--size", "down"] : []) + (fills ? ["--crop", "centre"] : [])
        }
    }

    static func crop(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let assignment = bench.assignment
        guard let width = assignment.integer("width"), let height = assignment.integer("height") else {
            throw Failure("badParam", "Crop needs a width and a height.")
        }
        let picture = try input("image", 1, &bench)
        let left = assignment.integer("left") ?? max(0, (picture.width - width) / 2)
        let top = assignment.integer("top") ?? max(0, (picture.height - height) / 2)
        guard left + width <= picture.width, top + height <= picture.height else {
            throw Failure(
                "badParam",
                "The picture is \(picture.width)×\(picture.height); a part of \(width)×\(height) at \(left), \(top) does not lie in it.",
                remedy: "Choose a smaller part, or resize the picture first.")
        }
        return try finish(picture, bench) { ["vips", "crop", picture.file, $0, "\(left)", "\(top)", "\(width)", "\(height)"] }
    }

    /// Quarter turns move pixels only; other angles leave corners, which are transparent where the format can, else white.
    static func rotate(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let angle = bench.assignment.number("angle") ?? 90
        var picture = try input("image", 1, &bench)
        let turned = angle.truncatingRemainder(dividingBy: 360)
        let clockwise = turned < 0 ? turned + 360 : turned
        if let quarter = [0: "d0", 90: "d90", 180: "d180", 270: "d270"][clockwise] {
            return try finish(picture, bench) { ["vips", "rot", picture.file, $0, quarter] }
        }
        if picture.savedFormat().hasAlpha {
            if try bench.header(of: picture.file)["bands"].map({ $0 == "1" || $0 == "3" }) ?? false {
                try bench.run(["vips", "bandjoin_const", picture.file, "opaque.v", "255"])
                picture.file = "opaque.v"
            }
            return try finish(picture, bench) { ["vips", "rotate", picture.file, $0, "\(clockwise)"] }
        }
        return try finish(picture, bench) { ["vips", "rotate", picture.file, $0, "\(clockwise)", "--background", "255"] }
    }

    static func convert(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let format = bench.assignment.text("format").flatMap({ ImageFormat(suffix: $0) }) else {
            throw Failure("badParam", "Convert image needs a format.")
        }
        let picture = try input("image", 1, &bench)
        return try finish(picture, bench, as: format, quality: bench.assignment.integer("quality")) { ["vips", "copy", picture.file, $0] }
    }

    static func composite(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let (left, top) = (bench.assignment.integer("left") ?? 0, bench.assignment.integer("top") ?? 0)
        let base = try input("base", 1, &bench)
        let overlay = try input("overlay", 2, &bench)
        return try finish(base, bench) {
            ["vips", "composite2", base.file, overlay.file, $0, "over", "--x", "\(left)", "--y", "\(top)"]
        }
    }

    /// The mask, as grey and as large as the picture, becomes the alpha of an overlay; "dest-in" keeps the picture where that is opaque.
    static func applyMask(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try input("image", 1, &bench)
        let mask = try input("mask", 2, &bench)
        let steps = [
            ["thumbnail", mask.file, "m1.v", "\(picture.width)", "--height", "\(picture.height)", "--size", "force"],
            ["flatten", "m1.v", "m2.v"],
            ["colourspace", "m2.v", "m3.v", "b-w"],
            ["bandjoin", "m3.v m3.v", "m4.v"],
        ]
        for step in steps { try bench.run(["vips"] + step) }
        return try finish(picture, bench, needsAlpha: true) { ["vips", "composite2", picture.file, "m4.v", $0, "dest-in"] }
    }

    static func info(_ context: Builtin.Context, _ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try input("image", 1, &bench)
        let fields = try bench.header(of: picture.file)
        func number(_ key: String) -> JSON? { fields[key].flatMap { Int($0) }.map { .int($0) } }
        let path = try bench.store.path(of: picture.asset)
        return try context.json(
            .of([
                "width": .int(picture.width), "height": .int(picture.height), "bands": number("bands"),
                "format": .string(ImageHeader.read(path)?.format ?? fields["vips-loader"] ?? "unknown"),
                "interpretation": fields["interpretation"].map { .string($0) }, "sample": fields["format"].map { .string($0) },
                "pages": number("n-pages"), "bytes": .int(picture.asset.bytes), "name": .string(picture.asset.name),
            ]))
    }
}
