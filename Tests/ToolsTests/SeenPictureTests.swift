import CaseNames
@testable import Files
import Glibc
import JSON
@testable import Pictures
import Testing
@testable import Tools
import Vocabulary

/// The pictures that ReadLines makes for a model that sees.
@Suite(.process) struct SeenPictureTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    // MARK: Pictures

    private static let secrets = ["secret-gps", "secret-xmp", "secret-comment", "secret-trailer"]

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(content.count + 2, 2) + content
    }

    /// An EXIF block with an orientation, and a place behind it.
    private static func exif(_ orientation: Int) -> [UInt8] {
        EXIFBlock.withOrientation(orientation) + Array(secrets[0].utf8)
    }

    /// Returns a JPEG with EXIF, XMP, a comment and bytes behind its end. It is stored as it lies, and stands upright.
    private func photo(_ width: Int, _ height: Int, orientation: Int = 6) throws -> [UInt8] {
        let plain = try lab.store.read(
            try lab.picture("plain.jpg", [["vips", "black", "out.jpg", "\(width)", "\(height)", "--bands", "3"]]))
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>\(Self.secrets[1])</x:xmpmeta>".utf8)
        return Array(plain.prefix(2)) + Self.segment(0xE1, Array("Exif\0\0".utf8) + Self.exif(orientation))
            + Self.segment(0xE1, xmp) + Self.segment(0xFE, Array(Self.secrets[2].utf8)) + plain.dropFirst(2)
            + Array(Self.secrets[3].utf8)
    }

    /// Returns a PNG with texts, EXIF, and bytes behind its end.
    private func drawing(_ width: Int, _ height: Int) throws -> [UInt8] {
        let plain = try lab.store.read(
            try lab.picture("plain.png", [["vips", "black", "out.png", "\(width)", "\(height)", "--bands", "3"]]))
        let texts =
            PNGFile.chunk("tEXt", Array("Comment\0\(Self.secrets[2])".utf8))
            + PNGFile.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(Self.secrets[1])".utf8))
            + PNGFile.chunk("eXIf", Self.exif(6))
        return Array(plain.prefix(33)) + texts + plain.dropFirst(33) + Array(Self.secrets[3].utf8)
    }

    /// Returns a picture in another format, made of a JPEG with metadata by libvips.
    private func converted(_ format: String, options: String = "") throws -> [UInt8] {
        let folder = lab.root + "/made"
        try makeFolders(folder)
        let (from, to) = ("\(folder)/from.jpg", "\(folder)/to.\(format)")
        for path in [from, to] { unlink(path) }
        try OpenFile(from, O_WRONLY | O_CREAT | O_EXCL).write(try photo(2000, 1000, orientation: 1))
        try Lab.program(["vips", "copy", from, to + options], in: folder)
        return try readWhole(to, limit: 64 << 20)
    }

    private func look(_ name: String, _ more: JSON = [:]) async throws -> (text: String, picture: [UInt8]?) {
        var params = more.object ?? JSON.Object()
        (params["path"], params["picture"]) = (.string(name), true)
        let assets = try await lab.run("ReadLines", .object(params))
        let shown = assets.first { $0.port == "picture" }
        return (try lab.text(try #require(assets.first)), try shown.map { try lab.store.read($0) })
    }

    private func size(_ bytes: [UInt8]) throws -> [Int?] {
        let header = try #require(ImageHeader(bytes))
        return [header.width, header.height]
    }

    private func expectBare(_ bytes: [UInt8], _ name: String) {
        for secret in Self.secrets { #expect(bytes.firstRange(of: Array(secret.utf8)) == nil, "\(name): \(secret)") }
        for mark in ["Exif", "ICC_PROFILE", "JFIF", "pHYs", "tEXt", "iTXt", "zTXt", "eXIf", "iCCP", "<x:xmpmeta"] {
            #expect(bytes.firstRange(of: Array(mark.utf8)) == nil, "\(name): \(mark)")
        }
        #expect(bytes.count <= Limits.seenBytes)
    }

    // MARK: What a model sees

    @Test func aPhotoIsMadeSmallBareAndUpright() async throws {
        let photo = try photo(4000, 3000)
        for secret in Self.secrets { #expect(photo.firstRange(of: Array(secret.utf8)) != nil) }
        try lab.write("img/cat.jpg", photo)
        let (text, picture) = try await look("img/cat.jpg")
        let bytes = try #require(picture)
        #expect(
            text == "img/cat.jpg · jpeg, 3000×4000, \(FileSize.words(photo.count)), shown as 1176×1568\n", "\(text)")
        #expect(
            try size(bytes) == [1176, 1568] && bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == [0xFF, 0xD9])
        expectBare(bytes, "cat.jpg")
    }

    @Test func aDrawingStaysExact() async throws {
        try lab.write("plan.png", try drawing(300, 200))
        let (text, picture) = try await look("plan.png")
        let bytes = try #require(picture)
        #expect(text.hasPrefix("plan.png · png, ") && bytes.starts(with: [0x89, 0x50]))
        expectBare(bytes, "plan.png")
    }

    @Test(arguments: ["png", "webp", "tiff", "gif", "avif"])
    func everyFormatIsMadeBare(format: String) async throws {
        let original = try converted(format)
        try lab.write("a.\(format)", original)
        let (text, picture) = try await look("a.\(format)")
        let bytes = try #require(picture)
        #expect(
            text.hasPrefix("a.\(format) · \(format), 2000×1000, ") && text.hasSuffix(", shown as 1568×784\n"), "\(text)"
        )
        #expect(try size(bytes) == [1568, 784])
        expectBare(bytes, format)
    }

    /// Noise is what codes worst.
    @Test func aPictureThatCodesBadlyIsMadeSmallEnough() async throws {
        let noise = try lab.picture(
            "noise.png",
            [
                ["vips", "gaussnoise", "a.v", "2000", "2000", "--sigma", "90", "--mean", "128"],
                ["vips", "bandjoin", "a.v a.v a.v", "b.v"], ["vips", "cast", "b.v", "out.png", "uchar"],
            ])
        try lab.write("noise.png", try lab.store.read(noise))
        let (_, picture) = try await look("noise.png")
        let bytes = try #require(picture)
        #expect(bytes.count <= Limits.seenBytes && bytes.starts(with: [0xFF, 0xD8]))
    }

    @Test func aPictureNamedLikeAnOptionIsOnlyAPicture() async throws {
        for name in ["-x.png", "a[Q=1].png", "--version", "b;$(id).png"] {
            try lab.write(name, try drawing(30, 20))
            #expect(try await look(name).picture != nil, "\(name)")
        }
    }

    // MARK: What is refused

    @Test func aHostilePictureIsOneFailureAndNoPicture() async throws {
        let png = try drawing(300, 200)
        var huge = png
        for (place, byte) in zip(16..<24, [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30] as [UInt8]) { huge[place] = byte }
        let body = Array("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) })
        let rows: [(name: String, bytes: [UInt8], codes: Set<String>)] = [
            ("huge.png", huge, ["tooLarge"]), ("cut.png", Array(png.prefix(120)), ["fileDamaged"]),
            ("cut.jpg", Array(try photo(400, 300).prefix(900)), ["fileDamaged"]),
            (
                "broken.png",
                body + PNGFile.chunk("IHDR", [0, 0, 0, 9, 0, 0, 0, 9, 8, 2, 0, 0, 0])
                    + PNGFile.chunk("IDAT", Array("no pixels".utf8)) + PNGFile.chunk("IEND", []),
                ["fileDamaged", "notAPicture"]
            ),
            ("-x.jpg", Array(try photo(400, 300).prefix(700)), ["fileDamaged"]),
        ]
        for row in rows {
            try lab.write(row.name, row.bytes)
            let failure = await #expect(throws: Failure.self, "\(row.name)") { try await look(row.name) }
            #expect(row.codes.contains(failure?.code.text ?? ""), "\(row.name): \(failure.map { "\($0)" } ?? "")")
        }
    }

    @Test func filesOfKeysAreRefused() async throws {
        for name in ["id_rsa", ".env", "server.p12"] {
            try lab.write(name, try drawing(30, 20))
            let failure = await #expect(throws: Failure.self, "\(name)") { try await look(name) }
            #expect(failure?.code == "secretFile", "\(name)")
        }
    }

    @Test func aPictureThatResultsFromKeysIsPrivate() async throws {
        try lab.write("code.png", try drawing(30, 20))
        try PrivateNotes.note([lab.path("code.png")], lab.own)
        let assets = try await lab.run("ReadLines", ["path": "code.png", "picture": true])
        #expect(assets.count == 2 && assets.allSatisfy { lab.store.isPrivate($0.hash) })
    }

    // MARK: Words

    @Test func withoutEyesThereAreWords() async throws {
        try lab.write("plan.png", try drawing(300, 200))
        let assets = try await lab.run("ReadLines", ["path": "plan.png"])
        let looked = LookedPicture((try #require(assets.first), try lab.text(assets[0])), picture: nil)
        #expect(assets.count == 1 && looked.isUnseen && looked.picture == nil)
        #expect(looked.text.hasPrefix("plan.png · PNG picture · 200×300 · ") && looked.words + "\n" == looked.text)
    }

    @Test func aTextIsReadByItsLines() async throws {
        try lab.write("a.txt", "one\n")
        let (text, picture) = try await look("a.txt")
        #expect(text == "a.txt · line 1 of 1\n   1\tone\n" && picture == nil)
        let failure = await #expect(throws: Failure.self) { try await look("a.txt", ["page": 1]) }
        #expect(failure?.message == "a.txt is no PDF, so it has no pages.")
    }

    // MARK: Pages

    /// Returns a PDF with empty pages of A4.
    private static func pdf(pages: Int) -> [UInt8] {
        var text = "%PDF-1.4\n"
        var places: [Int] = []
        func add(_ body: String) {
            places.append(text.utf8.count)
            text += "\(places.count) 0 obj\n\(body)\nendobj\n"
        }
        add("<< /Type /Catalog /Pages 2 0 R >>")
        let kids = (0..<pages).map { "\(3 + $0) 0 R" }.joined(separator: " ")
        add("<< /Type /Pages /Kids [\(kids)] /Count \(pages) >>")
        for _ in 0..<pages { add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>") }
        let start = text.utf8.count
        text += "xref\n0 \(places.count + 1)\n0000000000 65535 f \n"
        for place in places {
            text += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n"
        }
        text += "trailer << /Size \(places.count + 1) /Root 1 0 R /Info << /Author (\(secrets[2])) >> >>\n"
        return Array((text + "startxref\n\(start)\n%%EOF\n").utf8)
    }

    @Test func aPageOfAPDFIsAPicture() async throws {
        try lab.write("plan.pdf", Self.pdf(pages: 3))
        let (words, none) = try await look("plan.pdf")
        #expect(words.hasPrefix("plan.pdf · PDF · ") && words.hasSuffix("\nTo see a page of it, read it with page.\n"))
        #expect(none == nil)
        let (text, picture) = try await look("plan.pdf", ["page": 2])
        let bytes = try #require(picture)
        let sides = try size(bytes)
        #expect(sides[1] == 1568 && text == "plan.pdf · page 2 of 3, shown as \(sides[0] ?? 0)×1568\n")
        expectBare(bytes, "plan.pdf")
        let failure = await #expect(throws: Failure.self) { try await look("plan.pdf", ["page": 4]) }
        #expect(failure?.code == "badParam" && failure?.message == "plan.pdf has 3 pages, so it has no page 4.")
        try lab.write("broken.pdf", "%PDF-1.4\nnothing\n")
        let broken = await #expect(throws: Failure.self) { try await look("broken.pdf", ["page": 1]) }
        #expect(broken?.code == "notAPicture", "\(broken.map { "\($0)" } ?? "")")
    }
}
