import CaseNames
import Harness
import JSON
import Testing

/// Requests begin with the bytes of those before them, so that a server finds them in its cache.
@Suite(.process) struct CachedPrefixTests {
    /// The messages of a request in one text, as servers read them.
    private static func messages(_ request: ScriptRequest) -> [UInt8] {
        Array((request.json?["messages"]?.array ?? []).map(\.text).joined(separator: ",").utf8)
    }

    @Test func aTurnThatMadeFilesKeepsAllThatWasSaidBefore() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", ModelTests.note)), .stream(SSE.text("Done.")),
            .stream(SSE.text("Yes.")),
            .stream(SSE.text("No.")), .stream(SSE.text("Now.")),
        ])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        for number in 1...30 { try lab.write("x", to: "file-\(number).txt") }
        let pty = try lab.terminal(["--mode", "auto"], columns: 100, rows: 40)
        #expect(await pty.see("›"))
        for (line, answer) in [("write a note", "Done."), ("is it there?", "Yes."), ("is it gone?", "No.")] {
            pty.send("\(line)\r")
            #expect(
                await pty.see { $0.text.contains(answer) && $0.lines.last { !$0.isEmpty } == "auto ›" },
                "\(pty.screen.text)")
        }
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        let requests = server.requests.map(Self.messages)
        #expect(requests.count == 4)
        for (before, after) in zip(requests, requests.dropFirst()) {
            let common = zip(before, after).prefix { $0 == $1 }.count
            print("cached prefix: \(common) of \(before.count) bytes of the request before, \(after.count) of the next")
            #expect(common == before.count)
        }
        // Another process goes on in the same words.
        let next = try await lab.run("ask", "--continue", "and now?", "--json")
        expectEvents(next, exit: 0)
        let last = Self.messages(try #require(server.requests.last))
        #expect(last.count > requests[3].count && last.starts(with: requests[3]))
        // The new file is told, and nothing is told again.
        let texts = requests.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts[2].contains("note.txt\\\" (5 bytes)") && texts[2].ranges(of: "file-7.txt").count == 1)
        #expect(texts[3].ranges(of: "note.txt\\\" (5 bytes)").count == 1)
    }
}
