import Pictures
import Sandbox
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
        let (file, background) = try canvas(for: color, picture, bench)
        return try finish(picture, bench) { out in
            [
                "vips", "embed", file, out, "\(sides.hasLeft ? size : 0)", "\(sides.hasTop ? size : 0)", "\(width)",
                "\(height)",
            ]
                + ["--extend", "background", "--background", background.map { "\($0)" }.joined(separator: " ")]
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
        return try finish(picture, bench) {
            ["vips", "crop", picture.file, $0, "\(left)", "\(top)", "\(width)", "\(height)"]
        }
    }

    /// Returns a picture that can hold the color, and the color as its values, one for each band.
    private static func canvas(for color: MarginColor, _ picture: Picture, _ bench: Workbench) throws(Failure) -> (
        String, [Int]
    ) {
        var file = picture.file
        var fields = try bench.header(of: file)
        let isGray = ["b-w", "grey16"].contains(fields["interpretation"])
        let isKnown = isGray || ["srgb", "rgb", "rgb16"].contains(fields["interpretation"])
        if !isKnown || isGray && !color.isGray || !["uchar", "ushort"].contains(fields["format"]) {
            let isDeep = fields["interpretation"] == "grey16"
            try bench.run(["vips", "colourspace", file, "colors.v", isDeep ? "rgb16" : "srgb"])
            file = "colors.v"
            fields = try bench.header(of: file)
        }
        let most = fields["format"] == "ushort" ? 65_535 : 255
        let bands = fields["bands"].flatMap { Int($0) } ?? 3
        guard case .opaque(let values) = color else {
            guard bands % 2 == 1 else { return (file, Array(repeating: 0, count: bands)) }
            try bench.run(["vips", "bandjoin_const", file, "alpha.v", "\(most)"])
            return ("alpha.v", Array(repeating: 0, count: bands + 1))
        }
        let scaled = values.map { $0 * most / 255 }
        return (file, (bands < 3 ? [scaled[0]] : scaled) + (bands % 2 == 0 ? [most] : []))
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

    /// Whether red, green and blue are equal, so that a picture in gray stays one.
    var isGray: Bool {
        switch self {
        case .opaque(let values): Set(values).count == 1
        case .transparent: true
        }
    }
}
