import CaseNames
import Glibc
import Harness
import JSON
import Pictures
import Testing
import Tools
import Vocabulary

/// The verbs of the inbox, called in this process (`semantics.md` 40–47, 148–153, 158–161).
@Suite struct InboxVerbTests {
    // MARK: The inbox (`semantics.md` 148–153)

    @Test func twoPendingAndOneSnoozedAreListedAsThat() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start("three", ["a", "b", "c"].map { asking($0, "AskText", nil, ["question": "Why?"]) })
        let before = time(nil)
        let snoozed = try await inbox.lab.run("snooze", "2", "--json")
        #expect(snoozed.exit == 0 && snoozed.lines.first?["snoozed"] == true, "\(snoozed.output)\(snoozed.errors)")
        let shown = try await inbox.lab.run("inbox").output
        for section in ["Pending (2)", "Snoozed (1)", "Done (0)"] { #expect(shown.contains(section), "\(shown)") }
        let entry = try await inbox.entry(2)
        #expect(entry["status"] == "snoozed" && entry["snoozes"] == 1 && entry["title"]?.string != nil)
        // now + 1 h, by the clock of this machine.
        let until = try #require(entry["until"]?.string)
        #expect(snoozed.lines.first?["until"]?.string == until)
        #expect((before...time(nil) + 1).contains(Self.seconds(until) - 3600), "\(until)")
    }

    private static func seconds(_ stamp: String) -> Int {
        let numbers = stamp.split { !$0.isNumber }.prefix(6).compactMap { Int32($0) }
        guard numbers.count == 6 else { return 0 }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
        return timegm(&parts)
    }

    @Test func theSixthSnoozeIsRefused() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start("one", [asking("a", "AskText", nil, ["question": "Why?"])])
        for _ in 0..<5 { try await inbox.lab.succeeds("snooze", "1", "--for", "30m") }
        let sixth = try await inbox.lab.run("snooze", "1", "--json")
        #expect(sixth.exit == 1 && sixth.lines.first?["code"] == "snoozeLimitReached", "\(sixth.output)")
        #expect(try await inbox.lab.run("snooze", "1", "--for", "soon").exit == 2)
        #expect(try await inbox.lab.run("snooze", "7").exit == 2)
    }

    /// "Tap Open → Detail … editor does not auto-open": without a terminal, opening shows and claims nothing.
    @Test func openingWithoutATerminalShowsTheStepAndClaimsNothing() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask()
        let shown = try await inbox.lab.run("open", "1")
        #expect(shown.exit == 0, "\(shown.errors)")
        for text in ["w1", "Draw mask", "⚑ needs you", "cat.png", "64×48", "blocks Apply mask and 1 more"] {
            let words = shown.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains(text), "\(text): \(shown.output)")
        }
        let entry = try await inbox.entry()
        #expect(entry["status"] == "pending" && entry["claim"] == nil)
    }

    /// "Open, choose photo → Emits single AssetRef; downstream node becomes ready."
    @Test func aPickedFileIsTheOutputAndWhatFollowsRuns() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "pick",
            [
                asking("pick", "UserAssetPicker"), node("grey", "Grayscale"),
                node("save", "SaveFile", ["path": "grey.png"]),
            ],
            [edge("pick.asset", "grey.image"), edge("grey.image", "save.file")])
        // The picker takes anything; what it feeds takes pictures.
        try inbox.lab.write("no picture", to: "notes.txt")
        let wrong = try await inbox.complete("1", "--asset", inbox.lab.path("notes.txt"))
        #expect(wrong.exit == 2 && wrong.lines.first?["code"] == "badAnswer", "\(wrong.output)")
        #expect(try await inbox.entry()["status"] == "pending")
        let right = try await inbox.complete("1", "--asset", inbox.lab.path("cat.png"))
        #expect(
            right.exit == 0 && right.lines.first?["taken"] == true && right.lines.first?["asset"]?["type"] == "any",
            "\(right.output)")
        #expect(try await inbox.work().exit == 0)
        #expect(try await inbox.lab.states() == ["succeeded", "succeeded", "succeeded"])
        #expect(inbox.lab.exists("grey.png"))
        let made = try #require(try await inbox.lab.shown()["assets"]?.array?.first { $0["run"] == "w1.1.1" })
        #expect(made["port"] == "asset" && made["name"] == "cat.png" && made["meta"]?["width"] == 64)
        let runs = try await inbox.lab.json("show", "w1", "1").first?["runs"]?.array
        #expect(
            runs?.count == 1 && runs?.first?["kind"] == "person" && runs?.first?["ending"] == "succeeded",
            "its provenance")
    }

    /// "Mask Editor with empty mask → Warn user; allow continue; output saved with provenance."
    @Test func anEmptyMaskWarnsAndIsTakenIfItIsMeant() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask()
        try inbox.lab.write(MaskDrawing(width: 64, height: 48).png(), to: "empty.png")
        let warned = try await inbox.complete("1", "--asset", inbox.lab.path("empty.png"))
        #expect(warned.exit == 2 && warned.lines.first?["code"] == "emptyMask", "\(warned.output)")
        #expect(warned.lines.first?["remedy"]?.string?.contains("--allow-empty") == true)
        #expect(try await inbox.work().exit == 3)
        #expect(
            try await inbox.lab.states() == ["succeeded", "awaitingUser", "blocked", "blocked"], "nothing half done")
        #expect(try await inbox.complete("1", "--asset", inbox.lab.path("empty.png"), "--allow-empty").exit == 0)
        #expect(try await inbox.work().exit == 0)
        let mask = try #require(try await inbox.lab.shown()["assets"]?.array?.first { $0["run"] == "w1.1.1" })
        #expect(mask["type"] == "mask" && mask["name"] == "empty.png")
        #expect(inbox.lab.exists("cut.png"))
    }

    @Test(arguments: [
        ["--asset", "notes.txt"], ["--asset", "ghost.png"], ["--asset", "square.png"], ["--text", "x"],
        ["--choice", "1"],
        ["--params", "a=1"], [],
        ["--asset", "a.png", "--text", "x"],
    ])
    func whatDoesNotFitIsBadInputAndChangesNothing(arguments: [String]) async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask()
        try inbox.lab.write("no picture", to: "notes.txt")
        var square = MaskDrawing(width: 48, height: 48)
        square.shapes = [.rectangle(x: 1, y: 1, width: 9, height: 9)]
        try inbox.lab.write(square.png(), to: "square.png")
        let named = arguments.map { $0.contains(".") ? inbox.lab.path($0) : $0 }
        let ending = try await inbox.lab.run(["complete", "1"] + named + ["--json"])
        #expect(ending.exit == 2, "\(ending.output)\(ending.errors)")
        let error = try #require(ending.lines.first)
        #expect(
            error["type"] == "error" && error["code"]?.string != nil && error["remedy"]?.string != nil, "\(error.text)")
        #expect(try await inbox.entry()["status"] == "pending")
    }

    @Test func choicesAndTextsAreGivenAndAWrongOneIsRefused() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "words",
            [
                asking("colour", "Choose", nil, ["choices": ["red", "green"]]),
                asking("why", "AskText", nil, ["question": "Why?"]),
                node("both", "JoinText"),
            ], [edge("colour.text", "both.texts.1"), edge("why.text", "both.texts.2")])
        let number = { (kind: String) in
            try #require(try await inbox.inbox().first { $0["kind"]?.string == kind }?["number"]?.int)
        }
        let (choose, text) = (String(try await number("choose")), String(try await number("text")))
        #expect(try await inbox.complete(choose, "--choice", "blue").exit == 2)
        #expect(try await inbox.complete(choose, "--choice", "2").exit == 3, "the other question is open")
        #expect(try await inbox.complete(text, "--text", "  ").exit == 2)
        #expect(try await inbox.complete(text, "--text", "It is \u{1B}[31mred").exit == 0)
        #expect(try await inbox.work().exit == 0)
        let output = try await inbox.lab.run("show", "w1").output
        #expect(!output.contains("\u{1B}"), "\(output)")
    }

    /// At a gate the values are those of the tool; what comes in by its ports, a text here, is what the tool works on.
    @Test func aGateBeforeAToolThatTakesATextIsPassed() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "gate",
            [
                node("said", "Text", ["text": "red is red"]),
                asking("swap", "ReplaceText", ["type": "confirmParams"], ["find": "red", "replacement": "blue"]),
            ], [edge("said.text", "swap.text")])
        #expect(try await inbox.lab.run("open", "1").output.contains("blue"))
        let agreed = try await inbox.complete("1", "--params", "replacement=green")
        #expect(agreed.exit == 0, "\(agreed.output)\(agreed.errors)")
        #expect(try await inbox.work().exit == 0)
        #expect(try await inbox.lab.states() == ["succeeded", "succeeded"])
    }

    /// "Param Confirm": as a gate before a tool, and as a step of its own.
    @Test func valuesAreConfirmedChangedAndChecked() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "gate",
            [
                node("load", "ImageLoader", ["path": "cat.png"]),
                asking("resize", "Resize", ["type": "confirmParams"], ["width": 32]),
                node("save", "SaveFile", ["path": "small.png"]),
            ], [edge("load.image", "resize.image"), edge("resize.image", "save.file")])
        #expect(try await inbox.complete("1", "--params", "width=0").exit == 2)
        #expect(try await inbox.complete("1", "--params", "colour=red").exit == 2)
        #expect(try await inbox.complete("1", "--params", "[1]").exit == 2)
        let agreed = try await inbox.complete("1", "--params", "width=16", "fill=false")
        #expect(agreed.exit == 0 && agreed.lines.first?["answer"] == "agreed", "\(agreed.output)\(agreed.errors)")
        #expect(try await inbox.work().exit == 0)
        let small = try await inbox.lab.shown()["assets"]?.array?.first { $0["run"] == "w1.2.1" }
        #expect(inbox.lab.exists("small.png") && small?["meta"]?["width"] == 16)

        try await inbox.start(
            "values",
            [asking("values", "ParamConfirm", nil, ["values": ["steps": 30, "style": "oil"]]), node("pass", "Pass")],
            [edge("values.json", "pass.in")])
        #expect(try await inbox.complete("2", "--params", #"{"steps": "many"}"#).exit == 2)
        #expect(try await inbox.complete("2", "--params", "steps=40", "style=chalk").exit == 0)
        #expect(try await inbox.work().exit == 0)
        let made = try #require(try await inbox.lab.shown("w2")["assets"]?.array?.first { $0["run"] == "w2.1.1" })
        let hash = try #require(made["sha256"]?.string)
        #expect(
            ScratchFolder.text("\(inbox.lab.home)/data/assets/\(hash.prefix(2))/\(hash)")
                == #"{"steps":40,"style":"chalk"}"#)
    }

    @Test func skippingIsForWhatNobodyRequires() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask()
        let refused = try await inbox.lab.run("skip", "1", "--json")
        #expect(refused.exit == 2 && refused.lines.first?["code"] == "cannotSkip")
        try await inbox.start("note", [asking("note", "AskText", nil, ["question": "Why?"])])
        try await inbox.lab.succeeds("skip", "2")
        #expect(try await inbox.work().exit == 3, "the mask still waits")
        #expect(try await inbox.lab.shown("w2")["workflow"]?["outcome"] == "succeeded")
    }

    @Test(arguments: [["reject", "1", "not", "today"], ["reject", "1", "--reason", "not today"]])
    func aNoCancelsTheStepWithItsReason(arguments: [String]) async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask()
        try await inbox.lab.succeeds(arguments)
        #expect(try await inbox.work().exit == 4)
        #expect(try await inbox.lab.states()[1] == "cancelled")
        #expect(try await inbox.lab.run("show", "w1").output.contains("The person said no: not today"))
        #expect(try await inbox.entry()["resolution"] == "rejected")
    }

    @Test(arguments: [
        ("assent://workflow/w9/node/2?await=1", "unknownWorkflow"), ("assent://workflow/w1/node/9", "badUsage"),
        ("assent://workflow/w1/node/1?await=9", "unknownAwait"), ("assent://workflow/w1/node/2?await=1", "badLink"),
        ("assent://nonsense", "badLink"), ("three", "badLink"),
    ])
    func aBadLinkIsAClearMessage(link: String, code: String) async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask()
        let ending = try await inbox.lab.run("open", link, "--json")
        #expect(
            ending.exit == 2 && ending.lines.count == 1 && ending.lines[0]["code"]?.string == code, "\(ending.output)")
        #expect(ending.lines[0]["remedy"]?.string?.isEmpty == false)
    }

    @Test func blockingIsDerivedAndShownInLists() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask(["type": "drawMask", "urgency": "low"])
        try await inbox.start(
            "note", [asking("note", "AskText", ["type": "text", "urgency": "high"], ["question": "Why?"])])
        let entries = try await inbox.inbox()
        #expect(entries.map { $0["number"] } == [2, 1], "by urgency, then age")
        #expect(entries[0]["blocking"] == false && entries[0]["blocks"] == [])
        #expect(entries[1]["blocking"] == true && entries[1]["blocks"]?.array?.map { $0["node"] } == ["apply", "save"])
        let lists = try await inbox.lab.json("list")
        #expect(lists.map { $0["blocking"] } == [false, true])
        let list = try await inbox.lab.run("list").output
        #expect(
            list.contains("(1 question, blocking: assent inbox)") && list.contains("(1 question: assent inbox)"),
            "\(list)")
    }
}
