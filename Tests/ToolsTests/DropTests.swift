import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Pictures
import Testing
import Vocabulary

/// What the manifests say that tools drop, measured: what is claimed is gone, and what is not claimed is still there.
@Suite(.process) struct DropTests {
    /// What a picture can have besides its pixels. A profile is one other than sRGB, without which colors look
    /// different.
    private enum Property: String, CaseIterable {
        case frames, exif, gps, xmp, profile, comment, sixteenBits, cmyk, colors, transparency
    }

    /// A claim of a manifest: what it says of a property of a picture in a format, with parameters.
    private struct Claim {
        let words: String
        /// Whether the property may also stay.
        var isConditional = false
        let covers: @Sendable (Property, _ picture: String, _ params: JSON) -> Bool
    }

    private static let metadata: Set<Property> = [.exif, .gps, .xmp, .profile]

    private static let claims: [Claim] = [
        Claim(words: "animation and further pages: the first stays") { property, _, _ in property == .frames },
        Claim(words: "animation and further pages, with fill: the first stays") { property, _, params in
            property == .frames && params["fill"] == true
        },
        Claim(words: "animation and further pages, except in a gif, webp or tiff: the first stays") {
            property, _, params in
            property == .frames && !["gif", "webp", "tiff"].contains(params["format"]?.string)
        },
        Claim(words: "EXIF and GPS data of a tiff") { property, picture, _ in
            [.exif, .gps].contains(property) && picture == "pages.tif"
        },
        Claim(words: "EXIF and GPS data: of a tiff, and in a tiff") { property, _, params in
            [.exif, .gps].contains(property) && params["format"] == "tiff"
        },
        Claim(words: "comments in a jpg") { property, _, _ in property == .comment },
        // Measured by `whatIsCodedAgainChanges`.
        Claim(words: "detail of jpg, webp and avif, which are coded again") { _, _, _ in false },
        Claim(words: "16 bits per color: 8 stay") { property, _, _ in property == .sixteenBits },
        Claim(words: "CMYK colors: they become RGB") { property, picture, _ in
            property == .cmyk || picture.hasSuffix("cmyk.jpg") && property == .profile
        },
        Claim(words: "colors") { property, picture, _ in property == .colors || property == .cmyk },
        Claim(words: "the profile of a picture in color: the gray is that of sRGB") { property, _, _ in
            property == .profile
        },
        Claim(words: "profiles other than sRGB: the colors become sRGB") { property, _, _ in property == .profile },
        Claim(words: "a profile other than sRGB, with a margin in color: the colors become sRGB") {
            property, _, params in
            property == .profile && params["color"] == "red"
        },
        // Measured by `PictureTraitsTests`.
        Claim(words: "a gray profile in a webp or avif: the gray becomes that of sRGB") { _, _, _ in false },
        Claim(words: "half transparency of a gif") { property, picture, _ in
            property == .transparency && picture.hasSuffix(".gif")
        },
        Claim(words: "in a gif: EXIF, GPS and XMP data, half transparency, all but 256 colors") {
            property, _, params in
            params["format"] == "gif" && ([.exif, .gps, .xmp].contains(property) || property == .transparency)
        },
        Claim(words: "the profile in a gif: the colors become sRGB") { property, _, params in
            property == .profile && params["format"] == "gif"
        },
        Claim(words: "16 bits per color: jpg, webp and gif have 8") { property, _, params in
            property == .sixteenBits && ["jpg", "webp", "gif"].contains(params["format"]?.string)
        },
        Claim(words: "transparency in a jpg: it becomes white") { property, _, params in
            property == .transparency && params["format"] == "jpg"
        },
        Claim(words: "CMYK colors, except in jpg and tiff: they become RGB") { property, picture, params in
            picture.hasSuffix("cmyk.jpg") && [.cmyk, .profile].contains(property)
                && !["jpg", "tiff"].contains(params["format"]?.string)
        },
        Claim(words: "XMP data and maker notes, except in a webp or avif") { property, picture, _ in
            property == .xmp && !picture.hasSuffix(".webp") && !picture.hasSuffix(".avif")
        },
        Claim(
            words: "a large profile, or that of another format than jpg, png, webp or avif: the colors become sRGB",
            isConditional: true
        ) { property, _, _ in property == .profile },
        Claim(
            words: "all metadata of an avif, and EXIF data of a jpg or png, if they take too much of the limit",
            isConditional: true
        ) { property, picture, _ in
            picture.hasSuffix(".avif") ? metadata.contains(property) : [.exif, .gps].contains(property)
        },
        // Not every size makes these needed.
        Claim(words: "all but 256 colors of a png", isConditional: true) { property, picture, _ in
            picture.hasSuffix(".png") && property == .sixteenBits
        },
        Claim(
            words: "width, height, format and 16 bits per color, if less quality is not enough", isConditional: true
        ) { property, _, _ in property == .sixteenBits },
        Claim(words: "transparency, if it becomes a jpg: white is below it", isConditional: true) { property, _, _ in
            property == .transparency
        },
        Claim(words: "the EXIF and XMP data of the overlay") { _, _, _ in false },
        // The result of a jpg is looked at below.
        Claim(words: "the format jpg, which has no transparency: the result is a png") { _, _, _ in false },
    ]

    /// The tools that change pictures, with parameters that keep the size where they can.
    private static let tools: [(kind: String, params: JSON)] = [
        ("Resize", ["width": 60]), ("Resize", ["width": 60, "height": 60, "fill": true]),
        ("Crop", ["width": 40, "height": 30]),
        ("Margin", ["size": 3]), ("Margin", ["size": 3, "color": "red"]), ("Trim", ["size": 3]),
        ("Rotate", ["angle": 90]), ("Rotate", ["angle": 10]), ("Grayscale", [:]), ("Blur", [:]),
        ("ConvertImage", ["format": "jpg"]), ("ConvertImage", ["format": "png"]), ("ConvertImage", ["format": "webp"]),
        ("ConvertImage", ["format": "tiff"]), ("ConvertImage", ["format": "gif"]), ("ConvertImage", ["format": "avif"]),
        ("CompressLocal", ["targetKB": 20]), ("CompressLocal", ["targetKB": 3]), ("Composite", [:]), ("ApplyMask", [:]),
    ]

    let lab: Lab

    init() throws { lab = try Lab() }

    // MARK: The pictures

    private static let pictures = [
        "rich.jpg", "turned.jpg", "cmyk.jpg", "turned-cmyk.jpg", "deep.png", "clear.webp", "rich.avif", "deep.tif",
        "pages.tif",
        "moving.gif",
    ]

    /// EXIF data with a maker, a place on the earth and an orientation, as a segment of a JPEG.
    private static func exif(orientation: UInt8) -> [UInt8] {
        let words: [UInt8] =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 3] + [1, 0x0F, 0, 2, 0, 0, 0, 6, 0, 0, 0, 50]
            + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 56] + [
                0, 0, 0, 0,
            ]
            + Array("Acme\0\0".utf8) + [0, 2] + [0, 1, 0, 2, 0, 0, 0, 2, 0x4E, 0, 0, 0] + [
                0, 2, 0, 5, 0, 0, 0, 3, 0, 0, 0, 86,
            ]
            + [0, 0, 0, 0] + [0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0, 30, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
        return [0xFF, 0xE1, 0, UInt8(words.count + 2)] + words
    }

    private static func segment(_ kind: UInt8, _ text: String) -> [UInt8] {
        [0xFF, kind, 0, UInt8(text.utf8.count + 2)] + Array(text.utf8)
    }

    private func made(_ file: String, _ steps: [[String]]) throws -> [UInt8] {
        try lab.store.read(try lab.picture(file, saveAs: (file as NSString).pathExtension, steps))
    }

    private static let noise = [
        ["vips", "gaussnoise", "a.v", "96", "72", "--seed", "1", "--mean", "128", "--sigma", "50"],
        ["vips", "gaussnoise", "b.v", "96", "72", "--seed", "2", "--mean", "128", "--sigma", "50"],
        ["vips", "gaussnoise", "c.v", "96", "72", "--seed", "3", "--mean", "128", "--sigma", "50"],
        ["vips", "bandjoin", "a.v b.v c.v", "j.v"], ["vips", "cast", "j.v", "u.v", "uchar"],
        ["vips", "copy", "u.v", "s.v", "--interpretation", "srgb"],
    ]

    private func jpeg(orientation: UInt8, profile: String) throws -> [UInt8] {
        let plain = try made(
            "plain.jpg", Self.noise + [["vips", "icc_export", "s.v", "out.jpg[Q=95]", "--output-profile", profile]])
        let xmp = Self.segment(0xE1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"></x:xmpmeta>")
        return Array(plain[..<2]) + Self.exif(orientation: orientation) + xmp + Self.segment(0xFE, "a comment")
            + Array(plain[2...])
    }

    private func picture(_ name: String) throws -> Asset {
        /// Returns a picture made from the rich JPEG in the folder of a recipe.
        func from(_ steps: [String]) throws -> [UInt8] {
            let folder = lab.root + "/rich-\(name)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(try jpeg(orientation: 1, profile: "p3")).write(to: URL(fileURLWithPath: folder + "/rich.jpg"))
            for step in steps { try Lab.program(["sh", "-c", "\(step) 2>/dev/null"], in: folder) }
            return [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(name)")))
        }
        let deep = [
            "vips linear rich.jpg l.v 257 3", "vips cast l.v u.v ushort", "vips copy u.v d.v --interpretation rgb16",
        ]
        // Three pictures that differ: frames that are equal may become one.
        let three = [
            "vips flip rich.jpg f.v vertical", "vips join rich.jpg f.v j.v vertical", "vips invert rich.jpg i.v",
            "vips join j.v i.v r.v vertical",
        ]
        let bytes =
            switch name {
            case "rich.jpg": try jpeg(orientation: 1, profile: "p3")
            case "turned.jpg": try jpeg(orientation: 6, profile: "p3")
            case "turned-cmyk.jpg": try jpeg(orientation: 6, profile: "cmyk")
            case "cmyk.jpg": try jpeg(orientation: 1, profile: "cmyk")
            case "deep.png": try from(deep + ["vips bandjoin_const d.v a.v 60000", "vips copy a.v deep.png"])
            case "clear.webp": try from(["vips bandjoin_const rich.jpg a.v 128", "vips copy a.v clear.webp"])
            case "rich.avif": try from(["vips copy rich.jpg rich.avif"])
            case "deep.tif": try from(deep + ["vips copy d.v deep.tif"])
            case "pages.tif": try from(three + ["vips copy r.v 'pages.tif[page-height=72]'"])
            default: try from(three + ["vips copy r.v 'moving.gif[page-height=72]'"])
            }
        return try lab.asset(bytes, .image, name: name)
    }

    private func properties(_ asset: Asset) throws -> Set<Property> {
        let path = lab.store.path(asset.hash)
        let text = try Lab.program(["sh", "-c", "vipsheader -a \(path) 2>/dev/null"], in: lab.root)
        let fields = Dictionary(
            text.split(separator: "\n").compactMap { line -> (String, String)? in
                line.range(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
            }, uniquingKeysWith: { first, _ in first })
        let bands = fields["bands"].flatMap { Int($0) } ?? 0
        var found: Set<Property> = []
        if (fields["n-pages"].flatMap { Int($0) } ?? 1) > 1 { found.insert(.frames) }
        if fields["exif-ifd0-Make"] != nil { found.insert(.exif) }
        if fields["exif-ifd3-GPSLatitude"] != nil { found.insert(.gps) }
        if fields["xmp-data"] != nil { found.insert(.xmp) }
        if fields["icc-profile-data"] != nil {
            let written = try Lab.program(["vipsheader", "-f", "icc-profile-data", path], in: lab.root)
            let bytes = try #require(Data(base64Encoded: written.trimmingCharacters(in: .whitespacesAndNewlines)))
            if ICCProfile([UInt8](bytes))?.isSRGB != true { found.insert(.profile) }
        }
        if try lab.store.read(asset).firstRange(of: Array("a comment".utf8)) != nil { found.insert(.comment) }
        if fields["format"] == "ushort" { found.insert(.sixteenBits) }
        if fields["interpretation"] == "cmyk" { found.insert(.cmyk) }
        let (x, y) = ((fields["width"].flatMap { Int($0) } ?? 0) / 2, (fields["height"].flatMap { Int($0) } ?? 0) / 2)
        let pixel = try lab.pixel(asset, x, y)
        if fields["interpretation"] != "cmyk", bands == 2 || bands == 4, let alpha = pixel.last,
            ![0, 255, 65_535].contains(alpha)
        {
            found.insert(.transparency)
        }
        if bands >= 3, Set(pixel.prefix(3)).count > 1 { found.insert(.colors) }
        return found
    }

    // MARK: The tests

    @Test(arguments: pictures) func whatIsClaimedIsGoneAndTheRestIsThere(name: String) async throws {
        let original = try picture(name)
        let had = try properties(original)
        let clear = try lab.asset(
            try made("mask.png", [["vips", "black", "m.v", "96", "72"], ["vips", "invert", "m.v", "out.png"]]), .mask,
            name: "mask.png")
        for tool in Self.tools {
            let manifest = try #require(Lab.catalogue[tool.kind])
            let inputs: [(String, Asset)] =
                switch tool.kind {
                case "Composite":
                    [("base", original), ("overlay", try lab.asset(try lab.store.read(clear), .image, name: "o.png"))]
                case "ApplyMask": [("image", original), ("mask", clear)]
                default: [("image", original)]
                }
            let what = "\(tool.kind) \(tool.params.text) \(name)"
            guard
                let out = await lab.run(
                    try lab.assignment(tool.kind, tool.params, inputs, attempt: Int.random(in: 1...1_000_000))
                ).assets?.first
            else {
                // A gif, a tiff or a picture with 16 bits cannot be made so small.
                #expect(tool.kind == "CompressLocal", "\(what) failed")
                continue
            }
            if tool.kind == "ApplyMask", name.hasSuffix(".jpg") { #expect(out.name.hasSuffix(".png")) }
            var lost = had.subtracting(try properties(out))
            // The mark lies over the whole base.
            if tool.kind == "Composite" { lost.subtract([.colors, .transparency]) }
            let claimed = Self.claims.filter { manifest.drops.contains($0.words) }
            let isUnchanged = out.meta["unchanged"] == true
            for property in had where !isUnchanged {
                let covering = claimed.filter { $0.covers(property, name, tool.params) }
                let isClaimed = !covering.isEmpty
                if isClaimed, covering.allSatisfy(\.isConditional) { continue }
                #expect(
                    lost.contains(property) == isClaimed,
                    "\(what): \(property) \(isClaimed ? "is claimed, and there" : "is lost")")
            }
        }
    }

    @Test func everyClaimOfAPictureToolIsMeasured() {
        let known = Set(Self.claims.map(\.words))
        let kinds = Set(Self.tools.map(\.kind))
        for tool in Lab.catalogue.sorted where kinds.contains(tool.kind) {
            #expect(
                !tool.drops.isEmpty && Set(tool.drops).isSubset(of: known),
                "\(tool.kind): \(Set(tool.drops).subtracting(known))")
        }
    }

    @Test(arguments: [("jpg", true), ("webp", true), ("avif", true), ("png", false), ("tif", false)])
    func whatIsCodedAgainChanges(format: String, changes: Bool) async throws {
        let original = try lab.asset(
            try made("a.\(format)", Self.noise + [["vips", "copy", "s.v", "out.\(format)"]]), .image,
            name: "a.\(format)")
        let out = try #require(try await lab.run("Rotate", ["angle": 360], [("image", original)]).first)
        let points = [(3, 5), (40, 40), (90, 60), (17, 66)]
        let pixels = try [original, out].map { asset in try points.map { try lab.pixel(asset, $0.0, $0.1) } }
        #expect((pixels[0] != pixels[1]) == changes, "\(pixels)")
    }

    /// Owners cannot be tried by everybody who runs the tests.
    @Test func filesInArchivesAndAssetsLoseWhatIsClaimed() async throws {
        for kind in ["Zip", "Tar", "Unpack"] {
            #expect(Lab.catalogue[kind]?.drops.isEmpty == false, "\(kind)")
        }
        let path = try lab.write("d/run.sh", "echo")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755, .modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
        try Lab.program(
            ["python3", "-c", "import os,sys; os.setxattr(sys.argv[1], 'user.note', b'x')", path], in: lab.root)
        func state(_ path: String) throws -> (mode: Int, seconds: Double, hasAttribute: Bool) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let date = try #require(attributes[.modificationDate] as? Date).timeIntervalSince1970
            let listed = try Lab.program(
                ["python3", "-c", "import os,sys; print(os.listxattr(sys.argv[1]))", path], in: lab.root)
            return (try #require(attributes[.posixPermissions] as? Int), date, listed.contains("user.note"))
        }
        let original = try state(path)
        #expect(original.mode == 0o755 && original.seconds == 1e9 && original.hasAttribute)
        let loaded = try #require(
            await lab.run(try lab.assignment("FileLoader", ["path": "d/run.sh"], attempt: 2)).assets?.first)
        _ = try await lab.run("SaveFile", ["path": "saved.sh"], [("file", loaded)])
        let saved = try state(lab.path("saved.sh"))
        #expect(saved.mode == 0o755 && saved.seconds == 1e9 && saved.hasAttribute, "a copy is what its file is")
        for kind in ["Zip", "Tar"] {
            let archive = try #require(try await lab.run(kind, [:], [("files", loaded)]).first)
            _ = try await lab.run("Unpack", ["folder": .string("out\(kind)")], [("file", archive)])
            #expect(lab.names("out\(kind)") == ["run.sh"])
            let made = try state(lab.path("out\(kind)/run.sh"))
            #expect(made.mode == 0o755 && made.seconds == 1e9 && !made.hasAttribute, "\(kind): \(made)")
        }
        // What an archive says of permissions and times is kept, and what it says of attributes is not.
        let line = "tar --create --xattrs --file=x.tar -C \"\(lab.path("d"))\" run.sh"
        try Lab.program(["sh", "-c", line], in: lab.root)
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: lab.root + "/x.tar")))
        _ = try await lab.run("Unpack", ["folder": "whole"], [("file", try lab.asset(bytes, .file, name: "x.tar"))])
        let made = try state(lab.path("whole/run.sh"))
        #expect(made.mode & 0o111 == 0o111 && made.seconds == 1e9 && !made.hasAttribute, "\(made)")
    }
}
