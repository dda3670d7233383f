import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
import Manifests
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Tools of kind program: their standard output as a result, their variables, lists of files, commands in the workspace.
@Suite(.process, .enabled(if: Isolation.here.reasonForNone == nil)) struct RecipeTests {
    private static func tool(_ text: String) throws -> ToolManifest {
        let (tools, problems) = readTools(text, file: "mine.yaml", isShipped: false) { .of($0) }
        #expect(problems.isEmpty, "\(problems)")
        return try #require(tools.first)
    }

    private func run(_ lab: Lab, _ tool: ToolManifest, _ params: JSON, _ inputs: [(String, Asset)]) async throws
        -> [Asset]
    {
        let ending = await lab.run(try lab.assignment(tool, params, inputs, attempt: Int.random(in: 1...1_000_000)))
        return try #require(ending.assets, "\(ending)")
    }

    @Test func standardOutputIsTheResultAndVariablesAreNoProgramText() async throws {
        let tool = try Self.tool(
            """
            tool: assent.tool/v1
            kind: Mine
            title: Mine
            inputs: {text: text}
            outputs: {text: text}
            params: {word: {type: text, required: true}}
            run:
              program: [[sh, -c, 'printf "%s:" "$WORD"; cat "$1"', sh, "{text}"]]
              stdout: text
              env: {WORD: "{word}"}
              files: {text: "{stem}-said.txt"}
            """)
        let lab = try Lab()
        for word in ["plain", "$(id); `id`", "a'b\"c\n"] {
            let made = try await run(lab, tool, ["word": .string(word)], [("text", try lab.asset("hello\n"))])
            #expect(try lab.text(try #require(made.first)) == "\(word):hello\n" && made.first?.name == "note-said.txt")
        }
    }

    @Test func aListOfFilesStandsForItsWords() async throws {
        let tool = try Self.tool(
            """
            tool: assent.tool/v1
            kind: Mine
            title: Mine
            inputs: {texts: "text*", textsBeside: "text?"}
            outputs: {text: text}
            run:
              program: [[cat, "{texts}"]]
              stdout: text
              files: {text: all.txt}
            """)
        let lab = try Lab()
        let inputs = try (1...11).map { ("texts.\($0)", try lab.asset("\($0),")) }
        let made = try await run(lab, tool, [:], inputs + [("textsBeside", try lab.asset("not this"))])
        #expect(try lab.text(try #require(made.first)) == "1,2,3,4,5,6,7,8,9,10,11,")
    }

    @Test(arguments: [
        ("stdout: nothing\n  files: {text: a.txt}", "unknownPort"),
        ("in: elsewhere\n  files: {text: a.txt}", "badField"),
        ("in: workspace\n  files: {text: a.txt}", "badField"),
        ("stdout: text\n  env: {word: a}\n  files: {text: a.txt}", "badField"),
        ("stdout: text\n  env: {WORD: '{nothing}'}\n  files: {text: a.txt}", "unknownPlaceholder"),
    ])
    func whatARecipeCannotHaveIsRefused(rest: String, code: String) {
        let text =
            "tool: assent.tool/v1\nkind: Mine\ntitle: Mine\noutputs: {text: text}\nrun:\n  program: [[true]]\n  \(rest)\n"
        let (_, problems) = readTools(text, file: "mine.yaml", isShipped: false) { _ in .ofNothing }
        #expect(problems.contains { $0.code == code }, "\(problems)")
    }
}
