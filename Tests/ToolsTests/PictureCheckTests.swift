import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Pictures
import Testing
@testable import Tools
import Vocabulary

/// `PictureCheck` and `ReadCode`, and the methods of the toolbox below them.
@Suite(.process, .timeLimit(.minutes(20))) struct PictureCheckTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private var errors: ErrorRules { Lab.catalogue["PictureCheck"]?.errors ?? ErrorRules() }

    private func figures(_ bytes: [UInt8], _ name: String) async throws -> Result<PictureFigures, Failure> {
        let (toolbox, hash, errors) = (lab.toolbox, try lab.store.add(bytes).hash, errors)
        return await onThread {
            do throws(Failure) {
                return .success(try toolbox.pictures.figures(of: hash, named: name, errors: errors))
            } catch {
                return .failure(error)
            }
        }
    }

    private func codes(_ asset: Asset) async throws -> Result<[String], Failure> {
        let (toolbox, errors) = (lab.toolbox, errors)
        return await onThread {
            do throws(Failure) {
                return .success(try toolbox.pictures.codes(of: asset.hash, named: asset.name, errors: errors))
            } catch { return .failure(error) }
        }
    }

    /// Noise that was blurred a little, which is as sharp as a photograph.
    private func grain(_ width: Int, _ height: Int, _ name: String, light: Double = 1, blur: Double = 0.7) throws
        -> Asset
    {
        try lab.picture(
            name,
            [
                [
                    "vips", "gaussnoise", "n.v", "\(width)", "\(height)", "--seed", "7", "--mean", "\(110 * light)",
                    "--sigma",
                    "\(60 * light)",
                ],
                ["vips", "gaussblur", "n.v", "g.v", "\(blur)"], ["vips", "cast", "g.v", "c.v", "uchar"],
                ["vips", "copy", "c.v", "out.\((name as NSString).pathExtension)", "--interpretation", "b-w"],
            ])
    }

    /// A QR code as a picture, or several beside each other.
    private func code(_ texts: [String], _ name: String = "code.png", then steps: [[String]] = []) throws -> Asset {
        var words = texts.enumerated().map { ["qrencode", "-8", "-s", "6", "-o", "\($0.offset).png", $0.element] }
        words += [["cp", "0.png", "all.png"]]
        for index in texts.indices.dropFirst() {
            words += [
                ["vips", "join", "all.png", "\(index).png", "j.png", "horizontal", "--expand", "--background", "255"],
                ["mv", "j.png", "all.png"],
            ]
        }
        return try lab.picture(name, words + (steps.isEmpty ? [["mv", "all.png", "out.png"]] : steps))
    }

    // MARK: Figures

    @Test func aPictureIsMeasured() async throws {
        let rows: [(light: Double, blur: Double, code: String?)] = [
            (1, 0.7, nil), (1, 4, "blurred"), (1, 8, "blurred"), (0.2, 0.7, "tooDark"), (2.2, 0.7, "tooBright"),
        ]
        for row in rows {
            let asset = try grain(800, 600, "grain.png", light: row.light, blur: row.blur)
            let ending = await lab.run(
                try lab.assignment("PictureCheck", [:], [("image", asset)], attempt: Int.random(in: 1...1_000_000)))
            #expect(ending.failure?.code == row.code, "\(row): \(ending)")
            let assets = ending.assets ?? ending.failure?.left ?? []
            let json = try JSONReader.read(try lab.store.read(try #require(assets.first { $0.type == .json })))
            #expect(
                json["fits"] == .bool(row.code == nil) && json["figures"]?["width"] == 800
                    && json["figures"]?["height"] == 600)
            #expect(PictureFigures(json: json["figures"] ?? .null) != nil)
        }
    }

    @Test func theParametersSayWhatFits() async throws {
        let asset = try grain(800, 600, "grain.png", blur: 4)
        let rows: [(params: JSON, code: String?)] = [
            (["sharp": 0], nil), (["fail": false], nil), (["sharp": 10_000], "blurred"),
            (["sharp": 0, "minimum": "801x1"], "tooSmall"),
            (["sharp": 0, "minimum": "800x600"], nil), (["sharp": 0, "minimum": "600x800"], nil),
            (["sharp": 0, "minimum": "600x801"], "tooSmall"), (["sharp": 0, "darkest": 200], "tooDark"),
            (["sharp": 0, "brightest": 60], "tooBright"),
            (["darkest": 200, "brightest": 60], "badParam"), (["minimum": "800"], "badParam"),
            (["minimum": "0x9"], "badParam"), (["minimum": "a\u{1B}x9"], "badParam"),
        ]
        for (params, code) in rows {
            let ending = await lab.run(
                try lab.assignment("PictureCheck", params, [("image", asset)], attempt: Int.random(in: 1...1_000_000)))
            #expect(ending.failure?.code == code, "\(params.text): \(ending)")
        }
    }

    @Test(arguments: ["jpg", "png", "webp", "tif", "avif", "gif"]) func eachFormatIsMeasured(format: String)
        async throws
    {
        let picture = try lab.picture(
            "grain-\(format).\(format)",
            [
                ["vips", "gaussnoise", "n.v", "300", "200", "--seed", "7", "--mean", "110", "--sigma", "60"],
                ["vips", "cast", "n.v", "c.v", "uchar"],
                ["vips", "bandjoin", "c.v c.v c.v", "j.v"],
                ["sh", "-c", "vips copy j.v out.\(format) --interpretation srgb 2>/dev/null"],
            ])
        let seen = try await figures(try lab.store.read(picture), picture.name).get()
        #expect((seen.width, seen.height) == (300, 200))
        #expect(seen.bright > 90 && seen.bright < 130)
    }

    /// A picture is measured as people see it.
    @Test func aTurnedPictureIsMeasuredUpright() async throws {
        let plain = try lab.store.read(try grain(300, 200, "plain.jpg"))
        // EXIF data that say: turn it to the right.
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [
                0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
            ]
        let turned = try await figures(Array(plain[..<2]) + exif + Array(plain[2...]), "turned.jpg").get()
        let straight = try await figures(plain, "plain.jpg").get()
        #expect((turned.width, turned.height) == (200, 300) && (straight.width, straight.height) == (300, 200))
        #expect(turned.hash != straight.hash && turned.bright == straight.bright)
    }

    @Test func smallAndPlainPicturesHaveFigures() {
        for (width, height) in [(1, 1), (1, 512), (9, 9), (10, 3), (512, 512)] {
            let flat = PictureFigures(
                gray: Array(repeating: 128, count: width * height), width: width, height: height, originalWidth: width,
                originalHeight: height)
            #expect(
                flat.sharp == 0 && flat.bright == 128 && flat.white == 0 && flat.black == 0 && flat.hash == 0
                    && flat.motion == 100)
        }
        let white = PictureFigures(
            gray: Array(repeating: 255, count: 64), width: 8, height: 8, originalWidth: 8, originalHeight: 8)
        #expect(white.white == 100 && white.black == 0)
    }

    // MARK: Hostile pictures

    @Test func hostilePicturesAreRefusedInWords() async throws {
        var png = try lab.store.read(try grain(60, 40, "small.png"))
        var huge = png
        // The width and the height of the header.
        for (place, byte) in zip(16..<24, [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30] as [UInt8]) { huge[place] = byte }
        let zip: [UInt8] = [0x50, 0x4B, 3, 4, 0, 0, 0, 0]
        let rows: [(name: String, bytes: [UInt8], code: String?)] = [
            ("huge.png", huge, "tooLarge"), ("cut.png", Array(png.dropLast(30)), "fileDamaged"),
            ("head.png", Array(png.prefix(40)), "fileDamaged"),
            ("empty.jpg", [], "notAPicture"),
            ("text.jpg", Array("push graphic-context\nfill 'url(https://evil.example/)'".utf8), "notAPicture"),
            (
                "drawing.jpg", Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8),
                "notAPicture"
            ),
            ("paper.jpg", Array("%PDF-1.4\n".utf8), "notAPicture"), ("archive.png", zip, "notAPicture"),
            ("renamed.jpg", png, nil), ("both.png", png + zip + Array("PK\u{5}\u{6}".utf8), nil),
            ("\u{1B}[31mred\n.png", Array(png.prefix(8)) + Array(repeating: 7, count: 90), "notAPicture"),
        ]
        for row in rows {
            let result = try await figures(row.bytes, row.name)
            switch result {
            case .success: #expect(row.code == nil, "\(row.name.debugDescription)")
            case .failure(let failure):
                #expect(
                    failure.code == row.code || failure.code == "fileDamaged" && row.code == "notAPicture",
                    "\(row.name.debugDescription): \(failure)")
                #expect(!failure.description.unicodeScalars.contains { $0.value < 0x20 }, "\(failure)")
            }
        }
        png.removeAll()
        let gone = ContentHash.of(Array("nothing".utf8))
        let (toolbox, rules) = (lab.toolbox, errors)
        let missing = await onThread { () -> String? in
            do throws(Failure) {
                return "\(try toolbox.pictures.figures(of: gone, named: "a.png", errors: rules))"
            } catch {
                return error.code.text
            }
        }
        #expect(missing == "pinnedInputMissing")
    }

    @Test func onlyPlainGrayFilesAreRead() {
        let rows: [(text: String, size: (Int, Int)?)] = [
            ("P5 2 1 255\nab", (2, 1)), ("P5\n# a comment 9 9\n2 1\n255\nab", (2, 1)), ("P5 2 1 255\na", nil),
            ("P5 2 1 255\nabc", nil),
            ("P6 2 1 255\nab", nil), ("P5 0 1 255\n", nil), ("P5 -2 1 255\nab", nil), ("P5 2 1 65535\nab", nil),
            ("P5 999999 999999 255\nab", nil),
            ("P5", nil), ("", nil), ("P5 # never ends", nil),
        ]
        expectNoFaults(in: rows) { text, size in
            let read = PicturePrograms.portableGray(Array(text.utf8))
            return read?.width == size?.0 && read?.height == size?.1
                ? [] : ["\(text.debugDescription): \(read.map { "\($0)" } ?? "nil")"]
        }
    }

    // MARK: Codes

    @Test func codesAreRead() async throws {
        let shrunk = [
            ["vips", "resize", "all.png", "r.png", "0.6"],
            ["vips", "rotate", "r.png", "t.v", "17", "--background", "255"],
        ]
        let rows: [(asset: Asset, texts: [String])] = [
            (try code(["https://example.org/card?id=17"]), ["https://example.org/card?id=17"]),
            (try code(["grün, 90 €"], "umlaut.png"), ["grün, 90 €"]),
            (try code(["two\nlines"], "lines.png"), ["two\nlines"]),
            (
                try code(
                    ["https://example.org/card?id=18"], "turned.jpg",
                    then: shrunk + [["vips", "gaussblur", "t.v", "out.jpg[Q=60]", "0.7"]]),
                ["https://example.org/card?id=18"]
            ),
            (try code(["first", "second"], "two.png"), ["first", "second"]),
            (try code(["\u{1B}[31mred; touch pwned"], "escape.png"), ["\u{1B}[31mred; touch pwned"]),
        ]
        for (asset, texts) in rows {
            #expect(try await codes(asset).get().sorted() == texts, "\(asset.name)")
        }
    }

    /// A small code in a large picture is found at the second look.
    @Test func aSmallCodeIsFoundInALargePicture() async throws {
        let asset = try code(
            ["https://example.org/meter/1202"], "large.png",
            then: [["vips", "embed", "all.png", "out.png", "2500", "1900", "4000", "3000", "--extend", "white"]])
        #expect(try await codes(asset).get() == ["https://example.org/meter/1202"])
    }

    @Test func theToolWritesALineACode() async throws {
        let assets = try await lab.run("ReadCode", [:], [("image", try code(["first", "second"], "two.png"))])
        let lines = try lab.text(try #require(assets.first)).split(separator: "\n").sorted()
        #expect(lines == ["first", "second"] && assets.map(\.name) == ["two-code.txt"])
        let none = await lab.run(try lab.assignment("ReadCode", [:], [("image", try grain(800, 600, "grain.png"))]))
        #expect(none.failure?.message == "No code was found in grain.png." && none.failure?.code == "noCode")
    }

    @Test func theListOfCodesIsReadStrictly() {
        func list(_ data: String) -> String {
            "<barcodes><index num='0'><symbol type='QR-Code' quality='1'>\(data)</symbol></index></barcodes>"
        }
        let rows: [(xml: String, texts: [String?])] = [
            (list("<data><![CDATA[a]]></data>"), ["a"]),
            (list("<data format='base64' length='3'><![CDATA[YWI=]]></data>"), [nil]),
            (list("<data><![CDATA[a]]><b></data>"), [nil]), ("", []), ("<symbol ", [nil]), ("<barcodes>", []),
        ]
        expectNoFaults(in: rows) { xml, texts in
            let read = PicturePrograms.listedCodes(xml)
            return read == texts ? [] : ["\(xml): \(read)"]
        }
    }
}
