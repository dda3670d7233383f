import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Pictures
import Testing
import Vocabulary

/// Every shipped tool that reads pictures or archives, on files that are cut, damaged in the middle, empty, or of
/// another type.
@Suite(.process) struct DamagedFileTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private static let formats = ["jpg", "png", "gif", "tif", "webp", "avif"]
    private static let early = "bad.X ends too early: a part of the picture is missing."
    private static let damaged = "bad.X is damaged: a part of the picture cannot be read."

    /// Kind, parameters, the port of the bad picture, and that of a good one.
    private static let tools: [(kind: String, params: JSON, port: String, other: String?)] = [
        ("Resize", ["width": 20], "image", nil), ("Resize", ["scale": 50], "image", nil),
        ("Crop", ["width": 20, "height": 20], "image", nil),
        ("Crop", ["width": 20, "height": 20, "top": 0], "image", nil),
        ("Margin", ["size": 5], "image", nil), ("Trim", ["size": 5], "image", nil),
        ("Rotate", ["angle": 90], "image", nil), ("Rotate", ["angle": 10], "image", nil),
        ("Grayscale", [:], "image", nil),
        ("Blur", [:], "image", nil), ("ConvertImage", ["format": "png"], "image", nil),
        ("ConvertImage", ["format": "jpg"], "image", nil),
        ("CompressLocal", ["targetKB": 2], "image", nil), ("Composite", [:], "base", "overlay"),
        ("Composite", [:], "overlay", "base"),
        ("PictureCheck", ["fail": false], "image", nil), ("ApplyMask", [:], "image", "mask"),
        ("ApplyMask", [:], "mask", "image"),
    ]
    /// The same for tools that read only the head of a picture.
    private static let readers: [(kind: String, params: JSON, port: String, other: String?)] = [
        ("ImageInfo", [:], "image", nil), ("CompressLocal", ["targetKB": 5000], "image", nil),
    ]

    /// Noise of 120×90 pixels.
    private func whole(_ format: String) throws -> [UInt8] {
        let options = ["tif": "[compression=deflate]", "jpg": "[Q=95]"][format] ?? ""
        let asset = try lab.picture(
            "whole.\(format)",
            [
                ["vips", "gaussnoise", "n.v", "120", "90", "--seed", "7", "--mean", "128", "--sigma", "60"],
                ["vips", "bandjoin", "n.v n.v n.v", "j.v"], ["vips", "cast", "j.v", "c.v", "uchar"],
                ["sh", "-c", "vips copy c.v 'out.\(format)\(options)' --interpretation srgb 2>/dev/null"],
            ])
        return try lab.store.read(asset)
    }

    private func cut(_ format: String, to part: Double = 0.6) throws -> [UInt8] {
        let bytes = try whole(format)
        return Array(bytes.prefix(Int(Double(bytes.count) * part)))
    }

    /// Damage that a decoder can notice: most formats have sums or codes for that. In a JPEG, data that ends before the
    /// picture is whole.
    private func spoilt(_ format: String) throws -> [UInt8] {
        var bytes = try whole(format)
        // In a compressed TIFF only the beginning of a strip is sure to be noticed.
        let middle = format == "tif" ? 8 : bytes.count / 2
        if format == "jpg" {
            bytes.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])
        } else {
            for place in middle..<middle + 40 { bytes[place] = UInt8((Int(bytes[place]) * 7 + 91) % 251) }
        }
        return bytes
    }

    private func run(
        _ tool: (kind: String, params: JSON, port: String, other: String?), _ bytes: [UInt8], _ name: String
    ) async throws -> RunEnding {
        var inputs = [(tool.port, try lab.asset(bytes, tool.port == "mask" ? .mask : .image, name: name))]
        if let other = tool.other {
            inputs.append((other, try lab.asset(try whole("png"), other == "mask" ? .mask : .image, name: "good.png")))
        }
        let ports = try #require(Lab.catalogue[tool.kind]).inputs.map(\.name)
        inputs.sort { ports.firstIndex(of: $0.0)! < ports.firstIndex(of: $1.0)! }
        return await lab.run(try lab.assignment(tool.kind, tool.params, inputs, attempt: Int.random(in: 1...1_000_000)))
    }

    private func load(_ bytes: [UInt8], _ name: String) async throws -> RunEnding {
        try lab.write(name, bytes)
        return await lab.run(
            try lab.assignment("ImageLoader", ["path": .string(name)], attempt: Int.random(in: 1...1_000_000)))
    }

    private func expect(_ ending: RunEnding, _ code: String?, _ words: String? = nil, _ what: String) {
        #expect(ending.failure?.code == code, "\(what): \(ending)")
        if let words { #expect(ending.failure?.message == words, "\(what)") }
        if code == nil { #expect(ending.assets?.compactMap(\.warning) == [], "\(what)") }
    }

    @Test(arguments: formats) func aPictureThatIsCutIsNoticedByEveryTool(format: String) async throws {
        let words = Self.early.replacing("X", with: format)
        for part in [0.6, 0.97] {
            let bytes = try cut(format, to: part)
            expect(try await load(bytes, "bad.\(format)"), "fileDamaged", words, "load \(part)")
            for tool in Self.tools + Self.readers {
                expect(
                    try await run(tool, bytes, "bad.\(format)"), "fileDamaged", words,
                    "\(tool.kind) \(tool.port) \(part)")
            }
        }
    }

    @Test(arguments: formats) func aWholePicturePasses(format: String) async throws {
        let bytes = try whole(format)
        expect(try await load(bytes, "good.\(format)"), nil, nil, "load")
        for tool in Self.tools + Self.readers where tool.kind != "CompressLocal" || format != "gif" {
            expect(try await run(tool, bytes, "good.\(format)"), nil, nil, "\(tool.kind) \(tool.port)")
        }
    }

    /// What is damaged in the middle is found by decoding: not by tools that read only the head, and not in formats
    /// without sums.
    @Test(arguments: ["jpg", "png", "gif", "tif"]) func damageInTheMiddleIsNoticedByEveryToolThatDecodes(format: String)
        async throws
    {
        let bytes = try spoilt(format)
        expect(try await load(bytes, "bad.\(format)"), nil, nil, "load")
        // A part above the damage is whole.
        for tool in Self.tools where tool.params["top"] == nil {
            let ending = try await run(tool, bytes, "bad.\(format)")
            expect(ending, "fileDamaged", nil, "\(tool.kind) \(tool.port)")
            let message = ending.failure?.message ?? ""
            #expect(
                message.contains("bad.\(format)") && message.hasSuffix(Self.damaged.dropFirst(5)),
                "\(tool.kind): \(message)")
        }
        for tool in Self.readers { expect(try await run(tool, bytes, "bad.\(format)"), nil, nil, tool.kind) }
    }

    /// What the programs say without our own look at the end of the file.
    @Test(arguments: formats) func theRulesOfTheManifestsFindWhatIsCut(format: String) async throws {
        var tool = ToolManifest(
            kind: "Probe", title: "Probe", inputs: [Port("file", .file)], outputs: [Port("out", .file)],
            action: .program(
                .init(
                    commands: [.init(words: ["vips", "copy", "{file}", "{out.out}"])], files: ["out": "out.png"],
                    timeoutSeconds: 600,
                    memoryBytesLimit: 1 << 30)))
        tool.errors = try #require(Lab.catalogue["Blur"]).errors
        for bytes in [try cut(format), try cut(format, to: 0.97)] {
            let asset = try lab.asset(bytes, .file, name: "bad.\(format)")
            let ending = await lab.run(
                try lab.assignment(tool, [:], [("file", asset)], attempt: Int.random(in: 1...1_000_000)))
            #expect(ending.failure?.code == "fileDamaged", "\(ending)")
            #expect(ending.failure?.message.hasPrefix("bad.\(format) ") == true, "\(ending)")
        }
        let asset = try lab.asset(try whole(format), .file, name: "good.\(format)")
        let ending = await lab.run(
            try lab.assignment(tool, [:], [("file", asset)], attempt: Int.random(in: 1...1_000_000)))
        #expect(ending.assets?.map(\.warning) == [nil], "\(ending)")
    }

    @Test func whatIsEmptyOrNoPictureIsNoPicture() async throws {
        for (bytes, name) in [
            ([], "empty.jpg"), (Array("This is a text.\n".utf8), "text.png"), (Array("PK\u{3}\u{4}".utf8), "zip.gif"),
        ] {
            expect(
                try await load(bytes, name), "notAPicture", "\(name) is not a picture that can be read here.", "load")
            for tool in Self.tools + Self.readers {
                expect(
                    try await run(tool, bytes, name), "notAPicture", "\(name) is not a picture that can be read here.",
                    "\(tool.kind) \(tool.port)")
            }
        }
    }

    /// Marks inside of segments, and bytes behind the end, are no end that comes too early.
    @Test func whatOnlyLooksCutIsWhole() async throws {
        let jpeg = try whole("jpg")
        let thumbnail: [UInt8] = [0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 0xFF, 0xDA, 0xFF, 0xD9]
        for bytes in [
            jpeg + [0, 0, 0], jpeg + Array("trailer".utf8), Array(jpeg[..<2]) + thumbnail + Array(jpeg[2...]),
            try whole("png") + [1, 2, 3],
            try whole("gif") + [9, 9], try whole("webp") + [0],
        ] { expect(try await load(bytes, "odd.bin"), nil, nil, "\(bytes.count)") }
    }

    @Test(
        arguments: [
            ("zip", 0.6, "ends too early"), ("tar.gz", 0.6, "ends too early"), ("tar", 0.6, "ends too early"),
            ("zip", nil, "is damaged"),
            ("tar.gz", nil, "is damaged"),
        ] as [(String, Double?, String)])
    func anArchiveThatIsCutOrDamagedIsNotUnpacked(form: String, part: Double?, words: String) async throws {
        let folder = lab.root + "/archive"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let make = form == "zip" ? "zip -q x.zip a b" : "tar c\(form == "tar" ? "" : "z")f x.\(form) a b"
        try Lab.program(
            ["sh", "-c", "head -c 30000 /dev/urandom > a; head -c 30000 /dev/urandom > b; \(make)"], in: folder)
        var bytes = [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/x.\(form)")))
        if let part {
            bytes = Array(bytes.prefix(Int(Double(bytes.count) * part)))
        } else {
            bytes[bytes.count / 3] ^= 0x55
        }
        let failure = await lab.run(
            try lab.assignment("Unpack", [:], [("file", try lab.asset(bytes, .file, name: "x.\(form)"))])
        ).failure
        #expect(
            failure?.code == "fileDamaged" && failure?.message.hasPrefix("x.\(form) \(words)") == true,
            "\(String(describing: failure))")
        #expect(lab.names().isEmpty)
    }

    @Test func aThumbnailOfACutPictureIsNotMade() throws {
        let cache = PictureCache(
            folder: lab.own.cache, store: lab.store, sandbox: lab.sandbox,
            errors: try #require(Lab.catalogue["Resize"]).errors)
        for bytes in [try cut("jpg"), try spoilt("png")] {
            let asset = try lab.asset(bytes, .image, name: "bad.jpg")
            let failure = #expect(throws: Failure.self) { try cache.picture(.thumbnails, of: asset) }
            #expect(failure?.code == "fileDamaged", "\(String(describing: failure))")
        }
    }

    /// A part of a picture is not cut out of one that is damaged elsewhere: what other tools refuse, Crop refuses.
    @Test func aPartOfADamagedPictureIsNoSuccess() async throws {
        let tall = try lab.store.read(
            lab.picture(
                "tall.jpg",
                [
                    ["vips", "gaussnoise", "n.v", "64", "1500", "--seed", "7", "--mean", "128", "--sigma", "60"],
                    ["vips", "cast", "n.v", "out.jpg", "uchar"],
                ]))
        var refused = 0
        for number in 0..<6 {
            var bytes = tall
            let middle = bytes.count * (2 * number + 3) / 16
            bytes.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])
            let whole = try await run(("Resize", ["width": 20], "image", nil), bytes, "bad.jpg")
            let part = try await run(("Crop", ["width": 20, "height": 20, "top": 0], "image", nil), bytes, "bad.jpg")
            #expect((whole.failure == nil) == (part.failure == nil), "\(number): \(whole) \(part)")
            refused += whole.failure == nil ? 0 : 1
        }
        #expect(refused > 3)
    }
}
