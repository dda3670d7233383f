import CaseNames
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// A model acts only in its own session, and what it sets going is decided under the stricter mode
/// (`consent.md` guarantee 8 and guarantee 11).
@Suite(.process) struct ModelReachTests {
    /// Missing once, and there from then on.
    private let data: ScriptedServer

    init() throws { data = try ScriptedServer([.text("gone", status: 404), .text("stolen"), .text("stolen")]) }

    private var plan: JSON {
        workflow(
            "news",
            [
                node("get", "HTTPFetch", ["url": .string(data.url + "/")]),
                node("write", "WriteFile", ["path": "notes.txt", "overwrite": true]),
            ], [edge("get.text", "write.text")])
    }

    private static func wish(_ name: String) -> ScriptAnswer { .stream(SSE.call(name, ["workflow": "w1"])) }

    private func lab(_ model: ScriptedServer, _ folder: String = "photos", home: String? = nil) throws -> ProgramLab {
        let home = home.map { ["ASSENT_HOME": $0] } ?? [:]
        let lab = try ProgramLab(folder: folder, environment: ModelTests.environment(model).merging(home) { $1 })
        try lab.write("mine", to: "notes.txt")
        try lab.write(plan, to: "plan.json")
        return lab
    }

    /// What the program told the model of its calls.
    private func results(_ model: ScriptedServer) -> [String] {
        let messages = model.requests.last?.json?["messages"]?.array ?? []
        return messages.filter { $0["role"]?.string == "tool" }.map { $0["content"]?.string ?? "" }
    }

    @Test func whatWasStartedInAnotherFolderIsNeitherTouchedNorShown() async throws {
        let wishes = ["retry", "cancel", "show_workflow"]
        let model = try ScriptedServer(
            wishes.map(Self.wish) + [.stream(SSE.call("list_workflows", [:])), .stream(SSE.text("Done."))])
        let lab = try lab(model)
        #expect(try await lab.run("run", "plan.json", "--mode", "auto").exit == 1)
        let other = try self.lab(model, "elsewhere", home: lab.home)
        _ = try await other.run("ask", "again", "--mode", "auto", "--on-ask", "deny")
        let results = results(model)
        #expect(results.count == 4)
        for result in results.prefix(3) { #expect(result.contains("no workflow w1 in this workspace"), "\(result)") }
        #expect(results.last?.contains("news") == false, "\(results)")
        #expect(data.requests.count == 1 && lab.text("notes.txt") == "mine" && other.text("notes.txt") == "mine")
    }

    /// Two names that are one to Unicode are two folders.
    @Test func neitherIsWhatWasStartedInATwinOfTheFolder() async throws {
        let model = try ScriptedServer([Self.wish("retry"), Self.wish("show_workflow"), .stream(SSE.text("Done."))])
        let lab = try lab(model, "caf\u{E9}")
        #expect(try await lab.run("run", "plan.json", "--mode", "auto").exit == 1)
        let line = "mkdir \"$1\" && cd \"$1\" && exec \"$0\" ask again --mode auto --on-ask deny"
        let asked = try lab.start(program: "/bin/sh", ["-c", line, ProgramLab.program, "\(lab.folder)/../cafe\u{301}"])
        _ = try await onOwnThread { asked.wait() }
        let results = results(model)
        #expect(results.count == 2)
        for result in results { #expect(result.contains("no workflow w1 in this workspace"), "\(result)") }
        #expect(data.requests.count == 1 && lab.text("notes.txt") == "mine")
    }

    @Test func whatAnotherSessionStartedIsSeenAndNotTouched() async throws {
        let wishes = ["retry", "cancel", "show_workflow"]
        let model = try ScriptedServer(wishes.map(Self.wish) + [.stream(SSE.text("Done."))])
        let lab = try lab(model)
        #expect(try await lab.run("run", "plan.json", "--mode", "always-ask", "--on-ask", "park").exit == 3)
        _ = try await lab.run("ask", "again", "--mode", "auto", "--on-ask", "deny")
        let results = results(model)
        #expect(results.count == 3)
        for (result, verb) in zip(results, wishes.prefix(2)) {
            #expect(
                result.contains("w1 was not started in this session") && result.contains("assent \(verb) w1"),
                "\(result)")
        }
        #expect(results.last?.contains("news") == true, "\(results)")
        #expect(try await lab.json("inbox").count == 1)
        #expect(data.requests.isEmpty && lab.text("notes.txt") == "mine")
    }

    /// In its own session it may; but not under the mode that held when the workflow was made.
    @Test func aRetryIsDecidedUnderTheModeOfNow() async throws {
        let model = try ScriptedServer([
            .stream(SSE.proposal(plan)), .stream(SSE.text("It failed.")), Self.wish("retry"),
            .stream(SSE.text("So be it.")),
        ])
        let lab = try lab(model)
        let pty = try lab.terminal(["--plain", "--mode", "auto"])
        #expect(await pty.see { $0.text.contains("assent 0.1.0") && $0.text.contains("›") }, "\(pty.screen.text)")
        pty.send("the news\r")
        #expect(await pty.see("It failed."), "\(pty.screen.text)")
        pty.send("/mode always-ask\r")
        #expect(await pty.see { $0.text.components("always-ask") >= 2 }, "\(pty.screen.text)")
        pty.send("again\r")
        #expect(await pty.seeQuestion("asks because"), "\(pty.screen.text)")
        #expect(data.requests.count == 1)
        pty.send("no\r")
        #expect(await pty.see("only Enter"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see("So be it."), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
        #expect(data.requests.count == 1 && lab.text("notes.txt") == "mine")
        let shown = try await lab.shown()
        #expect(shown["workflow"]?["mode"]?.string == "always-ask", "\(shown)")
        let events = try lab.archived { try $0.events(of: WorkflowID(1)) }
        #expect(events.contains { $0.body["reason"]?.string == "termsChanged" && $0.body["by"]?.string == "model" })
    }
}
