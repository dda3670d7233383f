import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A guide in a terminal: from its first step to its package, through a kill, back, and refusals.
@Suite(.process) struct GuideTests {
    private static let guide = """
        guide: assent.guide/v1
        id: small
        title: A small report
        steps:
          - {id: hurt, choose: [nobody, somebody], ask: Who is hurt?}
          - {id: call, text: "When did you call?", title: The call, when: "hurt = 'somebody'"}
          - {id: corners, capture: "Each corner of the car.", each: [front left, front right], accept: {}}
          - {id: damage, capture: "The damage, from 50 cm.", count: 1..3, accept: {}, skip: There is no visible damage.}
          - {id: km, number: "What does the counter say?", unit: km, accept: [{test: "answer > 0", say: It cannot be zero.}]}
          - {id: story, text: "What happened?"}
        """

    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write(Self.guide, to: "small.yaml")
        for name in ["a.jpg", "b.jpg"] { try await lab.photograph(name, width: 64, height: 48) }
        return lab
    }

    private func run(_ words: [String], _ lab: ProgramLab) throws -> Pty {
        try lab.terminal(["guide"] + words, columns: 80, rows: 24)
    }

    private func see(_ text: String, _ pty: Pty) async { #expect(await pty.see(text), "\(text): \(pty.screen.text)") }

    @Test func aGuideIsLedThroughKilledAndTakenUp() async throws {
        let lab = try await lab()
        var pty = try run(["run", "small.yaml"], lab)
        await see("1/6 Who is hurt", pty)
        pty.send("2\r")
        await see("2/6 The call", pty)
        pty.send("at noon\r")
        await see("front left (1 of 2)", pty)
        pty.send("a.jpg\r")
        await see("front right (2 of 2)", pty)
        // What was given stands, whatever ends the program.
        pty.signal(9)
        _ = await pty.exitStatus()
        pty = try run(["run", "w1"], lab)
        await see("front right (2 of 2)", pty)
        pty.send("b.jpg\r")
        await see("4/6 The damage", pty)
        pty.send("skip\r")
        await see("5/6 What does the counter say", pty)
        pty.send("0\r")
        await see("✗ It cannot be zero.", pty)
        pty.send("12,5 km\r")
        await see("6/6 What happened", pty)
        pty.send("Nothing much.\r")
        await see("back NUMBER answers a step again", pty)
        #expect(pty.screen.text.contains("⊘ The damage  There is no visible damage"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("12.5 km"), "\(pty.screen.text)")
        // A step whose condition does not hold any more is not asked for; its answer is kept.
        pty.send("back 1\r")
        await see("Enter keeps: somebody", pty)
        await see("number or word", pty)
        pty.send("1\r")
        await see("⊘ The call  not asked", pty)
        pty.send("\r")
        await see("✓ A small report is complete", pty)
        #expect(await pty.exitStatus() == 0)
        let shown = try await lab.run(["guide", "show", "w1", "--json"])
        let steps = try JSONReader.read(shown.output)["steps"]?.array ?? []
        #expect(
            steps.map { $0["state"]?.string } == [
                "answered", "notAsked", "answered", "skipped", "answered", "answered",
            ])
        #expect(steps[4]["answer"] == "12.5" && steps[2]["media"] == ["a.jpg", "b.jpg"])
    }

    /// In the chat, a step that the guide asks is not announced beside it.
    @Test func theChatSaysEachStepOnce() async throws {
        let lab = try await lab()
        let pty = try lab.terminal(columns: 80, rows: 40)
        await see("›", pty)
        pty.send("/guide run small.yaml\r")
        await see("1/6 Who is hurt", pty)
        await see("number or word", pty)
        pty.send("1\r")
        await see("front left (1 of 2)", pty)
        #expect(!pty.screen.text.contains("needs you"), "\(pty.screen.text)")
        pty.send("pause\r")
        await see("To go on: /guide run w1", pty)
        await see("[1⚑]", pty)
        #expect(!pty.screen.text.contains("needs you"), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    /// A process that holds the run and stands still is named. The answer waits for that process.
    @Test func aStoppedProcessThatHoldsTheRunIsNamed() async throws {
        let lab = try await lab()
        try lab.write(
            "guide: assent.guide/v1\nid: two\ntitle: Two\nsteps: [{id: a, text: First?}, {id: b, text: Second?}]\n",
            to: "two.yaml")
        let chat = try lab.terminal(columns: 80, rows: 40)
        await see("›", chat)
        chat.send("/guide run two.yaml\r")
        await see("1/2 First", chat)
        chat.send("/pause\r")
        await see("To go on: /guide run w1", chat)
        chat.signal(SIGSTOP)
        let pty = try run(["run", "w1"], lab)
        await see("1/2 First", pty)
        pty.send("hello\r")
        await see("Process \(try #require(chat.process)) holds w1 and stands still", pty)
        chat.signal(SIGCONT)
        await see("2/2 Second", pty)
        pty.send("/pause\r")
        await see("To go on: assent guide run w1", pty)
        #expect(await pty.exitStatus() == 3)
        chat.send("/quit\r")
        #expect(await chat.exitStatus() == 0)
    }

    @Test func stepsAreDoneFromTheInboxUnderTheSameChecks() async throws {
        let lab = try await lab()
        let pty = try run(["run", "small.yaml"], lab)
        await see("1/6 Who is hurt", pty)
        pty.send("pause\r")
        await see("To go on", pty)
        #expect(await pty.exitStatus() == 3)
        #expect(try await lab.run(["complete", "1", "--choice", "nobody"]).exit == 3)
        let one = try await lab.run(["complete", "2", "--asset", "a.jpg"])
        #expect(one.exit == 2 && one.errors.contains("wants 2 pictures"), "\(one.errors)")
        #expect(try await lab.run(["complete", "2", "--asset", "a.jpg", "--asset", "b.jpg"]).exit == 3)
        #expect(try await lab.run(["skip", "3"]).exit == 3)
        let zero = try await lab.run(["complete", "4", "--text", "0"])
        #expect(zero.exit == 2 && zero.errors.contains("It cannot be zero."), "\(zero.errors)")
        #expect(try await lab.run(["skip", "4"]).exit == 2, "it is required")
        #expect(try await lab.run(["complete", "4", "--text", "0", "--anyway", "it is new"]).exit == 3)
        let shown = try JSONReader.read(await lab.run(["guide", "show", "w1", "--json"]).output)
        #expect(shown["steps"]?.array?[4]["taken"] == "it is new", "\(shown)")
    }

    /// What is answered again once all is over is looked over again before the package is written.
    @Test func aReviewIsHeldAgainAfterALateAnswer() async throws {
        let lab = try await lab()
        try lab.write(
            "guide: assent.guide/v1\nid: one\ntitle: One\nsteps: [{id: a, text: What?, skip: Nothing.}]\n",
            to: "one.yaml")
        var pty = try run(["run", "one.yaml"], lab)
        await see("1/1 What", pty)
        pty.send("this\r")
        await see("back NUMBER answers a step again", pty)
        pty.send("note 1.2 no such picture\r")
        await see("note 3 TEXT, or note 3.2", pty)
        pty.send("note 1 by phone\r")
        await see("noted", pty)
        pty.send("\r")
        await see("✓ One is complete", pty)
        #expect(await pty.exitStatus() == 0)
        #expect(try await lab.run(["rerun", "w1", "1"]).exit == 3)
        #expect(try await lab.run(["skip", "3", "nothing", "at", "all"]).exit == 0)
        let early = try await lab.run(["guide", "export", "w1"])
        #expect(early.exit != 0 && early.errors.contains("answered again after the review"), "\(early.errors)")
        pty = try run(["run", "w1"], lab)
        await see("⊘ What  nothing at all", pty)
        await see("Enter to go on", pty)
        pty.send("\r")
        await see("✓ One is complete", pty)
        #expect(await pty.exitStatus() == 0)
        #expect(try await lab.run(["guide", "export", "w1"]).exit == 0)
    }

    /// An example lies beside the guide, wherever it is run from, and is shown where pictures are shown.
    @Test func anExampleIsShownAtItsStep() async throws {
        let lab = try await lab()
        mkdir("\(lab.home)/config", 0o700)
        mkdir(lab.path("guides"), 0o700)
        try ScratchFolder.write("pictures: kitty\n", to: "\(lab.home)/config/settings.yaml")
        try lab.write(#require(lab.bytes("a.jpg")), to: "guides/like this.jpg")
        let guide =
            "guide: assent.guide/v1\nid: one\ntitle: One\nsteps: [{id: a, capture: A car., accept: {}, example: like this.jpg}]\n"
        try lab.write(guide, to: "guides/one.yaml")
        let pty = try run(["run", "guides/one.yaml"], lab)
        await see("An example: assent view", pty)
        await see("such as this", pty)
        #expect(await pty.see { _ in pty.output.contains("_Ga=T") }, "\(pty.screen.text)")
    }

    /// A package may have copies of fewer pixels, whose metadata can be cut whatever the format of the original was.
    @Test func picturesAreMadeSmallerIfTheGuideWantsIt() async throws {
        let lab = try await lab()
        try await lab.photograph("large.jpg", width: 3000, height: 1500)
        _ = try await lab.tool("vips", "copy", lab.path("large.jpg"), lab.path("large.webp"))
        let guide = """
            guide: assent.guide/v1
            id: one
            title: One
            place: ask
            steps: [{id: a, capture: A car., accept: {}, count: 1..2}]
            review: false
            export: {originals: false}
            """
        try lab.write(guide, to: "one.yaml")
        try lab.write(
            "answers: assent.answers/v1\nguide: one\nsteps: {a: [large.webp, a.jpg], place: \"Main Street 1\"}\n",
            to: "answers.yaml")
        let ran = try await lab.run(["guide", "run", "one.yaml", "--answers", "answers.yaml"])
        #expect(ran.exit == 0, "\(ran.output)\(ran.errors)")
        let exported = try await lab.run(["guide", "export", "w1", "one.zip"])
        #expect(exported.exit == 0, "\(exported.output)\(exported.errors)")
        _ = try await lab.tool("unzip", "-q", lab.path("one.zip"), "-d", lab.path("package"))
        let sizes = try await [
            lab.tool("vipsheader", lab.path("package/media/01-a-1.jpg")).output,
            lab.tool("vipsheader", lab.path("package/media/01-a-2.jpg")).output,
        ]
        #expect(sizes[0].contains("2048x1024") && sizes[1].contains("64x48"), "\(sizes)")
        let provenance = ScratchFolder.text("\(lab.path("package"))/provenance.json") ?? ""
        #expect(provenance.contains("\"place\": \"Main Street 1\"") && !provenance.contains("notCut"), "\(provenance)")
    }

    @Test func whatIsWrongWithAGuideIsSaidBeforeAnythingStarts() async throws {
        let lab = try await lab()
        try lab.write(Self.guide.replacing("id: story", with: "id: km"), to: "small.yaml")
        let checked = try await lab.run(["guide", "check", "small.yaml"])
        #expect(checked.exit == 2 && checked.output.contains("small.yaml:10:"), "\(checked.output)")
        // The line as it was meant is shown, and the file stays as it is.
        let misspelt = Self.guide.replacing("skip: There", with: "skpi: There")
        try lab.write(misspelt, to: "small.yaml")
        let mended = try await lab.run(["guide", "check", "small.yaml"])
        #expect(
            mended.output.contains("- ")
                && mended.output.contains("+   - {id: damage, capture: \"The damage, from 50 cm.\", count: 1..3,")
        )
        #expect(mended.exit == 2 && lab.text("small.yaml") == misspelt, "\(mended.output)")
        #expect(try await lab.run(["guide", "run", "none-such"]).exit == 2)
        #expect(try await lab.run(["list", "--json"]).output.isEmpty)
    }

    /// The same answers give the same package, from a file and from the answers in a package. Only its provenance
    /// differs.
    @Test func answersFromAFileGiveTheSamePackage() async throws {
        let lab = try await lab()
        let answers = """
            answers: assent.answers/v1
            guide: small
            steps:
              hurt: somebody
              call: at noon
              corners: {front left: a.jpg, front right: b.jpg}
              damage: {skip: there is none}
              km: {value: "0", take: it is new}
              story: Nothing much.
            notes:
              - {step: corners, part: "2", text: "an old scratch"}
            """
        try lab.write(answers, to: "answers.yaml")
        var listed: [String] = []
        for (file, name) in [
            ("answers.yaml", "one.zip"), ("answers.yaml", "two.zip"), ("package/answers.json", "three.zip"),
        ] {
            let ran = try await lab.run(["guide", "run", "small.yaml", "--answers", file, "--json"])
            #expect(ran.exit == 0, "\(ran.output)\(ran.errors)")
            let workflow = try #require(ran.results.last?["workflow"]?.string)
            #expect(try await lab.run(["guide", "export", workflow, name]).exit == 0)
            let sums = try await lab.tool("unzip", "-v", lab.path(name)).output.split(separator: "\n")
            // The sums and names of all but what tells of this run; the report has lines of its provenance.
            listed.append(
                sums.filter { line in
                    line.contains("%") && !["provenance.json", "report.html", "files"].contains { line.hasSuffix($0) }
                }
                .compactMap { $0.split(separator: " ").suffix(2).joined(separator: " ") }.joined(separator: "\n"))
            if name == "one.zip" { _ = try await lab.tool("unzip", "-q", lab.path(name), "-d", lab.path("package")) }
        }
        #expect(
            listed[0] == listed[1] && listed[1] == listed[2] && listed[0].contains("media/03-corners-front-left.jpg"),
            "\(listed)")
        #expect(listed[0].contains("answers.json") && listed[0].contains("checks.json"))
        let package = lab.path("package")
        func text(_ name: String) -> String { ScratchFolder.text("\(package)/\(name)") ?? "" }
        #expect(
            text("annotations.json").contains("03-corners-front-right.jpg")
                && text("report.html").contains("an old scratch"))
        #expect(text("checks.json").contains("\"words\": \"there is none\""), "\(text("checks.json"))")
        #expect(text("provenance.json").contains(", from answers.yaml\""), "\(text("provenance.json"))")
    }

    @Test func answersThatDoNotFitStopThereAndSaySo() async throws {
        let lab = try await lab()
        try lab.write("answers: assent.answers/v1\nguide: small\nsteps: {hurt: nobody, smell: bad}\n", to: "a.yaml")
        let wrong = try await lab.run(["guide", "run", "small.yaml", "--answers", "a.yaml"])
        #expect(wrong.exit == 2 && wrong.errors.contains("a.yaml:3:"), "\(wrong.errors)")
        #expect(try await lab.run(["list", "--json"]).output.isEmpty)
        try lab.write("answers: assent.answers/v1\nguide: small\nsteps: {hurt: nobody}\n", to: "b.yaml")
        let partly = try await lab.run(["guide", "run", "small.yaml", "--answers", "b.yaml"])
        #expect(partly.exit == 3, "\(partly.output)\(partly.errors)")
        try lab.write(
            "answers: assent.answers/v1\nguide: small\nsteps: {corners: {front left: a.jpg, front right: none.jpg}}\n",
            to: "c.yaml")
        let missing = try await lab.run(["guide", "run", "w1", "--answers", "c.yaml"])
        #expect(missing.exit == 2 && missing.errors.contains("none.jpg"), "\(missing.errors)")
    }

    /// A capture that names no limits refuses a blurred picture, and `guide check` says by what.
    @Test(arguments: [("", 2, "blurred"), (", accept: {}", 0, "")])
    func aBlurredPictureIsRefusedUnlessTheGuideChecksNothing(accept: String, exit: Int32, words: String) async throws {
        let lab = try await lab()
        // Grey without any detail: nothing is less sharp.
        _ = try await lab.tool("vips", "black", lab.path("black.v"), "64", "48")
        _ = try await lab.tool("vips", "linear", lab.path("black.v"), lab.path("blurred.jpg"), "1", "128", "--uchar")
        try lab.write(
            "guide: assent.guide/v1\nid: one\ntitle: One\nsteps: [{id: pic, capture: The thing.\(accept)}]\n",
            to: "one.yaml")
        let checked = try await lab.run(["guide", "check", "one.yaml"])
        #expect(checked.exit == 0 && checked.output.contains("sharp: 90") == accept.isEmpty, "\(checked.output)")
        try lab.write("answers: assent.answers/v1\nguide: one\nsteps: {pic: blurred.jpg}\n", to: "a.yaml")
        let ran = try await lab.run(["guide", "run", "one.yaml", "--answers", "a.yaml"])
        #expect(ran.exit == exit && ran.errors.contains(words), "\(ran.output)\(ran.errors)")
    }
}
