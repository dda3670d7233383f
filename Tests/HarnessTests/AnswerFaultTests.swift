import CaseNames
import Harness
import JSON
import Synchronization
import Testing

/// What may be wrong with an answer, whatever was asked.
@Suite(.process, .timeLimit(.minutes(10)))
struct AnswerFaultTests {
    @Test func statusFlapsBetweenGoodAnswers() async throws {
        let status: JSON = ["ok", ["http": 500], "ok", ["http": 503, "times": 2]]
        try await withHarness(["jobs": [["life": ["runningPolls": 3], "status": status]]]) { harness in
            _ = harness.submit()
            #expect(
                harness.words("j-1", polls: 7) == ["running", "500", "running", "503", "503", "running", "succeeded"])
        }
    }

    @Test func aWordThatNobodyKnowsAndANumberThatCannotBe() async throws {
        let status: JSON = [["set": ["status": "pondering", "progress": 900]], ["set": ["status": .null]]]
        try await withHarness(["jobs": [["status": status]]]) { harness in
            _ = harness.submit()
            let odd = harness.get("/jobs/j-1").json
            #expect(
                odd?["status"]?.string == "pondering" && odd?["progress"]?.int == 900 && odd?["id"]?.string == "j-1")
            #expect(harness.get("/jobs/j-1").json?["status"] == .null)
            #expect(harness.status("j-1") == "succeeded")
        }
    }

    @Test func theJobCanBeUnknownForAWhileAndTheResultForEver() async throws {
        let rule: JSON = ["status": [["http": 404, "times": 2]], "result": [["http": 404, "times": "always"]]]
        try await withHarness(["jobs": [rule]]) { harness in
            _ = harness.submit()
            #expect(harness.words("j-1", polls: 3) == ["404", "404", "succeeded"])
            #expect((0..<3).map { _ in harness.get("/jobs/j-1/result").status } == [404, 404, 404])
            let job = try harness.booksNow().jobs[0]
            #expect(job["results"]?.int == 3 && job["collected"]?.int == 0)
        }
    }

    @Test func bodiesAreMalformedMistypedCutResetHugeOrSlow() async throws {
        let status: JSON = [
            ["malformed": true], ["type": "text/html"], ["cutBytes": 9], ["resetBytes": 9], ["hugeBytes": 3_000_000],
            ["drip": ["bytes": 40, "ms": 5]], ["framing": "chunked"], ["framing": "untilClose"], ["delayMs": 120],
            ["raw": "<html>busy</html>", "type": "text/html"], ["http": 204, "raw": ""],
        ]
        try await withHarness(["clock": "held", "jobs": [["status": status]]]) { harness in
            _ = harness.submit()
            func next() -> RawAnswer { harness.get("/jobs/j-1") }
            /// Returns the answer that comes when its time is over, by the clock of the server.
            func slow(milliseconds: Int) throws -> RawAnswer {
                let answer = Mutex<RawAnswer?>(nil)
                let asked = try harness.ledgerNow().count
                inBackground {
                    let given = harness.get("/jobs/j-1")
                    answer.withLock { $0 = given }
                }
                try #require(try waits { try harness.ledgerNow().count > asked })
                try harness.advanceNow(byMilliseconds: milliseconds - 1)
                #expect(answer.withLock { $0 } == nil)
                try #require(
                    try waits {
                        try harness.advanceNow(byMilliseconds: 1)
                        return answer.withLock { $0 } != nil
                    })
                return try #require(answer.withLock { $0 })
            }
            let malformed = next()
            #expect(malformed.ending == .complete && malformed.json == nil && malformed.text.hasPrefix("{\"id\""))
            let mistyped = next()
            #expect(mistyped.headers["content-type"] == "text/html" && mistyped.json != nil)
            let cut = next()
            #expect(cut.ending == .cut && cut.body.count == 9 && Int(cut.headers["content-length"] ?? "")! > 9)
            let reset = next()
            #expect(reset.ending == .reset && reset.body.count == 9)
            let huge = next()
            #expect(huge.body.count > 3_000_000 && huge.json?["status"]?.string == "succeeded")
            let dripped = try slow(milliseconds: 5)
            #expect(dripped.json?["status"]?.string == "succeeded")
            let chunked = next()
            #expect(chunked.headers["transfer-encoding"] == "chunked" && chunked.json != nil)
            let endless = next()
            #expect(endless.headers["content-length"] == nil && endless.json != nil)
            #expect(try slow(milliseconds: 120).json != nil)
            #expect(next().text == "<html>busy</html>")
            #expect(next().status == 204)
        }
    }

    @Test func aRedirectLeadsToAHostThatWritesDownWhatCame() async throws {
        let rule: JSON = [
            "status": [["redirect": "foreign"], ["redirect": "self", "http": 302]],
            "submit": [["redirect": "{{foreign}}/steal"]],
        ]
        try await withHarness(["jobs": [rule]]) { harness in
            let lured = harness.submit(key: "k", headers: ["Authorization": "Bearer secret"])
            #expect(lured.status == 307)
            #expect(lured.headers["location"] == harness.foreignURL + "/steal")
            try #expect(harness.booksNow().bought == 0)
            _ = harness.submit(key: "k")
            let away = harness.get("/jobs/j-1")
            #expect(away.status == 307 && away.headers["location"] == harness.foreignURL + "/jobs/j-1")
            let around = harness.get("/jobs/j-1")
            #expect(around.status == 302 && around.headers["location"] == harness.jobsURL + "/jobs/j-1")
            try #expect(harness.ledgerNow().allSatisfy { $0["port"]?.string == "jobs" })

            _ = RawConnection.ask(
                "GET", harness.foreignURL + "/jobs/j-1", headers: ["Authorization": "Bearer secret", "X-Note": "hi"])
            let foreign = try harness.ledgerNow().filter { $0["port"]?.string == "foreign" }
            #expect(foreign.count == 1)
            #expect(foreign[0]["headers"]?["authorization"]?.string == JobHarness.mark(of: "Bearer secret"))
            #expect(foreign[0]["headers"]?["x-note"]?.string == "hi")
        }
    }

    @Test func addressesInAnswersCanBeForeign() async throws {
        let rule: JSON = [
            "submit": [["set": ["urls": ["get": "{{foreign}}/jobs/j-1"]]]],
            "life": ["files": [["name": "a.txt", "text": "here", "foreign": true]]],
        ]
        try await withHarness(["jobs": [rule]]) { harness in
            #expect(harness.submit().json?["urls"]?["get"]?.string == harness.foreignURL + "/jobs/j-1")
            let address = harness.get("/jobs/j-1").json?["output"]?["files"]?[0]?.string ?? ""
            #expect(address.hasPrefix(harness.foreignURL))
            #expect(RawConnection.ask("GET", address).text == "here")
        }
    }

    @Test func repliesForAllComeBeforeThoseOfAJob() async throws {
        let script: JSON = [
            "replies": ["any": ["ok", ["http": 503]], "list": [["http": 500]]], "jobs": [["status": [["http": 418]]]],
        ]
        try await withHarness(script) { harness in
            #expect(harness.submit().status == 201)
            #expect(harness.words("j-1", polls: 3) == ["503", "418", "succeeded"])
            #expect([harness.get("/jobs").status, harness.get("/jobs").status] == [500, 200])
        }
    }

    @Test func chanceIsTheSameForTheSameSeed() async throws {
        func script(seed: Int) -> JSON {
            let mix: JSON = [["chance": 0.3, "http": 503], ["chance": 0.2, "http": 500]]
            return [
                "seed": .int(seed), "replies": ["any": [["mix": [["chance": 0.1, "http": 429]], "times": "always"]]],
                "jobs": [
                    [
                        "life": ["end": "never"], "status": [["mix": mix, "times": "always"]],
                        "submit": [["mix": mix, "times": "always"]],
                    ]
                ],
            ]
        }
        // What else goes on changes nothing.
        @Sendable func play(_ harness: JobHarness, others: Int) -> [String] {
            for number in 0..<others { _ = harness.submit(key: "other \(number)") }
            while true {
                guard let id = harness.submit(key: "same").json?["id"]?.string else { continue }
                return harness.words(id, polls: 60)
            }
        }
        let first = try await withHarness(script(seed: 7)) { play($0, others: 0) }
        let second = try await withHarness(script(seed: 7)) { play($0, others: 5) }
        let other = try await withHarness(script(seed: 8)) { play($0, others: 0) }
        #expect(first == second)
        #expect(first != other)
        #expect(Set(first) == ["running", "503", "500", "429"])
    }
}
