import CaseNames
import Harness
import JSON
import Testing

/// Every verb prints lines of JSON with `--json`, in a shell and in the chat, also for its failures.
@Suite(.process) struct JSONVerbTests {
    /// Calls of all verbs. In this lab w1 has succeeded, w2 has failed, s1 is its conversation, and nothing waits.
    private static let calls = [
        "ask how many lines are in notes.txt", "chat", "resume", "resume s9", "resume w1",
        "history", "history s1", "history search words", "history search zebra", "history fork s1 1",
        "history rename s1 my name", "history export s1", "history export s1 md", "history export s1 jsonl",
        "history delete s9", "run .note.json", "run nothing.json", "check .note.json", "work --until-idle", "list",
        "list --limit x", "show w1", "show w1 1", "show w1 --revision 1", "why w2", "timeline w1", "logs w1",
        "follow w1", "presets Resize",
        "compare w1 w1", "tools", "tools Resize", "templates", "guide list", "guide check nothing", "retry w2",
        "retry w2 --dry-run", "retry w1", "rerun w1 1 --dry-run", "edit w1", "duplicate w1 --detach", "cancel w1",
        "poll w1 off", "pause w1", "archive w1", "unarchive w1", "delete w9", "release w1", "inbox", "inbox 1",
        "open 1",
        "open", "approve 1", "reject 1 no", "complete 1 --text hi", "skip 1", "snooze 1", "link 1", "view notes.txt",
        "view w1.1", "save w1.1", "open-with w1.1", "copy w1.1", "undo w1", "undo list", "undo", "redo", "pin w1.1",
        "unpin w1.1", "preview w1.1.1.text", "cache", "cache free", "export w1", "export w1 .out.tar",
        "import none.tar", "status", "mode", "mode adaptive", "settings", "settings language",
        "settings nothing 1", "model", "model list", "model forget x", "connect", "connect nothing", "hosts",
        "hosts allow example.com", "programs", "usage", "doctor", "show", "frobnicate",
    ]
    /// These have an empty list to print.
    private static let empty: Set = ["hosts", "programs", "presets Resize", "usage", "history search zebra", "inbox"]
    /// The chat answers these in its own words, since it has no such command, or since the word is for its user.
    private static let notInChat: Set = ["ask", "chat", "work", "frobnicate"]

    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("one two\n", to: "notes.txt")
        try lab.write(CommandTests.note, to: ".note.json")
        try lab.write(workflow("miss", [node("read", "ReadFile", ["path": "missing.txt"])]), to: ".miss.json")
        try await lab.succeeds("ask", "count the words in notes.txt")
        _ = try await lab.run("run", ".miss.json")
        return lab
    }

    private static func isJSON(_ line: some StringProtocol) -> Bool {
        do throws(JSONReader.Failure) { return try JSONReader.read(String(line)).object != nil } catch { return false }
    }

    @Test func inAShell() async throws {
        let lab = try await lab()
        for call in Self.calls {
            let ending = try await lab.run(call.split(separator: " ").map(String.init) + ["--json"])
            let lines = ending.output.split(separator: "\n")
            #expect(lines.allSatisfy { Self.isJSON($0) }, "\(call): \(ending.output)")
            #expect(!lines.isEmpty || Self.empty.contains(call), "\(call): \(ending.errors)")
            #expect(!ending.errors.contains("Error:") && !ending.errors.contains("✗"), "\(call): \(ending.errors)")
        }
    }

    /// Each line is whole on the screen of the chat, and between them stand the prompts alone.
    @Test func inTheChat() async throws {
        let lab = try await lab()
        let banner = try await lab.run([], input: "")
        let own = Set(banner.output.split(separator: "\n"))
        for call in Self.calls where !Self.notInChat.contains(String(call.prefix { $0 != " " })) {
            let ending = try await lab.run([], input: "/\(call) --json\n")
            let lines = ending.output.split(separator: "\n").filter { !own.contains($0) && !$0.hasPrefix("›") }
            // Leaving the chat says what becomes of workflows under way.
            let said = lines.filter { !Self.isJSON($0) && !$0.contains("you come back") }
            #expect(said.allSatisfy { $0.hasPrefix("✓ w") || $0.hasPrefix("✗ w") }, "\(call): \(said)")
            #expect(lines.contains { Self.isJSON($0) } || Self.empty.contains(call), "\(call): \(ending.output)")
        }
    }

    /// A verb that is added belongs into the table.
    @Test func theTableHasAllVerbs() async throws {
        let help = try await ProgramLab().run("--help").output
        let listed = help.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
            $0.split(separator: " ").first.map(String.init)
        }.filter { $0.allSatisfy { $0.isLowercase || $0 == "-" } && !$0.hasPrefix("-") && $0 != "help" }
        let called = Set(Self.calls.map { String($0.prefix { $0 != " " }) })
        #expect(listed.count > 40)
        #expect(listed.filter { !called.contains($0) && $0 != "assent" } == [])
    }
}
