import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Pictures
import Testing
import Vocabulary

/// Every picture tool on pictures with every trait: the colors that are seen, depth, transparency, orientation, EXIF
/// data, the thumbnail and the frames. Each is right in the result, or the tool says what it drops.
@Suite(.process) struct PictureTraitsTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private static let tools: [(kind: String, params: JSON)] = [
        ("Resize", ["scale": 50]), ("Resize", ["width": 40, "height": 40, "fill": true]),
        ("Crop", ["width": 30, "height": 28]), ("Margin", ["size": 4]), ("Margin", ["size": 4, "color": "red"]),
        ("Trim", ["size": 4]), ("Rotate", ["angle": 90]), ("Rotate", ["angle": 10]), ("Grayscale", [:]),
        ("Blur", ["radius": 1]), ("ConvertImage", ["format": "jpg"]), ("ConvertImage", ["format": "png"]),
        ("ConvertImage", ["format": "webp"]), ("ConvertImage", ["format": "tiff"]), ("ConvertImage", ["format": "gif"]),
        ("ConvertImage", ["format": "avif"]), ("CompressLocal", ["targetKB": 3]), ("Composite", [:]),
        ("ApplyMask", [:]),
    ]

    /// What programs say of a result.
    private struct Look {
        var fields: [String: String] = [:]
        /// The middle, in 8 bits of sRGB by the profile of the result.
        var seen: [Int] = []
        /// The alpha of the middle, of 255.
        var alpha: Double?

        func number(_ name: String) -> Int { fields[name].flatMap { Int($0) } ?? 0 }
    }

    private func look(_ asset: Asset) throws -> Look {
        var look = Look()
        let path = lab.store.path(asset.hash)
        func ran(_ line: String) throws -> [Substring] {
            try Lab.program(["sh", "-c", "\(line) 2> /dev/null"], in: lab.root).split(separator: "\n")
        }
        for line in try ran("vipsheader -a \(path)") {
            guard let colon = line.range(of: ": ") else { continue }
            look.fields[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        let (space, format) = (look.fields["interpretation"] ?? "", look.fields["format"])
        let (x, y) = (look.number("width") / 2, look.number("height") / 2)
        func point(_ file: String) throws -> [Double] {
            try ran("vips getpoint \(file) \(x) \(y)").joined().split(separator: " ").compactMap { Double($0) }
        }
        let raw = try point(path)
        if space != "cmyk", raw.count > (["b-w", "grey16"].contains(space) ? 1 : 3), let last = raw.last {
            look.alpha = format == "ushort" ? last / 257 : last
        }
        let seen = "\(lab.root)/seen-\(UInt32.random(in: 0 ... .max)).v"
        if look.fields["icc-profile-data"] != nil {
            // This fails if the profile is for other colors.
            try Lab.program(["vips", "icc_transform", path, seen, "srgb", "--embedded"], in: lab.root)
        } else if space != "srgb" || format != "uchar" {
            try Lab.program(["vips", "colourspace", path, seen, "srgb"], in: lab.root)
        } else {
            look.seen = raw.prefix(3).map { Int($0) }
            return look
        }
        look.seen = try point(seen).prefix(3).map { Int($0.rounded()) }
        return look
    }

    private func run(_ tool: (kind: String, params: JSON), on picture: Asset) async throws -> Asset? {
        let (white, nothing) = (
            try lab.picture("w.png", [["vips", "black", "b.v", "64", "48"], ["vips", "invert", "b.v", "out.png"]]),
            try lab.picture(
                "o.png",
                [
                    ["vips", "black", "b.v", "8", "8", "--bands", "4"],
                    ["vips", "copy", "b.v", "out.png", "--interpretation", "srgb"],
                ])
        )
        var inputs = [(tool.kind == "Composite" ? "base" : "image", picture)]
        if tool.kind == "Composite" { inputs.append(("overlay", nothing)) }
        if tool.kind == "ApplyMask" { inputs.append(("mask", white)) }
        let ending = await lab.run(
            try lab.assignment(tool.kind, tool.params, inputs, attempt: Int.random(in: 1...1_000_000)))
        if let failure = ending.failure {
            #expect(failure.code == .cannotCompress, "\(tool) \(picture.name): \(failure)")
        }
        return ending.assets?.first
    }

    private func isNear(_ values: [Int], _ wanted: [Int], by most: Int) -> Bool {
        values.count == wanted.count && zip(values, wanted).allSatisfy { abs($0 - $1) <= most }
    }

    @Test(arguments: TraitPicture.allCases) func eachTraitIsKeptOrItsLossIsTold(trait: TraitPicture) async throws {
        let picture = try trait.asset(lab)
        for tool in Self.tools {
            guard let out = try await run(tool, on: picture), out.meta["unchanged"] != true else { continue }
            let cell = Comment(
                rawValue: "\(tool.kind) \(tool.params.text) of \(trait.rawValue): \(JSON.object(out.meta).text)")
            let look = try look(out)
            let drops = try #require(Lab.catalogue[tool.kind]).drops.joined(separator: "; ")
            let told = drops + " " + (LeftOut.words(out.partial) ?? "")
            // Colors.
            let isGray = tool.kind == "Grayscale" && trait != .gray
            let isOnWhite = trait.hasAlpha && out.name.hasSuffix(".jpg")
            let seen = isGray ? TraitPicture.grayOfColor : isOnWhite ? trait.seenOnWhite : trait.seen
            let isInvisible = look.alpha.map { $0 < 1 } ?? false
            // A turned JPEG is made smaller while it is decoded, at blocks of which the edges lie elsewhere.
            let isLoose = trait == .cmyk || trait == .turned
            let tolerance = tool.kind == "CompressLocal" ? 16 : out.name.hasSuffix(".gif") ? 12 : isLoose ? 8 : 5
            if !isInvisible { #expect(isNear(look.seen, seen, by: tolerance), "\(look.seen) for \(seen): \(cell)") }
            let space = look.fields["interpretation"]
            if trait == .cmyk, space != "cmyk" { #expect(told.contains("CMYK") || isGray, cell) }
            // Depth and transparency.
            if trait.isDeep, look.fields["format"] != "ushort" { #expect(told.contains("16 bits"), cell) }
            if trait.hasAlpha {
                let isKept = look.alpha.map { abs($0 - Double(TraitPicture.alpha)) < 1 } ?? false
                #expect(isKept || told.contains("transparency"), "alpha \(look.alpha ?? -1): \(cell)")
            } else if let alpha = look.alpha {
                #expect(alpha == 255, cell)
            }
            try checkFile(out, look, trait, told, cell)
            if trait == .moving, look.number("n-pages") < 2 { #expect(!out.partial.isEmpty, cell) }
        }
    }

    /// Checks orientation, EXIF data and thumbnail.
    private func checkFile(_ out: Asset, _ look: Look, _ trait: TraitPicture, _ told: String, _ cell: Comment) throws {
        #expect(try lab.store.read(out).firstRange(of: TraitPicture.thumbnail) == nil, "the thumbnail: \(cell)")
        #expect([nil, "1"].contains(look.fields["orientation"]), cell)
        guard trait.hasEXIF, !out.name.hasSuffix(".gif"), !out.name.hasSuffix(".tiff") else { return }
        let isLost = LeftOut.words(out.partial)?.contains("EXIF") ?? false
        #expect(isLost || look.fields["exif-ifd0-Make"]?.hasPrefix(TraitPicture.camera) ?? false, "camera: \(cell)")
        #expect(
            isLost || look.fields["exif-ifd2-DateTimeOriginal"]?.hasPrefix(TraitPicture.date) ?? false, "date: \(cell)")
        #expect(isLost || look.fields["exif-ifd3-GPSLatitude"]?.hasPrefix("52") ?? false, "place: \(cell)")
    }

    @Test(
        arguments: [
            ("Crop", ["width": 48, "height": 64], 48, 64), ("Rotate", ["angle": 90], 64, 48), ("Blur", [:], 48, 64),
            ("ConvertImage", ["format": "webp"], 48, 64), ("CompressLocal", ["targetKB": 5], 48, 64),
            ("Grayscale", [:], 48, 64), ("Margin", ["size": 1], 50, 66), ("Composite", [:], 48, 64),
        ] as [(String, JSON, Int, Int)])
    func aTurnedPictureIsUpright(kind: String, params: JSON, width: Int, height: Int) async throws {
        let out = try #require(try await run((kind, params), on: try TraitPicture.turned.asset(lab)))
        let look = try look(out)
        #expect((look.number("width"), look.number("height")) == (width, height))
    }

    // MARK: Transparency

    /// A red square with transparent black around it, in 8 or 16 bits.
    private func redSquare(isDeep: Bool) throws -> Asset {
        let (most, format) = isDeep ? ("65535", "ushort") : ("255", "uchar")
        return try lab.picture(
            "red.png",
            [
                ["vips", "black", "k.v", "60", "60"], ["vips", "black", "w.v", "30", "30"],
                ["vips", "linear", "w.v", "f.v", "0", most], ["vips", "insert", "k.v", "f.v", "m.v", "15", "15"],
                ["vips", "cast", "m.v", "a.v", format], ["vips", "cast", "k.v", "z.v", format],
                ["vips", "bandjoin", "a.v z.v z.v a.v", "j.v"],
                ["vips", "copy", "j.v", "out.png", "--interpretation", isDeep ? "rgb16" : "srgb"],
            ])
    }

    /// On red, a red square shows no rim, whatever its alpha is. One that was mixed with black would.
    @Test(
        arguments: [
            ("Resize", ["width": 37]), ("Resize", ["width": 91]), ("Blur", ["radius": 3]), ("Rotate", ["angle": 33]),
            ("Composite", ["left": 7, "top": 9]),
        ] as [(String, JSON)], [false, true])
    func noRimIsMixedIn(tool: (kind: String, params: JSON), isDeep: Bool) async throws {
        let red = try redSquare(isDeep: isDeep)
        let inputs = tool.kind == "Composite" ? [("base", red), ("overlay", red)] : [("image", red)]
        let out = try #require(try await lab.run(tool.kind, tool.params, inputs).first)
        let path = lab.store.path(out.hash)
        let isStillDeep = try Lab.program(["vipsheader", path], in: lab.root).contains("ushort")
        #expect(isStillDeep == (isDeep && tool.kind != "Resize"))
        let most = isStillDeep ? 65_535 : 255
        let line =
            "vips flatten \(path) f.v --background '\(most) 0 0'; vips extract_band f.v r.v 0; vips min r.v;"
            + " vips extract_band f.v g.v 1 --n 2; vips max g.v"
        let told = try Lab.program(["sh", "-c", line], in: lab.root).split(separator: "\n").compactMap { Double($0) }
        let near = Double(most) / 100
        #expect(told.count == 2 && told[0] >= Double(most) - near && told[1] <= near, "\(told)")
        // There is a rim that could be seen.
        let alpha = try Lab.program(
            ["sh", "-c", "vips extract_band \(path) a.v 3; vips max a.v; vips min a.v"], in: lab.root)
        #expect(alpha.split(separator: "\n").compactMap { Double($0) } == [Double(most), 0])
    }

    @Test(arguments: [false, true]) func paperIsWhiteBelowTransparencyInJPEG(isDeep: Bool) async throws {
        let red = try redSquare(isDeep: isDeep)
        let out = try #require(
            try await lab.run("ConvertImage", ["format": "jpg", "quality": 100], [("image", red)]).first)
        #expect(isNear(try lab.pixel(out, 2, 2), [255, 255, 255], by: 3))
        #expect(isNear(try lab.pixel(out, 30, 30), [255, 0, 0], by: 4))
    }

    @Test(arguments: [0, 1, 100, 254, 255]) func aMaskIsExactIn16Bits(value: Int) async throws {
        let picture = try TraitPicture.deep.asset(lab)
        let mask = try lab.picture(
            "m.png",
            [
                ["vips", "black", "b.v", "64", "48"], ["vips", "linear", "b.v", "l.v", "1", "\(value)", "--uchar"],
                ["vips", "copy", "l.v", "out.png", "--interpretation", "b-w"],
            ])
        let out = try #require(try await lab.run("ApplyMask", [:], [("image", picture), ("mask", mask)]).first)
        #expect(abs(try lab.pixel(out, 32, 24)[3] - value * 257) <= 1)
    }

    // MARK: Layers, corners and margins

    /// The overlay has another profile than the base: both keep the color that is seen.
    @Test(arguments: [
        (TraitPicture.plain, TraitPicture.wide), (.wide, .plain), (.adobe, .wide), (.cmyk, .plain), (.plain, .gray),
        (.gray, .plain), (.deep, .adobe),
    ])
    func layersOfDifferentProfilesKeepTheirColors(base: TraitPicture, overlay: TraitPicture) async throws {
        let inputs = [("base", try base.asset(lab)), ("overlay", try overlay.asset(lab))]
        let right = try #require(try await lab.run("Composite", ["left": 40], inputs).first)
        let below = try look(right).seen
        #expect(isNear(below, base.seen, by: 8), "\(below)")
        let over = try #require(try await lab.run("Composite", [:], inputs).first)
        let above = try look(over).seen
        #expect(isNear(above, overlay.seen, by: 8), "\(above)")
    }

    @Test func theCornersOfARotatedCMYKPictureAreWhite() async throws {
        let out = try #require(
            try await lab.run("Rotate", ["angle": 20], [("image", try TraitPicture.cmyk.asset(lab))]).first)
        #expect(isNear(try lab.pixel(out, 1, 1), [0, 0, 0, 0], by: 8))
    }

    @Test(arguments: [TraitPicture.plain, .wide, .adobe, .cmyk, .gray, .deep, .deepWide, .clear])
    func aMarginHasItsColor(trait: TraitPicture) async throws {
        let out = try #require(
            try await lab.run("Margin", ["size": 40, "color": "red"], [("image", try trait.asset(lab))]).first)
        let corner = try #require(
            try await lab.run("Crop", ["width": 30, "height": 30, "left": 0, "top": 0], [("image", out)]).first)
        let seen = try look(corner).seen
        #expect(isNear(seen, [255, 0, 0], by: 4), "\(seen)")
    }

    // MARK: Profiles

    @Test func aProfileThatMeansSRGBIsKnown() throws {
        for (name, isSRGB) in [("srgb", true), ("p3", false)] {
            let out = try lab.picture(
                "a.png",
                [
                    ["vips", "black", "b.v", "8", "8", "--bands", "3"],
                    ["vips", "copy", "b.v", "out.png[profile=\(name)]", "--interpretation", "srgb"],
                ])
            let colors = try #require(ImageHeader(try lab.store.read(out))?.colors)
            #expect(colors.isSRGB == isSRGB, "\(name)")
        }
        #expect(ICCProfile(TraitPicture.adobeRGB)?.isSRGB == false && ICCProfile(TraitPicture.light)?.space == .gray)
    }

    /// Thumbnails and previews lose all metadata, so that their colors are turned into sRGB.
    @Test(arguments: TraitPicture.allCases, ["own", "avif", "tif"])
    func thumbnailsHaveTheColorsThatAreSeen(trait: TraitPicture, format: String) throws {
        var picture = try trait.asset(lab)
        if format != "own" {
            guard [.plain, .wide, .adobe, .cmyk].contains(trait), format == "tif" || trait != .cmyk else { return }
            let file = "\(lab.root)/copy.\(format)"
            let line = "vips copy \(lab.store.path(picture.hash)) \(file)"
            try Lab.program(["sh", "-c", "\(line) 2> /dev/null"], in: lab.root)
            let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
            picture = try lab.asset(bytes, .image, name: "copy.\(format)")
        }
        let path = try PictureCache(folder: lab.own.cache, store: lab.store, sandbox: lab.sandbox)
            .picture(.thumbnails, of: picture)
        let thumbnail = try lab.asset(
            [UInt8](try #require(FileManager.default.contents(atPath: path))), .image, name: "t.png")
        let seen = try look(thumbnail)
        #expect(isNear(seen.seen, trait.seen, by: 8) && seen.fields["icc-profile-data"] == nil, "\(seen.seen)")
    }

    /// What is read in process is what libvips says.
    @Test(arguments: TraitPicture.allCases) func theColorsOfAHeaderAreThoseOfVips(trait: TraitPicture) throws {
        let picture = try trait.asset(lab)
        var wanted = PictureColors(fields: try look(picture).fields)
        // libvips does not say which profile it is.
        if trait == .plain || trait == .turned { wanted.hasProfile = false }
        let header = try #require(ImageHeader(try lab.store.read(picture)))
        // The profile for CMYK is longer than what is read of the file.
        #expect(header.colors ?? wanted == wanted)
    }

    /// libvips reads profiles only. What a PNG or an AVIF says otherwise is lost, and the result tells it.
    @Test(
        arguments: [
            ("gAMA", [0, 1, 0x86, 0xA0], true), ("gAMA", [0, 0, 0xB1, 0x8F], false), ("cICP", [12, 13, 0, 1], true),
            ("cICP", [1, 16, 0, 1], true), ("cICP", [1, 13, 0, 1], false), ("sRGB", [0], false),
        ] as [(String, [UInt8], Bool)])
    func aColorSpaceWithoutAProfileIsTold(name: String, data: [UInt8], isTold: Bool) async throws {
        let plain = try lab.store.read(try TraitPicture.clear.asset(lab))
        let bytes = Array(plain[..<33]) + PNGFile.chunk(name, data) + Array(plain[33...])
        let out = try #require(
            try await lab.run("Resize", ["width": 20], [("image", try lab.asset(bytes, .image, name: "a.png"))]).first)
        #expect((LeftOut.words(out.partial)?.contains("color space") ?? false) == isTold)
    }

    @Test(arguments: [("nclx", 12, 13, true), ("nclx", 1, 18, true), ("nclx", 1, 13, false), ("prof", 12, 13, false)])
    func theNumbersOfAHEIFAreRead(kind: String, primaries: UInt8, curve: UInt8, isOther: Bool) {
        let bytes = [0, 0, 0, 12] + Array("ftypavif----colr\(kind)".utf8) + [0, primaries, 0, curve, 0, 0]
        #expect(ImageHeader(bytes)?.hasUnreadColors == isOther)
    }

    @Test func aBrokenProfileHarmsNothing() throws {
        for whole in [TraitPicture.adobeRGB, TraitPicture.light] {
            for length in 0..<whole.count { _ = ICCProfile(Array(whole.prefix(length))) }
            for place in whole.indices {
                var turned = whole
                turned[place] ^= 0xFF
                _ = ICCProfile(turned)
            }
        }
        let picture = try lab.store.read(try TraitPicture.adobe.asset(lab))
        for length in stride(from: 0, to: min(picture.count, 2_000), by: 7) {
            _ = ImageHeader(Array(picture.prefix(length)))
        }
    }

    // MARK: EXIF data that are carried

    @Test func carriedDataHaveNoCopyAndNoOrientation() throws {
        let block = try #require(EXIFBlock(TraitPicture.exif(orientation: 6)))
        let carried = try #require(block.forResult())
        let read = try #require(EXIFBlock(carried))
        #expect(read.orientation == 1 && read.takenAt == TraitPicture.date && read.place?.latitude == 52.5)
        #expect(carried.firstRange(of: TraitPicture.thumbnail) == nil)
        #expect(EXIFBlock(try #require(read.forResult()))?.place?.longitude == 52.5)
        #expect(EXIFBlock(try #require(block.withoutPlace()))?.place == nil)
    }

    @Test func dataThatTakeTooMuchOfTheLimitAreLeftOutAndTold() async throws {
        let picture = try TraitPicture.plain.asset(lab)
        let out = try #require(try await lab.run("CompressLocal", ["targetKB": 0.8], [("image", picture)]).first)
        let told = try #require(LeftOut.words(out.partial))
        #expect(told.contains("EXIF") && out.bytes <= 800, "\(told)")
    }
}
