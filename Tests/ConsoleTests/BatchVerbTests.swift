import CaseNames
import Harness
import JSON
import Pictures
import Testing
import Vocabulary

/// A plan over many pictures of which one is damaged (`semantics.md` 230).
@Suite(.process) struct BatchVerbTests {
    private static let count = 7

    private static func lab() throws -> VerbLab {
        let lab = try VerbLab()
        for number in 1...count { try lab.write(picture(number), to: "p\(number).png") }
        try lab.write(Array(picture(3).prefix(60)), to: "p3.png")
        return lab
    }

    private static func picture(_ number: Int) -> [UInt8] {
        var picture = MaskDrawing(width: 64, height: 48)
        picture.shapes = [.rectangle(x: number, y: 1, width: 9, height: 9)]
        return picture.png()
    }

    private static func made(_ lab: VerbLab) -> [String] { lab.names().filter { $0.contains("-1.png") }.sorted() }

    @Test func oneBadFileStopsNoOther() async throws {
        let lab = try Self.lab()
        let ending = try await lab.run("ask", "resize all png files to 20 px wide")
        let words = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(ending.exit == 1, "\(ending.output)\(ending.errors)")
        #expect(words.contains("6 made, 1 not: p3.png"), "\(ending.output)")
        #expect(
            words.contains("Resize 6 of 7") && !words.contains("✓ Resize"), "counted, not one by one: \(ending.output)")
        #expect(Self.made(lab) == [1, 2, 4, 5, 6, 7].map { "p\($0)-1.png" })

        let same = try await lab.run("retry", "w1")
        #expect(same.exit == 1 && same.errors.contains("p3.png is as before"), "\(same.output)\(same.errors)")
        #expect(same.errors.contains("--without p3.png"), "\(same.errors)")
        #expect(Self.made(lab).count == 6)

        try lab.write(Self.picture(3), to: "p3.png")
        let again = try await lab.run("retry", "w1", "--json")
        #expect(again.exit == 0, "\(again.output)\(again.errors)")
        #expect(Self.made(lab) == (1...7).map { "p\($0)-1.png" }, "each once")
        let attempts = try await lab.shown()["steps"]?.array?.compactMap { $0["attempt"]?.int } ?? []
        #expect(attempts.count { $0 > 1 } <= 3, "only the chain of p3.png ran again: \(attempts)")
    }

    @Test func theRestGoesOnWithoutTheBadFile() async throws {
        let lab = try Self.lab()
        let ending = try await lab.run("ask", "resize all png files to 20 px wide and zip them")
        let words = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(ending.exit == 1 && words.contains("without p3.png"), "\(ending.output)\(ending.errors)")
        #expect(!lab.names().contains { $0.hasSuffix(".zip") }, "\(lab.names())")
        let without = try await lab.run("retry", "w1", "--without", "p3.png")
        #expect(without.exit == 0, "\(without.output)\(without.errors)")
        #expect(lab.names().contains { $0.hasSuffix(".zip") }, "\(lab.names())")
        let unknown = try await lab.run("retry", "w1", "--without", "p9.png")
        #expect(unknown.exit != 0)
    }
}
