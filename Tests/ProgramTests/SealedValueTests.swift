import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A person's keys in what they run: the tool gets them, and nothing that is stored or shown has them (`consent.md`
/// guarantee 14).
@Suite(.process) struct SealedValueTests {
    private static let token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2"
    private let server: ScriptedServer

    init() throws { server = try ScriptedServer { _ in .text("thanks") } }

    private func lab(_ environment: [String: String] = [:]) throws -> ProgramLab {
        let lab = try ProgramLab(environment: environment)
        try ScratchFolder.makeFolder("\(lab.home)/config/tools")
        try ScratchFolder.write(
            """
            tool: assent.tool/v1
            kind: Login
            title: Log in
            outputs: {text: text}
            params:
              token: {type: text, secret: true, summary: The key}
              user: {type: text, summary: Who}
            run:
              program:
                - [sh, -c, 'echo "$1-$2" | rev > out-text.txt; if test "$2" != me; then echo "it is $1" >&2; exit 1; fi', sh, "{token}", "{user}"]
              files: {text: login.txt}
            """, to: "\(lab.home)/config/tools/login.yaml")
        return lab
    }

    /// Every file but those that keep sealed values.
    private func expectNowhere(_ secret: String, in lab: ProgramLab) {
        let files = ScratchFolder.files(under: lab.home).filter {
            !$0.contains("/data/sealed/") && !$0.contains("/data/assets/")
        }
        #expect(files.contains { $0.hasSuffix("assent.db") })
        for file in files { #expect(!holds(ScratchFolder.bytes(file) ?? [], Array(secret.utf8)), "\(file)") }
    }

    private func holds(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0] == needle[0] && bytes[$0...].starts(with: needle) }
    }

    private func expectShownNowhere(_ secret: String, in lab: ProgramLab) async throws {
        for words in [
            ["show", "w1"], ["show", "w1", "1"], ["why", "w1", "1"], ["list"], ["inbox", "--all"], ["logs", "w1", "1"],
            ["timeline", "w1"],
        ] {
            for form in [[], ["--json"]] {
                let told = try await lab.run(words + form)
                #expect(!told.output.contains(secret) && !told.errors.contains(secret), "\(words + form)")
            }
        }
    }

    /// Nobody who is asked would see it, and a shell that reads the file would run it.
    @Test(arguments: [
        (": ", "/tmp/folder/aProgramWithALongName"), ("", "/tmp/folder/aProgramWithALongName"),
        ("# ", "PATH=toolstoolstools"),
    ])
    func noLineIsHiddenInAKeyOfSeveralLines(before: String, line: String) async throws {
        let lab = try lab()
        let kind = "PRIVATE " + "KEY-----"
        let text = "export A=1\n\(before)-----BEGIN \(kind)\n\(line)\n\(before)-----END \(kind)\n"
        for (tool, param) in [("WriteFile", "text"), ("Text", "text")] {
            let params: JSON = tool == "Text" ? [param: .string(text)] : [param: .string(text), "path": ".envrc"]
            try lab.write(workflow("hide", [node("a", tool, params)]), to: "plan.json")
            let ran = try await lab.run("run", "plan.json", "--mode", "auto", "--on-ask", "park", "--json")
            #expect(
                ran.exit == 2 && ran.lines(of: "error").first?["code"]?.string == "keyInText", "\(tool): \(ran.output)")
        }
        #expect(try await lab.json("list").isEmpty && !lab.exists(".envrc"))
    }

    @Test func aSecretParameterReachesItsToolAndNoRow() async throws {
        let lab = try lab()
        try lab.write(workflow("log in", [node("a", "Login", ["token": "hunter2", "user": "me"])]), to: "plan.json")
        let ran = try await lab.run("run", "plan.json", "--mode", "auto", "--json")
        expectEvents(ran, exit: 0)
        #expect(!ran.output.contains("hunter2"))
        let output = try #require(ran.lines(of: "workflow.finished").first?["outputs"]?.array?.first?["path"]?.string)
        #expect(ScratchFolder.text(output) == "em-2retnuh\n")
        unlink(lab.path("plan.json"))
        try await expectShownNowhere("hunter2", in: lab)
        expectNowhere("hunter2", in: lab)
        // Again, by another process, after the template has gone: from the seal.
        let again = try await lab.run("rerun", "w1", "1", "--json")
        #expect(again.exit == 0, "\(again.output)\(again.errors)")
        _ = try await lab.run("work", "--until-idle")
        #expect(try await lab.states() == ["succeeded"])
        let copy = try await lab.run("duplicate", "w1", "--json")
        #expect(copy.exit == 0, "\(copy.output)\(copy.errors)")
        _ = try await lab.run("work", "--until-idle")
        #expect(try await lab.states("w2") == ["succeeded"])
        expectNowhere("hunter2", in: lab)
    }

    /// What a program says when it fails is stored.
    @Test func whatAToolSaysBackIsCut() async throws {
        let lab = try lab(["ASSENT_API_KEY": "correct-horse-battery"])
        try lab.write(
            workflow("log in", [node("a", "Login", ["token": .string(Self.token), "user": "you"])]), to: "plan.json")
        let ran = try await lab.run("run", "plan.json", "--mode", "auto", "--json")
        #expect(ran.exit == 1)
        #expect(!ran.output.contains(Self.token), "\(ran.output)")
        #expect(ran.output.contains("it is ⟨cut: the key of Login.token, 28 characters⟩"), "\(ran.output)")
    }

    @Test func aKeyInAHeaderIsSentAndShownCut() async throws {
        let lab = try lab()
        let fetch: JSON = [
            "url": .string(server.url + "/"),
            "headers": ["Authorization": .string("token \(Self.token)"), "X-Plain": "seen"],
        ]
        try lab.write(workflow("fetch", [node("a", "HTTPFetch", fetch)]), to: "plan.json")
        let pty = try lab.terminal(["run", "plan.json"], columns: 140, rows: 40)
        #expect(
            await pty.seeQuestion { $0.text.contains("to go on") || $0.text.contains("127.0.0.1") },
            "\(pty.screen.text)")
        let text = pty.screen.text
        #expect(
            text.contains("headers.Authorization") && text.contains("token ⟨cut: a GitHub token, 28 characters⟩"),
            "\(text)")
        #expect(text.contains("headers.X-Plain") && text.contains("seen") && !text.contains(Self.token), "\(text)")
        pty.send("127.0.0.1\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(server.requests.first?.headers["authorization"] == "token \(Self.token)")
        unlink(lab.path("plan.json"))
        expectNowhere(Self.token, in: lab)
        try await expectShownNowhere(Self.token, in: lab)
    }

    /// The shell is given the key; who says yes sees the command without it.
    @Test(.enabled(if: Rehearsals.areHere)) func aKeyInACommandReachesItAndNoRow() async throws {
        let lab = try lab()
        let command: JSON = ["command": .string("echo \(Self.token) | rev > turned.txt")]
        try lab.write(workflow("turn", [node("a", "Shell", command)]), to: "plan.json")
        let pty = try lab.terminal(["run", "plan.json", "--mode", "always-ask"], columns: 140, rows: 40)
        #expect(
            await pty.seeQuestion("echo ⟨cut: a GitHub token, 28 characters⟩ | rev > turned.txt"), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.seeQuestion("turned.txt · 29 bytes"), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains(Self.token), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(ScratchFolder.text(lab.path("turned.txt")) == String(Self.token.reversed()) + "\n")
        for name in ["plan.json", "turned.txt"] { unlink(lab.path(name)) }
        expectNowhere(Self.token, in: lab)
        try await expectShownNowhere(Self.token, in: lab)
    }

    /// What is secret in one plan is chosen by whoever wrote it: it hides nothing in another.
    @Test func aSecretOfAPlanHidesNothingElsewhere() async throws {
        let lab = try lab()
        let hidden = ";rm${IFS}precious.txt"
        try lab.write(workflow("log in", [node("a", "Login", ["token": .string(hidden), "user": "me"])]), to: "a.json")
        _ = try await lab.run("run", "a.json", "--mode", "always-ask", "--on-ask", "park")
        try lab.write(
            workflow("b", [node("a", "Shell", ["command": .string("echo hi\(hidden)"), "bare": true])]), to: "b.json")
        let pty = try lab.terminal(["run", "b.json"], columns: 140, rows: 40)
        #expect(await pty.seeQuestion("echo hi\(hidden)"), "\(pty.screen.text)")
        pty.send("no\r")
        #expect(await pty.see("only Enter"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
        // It is a secret from when the tool has it; a command with it is not taken then.
        try lab.write(
            workflow("log in", [node("a", "Login", ["token": .string(hidden), "user": "you"])]), to: "c.json")
        let ran = try await lab.run("run", "c.json", "--mode", "auto", "--json")
        #expect(!ran.output.contains(hidden), "\(ran.output)")
    }

    /// Also where the end of what is shown lies within it.
    @Test(arguments: [0, 3990]) func aKeyInAResultIsShownCut(offset: Int) async throws {
        let lab = try lab()
        try lab.write(String(repeating: "x\n", count: offset / 2) + "it is \(Self.token)\n", to: "notes.txt")
        try lab.write(workflow("read", [node("a", "ReadFile", ["path": "notes.txt"])]), to: "plan.json")
        let ran = try await lab.run("run", "plan.json")
        #expect(ran.exit == 0 && !ran.output.contains(Self.token.prefix(8)), "\(ran.output)\(ran.errors)")
        if offset == 0 { #expect(ran.output.contains("it is ⟨cut: a GitHub token"), "\(ran.output)") }
        try await expectShownNowhere(String(Self.token.prefix(8)), in: lab)
    }

    /// A name is in every row and on every screen: it cannot be sealed.
    @Test(arguments: ["node", "param", "input"]) func aNameThatHoldsAKeyIsRefused(place: String) async throws {
        let lab = try lab()
        let params: JSON = place == "param" ? .of([Self.token: "x", "text": "x"]) : ["text": "x"]
        var plan = workflow("say", [node(place == "node" ? Self.token : "a", "Text", params)]).object ?? JSON.Object()
        if place == "input" { plan["inputs"] = .of([Self.token: ["type": "text", "to": [["a", "text"]]]]) }
        try lab.write(.object(plan), to: "plan.json")
        for form in [[], ["--json"]] {
            let ran = try await lab.run(["run", "plan.json"] + form)
            #expect(
                ran.exit == 2 && (place == "input" || (ran.output + ran.errors).contains("keyInName")),
                "\(ran.output)\(ran.errors)")
            #expect(!(ran.output + ran.errors).contains(Self.token), "\(ran.output)\(ran.errors)")
        }
    }

    /// What a model writes into a header is on the screen before it leaves.
    @Test func aHeaderThatAModelWroteIsShown() async throws {
        let fetch: JSON = [
            "url": .string(server.url + "/"), "headers": ["X-Stolen": "SECRET-DATA", "Metadata-Flavor": "Google"],
        ]
        let model = try ScriptedServer([
            .stream(SSE.call("propose_workflow", workflow("fetch", [node("a", "HTTPFetch", fetch)]))),
            .stream(SSE.text("Done.")),
        ])
        let lab = try lab(ModelTests.environment(model))
        let pty = try lab.terminal(["ask", "fetch it"], columns: 140, rows: 40)
        #expect(await pty.seeQuestion("127.0.0.1"), "\(pty.screen.text)")
        for words in ["headers.X-Stolen", "SECRET-DATA", "headers.Metadata-Flavor", "Google"] {
            #expect(pty.screen.text.contains(words), "\(pty.screen.text)")
        }
        pty.send("no\r")
        #expect(await pty.see("only Enter"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.exitStatus() == 4, "\(pty.screen.text)")
        #expect(server.requests.isEmpty)
    }

    /// `consent.md` guarantee 1: another secret is another call, though the screen shows the same.
    @Test func anotherSecretIsAskedAnew() async throws {
        let lab = try lab()
        for (number, end) in ["X", "Y"].enumerated() {
            let fetch: JSON = [
                "url": .string(server.url + "/"), "headers": ["Authorization": .string("token \(Self.token)\(end)")],
            ]
            try lab.write(workflow("fetch", [node("a", "HTTPFetch", fetch)]), to: "plan\(number).json")
            #expect(try await lab.run("run", "plan\(number).json", "--on-ask", "park").exit == 3)
        }
        let digests = try await lab.json("inbox").compactMap { $0["digest"]?.string }
        #expect(digests.count == 2 && Set(digests).count == 2)
    }

    /// Also as it stands in a row: a file could have it sent to another address.
    @Test(arguments: ["as it is", "other words", "other tool"]) func aSealThatIsWrittenByHandOpensNothing(way: String)
        async throws
    {
        let lab = try lab()
        try lab.write(workflow("log in", [node("a", "Login", ["token": "hunter2", "user": "me"])]), to: "plan.json")
        #expect(try await lab.run("run", "plan.json", "--mode", "auto").exit == 0)
        let hash = try #require(ScratchFolder.names(in: "\(lab.home)/data/sealed").first { $0.count == 64 })
        let shown: JSON = way == "other words" ? "nothing" : "⟨cut: a secret parameter⟩"
        let seal: JSON = ["sealed": .string("sha256:\(hash)"), "shown": shown]
        let params: JSON = way == "other tool" ? ["text": seal] : ["token": seal, "user": "me"]
        try lab.write(
            workflow("forged", [node("a", way == "other tool" ? "Text" : "Login", params)]), to: "forged.json")
        let ran = try await lab.run("run", "forged.json", "--mode", "auto", "--json")
        #expect(ran.exit == 2 && ran.output.contains("sealedValue"), "\(ran.output)")
    }

    /// A bundle carries no seal that opens anything, and no content with a key; one that is put into a bundle or an
    /// edit opens nothing.
    @Test func aSealOpensForItsOwnWorkflowOnly() async throws {
        let lab = try lab()
        let text = "it is \(Self.token)"
        try lab.write(workflow("mine", [node("a", "Text", ["text": .string(text)])]), to: "mine.json")
        #expect(try await lab.run("run", "mine.json").exit == 0)
        let hash = try #require(ScratchFolder.names(in: "\(lab.home)/data/sealed").first { $0.count == 64 })
        let seal: JSON = ["sealed": .string("sha256:\(hash)"), "shown": "it is ⟨cut: a GitHub token, 28 characters⟩"]
        #expect(try await lab.run("export", "w1", "mine.zip").exit == 0)
        let bundle = try #require(ScratchFolder.bytes(lab.path("mine.zip")))
        #expect(!holds(bundle, Array(Self.token.utf8)))

        let plain = String(repeating: "x", count: seal.text.utf8.count - 2)
        try lab.write(workflow("theirs", [node("a", "Text", ["text": .string(plain)])]), to: "theirs.json")
        #expect(try await lab.run("run", "theirs.json").exit == 0)
        try lab.write(workflow("theirs", [node("a", "Text", ["text": seal])]), to: "edited.json")
        let edit = try await lab.run("edit", "w2", "edited.json", "--json")
        #expect(edit.exit == 2 && edit.output.contains("sealedValue"), "\(edit.output)\(edit.errors)")

        #expect(try await lab.run("export", "w2", "theirs.zip").exit == 0)
        let script = """
            import sys, zipfile, zlib
            file, old, new = sys.argv[1], ('"' + sys.argv[2] + '"').encode(), sys.argv[3].encode()
            entry = zipfile.ZipFile(file).read("template.json")
            forged = entry.replace(old, new)
            assert forged != entry and len(forged) == len(entry)
            data = open(file, "rb").read().replace(entry, forged)
            crc = lambda bytes: zlib.crc32(bytes).to_bytes(4, "little")
            open(file, "wb").write(data.replace(crc(entry), crc(forged)))
            """
        let forged = try await lab.tool("python3", "-c", script, lab.path("theirs.zip"), plain, seal.text)
        #expect(forged.exit == 0, "\(forged.errors)")
        for (file, workflow) in [("theirs.zip", "w3"), ("mine.zip", "w4")] {
            let imported = try await lab.run("import", file, "--json")
            #expect(imported.exit == 0, "\(imported.output)\(imported.errors)")
            _ = try await lab.run("rerun", workflow, "1", "--json")
            _ = try await lab.run("work", "--until-idle")
            let shown = try await lab.run("show", workflow, "--json")
            #expect(shown.output.contains("secretGone"), "\(shown.output)")
        }
    }

    @Test func whatNoWorkflowNamesGoes() async throws {
        let lab = try lab()
        try lab.write(workflow("log in", [node("a", "Login", ["token": "hunter2", "user": "me"])]), to: "plan.json")
        #expect(try await lab.run("run", "plan.json", "--mode", "auto").exit == 0)
        func seals() -> [String] { ScratchFolder.names(in: "\(lab.home)/data/sealed").filter { $0.count == 64 } }
        let path = "\(lab.home)/data/sealed/\(try #require(seals().first))"
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let old = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
        #expect(utimes(path, old) == 0)
        #expect(try await lab.run("cache", "free").exit == 0)
        #expect(seals().count == 1, "a workflow names it")
        #expect(try await lab.run("delete", "w1", "--yes").exit == 0)
        #expect(try await lab.run("cache", "free").exit == 0)
        #expect(seals().isEmpty)
    }
}
