import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The program itself: its books, its script, its end.
@Suite(.process, .timeLimit(.minutes(10)))
struct HarnessProgramTests {
    @Test func theLedgerSaysWhatWasAskedAndShowsNoSecret() async throws {
        try await withHarness([:]) { harness in
            let headers = [
                "Authorization": "Bearer hunter2", "X-Api-Key": "hunter2", "Idempotency-Key": "k", "Accept": "*/*",
            ]
            #expect(harness.submit("upscale", headers: headers).status == 201)
            _ = harness.status("j-1")
            let ledger = try harness.ledgerNow()
            #expect(ledger.map { $0["verb"]?.string } == ["submit", "status"])
            #expect(ledger.map { $0["n"]?.int } == [1, 2])
            #expect(ledger.map { $0["job"]?.string } == ["j-1", "j-1"])
            #expect(ledger.map { $0["http"]?.int } == [201, 200])
            #expect(ledger[0]["key"]?.string == "k" && ledger[0]["body"]?.string?.contains("upscale") == true)
            #expect(ledger[0]["headers"]?["authorization"]?.string == JobHarness.mark(of: "Bearer hunter2"))
            #expect(ledger[0]["headers"]?["accept"]?.string == "*/*")
            #expect(!ledger[0].text.contains("hunter2"))
            try #expect(harness.ledgerNow(since: 1).count == 1)
            try #expect(harness.ledgerNow(verb: "submit").count == 1)
        }
    }

    @Test func theLedgerIsBounded() async throws {
        try await withHarness(["ledger": ["entries": 8, "bodyBytes": 5]]) { harness in
            for number in 0..<40 { _ = harness.submit(key: "k\(number)") }
            let ledger = try harness.ledgerNow()
            #expect((8...10).contains(ledger.count))
            #expect(ledger.last?["n"]?.int == 40)
            #expect(ledger.last?["body"]?.string?.utf8.count == 5)
            try #expect(harness.booksNow().bought == 40)
        }
    }

    @Test func aNewScriptIsForNewJobsAndAResetForgetsAll() async throws {
        try await withHarness(["jobs": [["life": ["end": "never"]]]]) { harness in
            _ = harness.submit()
            try harness.setNow(["jobs": [["life": ["end": "failed"]]]])
            _ = harness.submit()
            #expect(["j-1", "j-2"].map { harness.status($0) } == ["running", "failed"])
            try harness.resetNow()
            try #expect(harness.booksNow().bought == 0)
            try #expect(harness.ledgerNow().isEmpty)
            _ = harness.submit()
            #expect(harness.status("j-1") == "failed")
        }
    }

    @Test(
        arguments: [
            (["jobs": [["life": ["queudPolls": 1]]]], "jobs[0].life.queudPolls"),
            (["jobs": [["status": [["http": "x"]]]]], "jobs[0].status[0].http"),
            (["jobs": [["submit": [["mix": [["chance": 0.5]]]]]]], "seed"),
            (["replies": ["any": [["do": "explode"]]]], "close, reset, hang, refuse"),
            (["model": ["replies": [["txt": "a"]]]], "model.replies[0].txt"), ([], "an object is expected"),
            (["jobs": [["submit": [["take": false]]]]], "jobs[0].submit[0].take"),
        ] as [(JSON, String)])
    func aMisspelledScriptIsRefusedWithItsPlace(script: JSON, words: String) async throws {
        try await withHarness([:]) { harness in
            let answer = RawConnection.ask("PUT", harness.controlURL + "/_script", json: script)
            #expect(answer.status == 400)
            #expect(answer.text.contains(words), "\(answer.text)")
        }
        await #expect(throws: ScriptFailure.self) { _ = try await JobHarness.start(script) }
    }

    @Test func everyExampleOfTheReadmeIsAScript() async throws {
        let readme = #filePath.replacing("/HarnessTests/HarnessProgramTests.swift", with: "/AssentHarness/README.md")
        let blocks = try #require(ScratchFolder.text(readme)).split(separator: "```json\n").dropFirst().map { block in
            String(block[..<(block.firstRange(of: "```")?.lowerBound ?? block.endIndex)])
        }
        #expect(blocks.count > 15)
        try await withHarness([:]) { harness in
            for block in blocks {
                let answer = RawConnection.ask("PUT", harness.controlURL + "/_script", body: Array(block.utf8))
                #expect(answer.status == 200, "\(answer.text) in \(block)")
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT]) func itEndsWhenItIsTold(signal: Int32) async throws {
        try await onOwnThread {
            let harness = try JobHarness()
            let open = RawConnection(port: RawConnection.split(harness.jobsURL).port)
            #expect(open.ask("GET", "/jobs").status == 200)
            kill(harness.pid, signal)
            try #expect(waits { harness.hasEnded })
            #expect(harness.submit().ending == .refused)
        }
    }

    @Test func itEndsWhenStandardInputDoes() async throws {
        try await onOwnThread {
            let scratch = try ScratchFolder()
            let process = try ProgramProcess(
                ProgramLab.built("assent-harness"), ["--until-eof"], environment: [:], folder: scratch.path,
                files: scratch.path,
                holdingInput: true)
            #expect(process.wait(forOutput: "\"ready\":true"))
            #expect(!process.hasEnded)
            process.endInput()
            #expect(process.wait().exit == 0)
        }
    }

    @Test func aPortCanBeChosenAndIsNotTakenTwice() async throws {
        try await onOwnThread {
            let first = try JobHarness()
            let port = RawConnection.split(first.jobsURL).port
            #expect(throws: ScriptFailure.self) { try JobHarness(port: port) }
            first.end()
            let second = try JobHarness(port: port)
            #expect(second.jobsURL == first.jobsURL)
            #expect(second.submit().status == 201)
        }
    }

    /// What a client that is careful sees through a provider that is not: with the same key again and again, each job
    /// is bought once.
    @Test func underChanceACarefulClientBuysOnce() async throws {
        let mix: JSON = [
            ["chance": 0.2, "http": 503], ["chance": 0.2, "do": "close", "take": true], ["chance": 0.1, "do": "reset"],
        ]
        let script: JSON = ["seed": 3, "replies": ["any": [["mix": mix, "times": "always"]]]]
        try await withHarness(script) { harness in
            for number in 0..<30 {
                while harness.submit(key: "k\(number)").json?["id"] == nil {}
            }
            let books = try harness.booksNow()
            #expect(books.bought == 30 && books.boughtTwice.isEmpty)
            #expect(books.jobs.contains { $0["submits"]?.int ?? 0 > 2 })
            // And one that is not careful does not.
            try harness.setNow(["provider": ["honours": []], "replies": ["submit": [["do": "close", "take": true]]]])
            while harness.submit(key: "again").json?["id"] == nil {}
            try #expect(harness.booksNow().boughtTwice == ["again"])
        }
    }

    /// A benchmark polls a thousand jobs; its peer must not be what is measured.
    @Test func aThousandJobsArePolledOverTwentyKeptConnections() async throws {
        try await withHarness(["jobs": [["life": ["runningPolls": 2]]]]) { harness in
            let port = RawConnection.split(harness.jobsURL).port
            let connections = (0..<20).map { _ in RawConnection(port: port) }
            for number in 0..<1000 {
                let order: JSON = ["kind": "a", "input": .int(number), "key": .string("k\(number)")]
                #expect(connections[number % 20].ask("POST", "/jobs", body: Array(order.text.utf8)).status == 201)
            }
            let before = harness.cpuSeconds
            for round in 0..<3 {
                let words = (0..<1000).map {
                    connections[$0 % 20].ask("GET", "/jobs/j-\($0 + 1)").json?["status"]?.string
                }
                #expect(words.allSatisfy { $0 == (round < 2 ? "running" : "succeeded") })
            }
            // Loose, as it is built for debugging and other tests run; it takes far less than a second.
            #expect(harness.cpuSeconds - before < 6)
            let books = try harness.booksNow()
            #expect(books.bought == 1000 && books.boughtTwice.isEmpty && books.mostAlive == 1000)
            #expect(Set(try harness.ledgerNow().compactMap { $0["connection"]?.int }).count == 20)
        }
    }
}

extension JobHarness {
    /// What the program has used of the processor, both ways.
    fileprivate var cpuSeconds: Double {
        let words = ScratchFolder.text("/proc/\(pid)/stat")?.split(separator: " ") ?? []
        guard words.count > 14 else { return 0 }
        return Double((Int(words[13]) ?? 0) + (Int(words[14]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
