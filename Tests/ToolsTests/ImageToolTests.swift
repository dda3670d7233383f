import CaseNames
@testable import Files
import Foundation
import JSON
import Testing
import Vocabulary

/// Every picture tool on pictures made by libvips' programs, judged by `vipsheader`.
@Suite(.process) struct ImageToolTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    /// Noise does not compress, so that limits bite. Words for `out` with `bands` bands.
    private func noise(_ width: Int, _ height: Int, bands: Int = 3, _ name: String, orientation: Int? = nil) throws
        -> Asset
    {
        let one = (1...bands).map { "n\($0).v" }
        var steps = one.enumerated().map {
            [
                "vips", "gaussnoise", $0.element, "\(width)", "\(height)", "--seed", "\($0.offset)", "--mean", "128",
                "--sigma", "60",
            ]
        }
        steps.append(["vips", "bandjoin", one.joined(separator: " "), "j.v"])
        steps.append(["vips", "cast", "j.v", "c.v", "uchar"])
        steps.append(["vips", "copy", "c.v", "s.v", "--interpretation", bands < 3 ? "b-w" : "srgb"])
        if let orientation {
            steps.append(["sh", "-c", "vipsedit -s orientation=\(orientation) s.v 2>/dev/null; true"])
        }
        let suffix = (name as NSString).pathExtension.lowercased()
        steps.append(["vips", "copy", "s.v", "out.\(suffix)" + (suffix.hasPrefix("j") ? "[Q=95]" : "")])
        return try lab.picture(name, saveAs: suffix, steps)
    }

    /// Left half black, right half white.
    private func halves(_ width: Int, _ height: Int, _ name: String) throws -> Asset {
        try lab.picture(
            name,
            [
                ["vips", "black", "b.v", "\(width / 2)", "\(height)", "--bands", "3"],
                ["vips", "invert", "b.v", "w.v"],
                ["vips", "join", "b.v", "w.v", "j.v", "horizontal"],
                ["vips", "copy", "j.v", "out.\((name as NSString).pathExtension)", "--interpretation", "srgb"],
            ])
    }

    private func only(_ assets: [Asset]) throws -> Asset {
        try #require(assets.count == 1)
        return assets[0]
    }

    @Test(
        arguments: [
            (["width": 100], 100, 50), (["height": 100], 200, 100), (["width": 90, "height": 90], 90, 45),
            (["width": 500, "height": 20], 40, 20),
            (["width": 800], 800, 400), (["width": 800, "enlarge": false], 200, 100), (["width": 1], 1, 1),
            (["width": 50, "height": 50, "fill": true], 50, 50),
            (["width": 300, "height": 300, "fill": true], 300, 300),
        ] as [(JSON, Int, Int)])
    func resizeKeepsProportionsInsideTheBox(params: JSON, width: Int, height: Int) async throws {
        let asset = try only(try await lab.run("Resize", params, [("image", try noise(200, 100, "cat.jpg"))]))
        let seen = try lab.look(asset)
        #expect((seen.width, seen.height, seen.bands, seen.loader) == (width, height, 3, "jpegload"))
        #expect(asset.name == "cat.jpg" && asset.type == .image && asset.port == "image")
        #expect(asset.meta["width"] == .int(width) && asset.meta["height"] == .int(height))
    }

    @Test(arguments: ["a.jpg", "b.JPEG", "c.png", "d.webp", "e.tif", "f.gif", "g.avif"])
    func aFormatIsKeptWithItsExtension(name: String) async throws {
        let original = try noise(64, 48, name)
        let asset = try only(try await lab.run("Resize", ["width": 32], [("image", original)]))
        #expect(asset.name == name)
        #expect(try lab.look(asset).loader == (try lab.look(original)).loader)
        #expect(try lab.look(asset).width == 32)
    }

    @Test func theContentDecidesTheFormatNotTheName() async throws {
        var asset = try noise(64, 48, "a.png")
        asset.name = "holiday.jpg"
        let out = try only(try await lab.run("Resize", ["width": 32], [("image", asset)]))
        #expect(out.name == "holiday.png")
        #expect(try lab.look(out).loader == "pngload")
    }

    @Test(arguments: [
        "-rf.jpg", "a[Q=1,strip].jpg", "a b;$(id)`id`.jpg", "ü\u{202E}gpj.jpg", "a\nb.jpg", "..", "{image}.jpg",
        "%s.jpg", "a.[x].jpg",
    ])
    func hostileNamesAreOnlyNames(name: String) async throws {
        var asset = try noise(64, 48, "a.jpg")
        asset.name = name
        for (kind, params) in [("Resize", ["width": 32]), ("Grayscale", [:]), ("CompressLocal", ["targetKB": 2])]
            as [(String, JSON)]
        {
            let out = try only(try await lab.run(kind, params, [("image", asset)]))
            #expect(try lab.look(out).width > 0)
            #expect(!out.name.contains("/") && !out.name.contains("\n") && out.name != "..")
        }
    }

    @Test func cropFromTheMiddleAndFromAPlace() async throws {
        let picture = try halves(200, 100, "a.png")
        let middle = try only(try await lab.run("Crop", ["width": 50, "height": 40], [("image", picture)]))
        #expect(try lab.look(middle).width == 50 && lab.look(middle).height == 40)
        #expect(try lab.pixel(middle, 0, 0) == [0, 0, 0] && lab.pixel(middle, 49, 0) == [255, 255, 255])
        let left = try only(
            try await lab.run("Crop", ["width": 50, "height": 40, "left": 0, "top": 60], [("image", picture)]))
        #expect(try lab.pixel(left, 49, 39) == [0, 0, 0])
    }

    @Test(
        arguments: [
            ["width": 300, "height": 10], ["width": 10, "height": 101], ["width": 100, "height": 10, "left": 150],
        ] as [JSON])
    func aCropOutsideThePictureSaysSo(params: JSON) async throws {
        let picture = try halves(200, 100, "a.png")
        let failure = await #expect(throws: Failure.self) { try await lab.run("Crop", params, [("image", picture)]) }
        #expect(failure?.code == "badParam" && failure?.message.contains("200×100") == true)
    }

    @Test(arguments: [(90.0, 100, 200), (180, 200, 100), (-90, 100, 200), (270, 100, 200), (0, 200, 100)])
    func quarterTurnsAreExact(angle: Double, width: Int, height: Int) async throws {
        let asset = try only(
            try await lab.run("Rotate", ["angle": .double(angle)], [("image", try halves(200, 100, "a.png"))]))
        #expect(try lab.look(asset).width == width && lab.look(asset).height == height)
        // Black was left: clockwise by 90 degrees it is on top.
        let black = angle == 90 ? (0, 0) : angle == 180 ? (199, 99) : angle == 0 ? (0, 0) : (0, 199)
        #expect(try lab.pixel(asset, black.0, black.1) == [0, 0, 0])
    }

    @Test func otherAnglesTurnClockwiseAndLeaveWhiteOrTransparentCorners() async throws {
        let png = try only(try await lab.run("Rotate", ["angle": 45], [("image", try halves(200, 200, "a.png"))]))
        #expect(try lab.look(png).width > 270 && lab.look(png).bands == 4)
        #expect(try lab.pixel(png, 2, 2)[3] == 0)
        let jpg = try only(try await lab.run("Rotate", ["angle": 30], [("image", try halves(200, 200, "a.jpg"))]))
        #expect(try lab.look(jpg).bands == 3)
        #expect(try lab.pixel(jpg, 1, 1).allSatisfy { $0 > 245 })
        // By a little clockwise, the black left half leans to the right above the middle.
        let lean = try only(try await lab.run("Rotate", ["angle": 20], [("image", try halves(200, 200, "a.png"))]))
        let (width, height) = (try lab.look(lean).width, try lab.look(lean).height)
        #expect(try lab.pixel(lean, width / 2 + 10, height / 2 - 60)[0] < 50)
    }

    @Test(arguments: [(1, 1), (3, 1), (4, 2)]) func grayscaleKeepsAlpha(bands: Int, after: Int) async throws {
        let asset = try only(try await lab.run("Grayscale", [:], [("image", try noise(64, 48, bands: bands, "a.png"))]))
        let seen = try lab.look(asset)
        #expect((seen.width, seen.height, seen.bands) == (64, 48, after))
    }

    @Test func blurSmoothsAnEdge() async throws {
        let asset = try only(try await lab.run("Blur", ["radius": 5], [("image", try halves(200, 100, "a.png"))]))
        #expect(try (60...200).contains(lab.pixel(asset, 100, 50)[0]))
        #expect(try lab.look(asset).width == 200)
    }

    @Test(arguments: [
        ("jpg", "jpegload", 3), ("png", "pngload", 4), ("webp", "webpload", 4), ("tiff", "tiffload", 4),
        ("gif", "gifload", 4),
        ("avif", "heifload", 4),
    ])
    func convertWritesTheFormat(format: String, loader: String, bands: Int) async throws {
        let asset = try only(
            try await lab.run(
                "ConvertImage", ["format": .string(format), "quality": 60],
                [("image", try noise(64, 48, bands: 4, "cat.png"))]))
        let seen = try lab.look(asset)
        #expect((seen.width, seen.height, seen.loader, seen.bands) == (64, 48, loader, bands))
        #expect(asset.name == "cat.\(format)")
    }

    @Test func transparencyBecomesWhiteInJPEG() async throws {
        let clear = try lab.picture(
            "clear.png",
            [
                ["vips", "black", "b.v", "40", "40", "--bands", "4"],
                ["vips", "copy", "b.v", "out.png", "--interpretation", "srgb"],
            ])
        let asset = try only(try await lab.run("ConvertImage", ["format": "jpg"], [("image", clear)]))
        #expect(try lab.pixel(asset, 5, 5) == [255, 255, 255])
    }

    @Test(arguments: [
        ("a.jpg", 30_000, "jpegload"), ("a.webp", 30_000, "webpload"), ("a.jpg", 4_000, "jpegload"),
        ("a.avif", 20_000, "heifload"),
    ])
    func compressFitsUnderTheLimitInItsOwnFormat(name: String, limit: Int, loader: String) async throws {
        let original = try noise(500, 400, name)
        #expect(original.bytes > limit)
        let asset = try only(
            try await lab.run("CompressLocal", ["targetKB": .double(Double(limit) / 1000)], [("image", original)]))
        #expect(asset.bytes <= limit && asset.bytes > limit / 5)
        #expect(try lab.look(asset).loader == loader)
        #expect(asset.name == name && asset.port == "file")
    }

    @Test func aPhotoLikePictureKeepsItsSizeWhenQualityIsEnough() async throws {
        let smooth = try lab.picture(
            "s.jpg",
            [
                ["vips", "gaussnoise", "n.v", "400", "300", "--mean", "128", "--sigma", "80"],
                ["vips", "gaussblur", "n.v", "b.v", "2"],
                ["vips", "cast", "b.v", "c.v", "uchar"], ["vips", "copy", "c.v", "out.jpg[Q=100]"],
            ])
        let asset = try only(
            try await lab.run("CompressLocal", ["targetKB": .double(Double(smooth.bytes) / 2000)], [("image", smooth)]))
        #expect(asset.bytes * 2 <= smooth.bytes)
        #expect(try lab.look(asset).width == 400)
    }

    /// Noise needs quality 22 or so for this; the width was asked for, so it stays.
    @Test(arguments: ["a.jpg", "a.webp"]) func aDetailedPictureLosesQualityBeforeItLosesItsSize(name: String)
        async throws
    {
        let original = try noise(500, 400, name)
        let low = try lab.picture(
            name,
            [["vips", "copy", try lab.store.path(of: original), name == "a.jpg" ? "out.jpg[Q=20]" : "out.webp[Q=20]"]])
        let asset = try only(
            try await lab.run(
                "CompressLocal", ["targetKB": .double(Double(low.bytes + 1000) / 1000)], [("image", original)]))
        #expect(asset.bytes <= low.bytes + 1000)
        #expect(try lab.look(asset).width == 500 && asset.meta["resized"] == nil)
    }

    @Test(arguments: ["a.jpg", "a.avif"]) func aPictureThatHadToBeScaledSaysSo(name: String) async throws {
        let asset = try only(
            try await lab.run("CompressLocal", ["targetKB": 4], [("image", try noise(500, 400, name))]))
        let seen = try lab.look(asset)
        #expect(seen.width < 500 && asset.meta["resized"] == .string("\(seen.width)×\(seen.height)"))
    }

    @Test func aPNGThatCannotFitByItselfIsScaledOrConvertedAndSaysSo() async throws {
        let asset = try only(
            try await lab.run("CompressLocal", ["targetKB": 20], [("image", try noise(500, 400, "a.png"))]))
        #expect(asset.bytes <= 20_000)
        let loader = try lab.look(asset).loader
        #expect((loader == "pngload") == (asset.meta["convertedTo"] == nil))
        #expect(asset.name == (loader == "pngload" ? "a.png" : "a.jpg"))
    }

    @Test func aSmallFileIsLeftAsItIs() async throws {
        let original = try noise(64, 48, "a.jpg")
        let asset = try only(try await lab.run("CompressLocal", ["targetMB": 1], [("image", original)]))
        #expect(asset.hash == original.hash && asset.meta["unchanged"] == true)
    }

    @Test(arguments: [[:], ["targetKB": 1, "targetMB": 1]] as [JSON]) func compressNeedsExactlyOneLimit(params: JSON)
        async throws
    {
        let original = try noise(64, 48, "a.jpg")
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("CompressLocal", params, [("image", original)])
        }
        #expect(failure?.code == "badParam")
    }

    @Test func whatCannotBeMadeSmallEnoughFailsWithWords() async throws {
        let original = try noise(500, 400, "a.jpg")
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("CompressLocal", ["targetKB": 0.1], [("image", original)])
        }
        #expect(failure?.code == "cannotCompress")
    }

    @Test func compositeLaysTheOverlayAtItsPlaceAndCutsIt() async throws {
        let base = try lab.picture("base.png", [["vips", "black", "out.png", "100", "80", "--bands", "3"]])
        let overlay = try lab.picture(
            "over.png", [["vips", "black", "b.v", "50", "50", "--bands", "3"], ["vips", "invert", "b.v", "out.png"]])
        let asset = try only(
            try await lab.run("Composite", ["left": -20, "top": 60], [("base", base), ("overlay", overlay)]))
        #expect(try lab.look(asset).width == 100 && lab.look(asset).height == 80)
        #expect(
            try lab.pixel(asset, 29, 79).prefix(3) == [255, 255, 255]
                && lab.pixel(asset, 31, 79).prefix(3) == [0, 0, 0])
        #expect(asset.name == "base.png")
    }

    @Test(arguments: ["a.png", "a.jpg"]) func aMaskMakesTransparentWhereItIsBlack(name: String) async throws {
        let picture = try noise(200, 100, name)
        let mask = try halves(100, 50, "mask.png")
        let asset = try only(try await lab.run("ApplyMask", [:], [("image", picture), ("mask", mask)]))
        #expect(try lab.look(asset).bands == 4 && lab.look(asset).width == 200)
        #expect(try lab.pixel(asset, 10, 50)[3] == 0 && lab.pixel(asset, 190, 50)[3] == 255)
        #expect(asset.name == "a.png")
        #expect(Array(try lab.pixel(asset, 190, 50).prefix(3)) == (try lab.pixel(picture, 190, 50)))
    }

    @Test func imageInfoTells() async throws {
        let picture = try noise(64, 48, bands: 4, "a.png")
        let assets = try await lab.run("ImageInfo", [:], [("image", picture)])
        let json = try JSONReader.read(lab.text(try #require(assets.first)))
        #expect(
            json["width"] == 64 && json["height"] == 48 && json["bands"] == 4 && json["format"] == "png"
                && json["bytes"] == .int(picture.bytes))
        #expect(assets.map(\.port) == ["json", "text"])
        #expect(
            try lab.text(try #require(assets.last)) == "a.png is 64×48 pixels, PNG, \(FileSize.words(picture.bytes))")
    }

    /// A JPEG with an EXIF block that says "turn me": stored 200×100, meant 100×200.
    private func sideways(_ orientation: UInt8) throws -> Asset {
        let plain = try lab.store.read(try halves(200, 100, "a.jpg"))
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
        ]
        let exif = Array("Exif".utf8) + [0, 0] + tiff
        let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        return try lab.asset(Array(plain[..<2]) + segment + Array(plain[2...]), .image, name: "phone.jpg")
    }

    @Test(
        arguments: [
            ("Resize", ["width": 50], 50, 100), ("Crop", ["width": 100, "height": 200], 100, 200),
            ("Grayscale", [:], 100, 200),
            ("Rotate", ["angle": 90], 200, 100),
            ("Blur", ["radius": 1], 100, 200), ("ConvertImage", ["format": "png"], 100, 200),
        ] as [(String, JSON, Int, Int)])
    func aPictureIsWorkedOnAsThePersonSeesIt(kind: String, params: JSON, width: Int, height: Int) async throws {
        let asset = try only(try await lab.run(kind, params, [("image", try sideways(6))]))
        #expect(try lab.look(asset).width == width && lab.look(asset).height == height)
        #expect(asset.meta["width"] == .int(width))
        if kind == "Grayscale" {
            // Black was stored left; turned clockwise it is on top, and nothing says to turn it again.
            #expect(try lab.pixel(asset, 50, 5)[0] < 20 && lab.pixel(asset, 50, 195)[0] > 235)
        }
    }

    @Test(arguments: ["a.jpg", "a.png", "a.webp", "a.tif", "a.gif"]) func theHeaderReaderAgreesWithVips(name: String)
        async throws
    {
        try lab.write(name, try lab.store.read(try noise(123, 45, name)))
        let asset = try only(try await lab.run("ImageLoader", ["path": .string(name)]))
        #expect(asset.meta["width"] == 123 && asset.meta["height"] == 45)
        #expect(asset.name == name && asset.type == .image)
    }

    @Test(
        arguments: [
            [], [0xFF], [0xFF, 0xD8, 0xFF], Array("RIFF0000WEBPVP8X".utf8),
            [0x49, 0x49, 0x2A, 0, 0xFF, 0xFF, 0xFF, 0xFF],
            Array("GIF89a".utf8), Array("hello, no picture".utf8),
        ] as [[UInt8]])
    func whatIsNoPictureIsRefusedWithWords(bytes: [UInt8]) async throws {
        try lab.write("x.jpg", bytes)
        let failure = await #expect(throws: Failure.self) {
            let asset = try only(try await lab.run("ImageLoader", ["path": "x.jpg"]))
            _ = try await lab.run("Resize", ["width": 10], [("image", asset)])
        }
        #expect(["notAPicture", "fileDamaged"].contains(failure?.code))
    }
}
