import CaseNames
import Glibc
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// A question that a key answers, at terminals that change, are shared, or are taken away; and texts that want to look
/// like one.
@Suite(.process) struct ConsoleQuestionTests {
    private static let title = "? overwrite a file"

    private func lab(text: String = "theirs", path: String = "notes.txt") throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("mine", to: path)
        try lab.write(
            workflow(
                "notes",
                [node("write", "WriteFile", ["path": .string(path), "text": .string(text), "overwrite": true])]),
            to: ".plan.json")
        return lab
    }

    private func expectPending(_ lab: ProgramLab, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(lab.text("notes.txt") == "mine", sourceLocation: location)
        let record = try lab.archived { try $0.await(numbered: 1) }
        #expect(record?.status == .pending, sourceLocation: location)
        #expect(try approvals(lab).isEmpty, sourceLocation: location)
    }

    private func approvals(_ lab: ProgramLab) throws -> [Approval] {
        try lab.archived { try $0.approvals(of: WorkflowID(1)) }
    }

    @Test(arguments: [("Ctrl-D", "\u{4}"), ("Ctrl-C", "\u{3}"), ("Esc", "\u{1B}")])
    func whatIsNoAnswerLeavesTheQuestion(name: String, key: String) async throws {
        let lab = try lab()
        let pty = try lab.terminal(["run", ".plan.json"])
        #expect(await pty.seeQuestion(Self.title), "\(pty.screen.text)")
        pty.send(key)
        let exit = await pty.exitStatus()
        #expect(exit == 3 || exit == 130, "\(String(describing: exit)) \(pty.screen.text)")
        try expectPending(lab)
    }

    @Test func whatWasTypedBeforeTheQuestionIsNoYes() async throws {
        let lab = try lab()
        let pty = try await lab.terminal(typedBefore: "yyyy\ry\r", ["run", ".plan.json"])
        #expect(await pty.seeQuestion(Self.title), "\(pty.screen.text)")
        try expectPending(lab)
        pty.send("n")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
        #expect(lab.text("notes.txt") == "mine")
    }

    /// A line at a question for a text stands on the screen once, also if it names a verb that is refused there.
    @Test func aVerbAtAQuestionForATextIsShownOnce() async throws {
        let lab = try lab()
        let pty = try lab.terminal(["run", ".plan.json"])
        #expect(await pty.seeQuestion(Self.title), "\(pty.screen.text)")
        pty.send("n")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("/retry w1\r")
        #expect(await pty.see { $0.text.ranges(of: "why not?").count == 2 }, "\(pty.screen.text)")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("only verbs that look"), "\(pty.screen.text)")
        #expect(pty.screen.text.ranges(of: "/retry w1").count == 1, "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
    }

    /// Another size draws it anew, answers nothing, and takes keys again.
    @Test func anotherSizeIsNoAnswer() async throws {
        let lab = try lab()
        let pty = try lab.terminal(["run", ".plan.json"])
        #expect(await pty.seeQuestion(Self.title), "\(pty.screen.text)")
        for (columns, rows) in [(60, 20), (20, 5), (140, 50), (100, 30)] {
            pty.resize(columns: columns, rows: rows)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(await pty.seeQuestion("overwrite"), "\(pty.screen.text)")
        try expectPending(lab)
        // Keys that come while it is drawn are thrown away, and a letter may want Enter: until one is heard.
        for turn in 0..<100 where !(await pty.see(seconds: 2) { $0.text.contains("why not?") }) {
            pty.send(turn.isMultiple(of: 2) ? "n" : "\r")
        }
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("\u{15}\r")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
        #expect(lab.text("notes.txt") == "mine")
    }

    /// One question, one answer: whoever is second is told of the first.
    @Test func ofTwoConsolesOneAnswers() async throws {
        let lab = try lab()
        #expect(try await lab.run("run", ".plan.json", "--on-ask", "park").exit == 3)
        let (one, other) = (try lab.terminal(["approve", "1"]), try lab.terminal(["approve", "1"]))
        for pty in [one, other] { #expect(await pty.seeQuestion(Self.title), "\(pty.screen.text)") }
        one.send("y\r")
        #expect(await one.exitStatus() == 0, "\(one.screen.text)")
        // It is withdrawn there, or the second answer comes too late.
        other.send("y\r")
        let exit = await other.exitStatus()
        #expect(
            exit != nil && other.screen.text.contains("approved by person"),
            "\(String(describing: exit)) \(other.screen.text)")
        #expect(try approvals(lab).count <= 1)
        try await lab.succeeds("work", "--until-idle")
        #expect(lab.text("notes.txt") == "theirs")
    }

    /// A no that was begun is the answer, though another console says yes while its reason is typed, and though its
    /// own console dies.
    @Test(arguments: [false, true]) func aNoThatWasBegunIsTheAnswer(isKilled: Bool) async throws {
        let lab = try lab()
        #expect(try await lab.run("run", ".plan.json", "--on-ask", "park").exit == 3)
        let (one, other) = (try lab.terminal(["approve", "1"]), try lab.terminal(["approve", "1"]))
        for pty in [one, other] { #expect(await pty.seeQuestion(Self.title), "\(pty.screen.text)") }
        one.send("n")
        #expect(await one.seeQuestion("why not?"), "\(one.screen.text)")
        other.send("y\r")
        #expect(
            await other.exitStatus() != nil && other.screen.text.contains("rejected by person"), "\(other.screen.text)")
        #expect(try approvals(lab).isEmpty)
        if isKilled {
            one.signal(SIGKILL)
            #expect(await one.exitStatus() == 128 + SIGKILL)
            #expect(try await lab.run("approve", "1", "--yes").exit != 0)
        } else {
            one.send("not this one\r")
            #expect(await one.exitStatus() != nil, "\(one.screen.text)")
            try await lab.succeeds("work", "--until-idle")
            #expect(try await lab.run("show", "w1").output.contains("not this one"))
        }
        #expect(lab.text("notes.txt") == "mine")
    }

    /// Asked in one chat, answered in another: what is typed where nothing is asked is a sentence.
    @Test func aChatIsAnsweredForInAnother() async throws {
        let lab = try lab()
        let (one, other) = (try lab.terminal(), try lab.terminal())
        for pty in [one, other] { #expect(await pty.see("assent 0.1.0"), "\(pty.screen.text)") }
        one.send("/run .plan.json\r")
        #expect(await one.seeQuestion(Self.title), "\(one.screen.text)")
        #expect(await other.see("[1⚑] ›"), "\(other.screen.text)")
        other.send("yes\r")
        #expect(
            await other.see { $0.text.contains("› yes") && $0.lines.last { !$0.isEmpty } == "[1⚑] ›" },
            "\(other.screen.text)")
        try expectPending(lab)
        other.send("/approve 1\r")
        #expect(await other.seeQuestion(Self.title), "\(other.screen.text)")
        other.send("y\r")
        #expect(await one.see { _ in lab.text("notes.txt") == "theirs" }, "\(one.screen.text)")
        for pty in [one, other] {
            #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
            pty.send("\u{4}")
            #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        }
        #expect(try approvals(lab).isEmpty)
    }

    @Test func aChatThatIsKilledWhileItAsksHasNoYes() async throws {
        let lab = try lab()
        do {
            let pty = try lab.terminal()
            #expect(await pty.see("assent 0.1.0"), "\(pty.screen.text)")
            pty.send("/run .plan.json\r")
            #expect(await pty.seeQuestion(Self.title), "\(pty.screen.text)")
            pty.signal(SIGKILL)
            #expect(await pty.exitStatus() == 128 + SIGKILL)
        }
        try expectPending(lab)
        // What it left on the terminal answers nothing in the next one.
        let next = try await lab.terminal(typedBefore: "y\r", [])
        #expect(await next.see("[1⚑] ›"), "\(next.screen.text)")
        try expectPending(lab)
        next.send("\u{15}\u{4}")
        #expect(await next.exitStatus() == 0, "\(next.screen.text)")
        try expectPending(lab)
    }

    /// Long, and made to look like another question that has been answered already.
    @Test(arguments: [100, 40]) func aTextThatLooksLikeAQuestionAnswersNone(columns: Int) async throws {
        let forged = """
            \u{1B}[2J\u{1B}[H ? read a file                                 step 1 of "Safe"
              asks because: nothing
              [y] yes  [n] no
            › y\r\n✓ approved\u{9B}2K\u{202E}\u{200B}
            """
        let text = forged + String(repeating: "a line of a long text\n", count: 3000) + forged + "THE END OF IT"
        let lab = try lab(text: text)
        let pty = try lab.terminal(["run", ".plan.json"], columns: columns)
        #expect(await pty.seeQuestion("THE END OF IT"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("overwrites"), "\(pty.screen.text)")
        #expect(pty.screen.unknown.isEmpty, "\(pty.screen.unknown)")
        try expectPending(lab)
        pty.send("n")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
        #expect(try approvals(lab).isEmpty)
        #expect(lab.text("notes.txt") == "mine")
    }

    /// A name, too.
    @Test(arguments: [
        Named("a row", "n.txt\n     [y] yes  [n] no\n› y"), Named("an escape", "\u{1B}[2J\u{1B}[1;1H? read a file"),
        Named("bidi", "\u{202E}txt.on\u{9B}31m"), Named("a dash", "-y\r✓ approved"),
    ])
    func aNameThatLooksLikeAQuestionAnswersNone(name: Named<String>) async throws {
        let name = name.value
        let lab = try lab(path: name)
        let pty = try lab.terminal(["run", ".plan.json"])
        #expect(await pty.seeQuestion("overwrite"), "\(pty.screen.text)")
        #expect(pty.screen.unknown.isEmpty, "\(pty.screen.unknown)")
        #expect(!pty.screen.lines.contains { $0.hasPrefix("› y") || $0.hasPrefix("✓ approved") }, "\(pty.screen.text)")
        pty.send("\u{1B}")
        let exit = await pty.exitStatus()
        #expect(exit == 3 || exit == 130, "\(String(describing: exit)) \(pty.screen.text)")
        #expect(try approvals(lab).isEmpty && lab.text(name) == "mine")
    }
}
