import CaseNames
import Foundation
import JSON
import Testing
import Vocabulary

/// Sizes relative to a picture's own, and margins around it.
@Suite(.process) struct PictureSizeTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    /// A picture of one color.
    private func plain(
        _ width: Int, _ height: Int, _ color: [Int], _ name: String, saveAs suffix: String? = nil,
        _ more: [[String]] = []
    )
        throws
        -> Asset
    {
        let add = color.map { "\($0)" }.joined(separator: " ")
        let ones = color.map { _ in "1" }.joined(separator: " ")
        let suffix = suffix ?? (name as NSString).pathExtension
        return try lab.picture(
            name, saveAs: suffix,
            [
                ["vips", "black", "b.v", "\(width)", "\(height)", "--bands", "\(color.count)"],
                ["vips", "linear", "b.v", "l.v", ones, add, "--uchar"],
                ["vips", "copy", "l.v", "p.v", "--interpretation", color.count < 3 ? "b-w" : "srgb"],
            ] + more + [["vips", "copy", "p.v", "out.\(suffix)" + (suffix == "jpg" ? "[Q=100]" : "")]])
    }

    private func only(_ assets: [Asset]) throws -> Asset {
        try #require(assets.count == 1)
        return assets[0]
    }

    private func failure(_ kind: String, _ params: JSON, _ asset: Asset) async -> Failure? {
        await #expect(throws: Failure.self) { try await lab.run(kind, params, [("image", asset)]) }
    }

    @Test func aPictureIsScaledByAPercentageAndToMegapixels() async throws {
        let rows: [(params: JSON, width: Int, height: Int)] = [
            (["scale": 50], 100, 50), (["scale": 200], 400, 200), (["scale": 33.3], 67, 33), (["scale": 1], 2, 1),
            (["scale": 100], 200, 100),
            (["scale": 200, "enlarge": false], 200, 100), (["scale": 50, "enlarge": false], 100, 50),
            (["megapixels": 0.01], 141, 70), (["megapixels": 0.08], 400, 200), (["megapixels": 2], 2000, 1000),
            (["megapixels": 2, "enlarge": false], 200, 100), (["megapixels": 0.005, "enlarge": false], 100, 50),
        ]
        let picture = try plain(200, 100, [9, 9, 9], "cat.jpg")
        var seen: [(row: (params: JSON, width: Int, height: Int), width: Int, height: Int, name: String)] = []
        for row in rows {
            let asset = try only(try await lab.run("Resize", row.params, [("image", picture)]))
            let look = try lab.look(asset)
            seen.append((row, look.width, look.height, asset.name))
        }
        expectNoFaults(in: seen) { row, width, height, name in
            (width, height, name) == (row.width, row.height, "cat.jpg")
                ? [] : ["\(row.params.text): \(width)×\(height), \(name)"]
        }
    }

    @Test func aSizeIsGivenInOneWay() async throws {
        let picture = try plain(20, 10, [9, 9, 9], "cat.png")
        let rows: [JSON] = [
            [:], ["scale": 50, "width": 10], ["scale": 50, "height": 10], ["megapixels": 1, "width": 10],
            ["scale": 50, "megapixels": 1],
            ["scale": 50, "fill": true], ["scale": 0], ["megapixels": -1],
        ]
        for params in rows { #expect(await failure("Resize", params, picture)?.code == "badParam", "\(params.text)") }
        #expect(
            await failure("Resize", ["width": 10, "scale": 50], picture)?.message == "Resize has more than one size.")
    }

    @Test func noPictureIsMadeTooLarge() async throws {
        let wide = try plain(7_000, 1, [9], "wide.png")
        #expect(await failure("Resize", ["scale": 1000], wide)?.code == "tooLarge")
        #expect(await failure("Resize", ["megapixels": 500], wide)?.code == "tooLarge")
        #expect(await failure("Margin", ["size": 30_000], wide)?.code == "tooLarge")
    }

    @Test func aMarginIsAddedAtItsSides() async throws {
        let rows: [(sides: String, width: Int, height: Int, left: Int, top: Int)] = [
            ("all", 40, 30, 10, 10), ("left", 30, 10, 10, 0), ("right", 30, 10, 0, 0), ("top", 20, 20, 0, 10),
            ("bottom", 20, 20, 0, 0),
            ("horizontal", 40, 10, 10, 0), ("vertical", 20, 30, 0, 10),
        ]
        let picture = try plain(20, 10, [0, 0, 200], "cat.png")
        var faults: [(sides: String, fault: String?)] = []
        for row in rows {
            let asset = try only(
                try await lab.run("Margin", ["size": 10, "sides": .string(row.sides)], [("image", picture)]))
            let look = try lab.look(asset)
            var isWhole = (look.width, look.height, look.bands, asset.name) == (row.width, row.height, 3, "cat.png")
            // The picture's corners, and those of the whole.
            let (right, bottom) = (row.left + 19, row.top + 9)
            for (x, y) in [(row.left, row.top), (right, bottom)] {
                isWhole = try isWhole && lab.pixel(asset, x, y) == [0, 0, 200]
            }
            for (x, y) in [(0, 0), (look.width - 1, look.height - 1)] {
                let isPicture = (row.left...right).contains(x) && (row.top...bottom).contains(y)
                isWhole = try isWhole && lab.pixel(asset, x, y) == (isPicture ? [0, 0, 200] : [255, 255, 255])
            }
            faults.append((row.sides, isWhole ? nil : "\(row.sides): \(look)"))
        }
        expectNoFaults(in: faults) { [$0.fault].compactMap(\.self) }
    }

    @Test func aMarginHasItsColorInEveryKindOfPicture() async throws {
        let rgb = try plain(20, 10, [0, 0, 200], "a.png")
        let gray = try plain(20, 10, [90], "g.png")
        let rgba = try plain(20, 10, [0, 0, 200, 100], "t.png")
        let deep = try plain(
            20, 10, [0, 0, 200], "d.png",
            [["vips", "colourspace", "p.v", "q.v", "rgb16"], ["vips", "copy", "q.v", "p.v"]])
        let ink = try plain(
            20, 10, [250, 250, 250], "k.tif", saveAs: "tif",
            [["vips", "colourspace", "p.v", "q.v", "cmyk"], ["vips", "copy", "q.v", "p.v"]])
        let rows: [(name: String, picture: Asset, color: String, corner: [Int])] = [
            ("names", rgb, "red", [255, 0, 0]), ("names", rgb, "Green", [0, 128, 0]),
            ("names", rgb, "yellow", [255, 255, 0]),
            ("grey", rgb, "grey", [128, 128, 128]), ("hex", rgb, "#FF8800", [255, 136, 0]),
            ("black", rgb, "black", [0, 0, 0]),
            ("transparent", rgb, "transparent", [0, 0, 0, 0]), ("alpha", rgba, "red", [255, 0, 0, 255]),
            ("alpha stays", rgba, "transparent", [0, 0, 0, 0]), ("gray stays gray", gray, "white", [255]),
            ("gray", gray, "#808080", [128]),
            ("gray with a color", gray, "blue", [0, 0, 255]), ("gray and transparent", gray, "transparent", [0, 0]),
            ("16 bits", deep, "#ff8800", [65_535, 34_952, 0]),
            ("16 bits, transparent", deep, "transparent", [0, 0, 0, 0]),
            ("four inks", ink, "red", [255, 0, 0]),
        ]
        var seen: [(name: String, wanted: [Int], corner: [Int], middle: [Int])] = []
        for row in rows {
            let asset = try only(
                try await lab.run("Margin", ["size": 3, "color": .string(row.color)], [("image", row.picture)]))
            seen.append(
                ("\(row.name), \(row.color)", row.corner, try lab.pixel(asset, 0, 0), try lab.pixel(asset, 10, 8)))
        }
        expectNoFaults(in: seen) {
            $0.corner == $0.wanted && $0.middle != $0.corner ? [] : ["\($0.name): \($0.corner), \($0.middle)"]
        }
        let jpg = try only(
            try await lab.run(
                "Margin", ["size": 8, "color": "red"], [("image", try plain(16, 16, [9, 9, 9], "a.jpg"))]))
        #expect(try lab.look(jpg).loader == "jpegload" && lab.pixel(jpg, 1, 1)[0] > 240)
    }

    @Test func aColorThatCannotBeIsRefused() async throws {
        let picture = try plain(16, 16, [9, 9, 9], "a.png")
        for color in ["", "mauve", "#fff", "#gggggg", "255 0 0", "-x", "#ff88000"] {
            #expect(
                await failure("Margin", ["size": 3, "color": .string(color)], picture)?.code == "badParam", "\(color)")
        }
        let jpg = try plain(16, 16, [9, 9, 9], "a.jpg")
        let refused = await failure("Margin", ["size": 3, "color": "transparent"], jpg)
        #expect(refused?.code == "badParam" && refused?.message.contains("jpg") == true)
    }
}
