import CaseNames
import Glibc
import HTTP
import Harness
import JSON
import Synchronization
import Testing

/// What a provider may do to a submission (`semantics.md` 5, 6, 8), seen on a raw socket. Whether the job was made
/// stands in the books.
@Suite(.process, .timeLimit(.minutes(10)))
struct SubmitFaultTests {
    @Test(
        arguments: [
            ([["http": 503, "times": 2]], [503, 503, 201], 1),
            ([["http": 504, "times": 4]], [504, 504, 504, 504, 201], 1),
            ([["http": 504, "times": 4, "take": true]], [504, 504, 504, 504, 200], 1),
            ([["http": 429], "ok", ["http": 500]], [429, 201, 500, 200], 1),
            ([["http": 502, "times": "always"]], [502, 502, 502], 0),
        ] as [(JSON, [Int], Int)])
    func refusalsComeInTheirOrder(replies: JSON, statuses: [Int], bought: Int) async throws {
        try await withHarness(["jobs": [["submit": replies]]]) { harness in
            #expect(statuses.map { _ in harness.submit(key: "k").status } == statuses)
            let books = try harness.booksNow()
            #expect(books.bought == bought)
            #expect(bought == 0 || books.jobs[0]["submits"]?.int == statuses.count)
        }
    }

    @Test func eachKeyMeetsTheRefusalsAnew() async throws {
        try await withHarness(["jobs": [["submit": [["http": 503]]]]]) { harness in
            #expect(["a", "b", "a", "b"].map { harness.submit(key: $0).status } == [503, 503, 201, 201])
        }
    }

    @Test func retryAfterComesInAllItsForms() async throws {
        let submit: JSON = [
            ["http": 429, "retryAfter": 7], ["http": 429, "retryAfterDate": 90], ["http": 503, "retryAfterMs": 250],
        ]
        try await withHarness(["jobs": [["submit": submit]]]) { harness in
            #expect(harness.submit(key: "k").headers["retry-after"] == "7")
            let now = Double(time(nil))
            let date = try #require(harness.submit(key: "k").headers["retry-after"])
            #expect(date.hasSuffix(" GMT") && date.count == 29, "\(date)")
            // As our own client reads it: never too early, and, but for the time that this took, a started second at
            // most too late.
            let took = Double(time(nil)) - now
            let read = HTTPResponse(status: 429, headers: ["Retry-After": date], url: "", receivedAt: now).retryAfter
            #expect((90...92 + took).contains(try #require(read)))
            #expect(harness.submit(key: "k").headers["retry-after-ms"] == "250")
        }
    }

    @Test(arguments: [("close", RawAnswer.Ending.cut), ("reset", .reset)])
    func anAnswerCanBeLostAfterTheJobWasTaken(act: String, ending: RawAnswer.Ending) async throws {
        try await withHarness(["jobs": [["submit": [["do": .string(act), "take": true]]]]]) { harness in
            let lost = harness.submit("a", input: 1, key: "k")
            #expect(lost.ending == ending)
            #expect(lost.status == 0 && lost.headers.isEmpty && lost.body.isEmpty)
            try #expect(harness.booksNow().bought == 1)
            #expect(harness.submit("a", input: 1, key: "k").json?["id"]?.string == "j-1")
            try #expect(harness.booksNow().bought == 1)
            #expect(harness.get("/jobs?key=k").json?["jobs"]?.array?.count == 1)
        }
    }

    @Test(arguments: ["close", "reset"])
    func anAnswerCanBeLostAndNoJobTaken(act: String) async throws {
        try await withHarness(["jobs": [["submit": [["do": .string(act)]]]]]) { harness in
            #expect(harness.submit(key: "k").status == 0)
            try #expect(harness.booksNow().bought == 0)
            #expect(harness.get("/jobs?key=k").json?["jobs"]?.array?.isEmpty == true)
            let entry = try #require(harness.ledgerNow().first)
            #expect(entry["http"] == nil)
            #expect(entry["fault"]?.string?.contains(act) == true)
        }
    }

    /// Others are answered meanwhile, and the one that waits hears nothing, until the server is gone.
    @Test(arguments: [true, false]) func anAnswerMayNeverCome(isTaken: Bool) async throws {
        try await withHarness(["jobs": [["submit": [["do": "hang", "take": .bool(isTaken)]]]]]) { harness in
            let answer = Mutex<RawAnswer?>(nil)
            inBackground {
                let given = harness.submit("a", key: "k")
                answer.withLock { $0 = given }
            }
            try #require(try waits { try harness.ledgerNow(verb: "submit").count == 1 })
            #expect(harness.get("/jobs?key=k").json?["jobs"]?.array?.count == (isTaken ? 1 : 0))
            try #expect(harness.booksNow().bought == (isTaken ? 1 : 0))
            let entry = try #require(harness.ledgerNow(verb: "submit").first)
            #expect(entry["http"] == nil && entry["fault"]?.string?.contains("hang") == true)
            #expect(answer.withLock { $0 } == nil)
            harness.end()
            try #require(try waits { answer.withLock { $0 } != nil })
            #expect(answer.withLock { $0?.status == 0 && $0?.body.isEmpty == true })
        }
    }

    @Test func aConnectionIsRefusedWhileNobodyListens() async throws {
        try await withHarness(["clock": "held", "jobs": [["submit": [["do": "refuse", "forMs": 400]]]]]) { harness in
            let kept = RawConnection(port: RawConnection.split(harness.jobsURL).port)
            #expect(kept.ask("GET", "/jobs").status == 200)
            #expect(harness.submit(key: "k").ending != .complete)
            #expect(harness.submit(key: "k").ending == .refused)
            #expect(kept.ask("GET", "/jobs").ending != .complete, "what was open is cut too")
            try harness.advanceNow(byMilliseconds: 399)
            #expect(harness.submit(key: "k").ending == .refused)
            try harness.advanceNow(byMilliseconds: 1)
            try #expect(waits { harness.submit(key: "k").ending == .complete })
            try #expect(harness.booksNow().bought == 1)
        }
    }

    @Test func listeningEndsAndBeginsByScript() async throws {
        try await withHarness(["listening": false]) { harness in
            #expect(harness.submit().ending == .refused)
            try harness.setNow([:])
            #expect(harness.submit().status == 201)
            try harness.setNow(["clock": "held", "listening": ["afterMs": 100]])
            #expect(harness.submit().ending == .refused)
            try harness.advanceNow(byMilliseconds: 100)
            try #expect(waits { harness.submit().status == 201 })
            // Over the port that is to be closed: the answer comes all the same.
            #expect(RawConnection.ask("PUT", harness.jobsURL + "/_script", json: ["listening": false]).status == 200)
            #expect(harness.submit().ending == .refused)
        }
    }

    @Test(
        arguments: [
            ("same", 200, "\"id\":\"j-1\""), ("conflict", 409, "is there"), ("exists", 500, "already exists"),
        ])
    func aKnownKeyIsToldInThreeWays(again: String, status: Int, words: String) async throws {
        try await withHarness(["provider": ["again": .string(again)]]) { harness in
            #expect(harness.submit(key: "k").status == 201)
            let second = harness.submit(key: "k")
            #expect(second.status == status)
            #expect(second.text.contains(words))
            let books = try harness.booksNow()
            #expect(books.bought == 1 && books.boughtTwice.isEmpty)
        }
    }

    @Test(
        arguments: [
            ([], [2, 2, 2]), (["put"], [1, 2, 2]), (["body"], [2, 1, 2]), (["header"], [2, 2, 1]),
            (["put", "body", "header"], [1, 1, 1]),
        ] as [([String], [Int])])
    func aKeyCountsOnlyWhereItIsHonoured(places: [String], bought: [Int]) async throws {
        try await withHarness(["provider": ["honours": .array(places.map { .string($0) })]]) { harness in
            for _ in 0..<2 {
                #expect(harness.put("by-put").status < 300)
                #expect(harness.submit(key: "by-body").status < 300)
                #expect(harness.submit(headers: ["Idempotency-Key": "by-header"]).status < 300)
            }
            let books = try harness.booksNow()
            let counts = ["by-put", "by-body", "by-header"].map { key in books.jobs.count { $0["key"]?.string == key } }
            #expect(counts == bought)
            let twice = zip(["by-body", "by-header", "by-put"], [bought[1], bought[2], bought[0]]).filter { $1 == 2 }
                .map(\.0)
            #expect(books.boughtTwice == twice)
        }
    }

    @Test func withPutTheClientNamesTheJob() async throws {
        try await withHarness([:]) { harness in
            #expect(harness.put("assent-1").json?["id"]?.string == "assent-1")
            #expect(harness.status("assent-1") == "succeeded")
            #expect(harness.put("assent-1").status == 200)
        }
    }

    @Test func aKeyWithAnotherContentIsNoticed() async throws {
        try await withHarness([:]) { harness in
            for number in [1, 2] { _ = harness.submit(input: ["n": .int(number)], key: "k") }
            let books = try harness.booksNow()
            #expect(books.bought == 1)
            #expect(books.jobs[0]["differing"]?.int == 1)
        }
    }

    @Test func aKeyCanBeForgottenOnceItsJobHasEnded() async throws {
        try await withHarness(["provider": ["forgetsEnded": true], "jobs": [["life": ["runningPolls": 1]]]]) {
            harness in
            _ = harness.submit(key: "k")
            #expect(harness.submit(key: "k").json?["id"]?.string == "j-1")
            #expect(harness.words("j-1", polls: 2) == ["running", "succeeded"])
            #expect(harness.submit(key: "k").json?["id"]?.string == "j-2")
            try #expect(harness.booksNow().boughtTwice == ["k"])
        }
    }

    @Test func tooManyJobsAtOnceAreRefusedAndTheMostIsKnown() async throws {
        try await withHarness(["provider": ["atMost": 2], "jobs": [["life": ["end": "never"]]]]) { harness in
            #expect((0..<3).map { harness.submit(key: "k\($0)").status } == [201, 201, 429])
            try harness.endNow(job: "j-1", as: "succeeded")
            #expect(harness.submit(key: "k2").status == 201)
            try #expect(harness.booksNow().mostAlive == 2)
        }
    }

    @Test func aWrongKeyOrABadBodyIsNoJob() async throws {
        try await withHarness(["provider": ["authorization": "Bearer right"]]) { harness in
            #expect(harness.submit().status == 401)
            #expect(harness.submit(headers: ["Authorization": "Bearer wrong"]).status == 401)
            let bad = RawConnection.ask(
                "POST", harness.jobsURL + "/jobs", headers: ["Authorization": "Bearer right"], body: Array("{".utf8))
            #expect(bad.status == 400)
            #expect(harness.submit(headers: ["Authorization": "Bearer right"]).status == 201)
            try #expect(harness.booksNow().bought == 1)
        }
    }

    @Test func aKeyKeepsItsRuleThroughEveryRetry() async throws {
        let script: JSON = [
            "jobs": [
                ["times": 1, "submit": [["http": 503]], "life": ["end": "failed"]], ["life": ["end": "cancelled"]],
            ]
        ]
        try await withHarness(script) { harness in
            #expect(["first", "second", "first"].map { harness.submit(key: $0).status } == [503, 201, 201])
            #expect(["j-1", "j-2"].map { harness.status($0) } == ["cancelled", "failed"])
        }
    }

    @Test func rulesAreUsedUpInTheOrderOfSubmissions() async throws {
        let script: JSON = [
            "jobs": [
                ["times": 1, "life": ["end": "failed"]], ["when": ["kind": "depth"], "life": ["end": "cancelled"]],
                ["when": ["contains": "needle"], "life": ["end": "never"]], ["life": ["queuedPolls": 1]],
            ]
        ]
        try await withHarness(script) { harness in
            for (kind, input) in [("a", "x"), ("a", "y"), ("depth", "z"), ("a", "a needle")] {
                _ = harness.submit(kind, input: .string(input), key: "\(kind)\(input)")
            }
            #expect((1...4).map { harness.status("j-\($0)") } == ["failed", "queued", "cancelled", "running"])
        }
    }
}
