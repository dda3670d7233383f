import JSON
import Testing

@testable import Vips

/// The plan of a picture, as a value and as a message.
@Suite struct VipsPlanTests {
    private static let file = VipsImage.file("in-1.jpg")

    private static let images: [VipsImage] = [
        file, .file("in-1.gif", hasAllPages: true), file.upright(isCMYK: false),
        file.thumbnail(width: 200, height: 100, .down),
        file.thumbnail(width: 9, height: 9, .force, fills: true, isInSRGB: true),
        file.cropped(left: 1, top: 2, width: 3, height: 4), file.rotated(12.5, background: [255, 0, 1.5]),
        file.inSRGB(fallback: "cmyk", isDeep: true).inSpace("b-w"),
        .joiningBands([file.bands(0), .file("b.png").bands(1)]),
        file.mixed(by: .matrix(width: 3, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])),
        file.covered(by: .text("a < b\n\"ü\"", font: "sans", width: 40), "over", left: -3, top: 7),
        .grid([file, .file("b.png"), file], columns: 2, gap: 10), file.choosing(file.inverted, file),
    ]

    /// Returns the plan with numbers as the names of its files.
    private static func numbered(_ plan: VipsPlan) throws -> VipsPlan {
        try #require(VipsPlan(try JSONReader.read(Array(plan.json.text.utf8))))
    }

    @Test(arguments: images.indices) func aPlanIsReadAsItWasWritten(index: Int) throws {
        let plan = VipsPlan(Self.images[index])
        let read = try Self.numbered(plan)
        #expect(read.parts.count == plan.parts.count)
        #expect(read.json.text.replacing(".0", with: "") == plan.json.text.replacing(".0", with: ""))
        #expect(read.files == plan.files.indices.map { "\($0)" })
    }

    @Test func whatIsUsedTwiceIsComputedOnce() {
        let gray = Self.file.inSpace("b-w")
        let plan = VipsPlan(.joiningBands([gray, gray.inverted]))
        #expect(plan.parts.count == 4 && plan.files == ["in-1.jpg"])
    }

    /// A turned file is made smaller while it is decoded, as one that is upright.
    @Test func aThumbnailReadsTheFileItself() {
        let small = VipsImage.file("a.jpg").thumbnail(width: 9, height: 9)
        #expect(VipsPlan(.file("a.jpg").upright(isCMYK: false).thumbnail(width: 9, height: 9)) == VipsPlan(small))
        let turned = VipsPlan(VipsImage.file("a.jpg").inverted.upright(isCMYK: false).thumbnail(width: 9, height: 9))
        #expect(turned.parts.count == 4)
    }

    /// What a process that has libvips open must not do for anybody.
    @Test(arguments: [
        #"[{"do":"system","in":[],"with":[{"name":"cmd-format","value":"id"}]}]"#,
        #"[{"do":"jpegload","in":[],"with":[{"name":"filename","value":"/etc/passwd"}]}]"#,
        #"[{"do":"pngsave","in":[],"with":[]}]"#, #"[]"#, #"{}"#, #"[{"file":"0"}]"#, #"[{"do":"crop"}]"#,
        #"[{"do":"invert","in":[{"name":"in","parts":[0],"list":false}],"with":[]}]"#,
        #"[{"file":0},{"do":"join","in":[{"name":"in1","parts":[0,0],"list":false}],"with":[]}]"#,
        #"[{"file":0},{"do":"invert","in":[{"name":"in","parts":[-1],"list":false}],"with":[]}]"#,
        #"[{"width":0,"matrix":[1]}]"#, #"[{"width":2,"matrix":[1]}]"#,
        #"[{"file":0},{"do":"crop","in":[],"with":[{"name":"x","value":{}}]}]"#,
    ])
    func noOtherOperationIsKnown(message: String) throws {
        #expect(VipsPlan(try JSONReader.read(Array(message.utf8))) == nil)
    }
}
