/// The operations of libvips that Assent uses, under the names that libvips gives them. A process that computes
/// pictures knows no others (`names`).
extension VipsImage {
    /// All names. A request for another one is refused, such as for an operation that starts a program.
    static let names: Set<String> = [
        "arrayjoin", "autorot", "bandjoin", "bandjoin_const", "black", "cast", "colourspace", "composite2", "copy",
        "crop",
        "embed", "extract_band", "flatten", "flip", "gaussblur", "gravity", "icc_transform", "ifthenelse", "invert",
        "join",
        "linear", "premultiply", "recomb", "rot", "rotate", "round", "sharpen", "text", "thumbnail", "unpremultiply",
    ]

    package enum Size: String, Sendable {
        /// The picture may become larger or smaller.
        case both
        case down, force
    }

    private func applying(
        _ name: String, as input: String = "in", _ arguments: KeyValuePairs<String, VipsStep.Value> = [:],
        options: KeyValuePairs<String, VipsStep.Value> = [:]
    ) -> VipsImage {
        .made(VipsStep(name, [.init(name: input, images: [self])], arguments, options: options))
    }

    // MARK: Size and place

    /// Makes a picture fit into a box. A file is made smaller while it is decoded, and turned as its EXIF says.
    ///
    /// - Parameters:
    ///   - fills: whether it fills the box, and what stands over is cut off.
    ///   - isInSRGB: whether its colors are turned into sRGB.
    package func thumbnail(
        width: Int, height: Int, _ size: Size = .both, fills: Bool = false, isInSRGB: Bool = false
    ) -> VipsImage {
        var options: [(String, VipsStep.Value)] = [("height", .integer(height))]
        if size != .both { options.append(("size", .word(size.rawValue))) }
        if fills { options.append(("crop", .word("centre"))) }
        if isInSRGB { options.append(("export-profile", .word("srgb"))) }
        return .made(
            VipsStep("thumbnail", [.init(name: "in", images: [self])], ["width": .integer(width)], options: options))
    }

    package func cropped(left: Int, top: Int, width: Int, height: Int) -> VipsImage {
        applying(
            "crop", as: "input",
            ["left": .integer(left), "top": .integer(top), "width": .integer(width), "height": .integer(height)])
    }

    /// Turns a picture as its EXIF says.
    ///
    /// libvips' own format keeps the old orientation beside the turned picture, and a TIFF has no EXIF data (8.14). So
    /// a program writes a PNG, or a TIFF of colors that a PNG cannot hold.
    ///
    /// - Parameter isCMYK: whether it has such colors.
    package func upright(isCMYK: Bool) -> VipsImage {
        var step = VipsStep("autorot", [.init(name: "in", images: [self])])
        step.suffix = isCMYK ? ".tif" : ".png"
        return .made(step)
    }

    /// Mirrors a picture.
    ///
    /// - Parameter direction: `horizontal` swaps left and right, `vertical` top and bottom.
    package func flipped(_ direction: String) -> VipsImage { applying("flip", ["direction": .word(direction)]) }

    /// Turns a picture by quarters.
    ///
    /// - Parameter angle: `d0`, `d90`, `d180` or `d270`, clockwise.
    package func turned(_ angle: String) -> VipsImage { applying("rot", ["angle": .word(angle)]) }

    /// Rotates a picture clockwise.
    ///
    /// - Parameter background: the values of the corners, or nil for transparent or black ones.
    package func rotated(_ angle: Double, background: [Double]? = nil) -> VipsImage {
        let options = background.map { [("background", VipsStep.Value.numbers($0))] } ?? []
        return .made(
            VipsStep("rotate", [.init(name: "in", images: [self])], ["angle": .number(angle)], options: options))
    }

    /// Puts a picture on a larger canvas.
    ///
    /// - Parameter background: the values of the canvas, or nil for white.
    package func embedded(left: Int, top: Int, width: Int, height: Int, background: [Double]? = nil) -> VipsImage {
        var options: [(String, VipsStep.Value)] = [("extend", .word(background == nil ? "white" : "background"))]
        if let background { options.append(("background", .numbers(background))) }
        return .made(
            VipsStep(
                "embed", [.init(name: "in", images: [self])],
                ["x": .integer(left), "y": .integer(top), "width": .integer(width), "height": .integer(height)],
                options: options))
    }

    /// Puts a picture in the middle of a white canvas.
    package func centered(width: Int, height: Int) -> VipsImage {
        applying(
            "gravity", ["direction": .word("centre"), "width": .integer(width), "height": .integer(height)],
            options: ["extend": .word("white")])
    }

    // MARK: Colors

    /// Changes the color space.
    ///
    /// - Parameter space: such as `srgb`, `b-w` or `grey16`.
    package func inSpace(_ space: String) -> VipsImage { applying("colourspace", ["space": .word(space)]) }

    /// Turns the colors into sRGB by the profile of the picture.
    ///
    /// - Parameters:
    ///   - fallback: the profile for a picture whose own is missing or broken: `cmyk` or `srgb`.
    ///   - isDeep: whether 16 bits stay.
    package func inSRGB(fallback: String? = nil, isDeep: Bool = false) -> VipsImage {
        var options: [(String, VipsStep.Value)] = [("embedded", .flag(true))]
        if let fallback { options.append(("input-profile", .word(fallback))) }
        if isDeep { options.append(("depth", .integer(16))) }
        return .made(
            VipsStep(
                "icc_transform", [.init(name: "in", images: [self])], ["output-profile": .word("srgb")],
                options: options))
    }

    /// Multiplies the values by one number and adds another one.
    ///
    /// - Parameter isInBytes: whether the result has 8 bits a value.
    package func scaled(by factors: [Double], plus terms: [Double], isInBytes: Bool = true) -> VipsImage {
        applying(
            "linear", ["a": .numbers(factors), "b": .numbers(terms)], options: isInBytes ? ["uchar": .flag(true)] : [:])
    }

    package var inverted: VipsImage { applying("invert") }

    /// Mixes the colors of each pixel by a matrix.
    package func mixed(by matrix: VipsImage) -> VipsImage {
        .made(VipsStep("recomb", [.init(name: "in", images: [self]), .init(name: "m", images: [matrix])]))
    }

    /// Changes the number format of the values.
    ///
    /// - Parameter format: `uchar` or `ushort`.
    package func cast(to format: String) -> VipsImage { applying("cast", ["format": .word(format)]) }
    package var rounded: VipsImage { applying("round", ["round": .word("rint")]) }

    /// Says what the values mean, which stay.
    package func meaning(_ interpretation: String) -> VipsImage {
        applying("copy", options: ["interpretation": .word(interpretation)])
    }

    package func blurred(radius: Double) -> VipsImage { applying("gaussblur", ["sigma": .number(radius)]) }
    package func sharpened(amount: Double) -> VipsImage {
        applying("sharpen", options: ["sigma": .number(1), "m2": .number(amount)])
    }

    // MARK: Bands and transparency

    package func bands(_ first: Int, count: Int = 1) -> VipsImage {
        applying("extract_band", ["band": .integer(first)], options: ["n": .integer(count)])
    }

    package static func joiningBands(_ images: [VipsImage]) -> VipsImage {
        .made(VipsStep("bandjoin", [.init(name: "in", images: images, isList: true)]))
    }

    /// Adds a band of one value.
    package func withBand(_ value: Double) -> VipsImage { applying("bandjoin_const", ["c": .numbers([value])]) }
    package var premultiplied: VipsImage { applying("premultiply") }
    package var unpremultiplied: VipsImage { applying("unpremultiply") }

    /// Lays a color below the transparent parts.
    ///
    /// - Parameters:
    ///   - background: one value, or one for each band, or nil for black.
    ///   - most: the value of an opaque pixel, if it is not that of the picture's kind.
    package func flattened(background: [Double]? = nil, most: Double? = nil) -> VipsImage {
        var options: [(String, VipsStep.Value)] = []
        if let background { options.append(("background", .numbers(background))) }
        if let most { options.append(("max-alpha", .number(most))) }
        return .made(VipsStep("flatten", [.init(name: "in", images: [self])], [:], options: options))
    }

    /// Lays a picture over another one.
    ///
    /// - Parameter mode: such as `over`, or `dest-in`, which keeps the lower one where the upper one is opaque.
    package func covered(by overlay: VipsImage, _ mode: String, left: Int = 0, top: Int = 0) -> VipsImage {
        .made(
            VipsStep(
                "composite2", [.init(name: "base", images: [self]), .init(name: "overlay", images: [overlay])],
                ["mode": .word(mode)], options: ["x": .integer(left), "y": .integer(top)]))
    }

    /// Mixes two pictures, by the values of this one.
    package func choosing(_ one: VipsImage, _ other: VipsImage) -> VipsImage {
        .made(
            VipsStep(
                "ifthenelse",
                [
                    .init(name: "cond", images: [self]), .init(name: "in1", images: [one]),
                    .init(name: "in2", images: [other]),
                ], options: ["blend": .flag(true)]))
    }

    // MARK: Several pictures

    /// Joins two pictures.
    ///
    /// - Parameter direction: `horizontal` puts the other one at the right, `vertical` below.
    package func joined(with other: VipsImage, _ direction: String) -> VipsImage {
        .made(
            VipsStep(
                "join", [.init(name: "in1", images: [self]), .init(name: "in2", images: [other])],
                ["direction": .word(direction)]))
    }

    /// Lays pictures in rows, on white.
    package static func grid(_ images: [VipsImage], columns: Int, gap: Int) -> VipsImage {
        .made(
            VipsStep(
                "arrayjoin", [.init(name: "in", images: images, isList: true)],
                options: [
                    "across": .integer(columns), "shim": .integer(gap), "background": .numbers([255, 255, 255]),
                ]))
    }

    // MARK: New pictures

    package static func black(width: Int, height: Int, bands: Int = 1) -> VipsImage {
        .made(
            VipsStep(
                "black", [], ["width": .integer(width), "height": .integer(height)], options: ["bands": .integer(bands)]
            ))
    }

    /// Draws a text in the markup of Pango as a mask, with lines in the middle.
    package static func text(_ markup: String, font: String, width: Int) -> VipsImage {
        .made(
            VipsStep(
                "text", [], ["text": .word(markup)],
                options: [
                    "font": .word(font), "dpi": .integer(72), "width": .integer(width), "align": .word("centre"),
                    "wrap": .word("word-char"),
                ]))
    }
}
