import CaseNames
import Harness
import JSON
import Testing

/// How jobs live, as a client sees it by polling.
@Suite(.process, .timeLimit(.minutes(10)))
struct LifeTests {
    @Test(
        arguments: [
            ([:], ["succeeded", "succeeded"]),
            (["queuedPolls": 2, "runningPolls": 1], ["queued", "queued", "running", "succeeded"]),
            (["runningPolls": 1, "end": "failed"], ["running", "failed", "failed"]),
            (["end": "cancelled"], ["cancelled"]),
            (["queuedPolls": 1, "end": "never"], ["queued", "running", "running", "running", "running"]),
        ] as [(JSON, [String])])
    func aLifeInPollsIsTheSameEachTime(life: JSON, words: [String]) async throws {
        try await withHarness(["jobs": [["life": life]]]) { harness in
            for id in ["j-1", "j-2"] {
                _ = harness.submit()
                #expect(harness.words(id, polls: words.count) == words)
            }
        }
    }

    @Test func aLifeInTimeGoesOnUnasked() async throws {
        try await withHarness(["clock": "held", "jobs": [["life": ["queuedMs": 150, "runningMs": 250]]]]) { harness in
            _ = harness.submit()
            for (milliseconds, word) in [
                (0, "queued"), (149, "queued"), (1, "running"), (249, "running"), (1, "succeeded"),
            ] {
                try harness.advanceNow(byMilliseconds: milliseconds)
                #expect(harness.status("j-1") == word)
            }
        }
    }

    @Test func progressQueueAndLogsMoveWithThePolls() async throws {
        let life: JSON = [
            "queuedPolls": 3, "runningPolls": 3, "queue": 2, "progress": [5, 50.5, 99],
            "logs": ["one", "two", "three"],
        ]
        try await withHarness(["jobs": [["life": life]]]) { harness in
            _ = harness.submit()
            var (places, progress): ([JSON], [JSON]) = ([], [])
            for _ in 0..<7 {
                let json = harness.get("/jobs/j-1").json
                places.append(json?["queue_position"] ?? "absent")
                progress.append(json?["progress"] ?? "absent")
            }
            #expect(places == [2, 1, 0, .null, .null, .null, .null])
            #expect(progress == [.null, .null, .null, 5, 50.5, 99, 99])
        }
        try await withHarness(["jobs": [["life": ["end": "never", "logs": ["one", "two", "three"]]]]]) { harness in
            _ = harness.submit()
            let logs = (0..<4).map { _ in harness.get("/jobs/j-1/logs").json?["logs"]?.string }
            #expect(logs == ["one\n", "one\ntwo\n", "one\ntwo\nthree\n", "one\ntwo\nthree\n"])
        }
    }

    @Test func countedProgressRisesToAHundred() async throws {
        try await withHarness(["jobs": [["life": ["runningPolls": 3, "progress": true]]]]) { harness in
            _ = harness.submit()
            #expect((0..<4).map { _ in harness.get("/jobs/j-1").json?["progress"]?.int } == [25, 50, 75, 100])
        }
    }

    @Test func statusAndOutputHaveWhatTheGenericManifestReads() async throws {
        let life: JSON = [
            "queuedPolls": 1, "runningPolls": 1, "queue": 4, "progress": "fraction", "logs": ["a", "b"], "value": [1],
            "text": "t",
        ]
        try await withHarness(["provider": ["again": "conflict"], "jobs": [["life": life]]]) { harness in
            func submit() -> RawAnswer {
                RawConnection.ask(
                    "POST", harness.jobsURL + "/jobs",
                    json: ["id": "assent-1", "kind": "upscale", "input": ["factor": 2]])
            }
            #expect(submit().json?["id"]?.string == "assent-1")
            #expect(submit().status == 409)
            #expect(harness.get("/jobs/assent-1").json?["queuePosition"]?.int == 4)
            let running = harness.get("/jobs/assent-1").json
            #expect(running?["progress"]?.number == 0.5 && running?["log"]?.string == "a\nb\n")
            #expect(harness.get("/jobs/assent-1").json?["progress"]?.number == 1)
            #expect(harness.get("/jobs/assent-1/result").json == ["value": [1], "text": "t"])
            try #expect(harness.booksNow().bought == 1)
        }
    }

    @Test func aFailureSaysWhy() async throws {
        let life: JSON = ["end": "failed", "error": ["code": "outOfMemory", "message": "The card is full."]]
        try await withHarness(["jobs": [["life": life]]]) { harness in
            _ = harness.submit()
            #expect(harness.get("/jobs/j-1").json?["error"] == ["code": "outOfMemory", "message": "The card is full."])
            #expect(harness.get("/jobs/j-1/result").status == 409)
        }
    }

    // MARK: Cancelling

    @Test(
        arguments: [
            // What it says, then what the next polls see.
            (["cancelling": "ends"], true, ["cancelled", "cancelled"]),
            (["cancelling": "ends", "cancelPolls": 1], true, ["running", "cancelled"]),
            (["cancelling": "ignored", "runningPolls": 2], true, ["running", "succeeded"]),
            (["cancelling": "finishes"], false, ["succeeded", "succeeded"]),
            (["cancelling": "ends", "cancelPolls": 9, "runningPolls": 1], true, ["succeeded"]),
        ] as [(JSON, Bool, [String])])
    func aCancelSaysOneThingAndDoesAnother(life: JSON, says: Bool, then words: [String]) async throws {
        var object = life.object ?? .init()
        if object["runningPolls"] == nil { object["runningPolls"] = 5 }
        let script: JSON = ["jobs": [["life": .object(object)]]]
        try await withHarness(script) { harness in
            _ = harness.submit()
            #expect(harness.status("j-1") == "running")
            #expect(harness.cancel("j-1").json?["cancelled"]?.bool == says)
            #expect(harness.words("j-1", polls: words.count) == words)
            let job = try harness.booksNow().jobs[0]
            #expect(job["cancels"]?.int == 1)
        }
    }

    @Test func aCancelAfterTheEndIsTooLate() async throws {
        try await withHarness([:]) { harness in
            _ = harness.submit()
            #expect(harness.status("j-1") == "succeeded")
            #expect(harness.cancel("j-1").json?["cancelled"]?.bool == false)
            #expect(harness.status("j-1") == "succeeded")
        }
    }

    @Test func aLostCancelMayHaveWorked() async throws {
        let cancel: JSON = [["do": "reset", "take": true], ["http": 405]]
        try await withHarness(["jobs": [["life": ["end": "never"], "cancel": cancel]]]) { harness in
            _ = harness.submit()
            #expect(harness.cancel("j-1").ending == .reset)
            #expect(harness.cancel("j-1").status == 405)
            #expect(harness.status("j-1") == "cancelled")
        }
    }

    // MARK: Results

    @Test func aPictureIsARealOneAndStandsUnderItsAddress() async throws {
        let file: JSON = ["name": "out-1.png", "picture": ["width": 40, "height": 30, "seed": 3]]
        try await withHarness(["jobs": [["life": ["files": [file]]]]]) { harness in
            #expect(harness.submit(key: "k").status == 201)
            let output = try #require(harness.get("/jobs/j-1").json?["output"])
            let address = try #require(output["files"]?[0]?.string)
            #expect(address.hasPrefix(harness.jobsURL))
            let picture = RawConnection.ask("GET", address)
            #expect(picture.headers["content-type"] == "image/png")
            #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            let lab = try ProgramLab()
            try lab.write(picture.body, to: "out.png")
            let (width, height, bands) = try pngSize(lab)
            #expect((width, height, bands) == (40, 30, 3))
            try #expect(harness.booksNow().jobs[0]["collected"]?.int == 1)
        }
    }

    /// As `vips` reads it: every check sum must be right.
    private func pngSize(_ lab: ProgramLab) throws -> (Int, Int, Int) {
        let decoded = try ProgramProcess(
            "/usr/bin/vips", ["copy", lab.path("out.png"), lab.path("out.v")], environment: lab.environment,
            folder: lab.folder,
            files: lab.folder
        ).wait()
        guard decoded.exit == 0, decoded.errors.isEmpty else { throw ScriptTrouble(words: decoded.errors) }
        let numbers = try ["width", "height", "bands"].map { field in
            let told = try ProgramProcess(
                "/usr/bin/vipsheader", ["-f", field, lab.path("out.v")], environment: lab.environment,
                folder: lab.folder, files: lab.folder
            ).wait()
            return Int(told.output.filter(\.isNumber)) ?? -1
        }
        return (numbers[0], numbers[1], numbers[2])
    }

    @Test func aResultCanBeTheBytesThemselves() async throws {
        let life: JSON = ["files": [["name": "a.bin", "bytes": 100_000]], "resultIsFile": true, "runningPolls": 1]
        try await withHarness(["jobs": [["life": life]]]) { harness in
            _ = harness.submit()
            #expect(harness.get("/jobs/j-1/result").status == 409)
            #expect(harness.words("j-1", polls: 2) == ["running", "succeeded"])
            let result = harness.get("/jobs/j-1/result")
            #expect(result.body.count == 100_000)
            #expect(result.headers["content-type"] == "application/octet-stream")
        }
    }

    @Test func aResultIsGoneAfterItsTime() async throws {
        try await withHarness(["clock": "held", "jobs": [["life": ["keepsMs": 100, "output": [1, 2]]]]]) { harness in
            _ = harness.submit()
            _ = harness.status("j-1")
            try harness.advanceNow(byMilliseconds: 99)
            #expect(harness.get("/jobs/j-1/result").status == 200)
            try harness.advanceNow(byMilliseconds: 1)
            #expect(harness.get("/jobs/j-1/result").status == 404)
            #expect(harness.get("/jobs/j-1").json?["output"] == .null)
            #expect(harness.status("j-1") == "succeeded")
        }
    }

    @Test func listsAreNewestFirstBoundedAndMayBeLate() async throws {
        try await withHarness(["jobs": [["when": ["kind": "late"], "life": ["hiddenLists": 1]]]]) { harness in
            for kind in ["a", "b", "late"] { _ = harness.submit(kind, key: kind) }
            func listed(_ query: String) -> [String?] {
                harness.get("/jobs\(query)").json?["jobs"]?.array?.map { $0["id"]?.string } ?? []
            }
            #expect(listed("?key=late") == [])
            #expect(listed("?key=late") == ["j-3"])
            #expect(listed("?limit=2") == ["j-3", "j-2"])
            #expect(listed("?key=b") == ["j-2"])
            #expect(listed("?key=nobody") == [])
        }
    }

    private struct ScriptTrouble: Error { let words: String }
}
