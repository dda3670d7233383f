import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// `export`, `import`, `release`: a workflow with all it has made, from one home to another.
@Suite(.process) struct BundleTests {
    private let two = workflow(
        "two notes", [node("a", "Text", ["text": "hello"]), node("w", "WriteFile", ["path": "note.txt"])],
        [edge("a.text", "w.text")])

    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 300, height: 200)
        expectEvents(try await lab.run("ask", "make cat.jpg 100 px wide", "--mode", "auto", "--json"), exit: 0)
        return lab
    }

    private func exported(_ lab: ProgramLab, _ workflow: String, as name: String) async throws -> [UInt8] {
        let ending = try await lab.run("export", workflow, name, "--json")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        return try #require(lab.bytes(name))
    }

    @Test func theSecondExportIsEqualToTheByteHereAndElsewhere() async throws {
        let (here, there) = (try await lab(), try ProgramLab(folder: "elsewhere"))
        let first = try await exported(here, "w1", as: "w1.zip")
        try there.write(first, to: "w1.zip")
        // Other numbers than at home.
        try there.write(two, to: ".two.json")
        #expect(try await there.run("run", ".two.json", "--mode", "auto", "--json").exit == 0)
        for lab in [here, there] {
            let came = try #require(try await lab.json("import", "w1.zip").first)
            #expect(came["workflow"]?.string == "w2" && came["held"] == nil && came["contents"]?.int == 2)
            #expect(try await exported(lab, "w2", as: "w2.zip") == first)
            let shown = try await lab.shown("w2")
            #expect(
                shown["workflow"]?["outcome"]?.string == "succeeded" && shown["workflow"]?["mode"]?.string == "adaptive"
            )
            #expect(shown["workflow"]?["workspace"]?.string == lab.folder)
            #expect(shown["assets"]?.array?.allSatisfy { $0["run"]?.string?.hasPrefix("w2.") == true } == true)
            let path = try #require(try await lab.json("preview", "w2.1.image").first?["preview"]?.string)
            #expect(try await lab.picture(path)[0] == 100)
            try await lab.succeeds("doctor", "--thorough", "--json")
        }
        // Nothing of this machine is in it.
        let text = String(decoding: first, as: UTF8.self)
        #expect(!text.contains(here.home) && !text.contains("2026-"))
        #expect(
            try await here.run("export", "w1", "w1.zip", "--json").lines(of: "error").first?["code"]?.string
                == "targetExists")
    }

    /// It never runs by itself, and no yes comes with it.
    @Test func whatIsNotOverWaitsForAWord() async throws {
        let (here, there) = (try ProgramLab(), try ProgramLab(folder: "elsewhere"))
        try here.write(two, to: ".two.json")
        #expect(try await here.run("run", ".two.json", "--mode", "always-ask", "--json").exit == 3)
        let first = try await exported(here, "w1", as: "w1.zip")
        try there.write(first, to: "w1.zip")
        let came = try #require(try await there.json("import", "w1.zip").first)
        #expect(came["held"]?.bool == true)
        #expect(try await exported(there, "w1", as: "again.zip") == first)
        #expect(try await there.run("work", "--until-idle").exit == 3)
        #expect(try await there.states() == ["awaitingUser", "blocked"])
        #expect(try await there.json("list").first?["quarantine"]?["cause"]?.string == "imported")
        #expect(try await there.run("list").output.contains("assent release w1"))
        let question = try #require(try await there.json("inbox").first)
        let digest = try #require(question["digest"]?.string)
        let refused = try await there.run("approve", "1", "--digest", digest, "--json")
        #expect(refused.lines(of: "error").first?["code"]?.string == "workflowHeld" && refused.exit != 0)
        #expect(try await there.run("work", "--until-idle").exit == 3)
        #expect(!there.exists("note.txt"))
        // A person lets it go on; what it does is asked for here, of what is here.
        #expect(try await there.run("release", "w1").exit == 0)
        for _ in 0..<6 where !there.exists("note.txt") {
            _ = try await there.run("work", "--until-idle")
            for entry in try await there.json("inbox") {
                _ = try await there.run(
                    "approve", "\(entry["number"]?.int ?? 0)", "--digest", entry["digest"]?.string ?? "", "--json")
            }
        }
        #expect(there.text("note.txt") == "hello" && !here.exists("note.txt"))
    }

    private static let later = """
        tool: assent.tool/v1
        kind: Later
        title: Later
        inputs: {after: text}
        outputs: {text: text}
        params: {api_key: {type: text}, headers: {type: json}, q: {type: text}}
        run:
          program:
            - [touch, "{out.text}"]
          files: {text: made.txt}
        """

    /// What came of a file with keys stays at home, and so does every secret of the template.
    @Test func secretsStayAtHome() async throws {
        let lab = try ProgramLab()
        try lab.write("KEY=hush-in-file", to: ".env")
        // A tool that is gone by the time of the export, so that nobody knows which of its parameters are secret.
        let tool = "\(lab.home)/config/tools/later.yaml"
        try ScratchFolder.makeFolder("\(lab.home)/config/tools")
        try ScratchFolder.write(Self.later, to: tool)
        let secret = workflow(
            "secret",
            [
                node("read", "ReadFile", ["path": ".env"]), node("count", "CountWords"),
                node("absent", "ReadFile", ["path": "absent.txt"]),
                node(
                    "call", "Later",
                    ["api_key": "hush-in-param", "headers": ["Authorization": "Bearer hush-in-header"], "q": "kept"]),
            ], [edge("read.text", "count.text"), edge("absent.text", "call.after")],
            // Whichever comes first, the one that reads the keys is done.
            options: ["errorPolicy": "isolate-node"])
        try lab.write(secret, to: ".s.json")
        _ = try await lab.run("run", ".s.json", "--mode", "auto", "--json")
        unlink(tool)
        let ending = try #require(try await lab.json("export", "w1", "s.zip").first)
        #expect(ending["withheld"]?.int ?? 0 >= 1)
        let text = String(decoding: try #require(lab.bytes("s.zip")), as: UTF8.self)
        #expect(!text.contains("hush") && text.contains("kept"))
        // It comes in without them, and goes out the same.
        try await lab.succeeds("import", "s.zip")
        #expect(try await exported(lab, "w2", as: "again.zip") == lab.bytes("s.zip"))
    }

    /// Also what a person gave later: in an edit of the graph, whose earlier revisions travel, and for a run of its
    /// own.
    @Test func secretsOfEditsAndEarlierRevisionsStayAtHome() async throws {
        let lab = try ProgramLab()
        // It is asked for and not sent.
        let call = node("f", "HTTPFetch", ["url": "http://127.0.0.1:9/kept", "headers": ["X": "hush-first"]])
        try lab.write(workflow("secret", [call]), to: ".s.json")
        #expect(try await lab.run("run", ".s.json", "--mode", "always-ask", "--json").exit == 3)
        for change in [
            ["edit", "w1", "--set", #"f.headers={"X":"hush-second"}"#],
            ["rerun", "w1", "f", "--set", #"headers={"X":"hush-third"}"#],
        ] {
            let ending = try await lab.run(change)
            #expect(ending.exit == (change[0] == "rerun" ? 3 : 0), "\(ending.output)\(ending.errors)")
            #expect(try await lab.run("work", "--until-idle").exit == 3)
        }
        let shown = try await lab.shown()
        #expect(shown["workflow"]?["revision"] == 2 && shown["steps"]?[0]?["edits"] == ["headers"], "\(shown.text)")
        let first = try await exported(lab, "w1", as: "s.zip")
        let text = String(decoding: first, as: UTF8.self)
        #expect(!text.contains("hush") && text.contains("127.0.0.1:9/kept"))
        try await lab.succeeds("import", "s.zip")
        #expect(try await exported(lab, "w2", as: "again.zip") == first)
    }

    @Test(arguments: 0..<6) func aBundleThatSomethingHappenedToIsRefusedWhole(seed: Int) async throws {
        let lab = try await lab()
        let whole = try await exported(lab, "w1", as: "w1.zip")
        var random = Seeded(UInt64(seed))
        let contents = ScratchFolder.files(under: "\(lab.home)/data/assets").count
        for _ in 0..<5 {
            var changed = whole
            changed[Int.random(in: 0..<changed.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            try lab.write(changed, to: "changed.zip")
            let ending = try await lab.run("import", "changed.zip", "--json")
            #expect(
                ending.exit == 2 && ending.lines(of: "error").first?["code"]?.string == "badBundle", "\(ending.output)")
        }
        #expect(try await lab.json("list").count == 1)
        #expect(ScratchFolder.files(under: "\(lab.home)/data/assets").count <= contents + 1, "at most the lock")
    }

    /// A liar with a zip program of our form: python writes stored entries as we do but for their times.
    @Test func aZipOfAnotherMakerIsRefused() async throws {
        let lab = try await lab()
        _ = try await exported(lab, "w1", as: "w1.zip")
        let script = """
            import zipfile
            z = zipfile.ZipFile('w1.zip'); o = zipfile.ZipFile('evil.zip', 'w')
            for n in z.namelist(): o.writestr(n, z.read(n).replace(b'"load"', b'"evil"'))
            o.close()
            """
        #expect(try await lab.tool("python3", "-c", script).exit == 0)
        let ending = try await lab.run("import", "evil.zip", "--json")
        #expect(ending.lines(of: "error").first?["code"]?.string == "badBundle")
    }
}
