import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// The escapes of a text in quotes are read by the planner, and by nobody after it.
@Suite struct EscapeTests {
    private static let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    @Test(arguments: [
        (#"replace "\n" with ", " in a.txt"#, "\n", ", "), (#"replace "\r\n" with "\n" in a.txt"#, "\r\n", "\n"),
        (#"replace "\r" with "" in a.txt"#, "\r", ""), (#"replace "\t" with "x" in a.txt"#, "\t", "x"),
        (#"replace "\\n" with "x" in a.txt"#, #"\n"#, "x"), (#"replace "\1" with "\$&" in a.txt"#, #"\1"#, #"\$&"#),
        (#"replace "\\" with "/" in a.txt"#, #"\\"#, "/"), (#"replace "C:\dir" with "x" in a.txt"#, #"C:\dir"#, "x"),
    ])
    func escapesAreReadInQuotes(sentence: String, find: String, replacement: String) throws {
        let params = try params(of: sentence, "ReplaceText")
        let read = ["find", "replacement"].map { Array((params[$0]?.string ?? "").utf8) }
        #expect(read == [Array(find.utf8), Array(replacement.utf8)])
    }

    @Test func aCommandKeepsItsEscapes() throws {
        let params = try params(of: #"run "printf 'a\nb'""#, "Shell")
        #expect(params["command"]?.string == #"printf 'a\nb'"#)
    }

    private func params(of sentence: String, _ kind: String) throws -> JSON.Object {
        guard case .workflow(let workflow) = Self.planner.answer(sentence, listing: listing("a.txt")) else {
            Issue.record("no workflow: \(sentence)")
            return JSON.Object()
        }
        let node = workflow["nodes"]?.array?.first { $0["kind"]?.string == kind }
        return try #require(node?["params"]?.object)
    }
}
