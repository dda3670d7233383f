import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What is kept, what takes room and what goes (`semantics.md` 162), with the program as it is.
@Suite(.process) struct KeepingTests {
    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 600, height: 400)
        expectEvents(try await lab.run("ask", "make cat.jpg 300 px wide", "--mode", "auto", "--json"), exit: 0)
        return lab
    }

    private func sizes(_ folder: String) -> (files: Int, bytes: Int) {
        let files = ScratchFolder.files(under: folder)
        return (files.count, files.reduce(0) { $0 + (ScratchFolder.bytes($1)?.count ?? 0) })
    }

    private func amount(_ json: JSON?) -> (files: Int, bytes: Int) {
        (json?["files"]?.int ?? -1, json?["bytes"]?.int ?? -1)
    }

    private func age(_ path: String, seconds: Int) {
        let time = timespec(tv_sec: Glibc.time(nil) - seconds, tv_nsec: 0)
        #expect([time, time].withUnsafeBufferPointer { utimensat(AT_FDCWD, path, $0.baseAddress, 0) } == 0, "\(path)")
    }

    private func contents(_ lab: ProgramLab) -> [String] {
        ScratchFolder.files(under: "\(lab.home)/data/assets").filter { $0.split(separator: "/").last?.count == 64 }
    }

    @Test func theSizesAreThoseOfTheFileSystem() async throws {
        let lab = try await lab()
        for words in [["preview", "w1.1.image"], ["preview", "w1.2.image", "--thumbnail"]] {
            try await lab.succeeds(words)
        }
        let usage = try #require(try await lab.json("cache").first)
        let parts = try #require(usage["parts"])
        let stored = contents(lab)
        #expect(
            amount(parts["contents"]) == (stored.count, stored.reduce(0) { $0 + (ScratchFolder.bytes($1)?.count ?? 0) })
        )
        for (part, folder) in [
            ("thumbnails", "cache/thumbnails"), ("previews", "cache/previews"), ("runs", "data/runs"),
        ] {
            #expect(amount(parts[part]) == sizes("\(lab.home)/\(folder)"), "\(part)")
            #expect(amount(parts[part]).files > 0, "\(part)")
        }
        let all = (sizes("\(lab.home)/data"), sizes("\(lab.home)/cache"))
        // The log of the database may come and go with its last reader.
        #expect(
            abs(amount(usage).bytes - all.0.bytes - all.1.bytes) < 100_000
                && abs(amount(usage).files - all.0.files - all.1.files) <= 3)
        let workflow = try #require(usage["workflows"]?.array?.first)
        #expect(
            workflow["workflow"]?.string == "w1" && workflow["bytes"] == parts["contents"]?["bytes"]
                && workflow["own"] == workflow["bytes"]
        )
        #expect(usage["unnamed"]?["files"]?.int == 0)
    }

    @Test func freeingTakesWhatNobodyNeedsAndNothingElse() async throws {
        let lab = try await lab()
        // Three assets of another run are kept; its preview, too.
        for words in [
            ["pin", "w1.1.image"], ["preview", "w1.1.image"], ["preview", "w1.2.image"],
            ["preview", "w1.2.image", "--thumbnail"],
        ] {
            try await lab.succeeds(words)
        }
        let named = contents(lab)
        // Two that no row names: one old, one on its way.
        for (text, isOld) in [("left", true), ("coming", false)] {
            let scratch = lab.path(".\(text)")
            try ScratchFolder.write(text, to: scratch)
            let hash = String(try await lab.tool("sha256sum", scratch).output.prefix(64))
            let folder = "\(lab.home)/data/assets/\(hash.prefix(2))"
            _ = makeFolder(folder)
            try ScratchFolder.write(text, to: "\(folder)/\(hash)")
            if isOld { age("\(folder)/\(hash)", seconds: 7200) }
        }
        // Old as they are, those with rows stay.
        for path in named { age(path, seconds: 7200) }
        let before = try #require(try await lab.json("cache").first)
        #expect(before["unnamed"]?["files"]?.int == 2)
        let dry = try #require(try await lab.json("cache", "free", "--dry-run").first)
        let still = try #require(try await lab.json("cache").first)
        #expect(dry["dryRun"]?.bool == true && still["parts"]?["contents"] == before["parts"]?["contents"])
        let freed = try #require(try await lab.json("cache", "free").first)
        #expect(freed["parts"] == dry["parts"])
        #expect(amount(freed["parts"]?["contents"]) == (1, 4) && freed["parts"]?["previews"]?["files"]?.int == 1)
        #expect(freed["parts"]?["runs"]?["files"]?.int ?? 0 > 0 && sizes("\(lab.home)/data/runs").files == 0)
        #expect(freed["parts"]?["thumbnails"]?["files"]?.int == 0, "there is room for them")
        for path in named { #expect(ScratchFolder.exists(path)) }
        #expect(contents(lab).count == named.count + 1)
        let after = try #require(try await lab.json("cache").first)
        #expect(after["bytes"]!.int! < before["bytes"]!.int! && after["kept"]?.array?.count == 1)
        #expect(after["parts"]?["previews"]?["files"]?.int == 1)
        #expect(try await lab.json("cache", "free").first?["bytes"]?.int == 0)
        // Pins outlive every process; what is kept no more goes with the next.
        #expect(try await lab.json("pin").first?["asset"]?.string == "w1.1.1.image")
        #expect(try await lab.json("unpin", "w1.1").first?["changed"]?.bool == true)
        #expect(try await lab.json("unpin", "w1.1").first?["changed"]?.bool == false)
        #expect(try await lab.json("cache", "free").first?["parts"]?["previews"]?["files"]?.int == 1)
    }

    /// Row 26: what an unfinished workflow has, and what a dead engine noted and did not commit, stays.
    @Test func whatAnUnfinishedWorkflowNeedsStays() async throws {
        let lab = try await lab()
        let waiting = workflow(
            "waits", [node("text", "Text", ["text": "kept"]), node("write", "WriteFile", ["path": "note.txt"])],
            [edge("text.text", "write.text")])
        try lab.write(waiting, to: ".w.json")
        #expect(try await lab.run("run", ".w.json", "--mode", "always-ask", "--json").exit == 3)
        for path in contents(lab) { age(path, seconds: 7200) }
        let count = contents(lab).count
        let noted = String(repeating: "7", count: 64)
        let folder = "\(lab.home)/data/runs/w2"
        _ = makeFolder(folder)
        try ScratchFolder.write(#"{"assets":[{"sha256":"\#(noted)"}]}"#, to: folder + "/2-1.result")
        _ = makeFolder("\(lab.home)/data/assets/77")
        try ScratchFolder.write("noted", to: "\(lab.home)/data/assets/77/\(noted)")
        age("\(lab.home)/data/assets/77/\(noted)", seconds: 7200)
        #expect(try await lab.json("cache", "free").first?["parts"]?["contents"]?["files"]?.int == 0)
        #expect(contents(lab).count == count + 1 && ScratchFolder.exists(folder + "/2-1.result"))
        try await lab.succeeds("cancel", "w2")
        #expect(try await lab.run("work", "--until-idle").exit == 1)
        #expect(try await lab.json("cache", "free").first?["parts"]?["contents"]?["files"]?.int == 1)
        #expect(contents(lab).count == count && !ScratchFolder.exists(folder))
    }

    @Test func previewsGoByThemselvesAfterAWeek() async throws {
        let lab = try await lab()
        for asset in ["w1.1.image", "w1.2.image"] { try await lab.succeeds("preview", asset) }
        let previews = ScratchFolder.files(under: "\(lab.home)/cache/previews")
        #expect(previews.count == 2)
        age(previews[0], seconds: 8 * 86_400)
        age(previews[1], seconds: 6 * 86_400)
        // In the background: a process that leaves at once may leave it to the next.
        let (mark, look) = ("\(lab.home)/cache/purged", "\(lab.home)/cache/looked")
        unlink(mark)
        func work() async throws {
            for _ in 0..<20 where !ScratchFolder.exists(mark) { try await lab.succeeds("work", "--until-idle") }
            #expect(ScratchFolder.exists(mark))
        }
        // A first look only marks. The second goes by what was old enough then.
        try await work()
        #expect(ScratchFolder.exists(previews[0]) && ScratchFolder.exists(look))
        func lookedYesterday() throws { try ScratchFolder.write("\((time(nil) - 86_401) * 1000)", to: look) }
        try lookedYesterday()
        age(previews[0], seconds: 9 * 86_400)
        unlink(mark)
        try await work()
        #expect(!ScratchFolder.exists(previews[0]) && ScratchFolder.exists(previews[1]))
        // Once an hour at most.
        age(previews[1], seconds: 9 * 86_400)
        try lookedYesterday()
        for _ in 0..<3 { try await lab.succeeds("work", "--until-idle") }
        #expect(ScratchFolder.exists(previews[1]))
        unlink(mark)
        try await work()
        #expect(!ScratchFolder.exists(previews[1]))
    }

    @Test func aThumbnailIsShownWhereItWasMade() async throws {
        let lab = try await lab()
        func thumbnails() async throws -> [String] {
            try await lab.shown()["assets"]?.array?.compactMap { $0["thumbnail"]?.string } ?? []
        }
        #expect(try await thumbnails().isEmpty)
        let made = try #require(try await lab.json("preview", "w1.2.image", "--thumbnail").first?["thumbnail"]?.string)
        #expect(try await thumbnails().contains(made) && ScratchFolder.exists(made))
        #expect(try await lab.picture(made)[0] == 256)
        // Of what is no picture, its content.
        try lab.write(workflow("t", [node("t", "Text", ["text": "hello"])]), to: ".t.json")
        try await lab.succeeds("run", ".t.json", "--json")
        let text = try #require(try await lab.json("preview", "w2.1").first?["preview"]?.string)
        #expect(ScratchFolder.text(text) == "hello")
        #expect(
            try await lab.run("preview", "w2.1", "--thumbnail", "--json").lines(of: "error").first?["code"]?.string
                == "notAPicture")
    }

    @Test(
        arguments: [
            (["pin", "w7.1.image"], "unknownAsset", 2), (["unpin", "abcdef"], "unknownAsset", 2),
            (["preview", "w7.1"], "unknownAsset", 2),
            (["release", "w1"], "notHeld", 2), (["export", "w7", "x.zip"], "unknownWorkflow", 2),
            (["cache", "--dry-run"], "badUsage", 2),
            (["import", "nothing.zip"], "unknownFile", 2), (["import", ".w.json"], "badBundle", 2),
        ] as [([String], String, Int32)])
    func whatIsNotThereIsSaid(arguments: [String], code: String, exit: Int32) async throws {
        let lab = try ProgramLab()
        try lab.write("{}", to: ".w.json")
        let ending = try await lab.run(arguments + ["--json"])
        #expect(ending.lines(of: "error").first?["code"]?.string == code, "\(ending.output)\(ending.errors)")
        #expect(ending.exit == exit, "\(arguments) \(ending.exit)")
    }
}
