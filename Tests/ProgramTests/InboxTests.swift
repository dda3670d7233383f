import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The inbox in the real program, without a terminal (`semantics.md` 40–47, 165–168). Most of its verbs are called in
/// this process (`InboxVerbTests`).
@Suite(.process) struct InboxTests {
    // MARK: Links (`semantics.md` 165–168)

    @Test(arguments: [
        "assent://workflow/w1/node/1?await=1", "app://workflow/1/node/mask?await=1", "app://workflow/w1/node/mask",
    ])
    func aLinkFocusesFromAColdStartAndChangesNothing(link: String) async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let before = try await inbox.entry()
        let shown = try await inbox.lab.run("open", link)
        #expect(
            shown.exit == 0 && shown.output.contains("Draw mask") && shown.output.contains("⚑ needs you"),
            "\(shown.output)\(shown.errors)")
        #expect(try await inbox.entry() == before)
        #expect(try await inbox.lab.run("link", "1").output == "assent://workflow/w1/node/1?await=1\n")
        // Nor at a terminal: no editor opens.
        let pty = try inbox.lab.terminal(["open", link])
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(try await inbox.entry() == before)
    }

    // MARK: Who is first

    /// Many processes at once: one is taken, the others are told by whom and when, and the content of one is the
    /// output.
    @Test func oneOfManyProcessesWins() async throws {
        let inbox = try await InboxLab()
        try await inbox.start("note", [asking("note", "AskText", nil, ["question": "Why?"])])
        let processes = try (0..<6).map { try inbox.lab.start(["complete", "1", "--text", "answer \($0)", "--json"]) }
        let endings = try await onOwnThread { processes.map { $0.wait() } }
        let winners = endings.indices.filter { endings[$0].exit == 0 }
        #expect(winners.count == 1, "\(endings.map(\.output))")
        let by = "person by process \(processes[try #require(winners.first)].pid)"
        for (index, ending) in endings.enumerated() where index != winners.first {
            let line = try #require(ending.lines.first)
            #expect(ending.exit == 1 && line.text.contains(by) && line.text.contains("completed"), "\(line.text)")
        }
        #expect(try await inbox.work().exit == 0)
        let made = try #require(try await inbox.lab.shown()["assets"]?.array)
        #expect(made.count == 1)
        let hash = try #require(made[0]["sha256"]?.string)
        #expect(ScratchFolder.text("\(inbox.lab.home)/data/assets/\(hash.prefix(2))/\(hash)") == "answer \(winners[0])")
        #expect(try await inbox.entry()["answeredBy"]?.string == by)
    }
}
