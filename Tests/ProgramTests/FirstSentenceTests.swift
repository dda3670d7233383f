import CaseNames
import Harness
import JSON
import Testing

/// The first sentence, in a script: the right picture beside the original.
@Suite(.process) struct FirstSentenceTests {
    static let sentence = "make cat.jpg 800 px wide, grayscale, under 60 KB"

    /// What must be there afterwards.
    static func expectPicture(in lab: ProgramLab, original: [UInt8]?, _ location: SourceLocation = #_sourceLocation)
        async throws
    {
        #expect(lab.bytes("cat.jpg") == original, "the original has changed", sourceLocation: location)
        #expect(lab.names() == ["cat-1.jpg", "cat.jpg"], sourceLocation: location)
        let picture = try await lab.picture("cat-1.jpg")
        #expect(picture.first == 800 && picture.last == 1, "\(picture)", sourceLocation: location)
        let bytes = lab.bytes("cat-1.jpg")?.count ?? 0
        #expect(bytes > 1_000 && bytes < 60_000, "\(bytes) bytes", sourceLocation: location)
        #expect(ScratchFolder.names(in: lab.temporary).isEmpty, sourceLocation: location)
    }

    @Test(arguments: [
        "photos", "my photos, 2026", "Ünïcødé 写真 🐈", "-rf", "$(touch hacked);`id`'\"&|*?", "line\nbreak\u{1B}[31m",
        "%s%n",
    ])
    func yieldsThePictureBesideTheOriginal(folder: String) async throws {
        let lab = try ProgramLab(folder: folder)
        try await lab.photograph("cat.jpg")
        let original = lab.bytes("cat.jpg")
        #expect((original?.count ?? 0) > 100_000)
        let ending = try await lab.run("ask", Self.sentence, "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        try await Self.expectPicture(in: lab, original: original)
        let types = ending.types
        #expect(types.first == "session.started")
        #expect(
            types.contains("workflow.created") && types.contains("step.changed") && types.contains("call.succeeded"))
        let finished = try #require(ending.lines(of: "workflow.finished").first)
        #expect(finished["outcome"]?.string == "succeeded")
        let output = try #require(finished["outputs"]?.array?.last)
        #expect(output["path"]?.string == lab.path("cat-1.jpg"))
        #expect(output["bytes"]?.int == lab.bytes("cat-1.jpg")?.count)
        let told = try await lab.tool("sha256sum", lab.path("cat-1.jpg")).output.drop { $0 == "\\" }
        #expect(output["sha256"]?.string == String(told.prefix(64)))
    }

    @Test(arguments: ["my cat.jpg", "Käse & Löffel.jpg", "it's.jpg", "-x.jpg", "$(id).jpg", "猫.jpg"])
    func takesWhateverAFileIsCalled(name: String) async throws {
        let lab = try ProgramLab()
        try await lab.photograph(name, width: 300, height: 200)
        let ending = try await lab.run("ask", "convert \"\(name)\" to webp", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(
            lab.names().count == 2 && lab.names().contains { $0.hasSuffix(".webp") }, "\(lab.names()) \(ending.output)")
    }

    @Test func asksNobodyInAdaptiveModeBecauseItOnlyCreates() async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg")
        let original = lab.bytes("cat.jpg")
        let ending = try await lab.run("ask", Self.sentence, "--json")
        expectEvents(ending, exit: 0)
        #expect(!ending.types.contains("await.opened"))
        try await Self.expectPicture(in: lab, original: original)
    }

    @Test func isShownToAPersonWithoutASingleEscape() async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg")
        let ending = try await lab.run("ask", Self.sentence, "--mode", "auto")
        #expect(ending.exit == 0)
        #expect(!ending.output.contains("\u{1B}"))
        for words in [
            "plan  \"cat.jpg: resize, grayscale, compress\"", "✓ Resize", "✓ Grayscale", "✓ Compress", "cat-1.jpg",
            "w1 · assent show w1",
        ] {
            #expect(ending.output.contains(words), "\(words) in:\n\(ending.output)")
        }
    }

    @Test func saysWhatItDidNotUnderstand() async throws {
        let lab = try ProgramLab()
        let ending = try await lab.run("ask", "frobnicate the quux", "--json")
        expectEvents(ending, exit: ending.exit)
        #expect(!ending.types.contains("workflow.created"))
        #expect(!ending.lines(of: "message.completed").allSatisfy { $0["role"]?.string == "user" })
    }
}
