import Conversations
import Embedded
import Glibc
import Harness
import Manifests
import Testing
import Vocabulary

/// The page of what can be said is made from the phrases of the tools. `WRITE_SAYINGS=1` writes it again.
@Suite struct SayingsPageTests {
    private static let path = "docs/guide/saying.md"
    private static let mark = "<!-- made from the phrases in Config/tools: WRITE_SAYINGS=1 writes it again -->"

    private static func table(_ sayings: Sayings) -> String {
        let lines = sayings.entries.map { entry in
            "- **\(entry.title)**: " + entry.examples.map { "`\($0)`" }.joined(separator: ", ")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func thePageSaysWhatThePhrasesSay() throws {
        let page = String(decoding: try #require(House.bytes(at: Self.path)), as: UTF8.self)
        let head = try #require(page.firstRange(of: Self.mark))
        let made = page[..<head.upperBound] + "\n\n" + Self.table(try Self.sayings())
        if getenv("WRITE_SAYINGS") != nil {
            try ScratchFolder.write(String(made), to: "\(House.top)/\(Self.path)")
        } else {
            #expect(page == made, "run with WRITE_SAYINGS=1")
        }
    }

    private static func sayings() throws -> Sayings {
        let tools = try Embedded.paths.filter { $0.hasPrefix("Config/tools/") }.flatMap { path in
            readTools(
                PlacedJSON(try #require(Embedded.text(at: path))), file: path, isShipped: true,
                hash: { _ in .ofNothing }
            ).tools
        }
        let english = try #require(Embedded.text(at: "Config/planner/en.yaml"))
        return Sayings(Catalogue(tools), readPlannerLanguage(PlacedJSON(english), file: "en.yaml").language)
    }
}
