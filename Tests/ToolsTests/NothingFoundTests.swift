import CaseNames
import JSON
import Testing
@testable import Tools
import Vocabulary

/// A replacement or a filter that finds nothing is no success where a plan of the planner or of a model asks for it.
@Suite struct NothingFoundTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private static let rows: [(kind: String, params: JSON, text: String, note: String?)] = [
        ("ReplaceText", ["find": "a", "replacement": "b"], "a\naa\n", "3 replaced"),
        ("ReplaceText", ["find": "\n", "replacement": ", "], "a\nb\n", "2 replaced"),
        ("ReplaceText", ["find": "Foo", "replacement": "b"], "foo\n", nil),
        ("ReplaceText", ["find": "Foo", "replacement": "b"], "", nil),
        ("FilterLines", ["text": "b"], "a\nb\nab\n", "2 of 3 lines"),
        ("FilterLines", ["text": "b", "drop": true], "a\nb\nab\n", "1 of 3 lines"),
        ("FilterLines", ["text": "ZZZ"], "a\nb\n", nil), ("FilterLines", ["text": "ZZZ", "drop": true], "a\n", nil),
        ("FilterLines", ["text": "z"], "", nil),
    ]

    @Test func nothingFoundIsAFailureOnlyWhereItIsAskedFor() async throws {
        for row in Self.rows {
            var params = row.params.object ?? JSON.Object()
            let asset = try lab.asset(row.text)
            let files = try await lab.run(row.kind, .object(params), [("text", asset)])
            #expect(files.count == 1, "\(row)")
            params["mustFind"] = true
            if let note = row.note {
                let made = try await lab.run(row.kind, .object(params), [("text", asset)])
                #expect(made.first?.note == note, "\(row)")
            } else {
                let failure = await #expect(throws: Failure.self) {
                    try await lab.run(row.kind, .object(params), [("text", asset)])
                }
                #expect(failure?.code == .nothingFound && failure?.message.contains("note.txt") == true, "\(row)")
            }
        }
    }
}
