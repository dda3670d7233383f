import CaseNames
@testable import Files
import Foundation
import JSON
import Testing
@testable import Tools
import Vocabulary

/// Shipped tools on what they may leave out: frames, pages, names that are no text, and folders.
@Suite(.process) struct LeftOutTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    /// A GIF of 40×30 pixels without any compression.
    private static func gif(frames: Int) -> [UInt8] {
        func frame(_ color: UInt8) -> [UInt8] {
            // Codes of eight bits: a clear code before the table would need nine.
            var codes: [UInt8] = []
            for pixel in 0..<1200 {
                if pixel % 120 == 0 { codes.append(128) }
                codes.append(color)
            }
            codes.append(129)
            let blocks = stride(from: 0, to: codes.count, by: 255).flatMap { start in
                let block = codes[start..<min(start + 255, codes.count)]
                return [UInt8(block.count)] + block
            }
            return [0x21, 0xF9, 4, 4, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0, 40, 0, 30, 0, 0, 7] + blocks + [0]
        }
        let colors = (0..<128).flatMap { [UInt8($0), UInt8($0 * 2), UInt8(255 - $0)] }
        let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        return Array("GIF89a".utf8) + [40, 0, 30, 0, 0xF6, 0, 0] + colors + loop
            + (1...frames).flatMap { frame(UInt8($0 * 20)) } + [0x3B]
    }

    /// A PNG of 40×30 gray pixels that says it is an animation. The frames behind the first are not there, and are not
    /// looked at.
    private static func png(frames: Int) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
            let body = Array(type.utf8) + bytes
            var sum = ~UInt32(0)
            for byte in body {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ sum >> 1 }
            }
            return big(bytes.count) + body + big(Int(~sum))
        }
        // A block of deflate that is stored as it is: each row begins with the word for no filter.
        let rows = (0..<30).flatMap { _ in [UInt8(0)] + Array(repeating: UInt8(120), count: 40) }
        let (low, high) = rows.reduce((1, 0)) { sums, byte in
            let low = (sums.0 + Int(byte)) % 65521
            return (low, (sums.1 + low) % 65521)
        }
        let length = [UInt8(rows.count & 0xFF), UInt8(rows.count >> 8)]
        let data = [0x78, 0x01, 0x01] + length + length.map { ~$0 } + rows + big(high << 16 | low)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", big(40) + big(30) + [8, 0, 0, 0, 0])
            + (frames > 1 ? chunk("acTL", big(frames) + big(0)) : []) + chunk("IDAT", data) + chunk("IEND", [])
    }

    /// A PDF whose pages are empty.
    private static func pdf(pages: Int) -> [UInt8] {
        let kids = (0..<pages).map { "\($0 + 3) 0 R" }.joined(separator: " ")
        var objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[\(kids)]/Count \(pages)>>"]
        objects += (0..<pages).map { _ in "<</Type/Page/Parent 2 0 R/MediaBox[0 0 40 30]>>" }
        var (text, places) = ("%PDF-1.4\n", [Int]())
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        let rows = places.map { String(format: "%010d 00000 n \n", $0) }.joined()
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n\(rows)"
        return Array((text + "trailer\n<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n").utf8)
    }

    /// A picture of a format with four frames or pages.
    private func picture(_ format: String) throws -> Asset {
        if format == "gif" { return try lab.asset(Self.gif(frames: 4), .image, name: "anim.gif") }
        if format == "png" { return try lab.asset(Self.png(frames: 4), .image, name: "anim.png") }
        if format == "pdf" { return try lab.asset(Self.pdf(pages: 4), .image, name: "doc.pdf") }
        let folder = lab.root + "/made"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(Self.gif(frames: 4)).write(to: URL(fileURLWithPath: "\(folder)/a.gif"))
        try Lab.program(["vips", "copy", "a.gif[n=-1]", "a.\(format)"], in: folder)
        return try lab.asset(
            [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/a.\(format)"))), .image, name: "anim.\(format)")
    }

    private func pages(_ asset: Asset) throws -> Int {
        let text = try Lab.program(["vipsheader", "-a", lab.store.path(asset.hash)], in: lab.root)
        let row = text.split(separator: "\n").first { $0.hasPrefix("n-pages: ") }
        return row.flatMap { Int($0.dropFirst("n-pages: ".count)) } ?? 1
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let kind: String
        let params: JSON
        let format: String
        let pages: Int
        let leftOut: LeftOut?

        init(_ kind: String, _ params: JSON, _ format: String, pages: Int, _ leftOut: LeftOut? = nil) {
            (self.kind, self.params, self.format, self.pages, self.leftOut) = (kind, params, format, pages, leftOut)
        }

        var testDescription: String { "\(kind) \(params.text) \(format)" }
    }

    private static let frames = LeftOut(.frames, 3, of: 4)
    private static let threePages = LeftOut(.pages, 3, of: 4)

    @Test(
        arguments: [
            // Kept.
            Case("Resize", ["width": 20], "gif", pages: 4), Case("Resize", ["width": 20], "webp", pages: 4),
            Case("Resize", ["scale": 50], "tiff", pages: 4), Case("Grayscale", [:], "gif", pages: 4),
            Case("Grayscale", [:], "webp", pages: 4), Case("Grayscale", [:], "tiff", pages: 4),
            Case("ConvertImage", ["format": "webp"], "gif", pages: 4),
            Case("ConvertImage", ["format": "gif"], "webp", pages: 4),
            Case("ConvertImage", ["format": "tiff"], "gif", pages: 4),
            Case("ConvertImage", ["format": "gif"], "tiff", pages: 4),
            Case("CompressLocal", ["targetMB": 9], "gif", pages: 4),
            // Left out, and said so.
            Case("ConvertImage", ["format": "jpg"], "gif", pages: 1, frames),
            Case("ConvertImage", ["format": "png"], "webp", pages: 1, frames),
            Case("ConvertImage", ["format": "avif"], "gif", pages: 1, frames),
            Case("ConvertImage", ["format": "jpg"], "tiff", pages: 1, threePages),
            Case("ConvertImage", ["format": "png"], "pdf", pages: 1, threePages),
            Case("Resize", ["width": 20], "pdf", pages: 1, threePages),
            Case("Resize", ["width": 20, "height": 20, "fill": true], "gif", pages: 1, frames),
            Case("Crop", ["width": 10, "height": 10], "gif", pages: 1, frames),
            Case("Rotate", ["angle": 90], "webp", pages: 1, frames),
            Case("Rotate", ["angle": 30], "tiff", pages: 1, threePages),
            Case("Margin", ["size": 5], "gif", pages: 1, frames),
            Case("Trim", ["size": 5], "gif", pages: 1, frames), Case("Blur", ["radius": 2], "gif", pages: 1, frames),
            Case("CompressLocal", ["targetKB": 1], "gif", pages: 1, frames),
            Case("Resize", ["width": 20], "png", pages: 1, frames),
            Case("ConvertImage", ["format": "gif"], "png", pages: 1, frames),
            Case("Grayscale", [:], "png", pages: 1, frames),
        ])
    private func framesAndPagesAreKeptOrNamed(example: Case) async throws {
        let assets = try await lab.run(example.kind, example.params, [("image", try picture(example.format))])
        let made = try #require(assets.first)
        #expect(made.partial == (example.leftOut.map { [$0] } ?? []))
        #expect(try pages(made) == example.pages)
    }

    @Test(arguments: ["Composite", "ApplyMask"]) func twoPicturesGiveTheFirstFrame(kind: String) async throws {
        let (one, other) = kind == "Composite" ? ("base", "overlay") : ("image", "mask")
        let mask = try lab.picture(
            "m.png", [["vips", "black", "b.v", "40", "30"], ["vips", "copy", "b.v", "out.png"]])
        let assets = try await lab.run(kind, [:], [(one, try picture("gif")), (other, mask)])
        #expect(assets.first?.partial == [Self.frames])
    }

    /// Pages of several sizes cannot be read together, so the first one is taken.
    @Test func pagesOfSeveralSizesGiveTheFirst() async throws {
        let made = try await lab.run("Resize", ["width": 20], [("image", try picture("gif"))])
        #expect(made.first?.partial == [] && made.first?.name == "anim.gif")
        let one = try lab.asset(Self.gif(frames: 1), .image, name: "one.gif")
        let blurred = try await lab.run("Blur", ["radius": 2], [("image", one)])
        #expect(blurred.first?.partial == [])
    }

    @Test(arguments: [("gif", 4, true), ("gif", 1, false), ("webp", 4, true), ("tiff", 4, true), ("png", 4, true)])
    func theBeginningOfAFileTellsOfPages(format: String, count: Int, isSeveral: Bool) throws {
        let bytes =
            count == 1
            ? Self.gif(frames: 1)
            : [UInt8](try Data(contentsOf: URL(fileURLWithPath: lab.store.path(picture(format).hash))))
        #expect(PageCount(bytes: bytes).isSeveral == isSeveral)
        // Nothing of it needs to be there.
        for length in 0..<bytes.count where length % 7 == 0 {
            _ = PageCount(bytes: Array(bytes.prefix(length))).isSeveral
        }
    }

    // MARK: Names and folders

    /// `caf\xe9.txt` and a folder `d\xff`, as bytes that are no UTF-8.
    private func writeOddNames() throws {
        try lab.write("a.txt", "needle")
        try lab.write("sub/b.txt", "needle")
        try Lab.program(
            ["python3", "-c", "import os; open(b'caf\\xe9.txt', 'w').write('needle'); os.mkdir(b'd\\xff')"],
            in: lab.workspace)
    }

    @Test func namesThatAreNoTextAreListedEscaped() async throws {
        try writeOddNames()
        let assets = try await lab.run("ListFiles")
        let text = try lab.text(try #require(assets.first { $0.port == "text" }))
        #expect(text == "a.txt\ncaf\\xe9.txt\nd\\xff/\nsub/")
        let json = try JSONReader.read(lab.text(try #require(assets.first { $0.port == "json" })))
        #expect(
            json[1] == ["name": "caf\\xe9.txt", "escaped": true]
                && json[2] == ["name": "d\\xff", "folder": true, "escaped": true])
        #expect(assets.allSatisfy { $0.partial.isEmpty })
    }

    @Test func namesThatAreNoTextAreNotSearchedAndNamed() async throws {
        try writeOddNames()
        let assets = try await lab.run("FindText", ["text": "needle"])
        #expect(
            try lab.text(try #require(assets.first { $0.port == "text" })) == "a.txt:1: needle\nsub/b.txt:1: needle\n")
        #expect(assets.allSatisfy { $0.partial == [LeftOut(.names, 2, names: ["caf\\xe9.txt", "d\\xff"])] })
    }

    @Test(arguments: ["Zip", "Tar"]) func filesOfSeveralFoldersKeepTheirFolders(kind: String) async throws {
        for name in ["a/x.txt", "b/x.txt", "b/deep/x.txt", "x.txt"] { try lab.write(name, name) }
        var inputs: [(String, Asset)] = []
        for (index, name) in ["a/x.txt", "b/x.txt", "b/deep/x.txt", "x.txt"].enumerated() {
            inputs.append(
                ("files.\(index + 1)", try #require(try await lab.run("FileLoader", ["path": .string(name)]).first)))
        }
        func names(_ inputs: [(String, Asset)]) async throws -> [String] {
            let archive = try #require(try await lab.run(kind, [:], inputs).first)
            #expect(archive.partial.isEmpty)
            let words = kind == "Zip" ? ["unzip", "-Z1"] : ["tar", "tzf"]
            return try Lab.program(words + [lab.store.path(archive.hash)], in: lab.root).split(separator: "\n").map(
                String.init
            ).sorted()
        }
        #expect(try await names(inputs) == ["a/x.txt", "b/deep/x.txt", "b/x.txt", "x.txt"])
        // All of one folder lie in no folder.
        #expect(try await names(Array(inputs[1...2])) == ["deep/x.txt", "x.txt"])
        #expect(try await names([inputs[1]]) == ["x.txt"])
    }

    @Test func noTwoFilesOfAnArchiveHaveOneName() throws {
        func asset(_ name: String, from path: String? = nil) throws -> Asset {
            var asset = try lab.asset("x", .file, name: name)
            asset.meta["from"] = path.map { .string($0) }
            return asset
        }
        let assets = [
            try asset("a", from: "a"), try asset("x.txt", from: "a/x.txt"), try asset("a"),
            try asset("x.txt", from: "a/x.txt"),
            try asset("y", from: "../y"), try asset("z", from: "/etc/../z"),
        ]
        let names = PackedNames.names(of: assets)
        #expect(names == ["a-1", "a/x.txt", "a-2", "a/x-1.txt", "y", "z"])
    }

    // MARK: Words

    @Test(
        arguments: [
            ([], nil), ([LeftOut(.frames, 3, of: 4)], "left out: 3 of 4 frames"),
            ([LeftOut(.pages, 1, of: 2)], "left out: 1 of 2 pages"),
            ([LeftOut(.files, 2, of: 10_002)], "left out: 2 of 10002 files"),
            ([LeftOut(.names, 1, names: ["caf\\xe9.txt"])], "left out: 1 file whose name is not text: caf\\xe9.txt"),
            (
                [LeftOut(.names, 12, names: (1...12).map { "\($0)" })],
                "left out: 12 files whose names are not text: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …"
            ),
            ([LeftOut(.folders, 2, names: ["a", "b, c"])], "left out: 2 folders: a, \"b, c\""),
            (
                [LeftOut(.rest, why: "there are more than 5 matches"), LeftOut(.large, 1)],
                "left out: the rest, since there are more than 5 matches; 1 file that is too large"
            ),
            ([LeftOut(.words, why: "These are the first 2 of 3 files.")], "These are the first 2 of 3 files."),
        ] as [([LeftOut], String?)])
    func aLineSaysWhatWasLeftOut(parts: [LeftOut], line: String?) {
        #expect(LeftOut.words(parts) == line)
        #expect([LeftOut](partial: parts.json) == parts)
    }

    @Test func whatAnEarlierVersionSaidIsRead() throws {
        var asset = try lab.asset("x")
        asset.meta["partial"] = "These are the first 2 of 3 files; 1 more is not listed."
        #expect(LeftOut.words(asset.partial) == "These are the first 2 of 3 files; 1 more is not listed.")
        asset.meta["partial"] = [["kind": "of the future", "count": 3], ["kind": "frames", "count": 3, "of": 4]]
        #expect(asset.partial == [LeftOut(.frames, 3, of: 4)])
    }

    /// Three counted files are told apart.
    @Test func resultsAreNamedAfterTheirFile() async throws {
        let text = try lab.asset("one two", name: "notes.md")
        let json = try lab.asset(#"{"a":1}"#, .json, name: "data.json")
        let expected: [(String, JSON, String, Asset, [String])] = [
            ("CountWords", [:], "text", text, ["notes-words.json", "notes-words.txt"]),
            ("ImageInfo", [:], "image", try picture("gif"), ["anim-info.json", "anim-info.txt"]),
            ("JSONQuery", ["path": "a"], "json", json, ["data-value.json", "data-value.txt"]),
            ("TextTemplate", ["template": "{{a}}"], "json", json, ["data-filled.txt"]),
            ("JoinText", [:], "texts", text, ["notes-joined.txt"]),
            ("JSONMerge", [:], "values", json, ["data-merged.json"]),
            ("ReplaceText", ["find": "one"], "text", text, ["notes.md"]),
            ("SortLines", [:], "text", text, ["notes.md"]),
        ]
        for (kind, params, port, asset, names) in expected {
            #expect(try await lab.run(kind, params, [(port, asset)]).map(\.name) == names, "\(kind)")
        }
    }
}
