import CaseNames
import Glibc
import Harness
import JSON
import Testing
import Vocabulary

/// A picture that a model reads, through the whole program.
@Suite(.process) struct PictureReadingTests {
    /// Returns the parts of a request's message of the user that holds pictures.
    private func pictures(_ request: JSON?) -> [JSON] {
        (request?["messages"]?.array ?? []).compactMap { message in
            message["content"]?.array?.first { $0["type"] == "image_url" }?["image_url"]?["url"]
        }
    }

    /// A picture that the line attaches is there with the first request, and stays.
    @Test func aLineAttachesAPicture() async throws {
        let server = try ScriptedServer([.stream(SSE.text("A cat.")), .stream(SSE.text("Black."))])
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg")
        try lab.connect(to: server, "vision: true")
        let ending = try await lab.run("ask", "what is @cat.jpg?", "--mode", "auto")
        #expect(ending.output.contains("  read cat.jpg · jpeg 1500×1000\n"), "\(ending.output)")
        #expect(try await lab.run("ask", "-c", "which color", "--mode", "auto").exit == 0)
        let seen = server.requests.map { pictures($0.json) }
        #expect(seen.map(\.count) == [1, 1] && seen[0] == seen[1])
        let words = server.requests[0].json?["messages"]?.array?.last?["content"]?.array?.first?["text"]?.string ?? ""
        #expect(words.hasPrefix("what is @cat.jpg?\n\n[Not the person's words. The files"), "\(words)")
        #expect(words.contains("cat.jpg · jpeg, 1500×1000"), "\(words)")
    }

    @Test func itIsThereAgainAfterARestartByteForByte() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("read", ["path": "cat.jpg"])), .stream(SSE.text("A cat.")), .stream(SSE.text("Black.")),
        ])
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg")
        try lab.connect(to: server, "vision: true")
        let ending = try await lab.run("ask", "what is it", "--mode", "auto")
        #expect(ending.output.contains("  read cat.jpg · jpeg 1500×1000\n"), "\(ending.output)")
        #expect(try await lab.run("ask", "-c", "which color", "--mode", "auto").exit == 0)
        let seen = server.requests.map { pictures($0.json) }
        #expect(seen.map(\.count) == [0, 1, 1] && seen[1] == seen[2])
        #expect(seen[1].first?.string?.hasPrefix("data:image/jpeg;base64,/9j/") ?? false)
        let shown = try await lab.run("history", "s1").output
        #expect(shown.contains("[picture cat.jpg 1500×1000]") && !shown.contains("/9j/"))
        #expect(try await lab.run("history", "delete", "s1", "--yes").exit == 0)
        #expect(try await lab.run("history", "s1").exit != 0)
    }
}
