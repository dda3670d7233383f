import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The question at a terminal: what answers it, and what does not.
@Suite(.process) struct QuestionTests {
    static let question = "to go on"

    /// Returns a folder with a file above the limit, of which no copy is kept: its name is typed.
    private func lab() throws -> ProgramLab {
        let lab = try smallLab()
        try lab.enlarge("notes.txt")
        return lab
    }

    private func smallLab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        return lab
    }

    @Test func yesDeletes() async throws {
        let lab = try lab()
        let pty = try lab.terminal(["ask", "delete notes.txt"])
        #expect(await pty.seeQuestion(Self.question), "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        pty.send("notes.txt\r")
        let exit = await pty.exitStatus()
        #expect(exit == 0, "\(pty.screen.text)")
        #expect(!lab.exists("notes.txt"))
        #expect(try await lab.json("inbox").isEmpty)
    }

    /// The target of a link is all there is of it, and is recorded: a key answers, and undo makes the link again.
    @Test func theDeletionOfALinkIsAnsweredByAKey() async throws {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.makeLink("notes.txt")
        let pty = try lab.terminal(["ask", "delete notes.txt"])
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        #expect(
            pty.screen.text.contains("its target is kept") && !pty.screen.text.contains(Self.question),
            "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0 && !lab.exists("notes.txt"), "\(pty.screen.text)")
        try await lab.succeeds("undo", "w1")
        #expect(lab.text("notes.txt") == "buy milk\n")
    }

    /// Where no other process carries out what was said, the verb does it, and shows it.
    @Test func whoOnlyCameToAnswerIsToldWhatCameOfIt() async throws {
        let lab = try lab()
        #expect(try await lab.run("ask", "delete notes.txt", "--on-ask", "park").exit == 3)
        let pty = try lab.terminal(["approve", "1"], columns: 120)
        #expect(await pty.seeQuestion(Self.question), "\(pty.screen.text)")
        pty.send("notse.txt\r")
        #expect(await pty.see("\"notse.txt\" is none of them"), "\(pty.screen.text)")
        pty.send("notes.txt\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(pty.screen.text.contains("› notes.txt"), "\(pty.screen.text)")
        #expect(
            pty.screen.text.contains("1: yes · assent show w1") && pty.screen.text.contains("✓ Delete file"),
            "\(pty.screen.text)")
        #expect(!lab.exists("notes.txt"))
    }

    @Test func whatWasTypedBeforeTheQuestionDoesNotCount() async throws {
        let lab = try lab()
        let pty = try await lab.terminal(typedBefore: "notes.txt\ry\rnotes.txt\ry\r", ["ask", "delete notes.txt"])
        #expect(await pty.seeQuestion(Self.question), "\(pty.screen.text)")
        pty.send("no\r")
        #expect(await pty.see("only Enter"), "\(pty.screen.text)")
        pty.send("\r")
        let exit = await pty.exitStatus()
        #expect(exit == 4, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
    }

    @Test(arguments: [("Ctrl-D", "\u{4}"), ("Ctrl-C", "\u{3}"), ("Esc", "\u{1B}")])
    func whatIsNoAnswerLeavesTheFileAndTheQuestion(name: String, key: String) async throws {
        let lab = try lab()
        let pty = try lab.terminal(["ask", "delete notes.txt"])
        #expect(await pty.seeQuestion(Self.question), "\(pty.screen.text)")
        pty.send(key)
        let exit = await pty.exitStatus()
        #expect(exit == 3 || exit == 130, "\(String(describing: exit)) \(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        let waiting = try await lab.json("inbox")
        #expect(waiting.count == 1 && waiting.first?["status"]?.string == "pending")
    }

    @Test(arguments: [
        "\r", "y\r", "yes\r", "notes\r", "NOTES.TXT\r", " \r", "\u{1B}[A", "\u{1B}[200~notes.txt\r\u{1B}[201~",
    ])
    func otherKeysAnswerNothing(keys: String) async throws {
        let lab = try lab()
        let pty = try lab.terminal(["ask", "delete notes.txt"])
        #expect(await pty.seeQuestion(Self.question), "\(pty.screen.text)")
        #expect(pty.screen.styleOfLastRow == "2", "\(pty.screen.text)")
        pty.send(keys)
        // The hint turns yellow: they were read, and were no answer.
        #expect(await pty.see { $0.styleOfLastRow == "33" }, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        pty.send("\u{15}no\r")
        #expect(await pty.see("only Enter"), "\(pty.screen.text)")
        pty.send("\r")
        let exit = await pty.exitStatus()
        #expect(exit == 4, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
    }

    @Test(arguments: [SIGHUP, SIGTERM, SIGKILL]) func aProgramThatIsEndedHasNoYes(signal: Int32) async throws {
        let lab = try lab()
        do {
            let pty = try lab.terminal(["ask", "delete notes.txt"])
            #expect(await pty.seeQuestion(Self.question), "\(pty.screen.text)")
            pty.signal(signal)
            #expect(await pty.exitStatus() == 128 + signal)
        }
        #expect(lab.exists("notes.txt"))
        #expect(try await lab.json("inbox").count == 1)
    }

    @Test func aFileThatChangedBeforeTheYesIsAskedAnew() async throws {
        let lab = try lab()
        let pty = try lab.terminal(["ask", "delete notes.txt"])
        #expect(await pty.seeQuestion(Self.question), "\(pty.screen.text)")
        try lab.write("buy oat milk\n", to: "notes.txt.new")
        try lab.enlarge("notes.txt.new", as: "notes.txt")
        pty.send("notes.txt\r")
        #expect(await pty.seeQuestion { $0.text.components(Self.question) == 2 }, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        pty.send("notes.txt\r")
        let exit = await pty.exitStatus()
        #expect(exit == 0, "\(pty.screen.text)")
        #expect(!lab.exists("notes.txt"))
        let asked = try await lab.json("inbox", "--all")
        #expect(Set(asked.compactMap { $0["number"]?.int }) == [1, 2])
        #expect(Set(asked.compactMap { $0["digest"]?.string }).count == 2)
    }

    @Test func inPlainModeALineAnswersAKey() async throws {
        let lab = try smallLab()
        try lab.write(
            workflow("move", [node("move", "MoveFile", ["from": "notes.txt", "to": "-old.txt"])]), to: ".move.json")
        let pty = try await lab.terminal(typedBefore: "y\ry\ry\ry\r", ["run", ".move.json", "--plain"])
        #expect(await pty.see("press n"), "\(pty.screen.text)")
        for (number, line) in ["\r", "yes y\r", "no y\r", "x\ry\r"].enumerated() {
            pty.send(line)
            // The hint is said again.
            let isSaid = await pty.see { $0.text.components("and Enter") == number + 2 }
            #expect(isSaid && lab.exists("notes.txt"), "\(line.debugDescription) \(pty.screen.text)")
        }
        pty.send("y\r")
        let exit = await pty.exitStatus()
        #expect(exit == 0, "\(pty.screen.text)")
        #expect(lab.text("-old.txt") == "buy milk\n" && !lab.exists("notes.txt"))
    }

    @Test(arguments: ["\u{4}", "\u{1B}", "y\u{4}", "y\r\u{4}"]) func inPlainModeTheEndAndEscapeAreNoYes(keys: String)
        async throws
    {
        let lab = try lab()
        try lab.write(
            workflow("move", [node("move", "MoveFile", ["from": "notes.txt", "to": "-old.txt"])]), to: ".move.json")
        let pty = try lab.terminal(["run", ".move.json", "--plain"])
        #expect(await pty.see("press n"), "\(pty.screen.text)")
        pty.send(keys)
        #expect(await pty.exitStatus() == 3, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        #expect(try await lab.json("inbox").first?["status"]?.string == "pending")
    }

    @Test func aNoFromElsewhereEndsTheWaitingRun() async throws {
        let lab = try lab()
        try lab.write(
            workflow("move", [node("move", "MoveFile", ["from": "notes.txt", "to": "-old.txt"])]), to: ".move.json")
        let pty = try lab.terminal(["run", ".move.json"])
        #expect(await pty.see("[y] yes"), "\(pty.screen.text)")
        let rejected = try await lab.run("reject", "1", "keep", "it", "--json")
        #expect(rejected.exit == 0 && rejected.lines.first?["taken"]?.bool == true)
        let exit = await pty.exitStatus()
        #expect(exit == 4, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        let step = try #require(try await lab.shown()["steps"]?[0])
        #expect(step["state"]?.string == "cancelled" && step["failure"]?["code"]?.string == "rejected", "\(step.text)")
        #expect(step.text.contains("keep it"), "\(step.text)")
    }

    @Test func aYesFromElsewhereLetsTheWaitingRunGoOn() async throws {
        let lab = try smallLab()
        try lab.write(
            workflow("move", [node("move", "MoveFile", ["from": "notes.txt", "to": "-old.txt"])]), to: ".move.json")
        let pty = try lab.terminal(["run", ".move.json"])
        #expect(await pty.see("[y] yes"), "\(pty.screen.text)")
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try await lab.succeeds("approve", "1", "--digest", digest)
        let exit = await pty.exitStatus()
        #expect(exit == 0, "\(pty.screen.text)")
        #expect(lab.text("-old.txt") == "buy milk\n" && !lab.exists("notes.txt"))
    }

    @Test func aYesToThePlanCoversThePlan() async throws {
        let lab = try smallLab()
        try lab.write("a", to: "a.txt")
        try lab.write(Self.plan(in: lab), to: ".plan.json")
        let pty = try lab.terminal(["run", ".plan.json", "--mode", "always-ask"])
        #expect(await pty.seeQuestion("[p] yes to the whole plan"), "\(pty.screen.text)")
        pty.send("p\r")
        try await Self.openGate(in: lab)
        let exit = await pty.exitStatus()
        #expect(exit == 0, "\(pty.screen.text)")
        #expect(lab.exists("b.txt") && lab.text("notes.txt") == "new")
        #expect(try await lab.json("inbox", "--all").allSatisfy { $0["status"]?.string == "done" })
        #expect(
            pty.screen.text.split(separator: "[p] yes", omittingEmptySubsequences: false).count == 2,
            "asked once: \(pty.screen.text)")
    }

    @Test func aYesToThePlanDoesNotCoverWhatHasChangedSince() async throws {
        let lab = try lab()
        try lab.write("a", to: "a.txt")
        try lab.write(Self.plan(in: lab), to: ".plan.json")
        let pty = try lab.terminal(["run", ".plan.json", "--mode", "always-ask"])
        #expect(await pty.seeQuestion("[p] yes to the whole plan"), "\(pty.screen.text)")
        pty.send("p\r")
        #expect(try await eventually { lab.exists("b.txt") }, "\(pty.screen.text)")
        try lab.write("something else\n", to: "notes.txt")
        try await Self.openGate(in: lab)
        #expect(await pty.seeQuestion("? overwrite a file"), "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        pty.send("n")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("keep my notes\r")
        let exit = await pty.exitStatus()
        #expect(exit == 4 && pty.screen.text.contains("keep my notes"), "\(pty.screen.text)")
        #expect(lab.text("notes.txt") == "something else\n")
    }

    /// Moves a.txt; and overwrites notes.txt when a tool of the person's own is through, which waits for a file in its
    /// run folder.
    private static func plan(in lab: ProgramLab) throws -> JSON {
        try ScratchFolder.makeFolder("\(lab.home)/config/tools")
        try ScratchFolder.write(
            """
            tool: assent.tool/v1
            kind: Gate
            title: Gate
            summary: Waits.
            outputs: {text: text}
            run:
              program:
                - [sh, -c, "until test -e go; do sleep 0.05; done; printf new > $0", "{out.text}"]
              files: {text: text.txt}
            """, to: "\(lab.home)/config/tools/gate.yaml")
        return workflow(
            "two changes",
            [
                node("move", "MoveFile", ["from": "a.txt", "to": "b.txt"]), node("gate", "Gate"),
                node("write", "WriteFile", ["path": "notes.txt", "overwrite": true]),
            ], [edge("gate.text", "write.text")])
    }

    private static func openGate(in lab: ProgramLab) async throws {
        let folder = "\(lab.home)/data/runs/w1/2-1"
        #expect(try await eventually { ScratchFolder.exists(folder) })
        try ScratchFolder.write("", to: folder + "/go")
    }
}
