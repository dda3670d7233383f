@testable import Files
import Foundation
@testable import Pictures
import Testing
import Vocabulary

/// Small pictures with one trait each: noise, with a square of one color in the middle. No tool but a gray one changes
/// the color of the middle.
enum TraitPicture: String, CaseIterable {
    case plain = "plain.jpg"
    case wide = "p3.jpg"
    case adobe = "adobe.png"
    case cmyk = "cmyk.jpg"
    case gray = "gray.png"
    case deep = "deep.png"
    case deepWide = "deep-p3.png"
    case clear = "clear.png"
    case deepClear = "deep-clear.png"
    case clearWide = "clear-p3.webp"
    case turned = "turned.jpg"
    case moving = "moving-p3.webp"

    static let (width, height) = (64, 48)

    /// The color of the middle, as it is seen, and its gray.
    static let color = [200, 40, 90]
    static let grayOfColor = [105, 105, 105]

    /// The middle of `gray`: 200 in a profile whose values are light.
    static let grayOfLight = [229, 229, 229]

    /// The alpha of the clear pictures, of 255.
    static let alpha = 120

    var hasAlpha: Bool { [.clear, .deepClear, .clearWide].contains(self) }
    var isDeep: Bool { [.deep, .deepWide, .deepClear].contains(self) }
    var hasEXIF: Bool { self != .gray && self != .moving && rawValue.hasSuffix(".jpg") }
    var seen: [Int] { self == .gray ? Self.grayOfLight : Self.color }

    /// The color on white paper.
    var seenOnWhite: [Int] {
        guard hasAlpha else { return seen }
        return seen.map { ($0 * Self.alpha + 255 * (255 - Self.alpha)) / 255 }
    }

    /// Makes the picture.
    func asset(_ lab: Lab) throws -> Asset {
        let (adobe, gray) = (lab.root + "/adobe.icc", lab.root + "/gray.icc")
        try Data(Self.adobeRGB).write(to: URL(fileURLWithPath: adobe))
        try Data(Self.light).write(to: URL(fileURLWithPath: gray))
        let suffix = (rawValue as NSString).pathExtension
        let best = suffix == "jpg" ? "[Q=100]" : suffix == "webp" ? "[lossless]" : ""
        let out = "out.\(suffix)\(best)"
        func turned(_ from: String, _ to: String, _ profile: String, isDeep: Bool = false) -> [String] {
            ["vips", "icc_transform", from, to, profile, "--input-profile", "srgb"] + (isDeep ? ["--depth", "16"] : [])
        }
        let deep = [
            ["vips", "linear", "s.v", "d1.v", "257", "0"], ["vips", "cast", "d1.v", "d2.v", "ushort"],
            ["vips", "copy", "d2.v", "d.v", "--interpretation", "rgb16"],
        ]
        func clear(_ from: String, _ to: String, _ most: Int) -> [[String]] {
            [["vips", "bandjoin_const", from, to, "\(Self.alpha * most / 255)"]]
        }
        let steps: [[String]] =
            switch self {
            case .plain, .turned: [["vips", "copy", "s.v", out]]
            case .wide: [turned("s.v", out, "p3")]
            case .adobe: [turned("s.v", out, adobe)]
            case .cmyk: [turned("s.v", out, "cmyk")]
            case .gray:
                [
                    ["vips", "extract_band", "s.v", "g1.v", "0"],
                    ["vips", "copy", "g1.v", "g2.v", "--interpretation", "b-w"],
                    ["vips", "copy", "g2.v", "\(out)[profile=\(gray)]"],
                ]
            case .deep: deep + [["vips", "copy", "d.v", out]]
            case .deepWide: deep + [turned("d.v", out, "p3", isDeep: true)]
            case .clear: clear("s.v", out, 255)
            case .deepClear: deep + clear("d.v", out, 65_535)
            case .clearWide: clear("s.v", "a.v", 255) + [turned("a.v", out, "p3")]
            case .moving:
                [
                    turned("s.v", "p.v", "p3"), ["vips", "flip", "p.v", "f.v", "vertical"],
                    ["vips", "join", "p.v", "f.v", "j.v", "vertical"],
                    ["vips", "copy", "j.v", "out.webp[lossless,page-height=\(Self.height)]"],
                ]
            }
        let made = try lab.store.read(try lab.picture(rawValue, saveAs: suffix, Self.square + steps))
        guard hasEXIF else { return try lab.asset(made, .image, name: rawValue) }
        let block = Array("Exif\0\0".utf8) + Self.exif(orientation: self == .turned ? 6 : 1)
        let segment: [UInt8] = [0xFF, 0xE1, UInt8((block.count + 2) >> 8), UInt8((block.count + 2) & 0xFF)] + block
        return try lab.asset(Array(made[..<2]) + segment + Array(made[2...]), .image, name: rawValue)
    }

    private static let square: [[String]] =
        (1...3).map {
            [
                "vips", "gaussnoise", "n\($0).v", "\(width)", "\(height)", "--seed", "\($0)", "--mean", "128",
                "--sigma", "40",
            ]
        } + [
            ["vips", "bandjoin", "n1.v n2.v n3.v", "n.v"], ["vips", "black", "k.v", "24", "24", "--bands", "3"],
            ["vips", "linear", "k.v", "q.v", "1", color.map { "\($0)" }.joined(separator: " ")],
            ["vips", "insert", "n.v", "q.v", "i.v", "20", "12"], ["vips", "cast", "i.v", "u.v", "uchar"],
            ["vips", "copy", "u.v", "s.v", "--interpretation", "srgb"],
        ]

    // MARK: EXIF

    static let thumbnail = Array("what was there before".utf8)
    static let camera = "Acme X1"
    static let date = "2026:11:25 14:02:31"

    /// A block with camera, orientation, date, place and thumbnail.
    static func exif(orientation: Int) -> [UInt8] {
        func n(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func directory(_ entries: [(tag: Int, type: Int, count: Int, value: [UInt8])], at place: Int, next: Int)
            -> [UInt8]
        {
            var (head, values) = (n(entries.count, 2), [UInt8]())
            let start = place + 6 + 12 * entries.count
            for entry in entries {
                head += n(entry.tag, 2) + n(entry.type, 2) + n(entry.count, 4)
                if entry.value.count <= 4 {
                    head += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                } else {
                    head += n(start + values.count, 4)
                    values += entry.value
                }
            }
            return head + n(next, 4) + values
        }
        let degrees = [52, 1, 30, 1, 0, 1].flatMap { n($0, 4) }
        func parts(_ taken: Int, _ place: Int, _ second: Int, _ small: Int) -> [[UInt8]] {
            [
                directory(
                    [
                        (0x010F, 2, 8, Array("\(camera)\0".utf8)), (0x0112, 3, 1, n(orientation, 2)),
                        (0x8769, 4, 1, n(taken, 4)), (0x8825, 4, 1, n(place, 4)),
                    ], at: 8, next: second),
                directory(
                    [(0x9000, 7, 4, Array("0230".utf8)), (0x9003, 2, 20, Array("\(date)\0".utf8))], at: taken, next: 0),
                directory(
                    [
                        (1, 2, 2, Array("N\0".utf8)), (2, 5, 3, degrees), (3, 2, 2, Array("E\0".utf8)),
                        (4, 5, 3, degrees),
                    ], at: place, next: 0),
                directory(
                    [(0x0201, 4, 1, n(small, 4)), (0x0202, 4, 1, n(thumbnail.count, 4))], at: second, next: 0),
            ]
        }
        var places = [8]
        for part in parts(0, 0, 0, 0) { places.append(places[places.count - 1] + part.count) }
        return Array("II*\0".utf8) + n(8, 4) + parts(places[1], places[2], places[3], places[4]).flatMap(\.self)
            + thumbnail
    }

    // MARK: Profiles

    /// A profile with the primaries of Adobe RGB (1998), adapted to D50.
    static let adobeRGB = profile(
        "RGB ",
        [("wtpt", xyz(0.9505, 1, 1.0891)), ("rXYZ", xyz(0.60974, 0.31111, 0.01947))]
            + [("gXYZ", xyz(0.20528, 0.62567, 0.06087)), ("bXYZ", xyz(0.14919, 0.06322, 0.74457))]
            + ["rTRC", "gTRC", "bTRC"].map { ($0, gamma(2.2)) })

    /// A profile of gray whose values are light.
    static let light = profile("GRAY", [("wtpt", xyz(0.9642, 1, 0.8249)), ("kTRC", gamma(1))])

    private static func big(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }

    private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ \0\0\0\0".utf8) + [x, y, z].flatMap { big(Int(($0 * 65_536).rounded()), 4) }
    }

    private static func gamma(_ value: Double) -> [UInt8] {
        Array("curv\0\0\0\0".utf8) + big(1, 4) + big(Int((value * 256).rounded()), 2) + [0, 0]
    }

    private static func profile(_ space: String, _ values: [(String, [UInt8])]) -> [UInt8] {
        let name = Array("test\0".utf8)
        let described = Array("desc\0\0\0\0".utf8) + big(name.count, 4) + name + [UInt8](repeating: 0, count: 79)
        let tags = [("desc", described), ("cprt", Array("text\0\0\0\0none\0\0\0\0".utf8))] + values
        var (table, data) = ([UInt8](), [UInt8]())
        let start = 132 + 12 * tags.count
        for (tag, value) in tags {
            table += Array(tag.utf8) + big(start + data.count, 4) + big(value.count, 4)
            data += value
        }
        let white = [0.9642, 1, 0.8249].flatMap { big(Int(($0 * 65_536).rounded()), 4) }
        var head = big(start + data.count, 4) + [0, 0, 0, 0] + [2, 0x40, 0, 0] + Array("mntr\(space)XYZ ".utf8)
        head += big(2026, 2) + [0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
        head += [UInt8](repeating: 0, count: 28) + white + [UInt8](repeating: 0, count: 48)
        return head + big(tags.count, 4) + table + data
    }
}
