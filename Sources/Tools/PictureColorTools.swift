import Pictures
import Sandbox
import Vips
import Vocabulary

/// The tools that change the colors of a picture. They work on 8 bits a color in sRGB or gray, and leave the
/// transparency as it is.
enum PictureColorTools {
    /// Makes a picture brighter or darker.
    ///
    /// - Parameter sign: 1 for brighter, -1 for darker.
    static func brightness(_ sign: Double, _ bench: inout Workbench) throws(Failure) -> [Asset] {
        let factor = 1 + sign * percent(bench) / 100
        return try change(&bench) { $0.scaled(by: [factor], plus: [0]) }
    }

    /// Gives a picture more or less contrast. The middle of the range stays.
    ///
    /// - Parameter sign: 1 for more, -1 for less.
    static func contrast(_ sign: Double, _ bench: inout Workbench) throws(Failure) -> [Asset] {
        let factor = 1 + sign * percent(bench) / 100
        return try change(&bench) { $0.scaled(by: [factor], plus: [128 * (1 - factor)]) }
    }

    private static func percent(_ bench: Workbench) -> Double { bench.assignment.number("percent") ?? 25 }

    static func invert(_ bench: inout Workbench) throws(Failure) -> [Asset] { try change(&bench) { $0.inverted } }

    static func sharpen(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let amount = bench.assignment.number("amount") ?? 3
        return try change(&bench) { $0.sharpened(amount: amount).cast(to: "uchar") }
    }

    /// Makes a picture brown, as old photographs are (the matrix of the W3C's Filter Effects, 9.1).
    static func sepia(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let matrix = VipsImage.matrix(
            width: 3, [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131])
        return try change(&bench) { $0.inSpace("srgb").mixed(by: matrix).cast(to: "uchar") }
    }

    /// Changes the colors of a picture, which are sRGB or gray then, and puts its transparency back.
    private static func change(_ bench: inout Workbench, _ made: (VipsImage) -> VipsImage) throws(Failure) -> [Asset] {
        let picture = try ImageTools.input("image", 1, &bench)
        let plain = try picture.inPlainColors(bench)
        let bands = try picture.plainBands(plain, bench)
        return try ImageTools.finish(picture, bench) { _ in
            guard bands.hasAlpha else { return made(plain) }
            return .joiningBands([made(plain.bands(0, count: bands.colors)), plain.bands(bands.colors)])
        }
    }

    /// Puts a color below the transparent parts of a picture.
    static func flatten(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        let picture = try ImageTools.input("image", 1, &bench)
        let isCMYK = picture.colors.kind == .cmyk
        let image = isCMYK ? picture.image.inSRGB(fallback: "cmyk") : picture.image
        let bands = try bench.fields(of: image)["bands"].flatMap { Int($0) } ?? 3
        guard bands == 2 || bands == 4 else {
            throw Failure(.badParam, "\(picture.asset.name) has no transparent parts.")
        }
        let most = Double(isCMYK ? 255 : picture.colors.most)
        let level = bench.assignment.text("color") == "black" ? 0 : most
        return try ImageTools.finish(picture, bench) { _ in image.flattened(background: [level], most: most) }
    }
}

extension Picture {
    /// Returns the picture with 8 bits a color in sRGB, or in gray.
    fileprivate func inPlainColors(_ bench: Workbench) throws(Failure) -> VipsImage {
        switch colors.kind {
        case .cmyk: return image.inSRGB(fallback: "cmyk")
        case .gray: return colors.isDeep ? image.inSpace("b-w") : image
        case .rgb: return image.inSpace("srgb")
        case .other: return try bench.fields(of: image)["interpretation"] == "b-w" ? image : image.inSpace("srgb")
        }
    }

    /// Returns the number of colors of a picture in plain colors, and whether it is transparent.
    fileprivate func plainBands(_ plain: VipsImage, _ bench: Workbench) throws(Failure) -> (colors: Int, hasAlpha: Bool)
    {
        guard colors.kind == .other else { return (colors.kind == .gray ? 1 : 3, colors.hasAlpha) }
        let bands = try bench.fields(of: plain)["bands"].flatMap { Int($0) } ?? 3
        return bands == 2 || bands == 4 ? (bands - 1, true) : (bands, false)
    }

    /// Returns whether the picture is transparent. Where libvips lays a color below the
    /// transparent parts, it takes the last band for the transparency, even if that is a color (8.14).
    func isTransparent(_ bench: Workbench) throws(Failure) -> Bool {
        guard colors.kind == .other else { return colors.hasAlpha }
        let bands = try bench.fields(of: image)["bands"].flatMap { Int($0) } ?? 3
        return bands == 2 || bands == 4
    }
}
