import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// `doctor`: what it sees, what it mends, what it tells others.
@Suite(.process) struct DoctorTests {
    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write(CommandTests.note, to: ".note.json")
        expectEvents(try await lab.run("run", ".note.json", "--mode", "auto", "--json"), exit: 0)
        return lab
    }

    private func sql(_ lab: ProgramLab, _ text: String) async throws {
        let ending = try await lab.tool(
            "sqlite3", "\(lab.home)/data/assent.db",
            "PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON; " + text)
        #expect(ending.exit == 0, "\(ending.errors)")
    }

    private func finding(_ lines: [JSON], _ name: String) -> JSON? { lines.first { $0["name"]?.string == name } }

    @Test func allIsWellAfterAWorkflow() async throws {
        let lab = try await lab()
        let ending = try await lab.run("doctor", "--thorough", "--json")
        #expect(ending.exit == 0, "\(ending.output)")
        for name in ["database", "states", "assets"] {
            #expect(finding(ending.lines, name)?["ok"]?.bool == true, "\(name)")
        }
    }

    @Test func aGuideOfTheUsersThatIsWrongIsNamedWithItsPlace() async throws {
        let lab = try ProgramLab()
        for folder in ["config", "config/guides"] { #expect(makeFolder("\(lab.home)/\(folder)")) }
        try ScratchFolder.write(
            "guide: assent.guide/v1\nid: a\ntitle: A\nsteps: [{id: b, txt: What?}]\n",
            to: "\(lab.home)/config/guides/a.yaml")
        let ending = try await lab.run("doctor", "--json")
        let words = ending.lines.filter { $0["name"] == "guide" }.compactMap { $0["words"]?.string }
        #expect(
            ending.exit == 1 && words.contains { $0.contains("guides/a.yaml:4:") && $0.contains("txt") },
            "\(ending.output)")
    }

    /// Rows that no longer say what happened; and what is made of the events.
    @Test func statesThatContradictTheirEventsAreSeenAndRebuilt() async throws {
        let lab = try await lab()
        try await sql(
            lab, "UPDATE steps SET state='failed', attempt=9 WHERE step=1; UPDATE workflows SET outcome='failed';")
        let before = try await lab.run("doctor", "--json")
        #expect(
            before.exit == 1
                && finding(before.lines, "w1")?["words"]?.string?.contains("its events say succeeded") == true,
            "\(before.output)")
        // It is as it was, to the bit, or the sums would tell.
        try await lab.succeeds("doctor", "--rebuild")
        try await lab.succeeds("doctor", "--json")
        #expect(try await lab.states() == ["succeeded", "succeeded"])
        #expect(try await lab.shown()["workflow"]?["outcome"]?.string == "succeeded")
    }

    @Test func contentsThatAreGoneOrDamagedAreNamed() async throws {
        let lab = try await lab()
        let contents = ScratchFolder.files(under: "\(lab.home)/data/assets").filter {
            $0.split(separator: "/").last?.count == 64
        }
        chmod(contents[0], 0o600)
        let size = try #require(ScratchFolder.bytes(contents[0])).count
        try ScratchFolder.write([UInt8](repeating: 0x2A, count: size), to: contents[0])
        let damaged = try await lab.run("doctor", "--thorough", "--json")
        #expect(damaged.exit == 1 && finding(damaged.lines, "assets")?["words"]?.string?.contains("damaged") == true)
        unlink(contents[0])
        let gone = try await lab.run("doctor", "--json")
        #expect(finding(gone.lines, "assets")?["words"]?.string?.contains("gone") == true)
    }

    /// One bad workflow is set aside by whoever would carry it; the others go on, at every start; it is mended from its
    /// events.
    @Test(arguments: [
        "DELETE FROM steps WHERE workflow=1 AND step=1;",
        "UPDATE steps SET state='runningLocal', attempt=5 WHERE workflow=1 AND step=2;",
        "UPDATE steps SET state='dreaming' WHERE workflow=1 AND step=2;",
        "UPDATE steps SET updated_at=4611686018427387904 WHERE workflow=1 AND step=1;",
    ])
    func aDamagedWorkflowIsSetAsideAndMended(damage: String) async throws {
        let lab = try await lab()
        try await sql(lab, damage + "UPDATE workflows SET outcome=NULL WHERE id=1;")
        for _ in 0..<2 {
            unlink(lab.path("note.txt"))
            expectEvents(try await lab.run("run", ".note.json", "--mode", "auto", "--json"), exit: 0)
            try await lab.succeeds("work", "--until-idle")
        }
        let listed = try await lab.json("list")
        #expect(listed.first { $0["workflow"]?.string == "w1" }?["quarantine"]?["cause"]?.string == "damaged")
        #expect(listed.filter { $0["outcome"]?.string == "succeeded" }.count == 2)
        #expect(
            try await lab.run("list").output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                "assent doctor --repair")
        )
        let refused = try await lab.run("release", "w1", "--json")
        #expect(refused.lines(of: "error").first?["code"]?.string == "workflowDamaged")
        #expect(finding(try await lab.json("doctor"), "w1") != nil)
        let mended = try await lab.run("doctor", "--repair", "--json")
        let words = finding(mended.lines, "w1")?["words"]?.string
        // An engine has written to what was altered, so nothing shows that the rest is as it was: that is for a person
        // to say.
        #expect(mended.exit == 1 && words?.contains("assent release w1 --as-it-is") == true, "\(mended.output)")
        #expect(try await lab.run("release", "w1").exit == 1)
        try await lab.succeeds("release", "w1", "--as-it-is")
        try await lab.succeeds("doctor", "--json")
        #expect(try await lab.states() == ["succeeded", "succeeded"])
    }

    /// An attempt of a step that is not there crashed every start; it is set aside, and a rebuild takes the row away.
    @Test func aRowThatBelongsToNothingStopsNoStartAndGoesWithARebuild() async throws {
        let lab = try await lab()
        try await sql(
            lab,
            """
            UPDATE workflows SET outcome=NULL; INSERT INTO runs (workflow, step, attempt, kind, started_at, inputs, params)
            VALUES (1, 99, 1, 'tool', 5, '{}', '{}');
            """)
        // Nobody has set it aside yet.
        let dry = try await lab.run("rerun", "w1", "1", "--dry-run", "--json")
        #expect(dry.lines(of: "error").first?["code"]?.string == "workflowDamaged", "\(dry.output)\(dry.errors)")
        for exit: Int32 in [1, 0] { #expect(try await lab.run("work", "--until-idle").exit == exit) }
        #expect(try await lab.json("list").first?["quarantine"]?["cause"]?.string == "damaged")
        let doctor = try await lab.json("doctor")
        #expect(finding(doctor, "rows")?["words"]?.string?.contains("assent doctor --rebuild") == true, "\(doctor)")
        let rebuilt = try await lab.run("doctor", "--rebuild", "--json")
        #expect(rebuilt.exit == 1 && finding(rebuilt.lines, "rows") != nil, "\(rebuilt.output)")
        try await lab.succeeds("release", "w1", "--as-it-is")
        try await lab.succeeds("doctor", "--json")
        #expect(try await lab.states() == ["succeeded", "succeeded"])
    }

    /// What no event tells stays damaged: that workflow is set aside and may be deleted, and the others are as they
    /// were.
    @Test func whatCannotBeMendedIsSetAsideAndDeleted() async throws {
        let lab = try await lab()
        try await sql(
            lab,
            """
            INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, expires_at)
            VALUES (1, 1, 'text', 'done', '', '', 'low', 5, -5); UPDATE workflows SET outcome=NULL;
            """)
        let other = ["run", ".note.json", "--mode", "auto", "--set", "write.path=other.txt", "--json"]
        expectEvents(try await lab.run(other), exit: 0)
        for verb in ["list", "inbox"] { try await lab.succeeds(verb) }
        try await lab.succeeds("show", "w2")
        let rebuilt = try await lab.run("doctor", "--rebuild", "--json")
        #expect(
            rebuilt.exit == 1 && finding(rebuilt.lines, "w1")?["words"]?.string?.contains("expires_at") == true,
            "\(rebuilt.output)")
        #expect(finding(rebuilt.lines, "rebuild")?["words"]?.string?.contains("2 workflows") == true)
        try await lab.succeeds("delete", "w1", "--yes")
        try await lab.succeeds("doctor", "--json")
    }

    /// A finished workflow whose steps an edit or a pin has made stale is as its events tell it, and stays finished.
    @Test func anEditOfWhatIsOverIsNoContradiction() async throws {
        let lab = try await lab()
        try await lab.succeeds("edit", "w1", "--set", "1.text=other")
        try await lab.succeeds("work", "--until-idle")
        #expect(try await lab.states().first == "blocked")
        try await lab.succeeds("doctor", "--json")
        try await lab.succeeds("doctor", "--rebuild", "--json")
        #expect(try await lab.shown()["workflow"]?["outcome"]?.string == "succeeded")
    }

    @Test func aTemplateThatCannotBeReadIsSetAside() async throws {
        let lab = try await lab()
        try await sql(
            lab,
            "UPDATE workflows SET outcome=NULL WHERE id=1; UPDATE graphs SET template='{\"schema\":' WHERE workflow=1;")
        for exit: Int32 in [1, 0] { #expect(try await lab.run("work", "--until-idle").exit == exit) }
        #expect(try await lab.json("list").first?["quarantine"]?["cause"]?.string == "damaged")
        let repair = try await lab.run("doctor", "--repair", "--json")
        #expect(repair.exit == 1 && finding(repair.lines, "w1")?["words"]?.string?.contains("template") == true)
    }

    @Test(arguments: [0, 1, 2, 3]) func aDamagedDatabaseIsRefusedAndSalvaged(damage: Int) async throws {
        let lab = try await lab()
        let database = "\(lab.home)/data/assent.db"
        var bytes = try #require(ScratchFolder.bytes(database))
        switch damage {
        case 0: bytes = []
        case 1: bytes = Array(bytes.prefix(bytes.count / 2))
        case 2: for index in 0..<100 { bytes[index] = 0x2A }
        default: bytes = Array("This is a text.".utf8)
        }
        try ScratchFolder.write(bytes, to: database)
        for arguments in [["list"], ["run", ".note.json"], ["work", "--until-idle"], ["cache"]] {
            let ending = try await lab.run(arguments + ["--json"])
            #expect(ending.exit == 6, "\(arguments): \(ending.output)")
            #expect(ending.lines(of: "error").first?["code"]?.string == "storageBroken", "\(ending.output)")
        }
        #expect(ScratchFolder.bytes(database) == bytes, "left as it was")
        let doctor = try await lab.run("doctor", "--json")
        // Of nothing there is nothing to be salvaged.
        let remedy = bytes.count < 512 ? "Put a copy of it there" : "--salvage"
        #expect(
            doctor.exit == 6 && finding(doctor.lines, "database")?["words"]?.string?.contains(remedy) == true,
            "\(doctor.output)")
        // Where nothing can be read, that is said; never a crash.
        let salvage = try await lab.run("doctor", "--salvage", "saved", "--json")
        #expect([0, 1, 6].contains(salvage.exit), "\(salvage.exit)")
    }

    @Test func aSalvagedDatabaseTakesThePlaceOfTheOld() async throws {
        let lab = try await lab()
        try await lab.succeeds("doctor", "--salvage", "saved")
        for name in ["assent.db", "assent.db-wal", "assent.db-shm"] { unlink("\(lab.home)/data/\(name)") }
        #expect(rename(lab.path("saved/assent.db"), "\(lab.home)/data/assent.db") == 0)
        #expect(try await lab.states() == ["succeeded", "succeeded"])
        try await lab.succeeds("doctor", "--thorough")
        #expect(
            try await lab.run("doctor", "--salvage", "saved", "--json").lines(of: "error").first?["code"]?.string
                == "targetExists")
    }

    /// A crash of ours is noted; the next start looks everything over first.
    @Test func afterACrashTheDatabaseIsLookedOver() async throws {
        let lab = try await lab()
        let process = try lab.start(["work"])
        #expect(try await lab.hasEngine(process.pid))
        kill(process.pid, SIGILL)
        _ = try await onOwnThread { process.wait() }
        #expect(ScratchFolder.exists("\(lab.home)/data/crashed"))
        try await lab.succeeds("list")
        #expect(!ScratchFolder.exists("\(lab.home)/data/crashed"))
    }

    // MARK: For others

    /// Secrets, texts and names are planted wherever a person, a model or a file could have put them; none is in the
    /// file.
    @Test func theSupportFileHasNoSecretsNoTextsAndNoMedia() async throws {
        let lab = try ProgramLab(environment: ["ASSENT_API_KEY": "hush-env-key", "ASSENT_MODEL": "hush-model-name"])
        #expect(makeFolder("\(lab.home)/config") && makeFolder("\(lab.home)/config/tools"))
        try ScratchFolder.write(
            "mode: adaptive\nmodel:\n  url: https://hush-host.example/v1?key=hush-url-key\n  name: hush-settings-model\n  key_variable: HUSH_VARIABLE\n",
            to: "\(lab.home)/config/settings.yaml")
        try ScratchFolder.write(
            "assent.tool/v1: {hush-manifest", to: "\(lab.home)/config/tools/hush-tool.yaml")
        let fails =
            "{tool: assent.tool/v1, kind: Fails, title: Fails, params: {password: {type: text}}, run: {program: [[\"false\"]]}}\n"
        try ScratchFolder.write(fails, to: "\(lab.home)/config/tools/fails.yaml")
        try await lab.photograph("hush-photo.jpg", width: 60, height: 40)
        try lab.write("hush-file-content", to: "hush-file.txt")
        let planted = workflow(
            "hush-title",
            [
                node("hush-node", "Text", ["text": "hush-param"]), node("w", "WriteFile", ["path": "hush-out.txt"]),
                node("x", "Fails", ["password": "hush-password"]), node("r", "ReadFile", ["path": "hush-file.txt"]),
                node("i", "ImageLoader", ["path": "hush-photo.jpg"]),
                node("m", "ReadFile", ["path": "hush-missing.txt"]),
            ], [edge("hush-node.text", "w.text")])
        try lab.write(planted, to: ".p.json")
        _ = try await lab.run("run", ".p.json", "--mode", "always-ask", "--json")
        _ = try await lab.run("reject", "1", "hush-reason")
        _ = try await lab.run(
            "ask", "hush-line to the planner", environment: ["ASSENT_MODEL_URL": "http://127.0.0.1:9/hush-path"])
        _ = try await lab.run("work", "--until-idle")
        // The log of all that, as it is; and a line more, with what a path may tell.
        let log = ScratchFolder.text("\(lab.home)/data/log") ?? ""
        for word in ["hush-file-content", "hush-param", "hush-password", "hush-env-key", "hush-url-key", "hush-line"] {
            #expect(!log.contains(word), "\(log)")
        }
        try ScratchFolder.write(
            log + "2026-01-01T00:00:00.000Z warning purge: fileFailed: Cannot open /home/hush-person/x\n",
            to: "\(lab.home)/data/log")
        let ending = try await lab.run("doctor", "--support", "help.zip", "--json")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        let bytes = try #require(lab.bytes("help.zip"))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            !text.lowercased().contains("hush"),
            "\(text.lowercased().ranges(of: "hush").prefix(3).map { text.suffix(from: $0.lowerBound).prefix(80) })")
        #expect(!text.contains(lab.folder) && !text.contains(lab.home))
        // Yet it tells something.
        let names = try await lab.tool(
            "python3", "-c", "import zipfile;print(sorted(zipfile.ZipFile('help.zip').namelist()))"
        ).output
        for name in [
            "versions.json", "settings.json", "schema.sql", "counts.json", "events.jsonl", "findings.json", "log.txt",
        ] {
            #expect(names.contains("'\(name)'"), "\(names)")
        }
        #expect(
            text.contains("step.changed") && text.contains("CREATE TABLE workflows")
                && text.contains("\"model\":\"remote\""))
        #expect(text.contains("fileFailed"))
        #expect(try await lab.run("doctor", "--support", "help.zip").exit != 0, "none is replaced")
    }
}
