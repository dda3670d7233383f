import CaseNames
import Conversations
import JSON
import Manifests
import Testing
import Vocabulary

/// A tool of the user is spoken to by the phrases of its manifest, as a shipped one is.
@Suite struct ToolPhraseTests {
    private static let fade = """
        tool: assent.tool/v1
        kind: Fade
        title: Fade
        says: [bleach]
        phrases:
          en:
            - "~fade {image} by {amount}"
            - {say: "~fade {image} out", with: {amount: 100}}
            - "~fade {image} to {tone}"
          de:
            - "blende {image} um {amount} aus"
        inputs: {image: image}
        outputs: {image: image}
        params:
          amount: {type: integer, unit: "%"}
          tone: {type: choice, choices: [warm, very-cold]}
        run: {program: [[true]], files: {image: "a.png"}}
        """

    private static func read(_ text: String, isShipped: Bool = false) -> (tools: [ToolManifest], problems: [Problem]) {
        readTools(text, file: "mine.yaml", isShipped: isShipped, hash: { _ in .ofNothing })
    }

    @Test(arguments: [
        ("fade cat.jpg by 40%", "ImageLoader(path=cat.jpg) Fade(amount=40) SaveFile"),
        ("could you fade cat.jpg out please", "ImageLoader(path=cat.jpg) Fade(amount=100) SaveFile"),
        ("fade cat.jpg to very cold", "ImageLoader(path=cat.jpg) Fade(tone=very-cold) SaveFile"),
        (
            "fade cat.jpg to warm and make it 300 px wide",
            "ImageLoader(path=cat.jpg) Fade(tone=warm) Resize(width=300) SaveFile"
        ),
        ("bleach cat.jpg", "ImageLoader(path=cat.jpg) Fade SaveFile"), ("fade cat.jpg to hot", ": I do not understand"),
        ("fade notes.txt out", ": "), ("fade cat.jpg out on Sundays", ": "),
    ])
    func itIsSpokenTo(sentence: String, expected: String) throws {
        let (tools, problems) = Self.read(Self.fade)
        #expect(problems.isEmpty, "\(problems)")
        let planner = BuiltInPlanner(catalogue: Catalogue(catalogue.sorted + tools), language: english)
        let short = inShort(planner.answer(sentence, listing: listing("cat.jpg, notes.txt")))
        #expect(expected.hasPrefix(":") ? short.hasPrefix(expected) : short == expected, "\(short)")
    }

    @Test(arguments: ["(", "x "]) func aPatternHasALimit(piece: String) throws {
        let pattern = String(repeating: piece, count: 100_000)
        let text = Self.fade.replacing("\"~fade {image} by {amount}\"", with: "\"fade \(pattern)\"")
        let planner = BuiltInPlanner(catalogue: Catalogue(catalogue.sorted + Self.read(text).tools), language: english)
        #expect(planner.problems.count == 1 && planner.problems[0].description.contains("at most 4000 bytes"))
        #expect(inShort(planner.answer("fade cat.jpg out", listing: listing("cat.jpg"))).contains("Fade(amount=100)"))
    }

    @Test func everyPhraseIsReadAndFound() throws {
        for language in [english, GermanTests.german.language] {
            let problems = BuiltInPlanner(catalogue: catalogue, language: language).problems
            #expect(problems.isEmpty, "\(problems.map(\.description))")
        }
    }

    @Test(arguments: [
        ("\"~fade {nothing}\"", "badPattern"), ("\"{image}\"", "badPattern"), ("{with: {amount: 1}}", "badField"),
        ("{say: fade, with: {nothing: 1}}", "badField"), ("{say: fade, do: Resize}", "badField"),
    ])
    func aFaultOfAPhraseHasItsLine(phrase: String, code: String) {
        let text = Self.fade.replacing("\"~fade {image} by {amount}\"", with: phrase)
        let (tools, problems) = Self.read(text)
        #expect(
            tools.isEmpty && problems.first?.code == FailureCode(code) && problems.first?.place == "mine.yaml:7",
            "\(problems)")
    }

    /// Open questions, grants and retries bind the version, so a new phrase must not change it.
    @Test func phrasesAreNoPartOfTheVersion() throws {
        let lines = Self.fade.split(separator: "\n").map(String.init)
        let plain = lines.filter {
            !$0.hasPrefix("phrases") && !$0.hasPrefix("  en") && !$0.hasPrefix("  de") && !$0.hasPrefix("    - ")
        }
        var texts: [String] = []
        for text in [Self.fade, plain.joined(separator: "\n")] {
            let (tools, problems) = readTools(text, file: "mine.yaml", isShipped: false) { hashed in
                texts.append(hashed)
                return .ofNothing
            }
            #expect(tools.count == 1 && problems.isEmpty)
        }
        #expect(texts.count == 2 && texts[0] == texts[1])
    }
}
