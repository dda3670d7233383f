import Pictures
import Sandbox
import Vips
import Vocabulary

extension ImageTools {
    /// Adds a margin of one color at some sides of a picture.
    static func margin(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let size = bench.assignment.integer("size"), (1...Limits.pictureSide).contains(size) else {
            throw Failure(.badParam, "Margin needs a size from 1 to \(Limits.pictureSide) px.")
        }
        let color = try MarginColor(bench.assignment.text("color") ?? "white")
        let sides = bench.assignment.text("sides").flatMap { MarginSides(rawValue: $0) } ?? .all
        let picture = try input("image", 1, &bench)
        if case .transparent = color, !picture.savedFormat().hasAlpha {
            throw Failure(
                .badParam, "\(picture.asset.name) is saved as jpg, which cannot be transparent.",
                remedy: "Choose a color, or convert the picture to png first.")
        }
        let width = picture.width + size * (sides.hasLeft ? 1 : 0) + size * (sides.hasRight ? 1 : 0)
        let height = picture.height + size * (sides.hasTop ? 1 : 0) + size * (sides.hasBottom ? 1 : 0)
        guard max(width, height) <= Limits.pictureSide else {
            throw Failure(
                .tooLarge, "With this margin the picture would be \(width)×\(height).",
                remedy: "At most \(Limits.pictureSide) px on a side are made.")
        }
        var canvas = picture
        let background = try prepare(&canvas, for: color, bench)
        let (left, top) = (sides.hasLeft ? size : 0, sides.hasTop ? size : 0)
        return try finish(canvas, bench) {
            $0.embedded(
                left: left, top: top, width: width, height: height, background: background.map { Double($0) })
        }
    }

    /// Cuts a strip off some sides of a picture.
    static func trim(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let size = bench.assignment.integer("size"), (1...Limits.pictureSide).contains(size) else {
            throw Failure(.badParam, "Trim needs a size from 1 to \(Limits.pictureSide) px.")
        }
        let sides = bench.assignment.text("sides").flatMap { MarginSides(rawValue: $0) } ?? .all
        let picture = try input("image", 1, &bench)
        let left = sides.hasLeft ? size : 0
        let top = sides.hasTop ? size : 0
        let width = picture.width - left - (sides.hasRight ? size : 0)
        let height = picture.height - top - (sides.hasBottom ? size : 0)
        guard width > 0, height > 0 else {
            throw Failure(
                .badParam,
                "\(picture.asset.name) is \(picture.width)×\(picture.height); \(size) px less leave nothing of it.",
                remedy: "Cut off less.")
        }
        return try finish(picture, bench) { $0.cropped(left: left, top: top, width: width, height: height) }
    }

    /// Makes a picture able to hold a color, which is one of sRGB, and returns the color as its values, one for each
    /// band.
    private static func prepare(_ picture: inout Picture, for color: MarginColor, _ bench: Workbench) throws(Failure)
        -> [Int]
    {
        // White and black are the same with every profile.
        if picture.colors.kind == .cmyk || !color.isExtreme { try bench.turnIntoSRGB(&picture) }
        let isGray = picture.colors.kind == .gray
        if picture.colors.kind == .other || isGray && !color.isGray {
            let isDeep = isGray && picture.colors.isDeep
            picture.image = picture.image.inSpace(isDeep ? "rgb16" : "srgb")
            picture.colors = PictureColors(fields: try bench.fields(of: picture.image))
        }
        let most = picture.colors.most
        let bands = picture.colors.white.count
        guard case .opaque(let values) = color else {
            guard !picture.colors.hasAlpha else { return Array(repeating: 0, count: bands) }
            picture.image = picture.image.withBand(Double(most))
            return Array(repeating: 0, count: bands + 1)
        }
        let scaled = values.map { $0 * most / 255 }
        return (picture.colors.kind == .gray ? [scaled[0]] : scaled) + (picture.colors.hasAlpha ? [most] : [])
    }
}

/// The sides of a picture that get a margin, or lose a strip.
private enum MarginSides: String {
    case all, left, right, top, bottom, horizontal, vertical

    var hasLeft: Bool { [.all, .left, .horizontal].contains(self) }
    var hasRight: Bool { [.all, .right, .horizontal].contains(self) }
    var hasTop: Bool { [.all, .top, .vertical].contains(self) }
    var hasBottom: Bool { [.all, .bottom, .vertical].contains(self) }
}

/// The color of a margin: red, green and blue from 0 to 255, or none.
private enum MarginColor {
    case opaque([Int])
    case transparent

    private static let names: [String: Int] = [
        "white": 0xFF_FF_FF, "black": 0, "gray": 0x80_80_80, "grey": 0x80_80_80, "red": 0xFF_00_00, "green": 0x00_80_00,
        "blue": 0x00_00_FF,
        "yellow": 0xFF_FF_00,
    ]

    /// - Parameter written: a name, or `#rrggbb`.
    init(_ written: String) throws(Failure) {
        let name = written.lowercased()
        guard name != "transparent" else {
            self = .transparent
            return
        }
        let digits = name.dropFirst()
        let isHex = name.hasPrefix("#") && digits.utf8.count == 6 && digits.allSatisfy(\.isHexDigit)
        guard let value = Self.names[name] ?? (isHex ? Int(digits, radix: 16) : nil) else {
            throw Failure(
                .badParam, "\"\(written.prefix(40))\" is no color that Margin knows.",
                remedy: "Use white, black, gray, red, green, blue, yellow, transparent, or #rrggbb such as #ff8800.")
        }
        self = .opaque([value >> 16, value >> 8 & 0xFF, value & 0xFF])
    }

    /// Whether it is white, black or none, which are the same in every profile.
    var isExtreme: Bool {
        switch self {
        case .opaque(let values): values == [0, 0, 0] || values == [255, 255, 255]
        case .transparent: true
        }
    }

    /// Whether red, green and blue are equal, so that a picture in gray stays one.
    var isGray: Bool {
        switch self {
        case .opaque(let values): Set(values).count == 1
        case .transparent: true
        }
    }
}
