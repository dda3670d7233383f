import CaseNames
import Glibc
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// What happens where nothing can be stored: words, exit 6, and nothing half-done.
@Suite(.process) struct StorageFailureTests {
    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab(isInMemory: false)
        try lab.write(CommandTests.note, to: ".note.json")
        return lab
    }

    private func expectRefusal(
        _ lab: ProgramLab, _ arguments: [String], code: String, _ location: SourceLocation = #_sourceLocation
    )
        async throws
    {
        let ending = try await lab.run(arguments + ["--json"])
        #expect(ending.exit == 6, "\(arguments): \(ending.output)\(ending.errors)", sourceLocation: location)
        let error = ending.lines(of: "error").first
        #expect(
            error?["code"]?.string == code && error?["remedy"]?.string?.isEmpty == false, "\(ending.output)",
            sourceLocation: location)
        #expect(!lab.exists("note.txt"), sourceLocation: location)
    }

    @Test(arguments: [
        ["run", ".note.json", "--mode", "auto"], ["ask", "count the words in .note.json"], ["list"],
        ["work", "--until-idle"],
    ])
    func aNewerDatabaseIsRefusedAndLeftUntouched(arguments: [String]) async throws {
        let lab = try await lab()
        try await lab.succeeds("run", ".note.json", "--json")
        unlink(lab.path("note.txt"))
        let database = "\(lab.home)/data/assent.db"
        let made = try await lab.tool(
            "sqlite3", database,
            "INSERT INTO grdb_migrations VALUES ('v9999 from the future'); PRAGMA wal_checkpoint(TRUNCATE);")
        #expect(made.exit == 0, "\(made.errors)")
        let before = ScratchFolder.bytes(database)
        try await expectRefusal(lab, arguments, code: "storageNewer")
        #expect(ScratchFolder.bytes(database) == before)
    }

    @Test func aDataFolderThatIsAFileIsSaid() async throws {
        let lab = try await lab()
        try ScratchFolder.write("", to: "\(lab.home)/data")
        let ending = try await lab.run("run", ".note.json", "--json")
        #expect(ending.exit == 6, "\(ending.output)\(ending.errors)")
        #expect(ending.types.last == "end" && !lab.exists("note.txt"))
    }

    @Test func aBrokenDatabaseIsSaid() async throws {
        let lab = try await lab()
        #expect(mkdir("\(lab.home)/data", 0o700) == 0)
        try ScratchFolder.write([UInt8](repeating: 0x2A, count: 8192), to: "\(lab.home)/data/assent.db")
        let ending = try await lab.run("run", ".note.json", "--json")
        #expect(ending.exit == 6, "\(ending.output)\(ending.errors)")
        #expect(!lab.exists("note.txt"))
    }

    @Test(.enabled(if: Mounts.canMount, "a tmpfs cannot be mounted here: no root"))
    func aReadOnlyDataFolderIsSaid() async throws {
        let lab = try await lab()
        try await lab.succeeds("run", ".note.json", "--json")
        unlink(lab.path("note.txt"))
        let data = "\(lab.home)/data"
        #expect(mount(data, data, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(data, Int32(MNT_DETACH)) }
        #expect(mount(nil, data, nil, UInt(MS_BIND) | UInt(MS_REMOUNT) | UInt(MS_RDONLY), nil) == 0)
        try await expectRefusal(lab, ["run", ".note.json", "--mode", "auto"], code: "storageReadOnly")
        for look in Self.looks.dropLast() { try await lab.succeeds(look) }
        #expect(try await lab.run("doctor").exit == 1, "it says so")
    }

    @Test(.enabled(if: Mounts.canMount, "a tmpfs cannot be mounted here: no root"))
    func aFullDiskIsSaidAndNothingIsHalfDone() async throws {
        let lab = try await lab()
        let data = "\(lab.home)/data"
        #expect(mkdir(data, 0o700) == 0)
        #expect(mount("tmpfs", data, "tmpfs", 0, "size=2m") == 0)
        defer { umount2(data, Int32(MNT_DETACH)) }
        try await lab.succeeds("list")
        // Leaves no block for the next page of the log.
        _ = try? ScratchFolder.write([UInt8](repeating: 0, count: 4 << 20), to: "\(data)/filler")
        let ending = try await lab.run("run", ".note.json", "--mode", "auto", "--json")
        #expect(ending.exit == 6, "\(ending.output)\(ending.errors)")
        #expect(ending.lines(of: "error").first?["code"]?.string == "storageFull", "\(ending.output)")
        #expect(!lab.exists("note.txt"))
        unlink("\(data)/filler")
        #expect(
            try await lab.run("doctor", "--json").lines.first { $0["name"]?.string == "database" }?["ok"]?.bool == true)
        expectEvents(try await lab.run("run", ".note.json", "--mode", "auto", "--json"), exit: 0)
        #expect(lab.text("note.txt") == "hello")
    }

    // MARK: Looking, and making room

    private static let looks = [
        ["list"], ["show", "w1"], ["why", "w1"], ["timeline", "w1"], ["inbox"], ["cache"], ["doctor"],
    ]

    /// Nothing can be stored; all can be looked at, again and again, and what is not needed can go, until there is
    /// room. Also where the log and its index are gone, so that not even they can be made.
    @Test(.enabled(if: Mounts.canMount, "a tmpfs cannot be mounted here: no root"), arguments: [false, true])
    func onAFullDiskOneLooksAndMakesRoom(isClosed: Bool) async throws {
        let lab = try await lab()
        try lab.write(String(repeating: "words ", count: 50_000), to: "long.txt")
        try lab.write(workflow("long", [node("read", "ReadFile", ["path": "long.txt"])]), to: ".long.json")
        let data = "\(lab.home)/data"
        #expect(mkdir(data, 0o700) == 0)
        #expect(mount("tmpfs", data, "tmpfs", 0, "size=2m") == 0)
        defer { umount2(data, Int32(MNT_DETACH)) }
        expectEvents(try await lab.run("run", ".long.json", "--json"), exit: 0)
        expectEvents(try await lab.run("run", ".note.json", "--mode", "auto", "--json"), exit: 0)
        unlink(lab.path("note.txt"))
        // Old enough to go.
        for file in ScratchFolder.files(under: "\(data)/assets") {
            #expect(try await lab.tool("touch", "-d", "1 day ago", file).exit == 0)
        }
        if isClosed { for name in ["assent.db-wal", "assent.db-shm"] { unlink("\(data)/\(name)") } }
        _ = try? ScratchFolder.write([UInt8](repeating: 0, count: 4 << 20), to: "\(data)/filler")
        for _ in 0..<2 {
            for look in Self.looks {
                let ending = try await lab.run(look + ["--json"])
                #expect(ending.exit == 0, "\(look): \(ending.output)\(ending.errors)")
            }
            #expect(try await lab.json("list").map { $0["workflow"]?.string } == ["w2", "w1"])
        }
        for act in [
            ["run", ".note.json", "--mode", "auto"], ["work", "--until-idle"], ["ask", "count the words in long.txt"],
        ] {
            try await expectRefusal(lab, act, code: "storageFull")
        }
        try await lab.succeeds("delete", "w1", "--yes")
        #expect(try await lab.json("list").map { $0["workflow"]?.string } == ["w2"])
        let freed = try await lab.run("cache", "free", "--json")
        #expect(freed.exit == 0 && !ScratchFolder.exists("\(data)/reserve"), "\(freed.output)\(freed.errors)")
        expectEvents(try await lab.run("run", ".note.json", "--mode", "auto", "--json"), exit: 0)
        #expect(lab.text("note.txt") == "hello")
        // There is room: what is kept for the next time is taken again.
        unlink("\(data)/filler")
        try await lab.succeeds("doctor", "--thorough")
        #expect(ScratchFolder.bytes("\(data)/reserve")?.count == Limits.reserveBytes)
    }

    /// The same where files may not grow: the index of the log is one.
    @Test(arguments: looks) func whatMayNotGrowIsLookedAt(look: [String]) async throws {
        let lab = try await lab()
        expectEvents(try await lab.run("run", ".note.json", "--mode", "auto", "--json"), exit: 0)
        for name in ["assent.db-wal", "assent.db-shm"] { unlink("\(lab.home)/data/\(name)") }
        let arguments = ["--fsize=20000", ProgramLab.program] + look
        let process = try lab.start(program: "/usr/bin/prlimit", arguments)
        let ending = try await onOwnThread { process.wait() }
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
    }

    // MARK: Full at any place

    /// A picture and a text, with results in the workspace.
    private static let plan = workflow(
        "two",
        [
            node("text", "Text", ["text": "hello"]), node("write", "WriteFile", ["path": "note.txt"]),
            node("load", "ImageLoader", ["path": "cat.jpg"]), node("small", "Resize", ["width": 50]),
            node("save", "SaveFile", ["path": "small.jpg"]),
        ], [edge("text.text", "write.text"), edge("load.image", "small.image"), edge("small.image", "save.file")])

    /// The disk fills up a little earlier with every round: at the start, between two commits, while a picture is made.
    /// Wherever it is, it is said with one code, nothing that was acknowledged is lost, and with room again all of it
    /// comes to its end, once.
    @Test(.enabled(if: Mounts.canMount, "a tmpfs cannot be mounted here: no root"), .timeLimit(.minutes(10)))
    func aDiskThatFillsUpAnywhereLosesNothing() async throws {
        var refusals = 0
        for blocks in [0, 1, 2, 3, 5, 8, 12, 16, 24, 40] {
            let lab = try ProgramLab(isInMemory: false)
            try await lab.photograph("cat.jpg", width: 120, height: 80)
            try lab.write(Self.plan, to: ".plan.json")
            let data = "\(lab.home)/data"
            #expect(mkdir(data, 0o700) == 0 && mount("tmpfs", data, "tmpfs", 0, "size=2m") == 0)
            defer { umount2(data, Int32(MNT_DETACH)) }
            try await lab.succeeds("list")
            _ = try? ScratchFolder.write([UInt8](repeating: 0, count: 4 << 20), to: "\(data)/filler")
            let filler = try #require(ScratchFolder.bytes("\(data)/filler")).count
            #expect(truncate("\(data)/filler", off_t(max(0, filler - blocks * 4096))) == 0)
            let ending = try await lab.run("run", ".plan.json", "--mode", "auto", "--json")
            #expect(ending.types.last == "end", "\(blocks): \(ending.output)")
            if ending.exit != 0 {
                refusals += 1
                // Said by whoever met it first: the database, or the step whose content did not fit.
                let codes =
                    ending.lines(of: "error").compactMap { $0["code"]?.string }
                    + ending.lines(of: "step.changed").compactMap { $0["failure"]?["code"]?.string }
                #expect(codes.contains("storageFull"), "\(blocks): \(ending.output)\(ending.errors)")
                #expect(ending.exit == 6, "\(blocks): \(ending.exit) \(ending.output)")
            }
            unlink("\(data)/filler")
            let doctor = try await lab.run("doctor", "--thorough", "--json")
            #expect(doctor.lines.first { $0["name"]?.string == "database" }?["ok"]?.bool == true, "\(doctor.output)")
            #expect(doctor.lines.first { $0["name"]?.string == "states" }?["ok"]?.bool == true, "\(doctor.output)")
            // What was stored goes on: what failed for want of room is taken up again.
            if try await !lab.json("list").isEmpty {
                _ = try await lab.run("work", "--until-idle")
                _ = try await lab.run("retry", "w1")
                _ = try await lab.run("work", "--until-idle")
                #expect(try await lab.shown()["workflow"]?["outcome"]?.string == "succeeded", "\(blocks)")
                #expect(
                    lab.text("note.txt") == "hello"
                        && lab.names() == [".plan.json", "cat.jpg", "note.txt", "small.jpg"])
            } else {
                #expect(lab.names() == [".plan.json", "cat.jpg"])
            }
        }
        #expect(refusals >= 3)
    }

    /// The shell's limit on the size of files ends no process: it is a full disk.
    @Test(arguments: [20_000, 60_000, 100_000, 150_000]) func aFileThatMayNotGrowIsAFullDisk(bytes: Int) async throws {
        let lab = try await lab()
        try await lab.succeeds("list")
        let limited = try await lab.tool(
            "prlimit", "--fsize=\(bytes)", ProgramLab.program, "run", ".note.json", "--mode", "auto", "--json")
        #expect(!limited.wasKilled)
        if limited.exit != 0 {
            #expect(
                limited.exit == 6 && limited.lines(of: "error").first?["code"]?.string == "storageFull",
                "\(limited.output)\(limited.errors)")
        }
        try await lab.succeeds("work", "--until-idle")
        expectEvents(try await lab.run("run", ".note.json", "--mode", "auto", "--json"), exit: 0)
        #expect(
            try await lab.run("doctor", "--json").lines.first { $0["name"]?.string == "database" }?["ok"]?.bool == true)
    }
}
