import Harness
import Testing

/// The committed picture of a session, and the rules by which `SessionPicture` draws it.
@Suite struct PictureTests {
    @Test(arguments: SessionPicture.Theme.allCases) func theCommittedPictureShowsTheGoldenTranscript(
        theme: SessionPicture.Theme
    ) throws {
        let path = "docs/images/\(theme.fileName)"
        let isCurrent = House.bytes(at: path) == Array(try SessionPicture.golden().svg(theme).utf8)
        #expect(isCurrent, "\(path) is not what the golden transcript gives: run make picture")
    }

    @Test func noPlaceholderIsLeftInTheExample() {
        #expect(GoldenTranscript.coloured.contains("T s") && GoldenTranscript.coloured.contains("NN KB"))
        #expect(!GoldenTranscript.example.contains("T s") && !GoldenTranscript.example.contains("NN KB"))
    }

    typealias Piece = SessionPicture.Piece

    @Test(
        arguments: [
            ("", []),
            ("   ", []),
            ("plain text", [Piece("plain text", column: 0)]),
            ("a  b c", [Piece("a", column: 0), Piece("b c", column: 3)]),
            ("<1>bold<> x", [Piece("bold", column: 0, style: .init(isBold: true)), Piece("x", column: 5)]),
            (
                "<1>one<2>two",
                [
                    Piece("one", column: 0, style: .init(isBold: true)),
                    Piece("two", column: 3, style: .init(isDim: true)),
                ]
            ),
            (
                "<1;32>✓ <>▣ 8×5",
                [Piece("✓", column: 0, style: .init(isBold: true, hue: .green)), Piece("▣ 8×5", column: 2)]
            ),
            ("<1;22;36>›<>", [Piece("›", column: 0, style: .init(hue: .cyan))]),
            ("a <b> & c", [Piece("a <b> & c", column: 0)]),
        ] as [(String, [Piece])])
    func aPieceHasOneStyleAndItsOwnColumn(row: String, pieces: [Piece]) throws {
        #expect(try SessionPicture.pieces(of: row) == pieces)
    }

    @Test func aPieceIsDrawnAtItsColumnInItsColour() throws {
        let svg = try SessionPicture(title: "a & b", transcript: "x\n  <1;32>'<'\"<>").svg(.light)
        #expect(svg.contains("<title>a &amp; b</title>"))
        #expect(svg.contains(#"<text x="20" y="59" textLength="8.4" lengthAdjust="spacingAndGlyphs">x</text>"#))
        let second =
            ##"<text x="36.8" y="79" textLength="33.6" lengthAdjust="spacingAndGlyphs" fill="#1a7f37" font-weight="bold">"##
        #expect(svg.contains(second + "'&lt;'&quot;</text>"))
    }

    @Test(arguments: ["<33>yellow<>", String(repeating: "x", count: 101), String(repeating: " ", count: 100) + "x"])
    func anUnknownStyleAndARowThatIsTooLongAreRefused(transcript: String) {
        #expect(throws: ScriptFailure.self) { try SessionPicture(title: "", transcript: transcript) }
    }
}
