import CaseNames
@testable import Files
import Harness
import JSON
@testable import Jobs
import Testing
import Vocabulary

/// Outputs that a job prints, from its log into the asset store.
@Suite struct JobPrintedTests {
    private static let change = [
        "logs: {path: $.log, mode: whole}": "logs: {request: logs, path: $.logs, mode: whole}",
        "  result: {url:": "  logs: {url: \"http://{host}/jobs/{jobId}/logs\"}\n  result: {url:",
        "  - {port: json, type: json, from: result, path: $.value, as: json}":
            "  - {port: json, type: json, from: logs, regex: '^RESULT (\\{.*\\})$', as: json}",
    ]

    private func collect(
        _ log: JSON, isOptional: Bool = true, looks: Int = 9, _ change: [String: String] = [:]
    ) async throws -> (answer: JobAnswer, texts: [String]) {
        let server = try ScriptedServer { request in
            request.path == "/jobs/j1/logs" ? .json(["logs": log]) : .text("nothing", status: 404)
        }
        defer { server.stop() }
        let lab = try JobLab(port: server.port, Self.change.merging(change) { $1 })
        let tool = JobLab.tool(outputs: [Port("json", .json, isOptional: isOptional)])
        var job = lab.job
        job.phase = .collecting
        job.strikes = looks
        let answer = try await lab.ask(.collect, lab.assignment(tool), job)
        return (answer, try answer.assets.map { String(decoding: try lab.lab.store.read($0), as: UTF8.self) })
    }

    private func padded(_ bytes: Int) -> String { "{\"a\":\"" + String(repeating: "x", count: bytes - 8) + "\"}" }

    @Test("finding 3: a line of more than 1,024 bytes is an output", arguments: [1_017, 5_000, 64 << 10])
    func aLongLineIsAnOutput(bytes: Int) async throws {
        let value = padded(bytes)
        let (answer, texts) = try await collect(.string("step 1\nRESULT \(value)\nbye\n"))
        #expect(texts == [value], "\(answer.name) \(answer.failure?.message ?? "")")
    }

    @Test("finding 3: a line before the last 200 is an output")
    func aLineFarAboveIsAnOutput() async throws {
        let log = "RESULT {\"a\":1}\n" + String(repeating: "0123456789 step of the job\n", count: 20_000)
        #expect(try await collect(.string(log)).texts == ["{\"a\":1}"])
    }

    @Test("finding 3: what was printed and cannot be used is said", arguments: [true, false])
    func whatCannotBeUsedIsSaid(isOptional: Bool) async throws {
        let rows = [
            ("RESULT \(padded(70_000))", "outputTooLong", "70000 bytes; at most 65536"),
            ("RESULT {\"a\": 1", "outputCut", "RESULT {\"a\": 1"),
            ("RESULT {a}", "wrongType", "no JSON"),
            ("RESULT {\"a\":1}\nRESULT {\"a\":", "outputCut", "ends before it is whole"),
        ]
        for (log, code, words) in rows {
            let failure = try await collect(.string(log), isOptional: isOptional).answer.failure
            #expect(
                failure?.code == code && failure?.message.contains(words) == true,
                "\(failure?.description ?? "no failure")")
            #expect(failure?.message.contains("json") == true && failure?.remedy != nil)
        }
    }

    /// The last line of a log may be half there when the job has just ended: its result was paid for.
    @Test(
        "finding 3: a line that is still being written is waited for", arguments: [true, false],
        ["RESULT {\"a\":", "RESULT {\"a\" }"])
    func aLineThatIsBeingWrittenIsWaitedFor(isOptional: Bool, line: String) async throws {
        for looks in 0..<Limits.lateLogLooks {
            let answer = try await collect(.string("step 1\n" + line), isOptional: isOptional, looks: looks).answer
            guard case .strike(let failure, let limit) = answer else {
                Issue.record("\(looks): \(answer)")
                continue
            }
            #expect(limit > looks + 1 && failure.message.contains("json"))
        }
    }

    /// An optional one that was not printed is none; one that the tool promises is missing, and may come late.
    @Test("finding 3: what was not printed", arguments: [("step 1\n", 0), ("", 0), ("step 1\n", 9)])
    func whatWasNotPrinted(log: String, looks: Int) async throws {
        #expect(try await collect(.string(log), looks: looks).answer == .collected([]))
        let needed = try await collect(.string(log), isOptional: false, looks: looks).answer
        #expect(needed.name == (looks == 0 ? "strike" : "spoiled"))
        #expect(needed.failure?.code == (looks == 0 ? "logMissing" : "outputMissing"))
    }

    /// The log of a job that has ended may come after it.
    @Test("finding 3: a log that has not come is waited for", arguments: [JSON.null, []])
    func aLogThatHasNotComeIsWaitedFor(log: JSON) async throws {
        for (isOptional, most) in [(true, 1), (false, Limits.lateLogLooks)] {
            for looks in 0..<most {
                let answer = try await collect(log, isOptional: isOptional, looks: looks).answer
                #expect(answer.name == "strike" && answer.failure?.code == "logMissing", "\(answer)")
                guard case .strike(_, let limit) = answer else { continue }
                #expect(limit > looks + 1, "it is no loss of the job")
            }
        }
        #expect(try await collect(log, looks: 1).answer == .collected([]))
        #expect(
            try await collect(log, isOptional: false, looks: Limits.lateLogLooks).answer.failure?.code
                == "outputMissing")
    }

    /// The reader of outputs once knew only logs that are one text.
    @Test("finding 3: a log that is a list is looked through to its end", arguments: ["$.logs", "$.logs[*]"])
    func aLogThatIsAList(path: String) async throws {
        let entries = ["RESULT {\"a\":0}"] + (0..<1_500).map { "step \($0)" } + ["RESULT {\"a\":1}", "bye\n"]
        let change = [
            "logs: {path: $.log, mode: whole}": "logs: {request: logs, path: \"\(path)\", mode: list, text: $.message}"
        ]
        let log = JSON.array(entries.map { ["message": .string($0)] })
        #expect(try await collect(log, change).texts == ["{\"a\":1}"])
    }

    @Test("finding 3: nothing is fetched before it is known that nothing is missing")
    func filesAreFetchedLast() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/jobs/j1/logs": .json(["logs": []])
            case "/jobs/j1/result": .json(["images": [["url": .string("http://\(request.headers["host"]!)/a.gif")]]])
            default: .text(JobClientTests.gif)
            }
        }
        defer { server.stop() }
        let lab = try JobLab(port: server.port, Self.change)
        let tool = JobLab.tool(outputs: [Port("image", .image), Port("json", .json)])
        #expect(try await lab.ask(.collect, lab.assignment(tool)).name == "strike")
        #expect(server.requests.map(\.path) == ["/jobs/j1/result", "/jobs/j1/logs"])
    }
}
