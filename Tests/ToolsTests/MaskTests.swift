import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Pictures
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Masks as they are drawn, written and read. libvips is the judge of the files.
@Suite(.process) struct MaskTests {
    private func drawing(
        _ width: Int, _ height: Int, _ shapes: MaskDrawing.Shape..., feather: Int = 0, isInverted: Bool = false
    )
        -> MaskDrawing
    {
        var drawing = MaskDrawing(width: width, height: height)
        (drawing.shapes, drawing.feather, drawing.isInverted) = (shapes, feather, isInverted)
        return drawing
    }

    private func picture(_ drawing: MaskDrawing) -> String {
        let grey = drawing.rendered()
        return (0..<drawing.height).map { y in
            String(
                (0..<drawing.width).map { x in
                    grey[y * drawing.width + x] == 255 ? "#" : grey[y * drawing.width + x] == 0 ? "." : "+"
                })
        }.joined(separator: "\n")
    }

    @Test func shapesArePutOnOneAnotherAndMayReachBeyondThePicture() {
        let mask = drawing(
            12, 7, .rectangle(x: 1, y: 1, width: 5, height: 3), .erased(x: 2, y: 2, width: 2, height: 1),
            .rectangle(x: 10, y: -5, width: 100, height: 7), .rectangle(x: -3, y: 6, width: 4, height: 1))
        #expect(
            picture(mask) == """
                ..........##
                .#####....##
                .#..##......
                .#####......
                ............
                ............
                #...........
                """)
    }

    @Test func anEllipseIsRound() {
        #expect(
            picture(drawing(10, 8, .ellipse(x: 1, y: 1, width: 8, height: 6))) == """
                ..........
                ...####...
                ..######..
                .########.
                .########.
                ..######..
                ...####...
                ..........
                """)
        #expect(picture(drawing(2, 2, .ellipse(x: 0, y: 0, width: 1, height: 1))) == "#.\n..")
    }

    @Test func invertedIsTheOtherPart() {
        let shape = MaskDrawing.Shape.ellipse(x: 2, y: 1, width: 9, height: 5)
        let (plain, inverted) = (drawing(16, 8, shape).rendered(), drawing(16, 8, shape, isInverted: true).rendered())
        #expect(zip(plain, inverted).allSatisfy { Int($0) + Int($1) == 255 })
    }

    /// Soft edges fall evenly from inside to outside, about as wide as was asked for; far from them nothing changes.
    @Test(arguments: [2, 8, 20]) func featherFadesTheEdge(pixels: Int) {
        let grey = drawing(200, 4, .rectangle(x: 0, y: -50, width: 100, height: 200), feather: pixels).rendered()
        let row = Array(grey[200..<400])
        #expect(zip(row, row.dropFirst()).allSatisfy { $0 >= $1 })
        let fading = row.count { $0 > 0 && $0 < 255 }
        #expect(fading >= pixels - 1 && fading <= 3 * pixels, "\(fading)")
        #expect(row[99 - 2 * pixels] == 255 && row[100 + 2 * pixels] == 0)
        #expect((Int(row[99]) + Int(row[100])) / 2 - 127 <= 1)
    }

    /// Every pixel as another decoder sees it, over sizes and patterns: long runs, no runs, one row, one column.
    @Test func whatIsWrittenIsWhatLibvipsReads() throws {
        let lab = try Lab()
        var random = SystemRandomNumberGenerator()
        let noise = (0..<97 * 31).map { _ in UInt8.random(in: 0...255, using: &random) }
        let pictures: [(String, [UInt8], Int)] = [
            ("even", [UInt8](repeating: 200, count: 1000 * 700), 1000), ("noise", noise, 97),
            ("row", noise, noise.count),
            ("column", Array(noise.prefix(500)), 1), ("dot", [255], 1),
            ("shapes", drawing(640, 480, .ellipse(x: 20, y: 20, width: 300, height: 200), feather: 31).rendered(), 640),
        ]
        for (name, grey, width) in pictures {
            let bytes = PNGWriter.grey(grey, width: width)
            try lab.write("\(name).png", bytes)
            try Lab.program(["vips", "rawsave", "\(name).png", "\(name).raw"], in: lab.workspace)
            let read = try #require(FileManager.default.contents(atPath: lab.path("\(name).raw")))
            #expect([UInt8](read) == grey, "\(name)")
            #expect(try MaskFile(bytes).isEmpty() == false, "\(name)")
            let header = try #require(ImageHeader(bytes))
            #expect(header.format == "png" && header.width == width && header.height == grey.count / width)
        }
        #expect(PNGWriter.grey(pictures[0].1, width: 1000).count < 8_000, "runs cost next to nothing")
    }

    // MARK: Reading

    /// As libvips writes them: each kind of PNG, empty and with one small dot far at the end.
    @Test(arguments: ["b-w", "grey16", "grey alpha", "rgba", "rgba opaque", "interlaced", "1 bit", "palette"])
    func anEmptyMaskIsKnownInEveryForm(form: String) throws {
        let lab = try Lab()
        let bands = ["grey alpha": "2", "rgba": "4", "rgba opaque": "4"][form] ?? "1"
        try Lab.program(["vips", "black", "empty.v", "61", "37", "--bands", bands], in: lab.workspace)
        if form == "rgba opaque" {
            try Lab.program(["vips", "black", "rgb.v", "61", "37", "--bands", "3"], in: lab.workspace)
            try Lab.program(["vips", "bandjoin_const", "rgb.v", "empty.v", "255"], in: lab.workspace)
        }
        let space = bands == "1" ? (form == "grey16" ? "grey16" : "b-w") : bands == "2" ? "b-w" : "srgb"
        try Lab.program(["vips", "copy", "empty.v", "tagged.v", "--interpretation", space], in: lab.workspace)
        try Lab.program(["vips", "copy", "tagged.v", "dotted.v"], in: lab.workspace)
        try Lab.program(
            [
                "vips", "draw_rect", "dotted.v", [String](repeating: "255", count: Int(bands)!).joined(separator: " "),
                "60", "36", "1", "1",
            ],
            in: lab.workspace)
        if form == "grey16" {
            for name in ["tagged", "dotted"] {
                try Lab.program(["vips", "cast", "\(name).v", "\(name)16.v", "ushort"], in: lab.workspace)
                try Lab.program(
                    ["vips", "copy", "\(name)16.v", "\(name).v", "--interpretation", "grey16"], in: lab.workspace)
            }
        }
        let options = ["interlaced": "[interlace]", "1 bit": "[bitdepth=1]", "palette": "[palette]"][form] ?? ""
        for (source, isEmpty) in [("tagged", true), ("dotted", false)] {
            try Lab.program(["vips", "copy", "\(source).v", "\(source).png\(options)"], in: lab.workspace)
            let bytes = [UInt8](try #require(FileManager.default.contents(atPath: lab.path("\(source).png"))))
            if form == "palette", bytes[25] == 3, !bytes.contains(Array("tRNS".utf8)) {
                #expect(throws: Failure.self, "a palette without transparency says nothing of a mask") {
                    try MaskFile(bytes)
                }
            } else {
                #expect(try MaskFile(bytes).isEmpty() == isEmpty, "\(form), \(source)")
            }
        }
    }

    @Test func coloursWithoutTransparencyAreNoMask() throws {
        let lab = try Lab()
        try Lab.program(["vips", "black", "rgb.png", "8", "8", "--bands", "3"], in: lab.workspace)
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: lab.path("rgb.png"))))
        let failure = #expect(throws: Failure.self) { try MaskFile(bytes) }
        #expect(failure?.code == "badAnswer" && failure?.remedy?.contains("b-w") == true)
    }

    /// Cut anywhere, or with any byte turned over: an answer or a failure, never a trap, and never more than was asked
    /// for.
    @Test func damagedFilesAreSaidToBeThat() throws {
        let whole = drawing(40, 30, .ellipse(x: 3, y: 3, width: 20, height: 20), feather: 5).png()
        for end in 0..<whole.count - 12 {
            #expect(throws: Failure.self) { try MaskFile(Array(whole[..<end])).isEmpty() }
        }
        for place in whole.indices {
            for value: UInt8 in [0, 0xFF, whole[place] ^ 0x10] {
                var bytes = whole
                bytes[place] = value
                _ = try? MaskFile(bytes).isEmpty()
            }
        }
    }

    @Test func aSmallFileThatSwellsIsNotUnpacked() throws {
        // 48,000 × 1,000 pixels are allowed; what the stream holds beyond them is not looked at.
        let swollen = PNGWriter.grey([UInt8](repeating: 0, count: 4000 * 1000), width: 4000)
        var lying = swollen
        lying.replaceSubrange(16..<24, with: [0, 0, 0, 4, 0, 0, 0, 4])
        #expect(throws: Failure.self) { try MaskFile(lying).isEmpty() }
        var vast = swollen
        vast.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(throws: Failure.self) { try MaskFile(vast) }
    }

    @Test func aDrawingSurvivesAsADraft() {
        let mask = drawing(
            30, 20, .rectangle(x: -1, y: 2, width: 3, height: 4), .ellipse(x: 5, y: 6, width: 7, height: 8),
            .erased(x: 0, y: 0, width: 1, height: 1), feather: 3, isInverted: true)
        #expect(MaskDrawing(json: mask.json) == mask)
        for hostile: JSON in [
            [:], ["width": 0, "height": 5], ["width": 9_000_000_000_000_000, "height": 9_000_000_000_000_000],
            ["width": 5, "height": -1],
        ] {
            #expect(MaskDrawing(json: hostile) == nil)
        }
        let odd = MaskDrawing(json: [
            "width": 5, "height": 5, "shapes": [["rect", 0, 0, 0, 5], ["star", 1, 1, 1, 1], 7],
            "feather": 1_000_000_000,
        ])
        #expect(odd?.shapes == [] && odd?.feather == Limits.maskFeather)
    }
}

extension [UInt8] {
    fileprivate func contains(_ word: [UInt8]) -> Bool { indices.contains { self[$0...].starts(with: word) } }
}

/// A mask in characters, where chafa is installed.
@Test(.process, .enabled(if: Programs.find("chafa") != nil)) func aSketchIsTextOfTheSizeThatIsAskedFor() throws {
    let lab = try Lab()
    var mask = MaskDrawing(width: 64, height: 48)
    mask.shapes = [.rectangle(x: 10, y: 10, width: 30, height: 20)]
    let kept = try lab.store.add(mask.png())
    let lines = lab.toolbox.pictures.sketch(kept.hash, columns: 40, rows: 12)
    #expect(lines.count > 4 && lines.count <= 12 && lines.allSatisfy { $0.count <= 40 })
    #expect(lines.contains { $0.contains("█") } && !lines.joined().contains("\u{1B}"))
}
