import CaseNames
import Files
import JSON
import Sandbox
import Testing
import Vips
import Vocabulary

/// The picture tools that were scripts of the shell once, on each kind of picture: in a child of the process that has
/// libvips open, and by libvips' programs.
@Suite(.process) struct ShippedPictureTests {
    private static let tools: [(kind: String, params: JSON)] = [
        ("Mirror", ["direction": "horizontal"]), ("Mirror", ["direction": "vertical"]), ("Square", [:]),
        ("Brighter", ["percent": 25]), ("Darker", ["percent": 60]), ("MoreContrast", ["percent": 40]),
        ("LessContrast", ["percent": 40]), ("Invert", [:]), ("Sepia", [:]), ("Sharpen", ["amount": 3]),
        ("Caption", ["text": "A <b> & \"c\""]), ("RemoveMetadata", [:]),
    ]
    private static let several: [(kind: String, params: JSON)] = [
        ("ContactSheet", ["size": 60]), ("ContactSheet", ["size": 60, "columns": 3]), ("SideBySide", [:]),
        ("SideBySide", ["direction": "vertical"]), ("PicturesToPDF", [:]),
    ]
    /// The name of a picture, and how it is made of `s.v` (sRGB) and `g.v` (gray).
    private static let pictures: [(name: String, steps: [[String]])] = [
        ("plain.jpg", [["vips", "copy", "s.v", "out.jpg"]]), ("plain.png", [["vips", "copy", "s.v", "out.png"]]),
        ("gray.jpg", [["vips", "copy", "g.v", "out.jpg"]]),
        ("clear.png", [["vips", "bandjoin", "s.v g.v", "out.png"]]),
        ("gray-clear.png", [["vips", "bandjoin", "g.v g.v", "out.png"]]),
        (
            "deep.png",
            [
                ["vips", "linear", "s.v", "l.v", "257", "0"], ["vips", "cast", "l.v", "c.v", "ushort"],
                ["vips", "copy", "c.v", "out.png", "--interpretation", "rgb16"],
            ]
        ),
        ("turned.tif", [["vips", "copy", "s.v", "out.tif"]]), ("moving.gif", [["vips", "copy", "s.v", "out.gif"]]),
        ("plain.webp", [["vips", "copy", "s.v", "out.webp"]]),
    ]

    private static func asset(_ picture: (name: String, steps: [[String]]), _ lab: Lab) throws -> Asset {
        try lab.picture(
            picture.name,
            [
                ["vips", "gaussnoise", "n.v", "120", "90", "--seed", "3", "--mean", "128", "--sigma", "60"],
                ["vips", "gaussblur", "n.v", "b.v", "4"], ["vips", "cast", "b.v", "u.v", "uchar"],
                ["vips", "copy", "u.v", "g.v", "--interpretation", "b-w"],
                ["vips", "bandjoin", "u.v u.v u.v", "j.v"], ["vips", "copy", "j.v", "s.v", "--interpretation", "srgb"],
            ] + picture.steps)
    }

    private static func byPrograms() throws -> Lab {
        // Another path of the same program, so that other tests keep the process of theirs.
        let sandbox = Isolation.bubblewrap("/bin/bwrap")
        VipsZygote.of(sandbox).disable(because: "The test wants the programs.")
        return try Lab(sandbox: sandbox)
    }

    private func bytes(_ lab: Lab, _ kind: String, _ params: JSON, _ inputs: [(String, Asset)]) async throws -> [UInt8]
    {
        let outputs = try await lab.run(kind, params, inputs)
        let warnings = outputs.compactMap(\.warning)
        #expect(warnings.isEmpty, "\(kind) \(params.text): \(warnings)")
        return try lab.store.read(try #require(outputs.first))
    }

    @Test(arguments: tools.indices) func aToolMakesTheSameInBothWays(index: Int) async throws {
        let (kind, params) = Self.tools[index]
        let (own, other) = (try Lab(), try Self.byPrograms())
        for picture in Self.pictures {
            let made = try await bytes(own, kind, params, [("image", try Self.asset(picture, own))])
            // A command for each part of a picture takes long.
            guard ["gray.jpg", "clear.png", "deep.png"].contains(picture.name) else { continue }
            let wanted = try await bytes(other, kind, params, [("image", try Self.asset(picture, other))])
            #expect(made == wanted, "\(kind) \(params.text) of \(picture.name)")
        }
    }

    @Test(arguments: several.indices) func aSheetOfEachKindIsMade(index: Int) async throws {
        let (kind, params) = Self.several[index]
        let (own, other) = (try Lab(), try Self.byPrograms())
        func inputs(_ lab: Lab, _ pictures: [(name: String, steps: [[String]])]) throws -> [(String, Asset)] {
            try pictures.enumerated().map { ("pictures.\($0.offset + 1)", try Self.asset($0.element, lab)) }
        }
        for number in stride(from: 2, through: Self.pictures.count, by: 2) {
            _ = try await bytes(own, kind, params, try inputs(own, Array(Self.pictures[(number - 2)..<number])))
        }
        let made = try await bytes(own, kind, params, try inputs(own, Self.pictures))
        let wanted = try await bytes(other, kind, params, try inputs(other, Self.pictures))
        // The time of its making stands in a PDF.
        if kind != "PicturesToPDF" { #expect(made == wanted, "\(kind)") }
    }

    @Test func flattenTakesOnlyWhatIsTransparent() async throws {
        let lab = try Lab()
        for picture in Self.pictures where picture.name != "moving.gif" {
            let input = ("image", try Self.asset(picture, lab))
            if picture.name.contains("clear") {
                let made = try await lab.run("Flatten", ["color": "white"], [input])
                #expect(try lab.look(try #require(made.first)).bands == (picture.name == "clear.png" ? 3 : 1))
            } else {
                await #expect(throws: Failure.self) { try await lab.run("Flatten", ["color": "white"], [input]) }
            }
        }
    }
}
