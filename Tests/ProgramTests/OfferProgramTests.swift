import CaseNames
import Harness
import JSON
import Testing

/// The verb that is offered after a failure does what it says. `OfferTests` holds that every code has one.
@Suite(.process) struct OfferProgramTests {
    private static let zip = workflow(
        "pack",
        [
            node("a", "FileLoader", ["path": "a.txt"]), node("b", "FileLoader", ["path": "b.txt"]), node("zip", "Zip"),
            node("save", "SaveFile", ["path": "all.zip"]),
        ], [edge("a.file", "zip.files.1"), edge("b.file", "zip.files.2"), edge("zip.file", "save.file")])

    /// Runs a workflow in a chat until the offer stands there, and takes it.
    private func take(
        _ offer: String, after template: JSON, in lab: ProgramLab, mending: () throws -> Void = {}
    ) async throws -> Pty {
        try lab.write(template, to: ".plan.json")
        let pty = try lab.terminal(columns: 100)
        #expect(await pty.see("›"))
        pty.send("/run .plan.json\r")
        #expect(await pty.see(offer), "\(pty.screen.text)")
        try mending()
        pty.send("\(offer)\r")
        return pty
    }

    private func leave(_ pty: Pty) async {
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func aRetrySucceedsOnceItsCauseIsGone() async throws {
        let lab = try ProgramLab()
        let plan = workflow("later", [node("read", "ReadFile", ["path": "later.txt"])])
        let pty = try await take("/retry w1", after: plan, in: lab) { try lab.write("now\n", to: "later.txt") }
        #expect(await pty.see("✓ w1 \"later\""), "\(pty.screen.text)")
        await leave(pty)
        #expect(try await lab.shown()["workflow"]?["outcome"] == "succeeded")
    }

    @Test func aRetryWithoutAFileLeavesItOut() async throws {
        let lab = try ProgramLab()
        try lab.write("one\n", to: "a.txt")
        let pty = try await take("/retry w1 --without b.txt", after: Self.zip, in: lab)
        #expect(await pty.see("→ ./all.zip"), "\(pty.screen.text)")
        await leave(pty)
        let list = try await lab.run("view", "all.zip").output
        #expect(list.contains("a.txt") && !list.contains("b.txt"), "\(list)")
    }

    @Test func aMissingKeyIsConnected() async throws {
        let jobs = try JobLab(["jobs": [["life": ["value": 1]]]])
        try jobs.rewrite("put", ["secret: JOB_KEY, optional: true": "secret: JOB_KEY"])
        let pty = try await take("/connect put", after: jobs.plan([("j", "put", "ok")]), in: jobs.lab)
        #expect(
            await pty.see { screen in
                screen.text.contains("the key of The put server")
                    && screen.lines.last { !$0.isEmpty }?.contains("Esc") ?? false
            }, "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "[1⚑] ›" }, "\(pty.screen.text)")
        await leave(pty)
    }

    @Test func whatWaitsIsOpened() async throws {
        let lab = try ProgramLab()
        let plan = workflow("people", [node("ask", "AskText", ["question": "Who comes to the party?"])])
        let pty = try await take("/open 1", after: plan, in: lab)
        #expect(await pty.seeQuestion("a line with only . ends it"), "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.see("waits in the inbox"), "\(pty.screen.text)")
        await leave(pty)
    }

    @Test func theReasonIsExplained() async throws {
        let lab = try ProgramLab()
        try ScratchFolder.makeFolder(lab.path("folder"))
        let plan = workflow("wrong", [node("read", "ReadFile", ["path": "folder"])])
        let pty = try await take("/why w1", after: plan, in: lab)
        #expect(await pty.see("what happened"), "\(pty.screen.text)")
        await leave(pty)
    }

    /// A worker names the title of what has ended, too.
    @Test func aWorkerNamesWhatHasEnded() async throws {
        let lab = try ProgramLab()
        try lab.write("old\n", to: "a.txt")
        let write = node("w", "WriteFile", ["path": "a.txt", "text": "new\n", "overwrite": true])
        try lab.write(workflow("note", [write]), to: ".note.json")
        #expect(try await lab.run("run", ".note.json", "--on-ask", "park").exit == 3)
        try await lab.succeeds("cancel", "w1")
        let said = try await lab.run("work", "--until-idle").output
        #expect(said.contains("⊘ w1 \"note\" cancelled · assent show w1"), "\(said)")
    }
}
