import CaseNames
import Glibc
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// The editors at a terminal: they claim, check, complete or give back (`semantics.md` 40–42, 47, 100–108, 158–161).
@Suite(.process) struct EditorTests {
    private func open(_ inbox: InboxLab, _ number: Int = 1, seeing text: String, environment: [String: String] = [:])
        async throws -> Pty
    {
        let pty = try inbox.lab.terminal(["open", "\(number)"], environment: environment, columns: 110, rows: 40)
        #expect(await pty.seeQuestion(text), "\(pty.screen.text)")
        return pty
    }

    private func content(_ inbox: InboxLab, _ run: String, _ workflow: String = "w1") async throws -> String? {
        let made = try await inbox.lab.shown(workflow)["assets"]?.array?.first { $0["run"]?.string == run }
        guard let hash = made?["sha256"]?.string else { return nil }
        return ScratchFolder.text("\(inbox.lab.home)/data/assets/\(hash.prefix(2))/\(hash)")
    }

    // MARK: Masks

    @Test func aMaskIsDrawnAndTheStepsBehindItRun() async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let pty = try await open(inbox, seeing: "mask of 64×48")
        let open = try await inbox.entry()
        #expect(open["status"] == "claimed" && open["claim"] == 1, "\(open.text)")
        #expect(open["claimedBy"]?.string?.hasPrefix("person on /dev/pts/") == true)
        pty.send("rect 8 8 20 10\r")
        #expect(await pty.see("· rect 8 8 20 10"), "\(pty.screen.text)")
        pty.send("circle 1 2 3 4\r")
        #expect(await pty.see("(badAnswer)"), "\(pty.screen.text)")
        pty.send("done\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(try await inbox.work().exit == 0)
        // Inside it is opaque, outside transparent.
        for (point, alpha) in [(("10", "10"), "255"), (("40", "40"), "0")] {
            let told = try await inbox.lab.tool("vips", "getpoint", "cut.png", point.0, point.1)
            #expect(
                told.output.split(whereSeparator: \.isWhitespace).last.map { String($0).filter(\.isNumber) } == alpha,
                "\(told.output)")
        }
        let entry = try await inbox.entry()
        #expect(entry["resolution"] == "completed" && entry["answeredBy"] == open["claimedBy"])
    }

    /// An await that is left is Pending, without partial outputs and without a claim (`semantics.md` 40, 160).
    @Test(arguments: [("Esc", "\u{1B}"), ("Ctrl-C", "\u{3}"), ("Ctrl-D", "\u{4}"), ("an empty line", "\r")])
    func leavingPutsItBackWithTheDraft(name: String, key: String) async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let first = try await open(inbox, seeing: "mask of 64×48")
        first.send("ellipse 1 2 30 20\r")
        #expect(await first.see("· ellipse 1 2 30 20"), "\(first.screen.text)")
        first.send(key)
        #expect(await first.exitStatus() == 3, "\(first.screen.text)")
        #expect(first.screen.text.contains("It waits in the inbox as 1, with your draft."), "\(first.screen.text)")
        let entry = try await inbox.entry()
        #expect(entry["status"] == "pending" && entry["claimedBy"] == nil && entry["hasDraft"] == true, "\(entry.text)")
        #expect(try await inbox.lab.states() == ["succeeded", "awaitingUser", "blocked", "blocked"])
        let again = try await open(inbox, seeing: "· ellipse 1 2 30 20")
        again.send("undo\r")
        #expect(
            await again.see { $0.text.split(separator: "\n").contains { $0.trimmed == "mask of 64×48" } },
            "\(again.screen.text)")
        // Nothing is painted now: it warns, and takes it only after a second yes.
        again.send("done\r")
        #expect(await again.seeQuestion { $0.text.components("take it all the same") == 1 }, "\(again.screen.text)")
        again.send("n")
        #expect(await again.seeQuestion { $0.text.components("rect X Y WIDTH HEIGHT") == 3 }, "\(again.screen.text)")
        again.send("done\r")
        #expect(await again.seeQuestion { $0.text.components("take it all the same") == 2 }, "\(again.screen.text)")
        again.send("y\r")
        #expect(await again.exitStatus() == 0, "\(again.screen.text)")
        #expect(try await inbox.work().exit == 0)
    }

    @Test func killedWithAnOpenEditorItIsPendingAtOnceAndTheDraftIsThere() async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let killed = try await open(inbox, seeing: "mask of 64×48")
        killed.send("rect 3 4 5 6\r")
        #expect(await killed.see("· rect 3 4 5 6"), "\(killed.screen.text)")
        // Nobody else gets in while it lives.
        let early = try await inbox.complete("1", "--asset", "cat.png")
        #expect(early.exit == 2, "a picture in colours is no mask: \(early.output)")
        let script = try await inbox.lab.run("reject", "1", "--json")
        #expect(script.exit == 1 && script.lines.first?["code"] == "claimedByOther", "\(script.output)")
        #expect(script.lines.first?["message"]?.string?.contains("/dev/pts/") == true)
        #expect(try await inbox.entry()["status"] == "claimed")
        killed.signal(SIGKILL)
        _ = await killed.exitStatus()
        let free = try await inbox.entry()
        #expect(free["status"] == "pending" && free["hasDraft"] == true && free["claimedBy"] == nil, "\(free.text)")
        let next = try await open(inbox, seeing: "· rect 3 4 5 6")
        #expect(try await inbox.entry()["claim"] == 2)
        next.send("done\r")
        #expect(await next.exitStatus() == 0, "\(next.screen.text)")
    }

    @Test func aSecondEditorIsToldWhoHasIt() async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let first = try await open(inbox, seeing: "mask of 64×48")
        let second = try inbox.lab.terminal(["open", "1"], columns: 110)
        #expect(await second.exitStatus() == 1, "\(second.screen.text)")
        let by = try #require(try await inbox.entry()["claimedBy"]?.string)
        #expect(
            second.screen.text.contains("(claimedByOther)") && second.screen.text.contains(by), "\(second.screen.text)")
        // A claim that is over: what the first makes then is refused, and kept.
        let archive = try Archive(folder: "\(inbox.lab.home)/data")
        try archive.release(1, claim: 1, draft: nil, by: "test", at: Moment(milliseconds: Int64(time(nil)) * 1000))
        archive.close()
        first.send("rect 1 1 9 9\r")
        #expect(await first.see("· rect 1 1 9 9"), "\(first.screen.text)")
        first.send("done\r")
        #expect(await first.exitStatus() == 1, "\(first.screen.text)")
        #expect(first.screen.text.contains("(claimIsOver)"), "\(first.screen.text)")
        let entry = try await inbox.entry()
        #expect(entry["status"] == "pending" && entry["hasDraft"] == true, "\(entry.text)")
    }

    // MARK: The others

    @Test func valuesAreChangedLineByLine() async throws {
        let inbox = try await InboxLab()
        try await inbox.start(
            "gate",
            [
                node("load", "ImageLoader", ["path": "cat.png"]),
                asking("resize", "Resize", ["type": "confirmParams"], ["width": 32]),
            ],
            [edge("load.image", "resize.image")])
        let pty = try await open(inbox, seeing: "width=32")
        pty.send("width=0\r")
        #expect(await pty.see("(badAnswer)"), "\(pty.screen.text)")
        pty.send("width=16\r")
        #expect(await pty.see("width=16 px"), "\(pty.screen.text)")
        pty.send("reset\r")
        #expect(await pty.see { $0.text.components("width=32 px") >= 2 }, "\(pty.screen.text)")
        pty.send("width=20\r")
        #expect(await pty.see("width=20 px"), "\(pty.screen.text)")
        pty.send("done\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(try await inbox.work().exit == 0)
        #expect(try await inbox.lab.json("show", "w1", "1").first?["runs"]?[0]?["params"]?["width"] == 20)
    }

    @Test func aTextOfManyLinesIsTypedAndPasted() async throws {
        let inbox = try await InboxLab()
        try await inbox.start("text", [asking("why", "AskText", nil, ["question": "Why \u{1B}[2J?"])])
        let pty = try await open(inbox, seeing: "Why ␛[2J?")
        pty.send("first line\r")
        #expect(await pty.see("  first line"), "\(pty.screen.text)")
        pty.send("\u{1B}[200~pasted one\n\npasted \u{1B}three\u{1B}[201~")
        #expect(await pty.see("› pasted"), "\(pty.screen.text)")
        pty.send(" and typed\r.\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(try await inbox.work().exit == 0)
        #expect(try await content(inbox, "w1.1.1") == "first line\npasted one\n\npasted three and typed")
    }

    /// A text that was begun is a draft, whatever ends the editor, and one can go on with it.
    @Test(arguments: ["\u{1B}", "\u{3}", "kill"]) func aTextThatWasBegunIsKept(end: String) async throws {
        let inbox = try await InboxLab()
        try await inbox.start("text", [asking("why", "AskText", nil, ["question": "Why?"])])
        let pty = try await open(inbox, seeing: "Why?")
        pty.send("first\rsecond\rthi")
        #expect(await pty.see("› thi"), "\(pty.screen.text)")
        if end == "kill" {
            #expect(try await eventually { try await inbox.entry()["hasDraft"] == true })
            pty.signal(SIGKILL)
            _ = await pty.exitStatus()
        } else {
            pty.send(end)
            #expect(await pty.exitStatus() == 3, "\(pty.screen.text)")
            #expect(pty.screen.text.contains("It waits in the inbox as 1, with your draft."), "\(pty.screen.text)")
        }
        let next = try await open(inbox, seeing: "go on with it")
        #expect(["┆ first", "┆ second", "┆ thi"].allSatisfy(next.screen.text.contains), "\(next.screen.text)")
        next.send("g\r")
        #expect(await next.seeQuestion("  thi"), "\(next.screen.text)")
        next.send("third\r.\r")
        #expect(await next.exitStatus() == 0, "\(next.screen.text)")
        #expect(try await inbox.work().exit == 0)
        #expect(try await content(inbox, "w1.1.1") == "first\nsecond\nthi\nthird")
    }

    @Test func aLongTextIsWrittenInThePersonsOwnEditor() async throws {
        let inbox = try await InboxLab()
        try await inbox.start("text", [asking("why", "AskText", nil, ["question": "Why?"])])
        // An editor that needs the terminal, and shows that it has it to itself.
        try inbox.lab.write(
            "#!/bin/sh\nstty -g >/dev/null || exit 9\nprintf 'edit> '\nread line\necho \"$line from $2\" >> \"$3\"\n",
            to: "editor.sh")
        chmod(inbox.lab.path("editor.sh"), 0o700)
        let environment = ["EDITOR": "\(inbox.lab.path("editor.sh")) -n 7"]
        let pty = try await open(inbox, seeing: "your editor", environment: environment)
        pty.send("e\r")
        #expect(await pty.see("edit>"), "\(pty.screen.text)")
        #expect(try await inbox.entry()["status"] == "claimed")
        pty.send("typed\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(try await inbox.work().exit == 0)
        #expect(try await content(inbox, "w1.1.1") == "typed from 7")
        #expect(ScratchFolder.names(in: inbox.lab.temporary).isEmpty)
    }

    @Test func wordsCandidatesAndPicturesArePicked() async throws {
        let inbox = try await InboxLab()
        try await inbox.start("choose", [asking("colour", "Choose", nil, ["choices": ["red", "green"]])])
        let choosing = try await open(inbox, 1, seeing: "2  green")
        choosing.send("3\r")
        #expect(await choosing.see("none of the choices"), "\(choosing.screen.text)")
        choosing.send("2\r")
        #expect(await choosing.exitStatus() == 0, "\(choosing.screen.text)")
        try await inbox.start(
            "pick", [node("load", "ImageLoader", ["path": "cat.png"]), asking("pick", "UserAssetPicker")],
            [edge("load.image", "pick.candidates.1")])
        let picking = try await open(inbox, 2, seeing: "1  cat.png")
        picking.send("1\r")
        #expect(await picking.exitStatus() == 0, "\(picking.screen.text)")
        try await inbox.start("capture", [asking("shot", "Capture", nil, ["subject": "The cat"])])
        let capturing = try await open(inbox, 3, seeing: "The cat")
        capturing.send("ghost.png\r")
        #expect(await capturing.seeQuestion("(fileNotFound)"), "\(capturing.screen.text)")
        capturing.send("cat.png\r")
        #expect(await capturing.exitStatus() == 0, "\(capturing.screen.text)")
        #expect(try await inbox.work().exit == 0)
        #expect(try await content(inbox, "w1.1.1") == "green")
    }

    // MARK: The chat

    /// What the person starts here says the same, once, and the prompt comes back: only questions about calls are asked
    /// in the turn.
    @Test func whatIsStartedHereWaitsInTheInboxToo() async throws {
        let inbox = try await InboxLab()
        try inbox.lab.write(
            workflow(
                "note",
                [
                    asking("note", "AskText", nil, ["question": "Why?"]),
                    asking("colour", "Choose", nil, ["choices": ["red"]]),
                ]),
            to: ".note.json")
        let pty = try inbox.lab.terminal(columns: 110, rows: 40)
        #expect(await pty.see("›"), "\(pty.screen.text)")
        pty.send("/run .note.json\r")
        #expect(
            await pty.see { $0.lines.last { !$0.isEmpty } == "[2⚑] ›" && $0.text.contains("w1 waits for you") },
            "\(pty.screen.text)")
        for news in ["⚑ \"Ask\" needs you (w1, step 1) · /open 1", "⚑ \"Choose\" needs you (w1, step 2) · /open 2"] {
            #expect(await pty.see { $0.text.components(news) == 1 }, "\(pty.screen.text)")
        }
        pty.send("/complete 2 --choice red\r")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "[1⚑] ›" }, "\(pty.screen.text)")
        // Looked for again each second, and at the latest when there is something new: nothing is said twice.
        #expect(try await inbox.lab.run("run", ".note.json", "--on-ask", "park").exit == 3)
        #expect(await pty.see { $0.text.components("needs you (w2") == 2 }, "\(pty.screen.text)")
        #expect(pty.screen.text.components("needs you (w1") == 2, "\(pty.screen.text)")
        // In a terminal of its own it ends as waiting.
        let alone = try inbox.lab.terminal(["run", ".note.json"], columns: 110)
        #expect(await alone.exitStatus() == 3, "\(alone.screen.text)")
        #expect(alone.screen.text.components("needs you (w3") == 2, "\(alone.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    /// `semantics.md` 173: openings, claims, completions, retries and cancels are events. A card is tapped by opening
    /// it, and that claims it: the same event.
    @Test func whatPersonsDoIsAnEvent() async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let opened = try await open(inbox, seeing: "mask of 64×48")
        opened.send("\u{1B}")
        #expect(await opened.exitStatus() == 3, "\(opened.screen.text)")
        _ = try await inbox.lab.tool("vips", "black", "mask.png", "64", "48")
        #expect(try await inbox.complete("1", "--asset", "mask.png", "--allow-empty").exit == 0)
        #expect(try await inbox.work().exit == 0)
        // One that fails and is tried again, and one that is cancelled.
        try await inbox.start("retried", [node("read", "ReadFile", ["path": "late.txt"])])
        try inbox.lab.write("here", to: "late.txt")
        try await inbox.lab.succeeds("retry", "w2")
        #expect(try await inbox.work().exit == 0)
        try await inbox.start("cancelled", [asking("why", "AskText", nil, ["question": "Why?"])])
        try await inbox.lab.succeeds("cancel", "w3")
        #expect(try await inbox.work().exit == 1)

        let archive = try Archive(folder: "\(inbox.lab.home)/data")
        defer { archive.close() }
        func told(_ number: Int64) throws -> [String] {
            try archive.events(of: WorkflowID(number)).compactMap { event in
                let by = event.body["by"]?.string == nil ? "" : " by somebody"
                switch event.type {
                case "await.changed": return "\(event.body["status"]?.string ?? "")\(by)"
                case "await.closed": return "\(event.body["resolution"]?.string ?? "")\(by)"
                case "workflow.changed": return "\(event.body["reason"]?.string ?? "")\(by)"
                case "workflow.finished": return event.body["outcome"]?.string
                default: return nil
                }
            }
        }
        #expect(try told(1) == ["claimed by somebody", "pending by somebody", "completed by somebody", "succeeded"])
        #expect(try told(2) == ["failed", "retryAsked by somebody", "succeeded"])
        // Nobody carried it when it was cancelled: whoever takes it up cancels first, and then hears who wanted that.
        #expect(try told(3).sorted() == ["cancelAsked by somebody", "cancelled", "cancelled by somebody"])
    }

    /// `semantics.md` 165, with the program running: the step is shown, and the await waits for who opens it.
    @Test func aLinkInTheChatFocusesAndClaimsNothing() async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let before = try await inbox.entry()
        let pty = try inbox.lab.terminal(columns: 110, rows: 40)
        #expect(await pty.see("[1⚑] ›"), "\(pty.screen.text)")
        pty.send("/open app://workflow/w1/node/mask?await=1\r")
        #expect(
            await pty.see { $0.text.contains("UserMaskEditor") && $0.text.contains("⚑ needs you") },
            "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("mask of 64×48"), "no editor opens by itself: \(pty.screen.text)")
        #expect(try await inbox.entry() == before)
        // "await unclaimed until card tapped": opening it is a tap.
        pty.send("/open 1\r")
        #expect(await pty.seeQuestion("mask of 64×48"), "\(pty.screen.text)")
        #expect(try await inbox.entry()["status"] == "claimed")
        pty.send("\u{1B}")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "[1⚑] ›" }, "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    /// `semantics.md` 47: one line of news, a badge, and nothing opens by itself.
    @Test func theChatSaysWhatNeedsThePersonAndOpensNothing() async throws {
        let inbox = try await InboxLab()
        try inbox.lab.write(
            workflow(
                "mask",
                [
                    node("load", "ImageLoader", ["path": "cat.png"]), asking("mask", "UserMaskEditor"),
                    node("apply", "ApplyMask"),
                ],
                [edge("load.image", "mask.image"), edge("load.image", "apply.image"), edge("mask.mask", "apply.mask")]),
            to: ".mask.json")
        let pty = try inbox.lab.terminal(columns: 110, rows: 40)
        #expect(await pty.see("›"), "\(pty.screen.text)")
        // What is there when the chat has read the inbox for the first time is no news: it answers only after that.
        pty.send("/list\r")
        #expect(await pty.see("No workflows yet"), "\(pty.screen.text)")
        // Another process starts it: the news come by themselves.
        #expect(try await inbox.lab.run("run", ".mask.json", "--on-ask", "park").exit == 3)
        #expect(
            await pty.see("⚑ \"Draw mask\" needs you (w1, step 1) · blocks Apply mask · /open 1"), "\(pty.screen.text)")
        #expect(await pty.see("[1⚑] ›"), "\(pty.screen.text)")
        #expect(try await inbox.entry()["claim"] == nil)
        pty.send("/snooze 1 --for 2h\r")
        #expect(
            await pty.see { $0.text.contains("put off, back in") && $0.lines.last { !$0.isEmpty } == "›" },
            "\(pty.screen.text)")
        pty.send("/open 1\r")
        #expect(await pty.seeQuestion("mask of 64×48"), "\(pty.screen.text)")
        #expect(try await inbox.entry()["status"] == "claimed", "claiming un-snoozes")
        pty.send("rect 0 0 9 9\r")
        #expect(await pty.see("· rect 0 0 9 9"), "\(pty.screen.text)")
        pty.send("done\r")
        #expect(await pty.see("1: completed"), "\(pty.screen.text)")
        #expect(try await inbox.lab.reaches(["succeeded", "succeeded", "succeeded"]))
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }
}

extension StringProtocol {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }

    /// How often it is in there.
    fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
