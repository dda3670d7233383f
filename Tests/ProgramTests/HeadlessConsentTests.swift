import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Consent where nobody can be asked: never looser.
@Suite(.process) struct HeadlessConsentTests {
    /// To a name that asks: a move to a free name in the workspace asks for nothing else.
    static let move = workflow("move", [node("move", "MoveFile", ["from": "notes.txt", "to": "-old.txt"])])

    private func lab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.write(Self.move, to: ".move.json")
        return lab
    }

    @Test(arguments: [("deny", 4), ("park", 3), ("fail", 1)] as [(String, Int32)])
    func whatWouldAskIsNotDone(onAsk: String, exit: Int32) async throws {
        let lab = try lab()
        let ending = try await lab.run("ask", "delete notes.txt", "--on-ask", onAsk, "--json")
        expectEvents(ending, exit: exit)
        #expect(lab.text("notes.txt") == "buy milk\n")
        let waiting = try await lab.json("inbox")
        #expect(waiting.count == (onAsk == "park" ? 1 : 0))
        #expect(ending.types.contains("await.opened") == (onAsk == "park"))
        #expect(!ending.types.contains("question.asked"), "nobody was asked")
    }

    /// What is harmless passes in adaptive mode; what only looks so is asked about.
    @Test(
        arguments: [
            ("MoveFile", ["from": "notes.txt", "to": "new/old.txt"], 0),
            ("MoveFile", ["from": "notes.txt", "to": "Makefile"], 3),
            ("MoveFile", ["from": ".env", "to": "env.txt"], 3), ("MoveFile", ["from": "shared.txt", "to": "b.txt"], 3),
            ("DeleteFile", ["path": "notes.txt"], 3), ("ReadFile", ["path": "shared.txt"], 3),
            ("WriteFile", ["path": "a\u{1B}b", "text": "x"], 3), ("WriteFile", ["path": "-d/a.txt", "text": "x"], 3),
            ("WriteFile", ["path": "NOTES.txt", "text": "x"], 3), ("WriteFile", ["path": "fresh.txt", "text": "x"], 0),
            ("Shell", ["command": "mv notes.txt old.txt"], 0), ("Shell", ["command": "cp notes.txt Notes.txt"], 3),
            ("Shell", ["command": "touch -- -rf"], 3),
        ] as [(String, JSON, Int32)])
    func whatIsHarmlessPasses(kind: String, params: JSON, exit: Int32) async throws {
        let lab = try lab()
        try lab.write("KEY=1\n", to: ".env")
        try lab.write("theirs\n", to: "shared.txt")
        #expect(link(lab.path("shared.txt"), lab.temporary + "/elsewhere") == 0)
        try lab.write(workflow("one", [node("one", kind, params)]), to: ".one.json")
        let ending = try await lab.run("run", ".one.json", "--on-ask", "park")
        #expect(ending.exit == exit, "\(ending.output) \(ending.errors)")
        if exit == 3 {
            #expect(lab.text("notes.txt") == "buy milk\n" && lab.exists(".env") && lab.exists("shared.txt"))
        }
        unlink(lab.temporary + "/elsewhere")
    }

    @Test func whoAnswersWhileNothingRunsIsToldWhatMakesItGoOn() async throws {
        let lab = try lab()
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        let hint = "to go on now: 'assent work --until-idle'"
        #expect(try await lab.run("reject", "1", "keep it").output.contains(hint))
        let working = try lab.start(["work"])
        #expect(try await lab.reaches(["cancelled"]))
        #expect(try await lab.run("retry", "w1").output.contains(hint) == false)
        #expect(try await lab.reaches(["awaitingUser"]))
        _ = try await onOwnThread { working.end(with: SIGTERM) }
        #expect(try await lab.run("cancel", "w1").output.contains(hint))
    }

    @Test func peopleAreToldWhyItWasNotDone() async throws {
        let lab = try lab()
        let ending = try await lab.run("ask", "delete notes.txt", "--on-ask", "deny")
        #expect(ending.exit == 4)
        #expect(ending.output.contains("would ask") && ending.output.contains("--on-ask park"), "\(ending.output)")
    }

    @Test func aParkedCallIsInTheInboxWithItsDigestAndLink() async throws {
        let lab = try lab()
        let ending = try await lab.run("ask", "delete notes.txt", "--on-ask", "park", "--json")
        let opened = try #require(ending.lines(of: "await.opened").first)
        let entry = try #require(try await lab.json("inbox").first)
        for key in ["number", "kind", "digest", "title", "reason", "link"] {
            #expect(opened[key] != nil && opened[key] == entry[key], "\(key): \(opened.text) \(entry.text)")
        }
        #expect(
            entry["kind"]?.string == "confirmCall" && entry["link"]?.string == "assent://workflow/w1/node/1?await=1")
        #expect(entry["digest"]?.string?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(ending.lines(of: "workflow.finished").first?["outcome"]?.string == "waiting")
    }

    @Test func whatCannotBeUndoneIsNotApprovedByDigest() async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        #expect(try await lab.run("ask", "delete notes.txt", "--on-ask", "park").exit == 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        let approved = try await lab.run("approve", "1", "--digest", digest)
        #expect(approved.exit == 4, "\(approved.output)")
        #expect(try await lab.run("work", "--until-idle").exit == 3)
        #expect(lab.exists("notes.txt"))
        // Nor without a terminal.
        let headless = try await lab.run("approve", "1", input: "notes.txt\ny\n")
        #expect(headless.exit != 0 && lab.exists("notes.txt"))
    }

    @Test(arguments: [
        move,
        workflow("overwrite", [node("write", "WriteFile", ["path": "notes.txt", "text": "new", "overwrite": true])]),
    ])
    func whatCanBeUndoneIsApprovedByItsDigestAndByNoOther(plan: JSON) async throws {
        let lab = try lab()
        try lab.write(plan, to: ".plan.json")
        let parked = try await lab.run("run", ".plan.json", "--on-ask", "park", "--json")
        expectEvents(parked, exit: 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        let other = (digest.first == "0" ? "1" : "0") + digest.dropFirst()
        for wrong in [
            other, String(digest.dropLast()), "", digest.uppercased() == digest ? other : digest.uppercased(),
        ] {
            #expect(try await lab.run("approve", "1", "--digest", wrong).exit != 0, "\(wrong)")
        }
        #expect(try await lab.run("work", "--until-idle").exit == 3)
        #expect(lab.text("notes.txt") == "buy milk\n")
        try await lab.succeeds("approve", "1", "--digest", digest)
        try await lab.succeeds("work", "--until-idle")
        #expect(lab.text("notes.txt") != "buy milk\n")
        // An approval is used up by the one call.
        let again = try await lab.run("run", ".plan.json", "--on-ask", "deny", "--json")
        #expect(again.exit != 0)
    }

    @Test func aFileThatChangedAfterTheYesIsAskedAnew() async throws {
        let lab = try lab()
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try await lab.stores("approve", "1", "--digest", digest)
        try lab.write("buy oat milk\n", to: "notes.txt")
        #expect(try await lab.run("work", "--until-idle").exit == 3)
        #expect(lab.text("notes.txt") == "buy oat milk\n" && !lab.exists("-old.txt"))
        let entry = try #require(try await lab.json("inbox").first)
        #expect(entry["number"]?.int == 2 && entry["digest"]?.string != digest)
    }

    @Test func theSecondAnswerIsToldWhoWasFirst() async throws {
        let lab = try lab()
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try await lab.succeeds("approve", "1", "--digest", digest)
        let second = try await lab.run("reject", "1", "no", "--json")
        #expect(second.exit == 1 && second.lines.first?["taken"]?.bool == false)
        #expect(
            second.lines.first?["by"]?.string == "person by digest" && second.lines.first?["at"]?.string != nil,
            "\(second.output)")
        let third = try await lab.run("approve", "1", "--digest", digest)
        #expect(third.exit != 0 && third.errors.contains("person by digest"), "\(third.errors)")
    }

    @Test func oneOfManyAnswersWins() async throws {
        let lab = try lab()
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        let answers = try await withThrowingTaskGroup(of: ProgramEnding.self) { group in
            for number in 0..<6 { group.addTask { try await lab.run("reject", "1", "no \(number)", "--json") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.lines.first?["taken"]?.bool == true } == 1, "\(answers.map(\.output))")
    }

    @Test(arguments: [true, false]) func anotherProcessAnswersWhileAWorkerCarries(isYes: Bool) async throws {
        let lab = try lab()
        let worker = try lab.start(["work", "--json"])
        try await lab.succeeds("run", ".move.json", "--detach")
        var entry: JSON?
        #expect(
            try await eventually {
                entry = try await lab.json("inbox").first
                return entry != nil
            })
        let digest = try #require(entry?["digest"]?.string)
        let answered =
            isYes ? try await lab.run("approve", "1", "--digest", digest) : try await lab.run("reject", "1", "keep it")
        #expect(answered.exit == 0)
        #expect(try await lab.reaches([isYes ? "succeeded" : "cancelled"]))
        #expect(lab.exists("-old.txt") == isYes)
        let failure = try await lab.shown()["steps"]?[0]?["failure"]
        if !isYes {
            #expect(
                failure?["code"]?.string == "rejected" && failure?.text.contains("keep it") == true,
                "\(String(describing: failure))")
        }
        let ending = try await onOwnThread { worker.end(with: 15) }
        #expect(ending.exit == 143)
    }

    @Test func autoAsksNothingButTheBareMachine() async throws {
        let lab = try lab()
        let deleted = try await lab.run("ask", "delete notes.txt", "--mode", "auto", "--json")
        expectEvents(deleted, exit: 0)
        #expect(!lab.exists("notes.txt"))
        #expect(!deleted.types.contains("await.opened"))
        let command: JSON = ["command": "touch made", "bare": true]
        try lab.write(workflow("shell", [node("run", "Shell", command)]), to: ".shell.json")
        for onAsk in ["park", "deny"] {
            let refused = try await lab.run("run", ".shell.json", "--mode", "auto", "--on-ask", onAsk, "--json")
            expectEvents(refused, exit: 4)
            #expect(!lab.exists("made"))
        }
        expectEvents(try await lab.run("run", ".shell.json", "--mode", "auto", "--on-ask", "fail", "--json"), exit: 1)
    }

    /// Outside of a chat there is no session that it could hold for, and to be asked less is a person's word.
    @Test(arguments: [
        (["always-ask"], 2, "--always"), (["auto", "--always"], 4, "at a terminal"), (["adaptive", "--always"], 0, ""),
    ])
    func aModeIsOneSessionsOrConfirmed(words: [String], exit: Int32, says: String) async throws {
        let lab = try ProgramLab()
        let ending = try await lab.run(["mode"] + words)
        #expect(ending.exit == exit && ending.errors.contains(says), "\(ending.exit) \(ending.errors)")
        #expect(try await lab.json("mode").first?["mode"] == "adaptive")
    }

    @Test func alwaysAskAsksForWhatOnlyReads() async throws {
        let lab = try lab()
        let ending = try await lab.run("ask", "count the words in notes.txt", "--mode", "always-ask", "--json")
        expectEvents(ending, exit: 3)
        #expect(ending.types.contains("await.opened"))
    }

    @Test func anUnreadablePolicyRefusesEffectsAndLetsReadsGoOn() async throws {
        let lab = try lab()
        for folder in ["\(lab.folder)/.assent"] { #expect(makeFolder(folder)) }
        try lab.write("policy: assent.policy/v99\nrules: []\n", to: ".assent/policy.yaml")
        let counted = try await lab.run("ask", "count the words in notes.txt", "--mode", "auto", "--json")
        expectEvents(counted, exit: 0)
        let moved = try await lab.run("run", ".move.json", "--mode", "auto", "--json")
        expectEvents(moved, exit: 4)
        #expect(lab.exists("notes.txt"))
    }
}
