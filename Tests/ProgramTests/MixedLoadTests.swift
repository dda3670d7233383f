import Glibc
import Harness
import JSON
import Testing

/// kill -9 of the real program while it buys jobs, runs programs, waits and passes values on, over and over (show 3). `make soak` asks for
/// a thousand kills; here there are fifty.
@Suite(.serialized) struct MixedLoadTests {
    static let kills = getenv("ASSENT_SOAK_KILLS").flatMap { Int(String(cString: $0)) } ?? 50
    static var isSoak: Bool { getenv("ASSENT_SOAK_KILLS") != nil }
    static let seed: UInt64 = 20_261_121

    @Test(.timeLimit(.minutes(isSoak ? 60 : 5))) func nothingIsLostAndNothingIsBoughtTwice() async throws {
        let jobs = try JobLab([
            "seed": 7, "provider": ["again": "same"],
            "jobs": [
                ["when": ["kind": "short"], "life": ["queuedMs": [0, 150], "runningMs": [50, 400], "value": 1]],
                ["when": ["kind": "long"], "life": ["queuedMs": [100, 500], "runningMs": [500, 1500], "value": 2]],
                [
                    "when": ["kind": "slow"], "submit": [["delayMs": 120]], "result": [["delayMs": 120]],
                    "life": ["runningMs": 200, "value": 3],
                ],
            ],
        ])
        try jobs.lab.write("one two three four", to: "notes.txt")
        try jobs.lab.write(plan(jobs), to: ".plan.json")
        let report = try await onOwnThread { try torment(jobs) }
        print("mixed load, seed \(Self.seed): \(report.words)")
        #expect(report.faults.isEmpty, "\(report.faults.joined(separator: "\n"))")
        #expect(report.kills == Self.kills && report.workflows > 0)
        let books = try await jobs.harness.books()
        #expect(books.boughtTwice.isEmpty, "\(books.boughtTwice)")
        #expect(books.bought == report.workflows * 16, "each step bought one job")
        if Self.isSoak { #expect(report.slowestStart < 0.5, "a relaunch took \(report.slowestStart) s") }
        #expect(try await jobs.lab.run("doctor", "--json").lines.first { $0["name"]?.string == "database" }?["ok"]?.bool == true)
    }

    /// 16 jobs in four ways of not buying twice, each after a delay; four chains of a text; and a long tail of steps that only pass on, so
    /// that every relaunch has as many steps to look at as the soak asks for.
    private func plan(_ jobs: JobLab) -> JSON {
        var nodes = [node("read", "ReadFile", ["path": "notes.txt"])]
        var edges: [JSON] = []
        for number in 1...16 {
            let (mode, kind) = (["put", "clientId", "header", "reconcile"][number % 4], ["short", "long", "slow"][number % 3])
            nodes += [
                [
                    "id": .string("wait\(number)"), "kind": "Delay", "params": ["seconds": .double(0.3 * Double(number))],
                    "inputs": ["in": "text"], "outputs": ["out": "text"],
                ],
                node("job\(number)", JobLab.kind(mode), ["kind": .string(kind)]),
            ]
            edges += [edge("read.text", "wait\(number).in"), edge("wait\(number).out", "job\(number).after")]
        }
        for number in 1...4 {
            nodes += [node("count\(number)", "CountWords"), node("replace\(number)", "ReplaceText", ["find": "w", "replacement": "v"])]
            edges += [edge("wait\(3 * number).out", "count\(number).text"), edge("count\(number).text", "replace\(number).text")]
        }
        let tail = Self.isSoak ? 9_950 : 60
        for number in 1...tail {
            nodes.append([
                "id": .string("pass\(number)"), "kind": "Pass", "inputs": ["in": "text"], "outputs": ["out": "text"],
            ])
            edges.append(edge(number % 100 == 1 ? "wait16.out" : "pass\(number - 1).out", "pass\(number).in"))
        }
        return workflow(
            "mixed", nodes, edges, options: ["concurrency": ["remote": 16, "local": 2], "errorPolicy": "isolate-node"])
    }

    struct Report: Sendable {
        var kills = 0
        var workflows = 0
        var slowestStart = 0.0
        var starts: [Double] = []
        var faults: [String] = []

        var words: String {
            let sorted = starts.sorted()
            let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
            return "\(kills) kills, \(workflows) workflows done, relaunch to first event: median \(median) s, slowest \(slowestStart) s"
        }
    }

    private func torment(_ jobs: JobLab) throws -> Report {
        let lab = jobs.lab
        var random = Seeded(Self.seed)
        var report = Report()
        var known: [Int: Int] = [:]
        var current = 0
        func begin() throws -> ProgramProcess {
            current += 1
            known = [:]
            let process = try lab.start(["run", ".plan.json", "--mode", "auto", "--json"])
            guard process.wait(forOutput: "workflow.created") else { throw NeverBegan(words: process.wait().output) }
            return process
        }
        var process = try begin()
        while report.kills < Self.kills {
            usleep(UInt32(random.next() % 300_000) + 1_000)
            process.end(with: SIGKILL)
            report.kills += 1
            let shown = try lab.jsonNow("show", "w\(current)").first
            look(at: shown, &known, &report)
            if shown?["workflow"]?["outcome"]?.string == "succeeded" {
                report.workflows += 1
                process = try begin()
                continue
            }
            let start = ContinuousClock.now
            process = try lab.start(["work", "--until-idle", "--json"])
            guard process.wait(forOutput: #""step.changed""#) else { continue }
            let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
            report.starts.append(seconds)
            report.slowestStart = max(report.slowestStart, seconds)
        }
        let last = process.wait()
        let shown = try lab.jsonNow("show", "w\(current)").first
        look(at: shown, &known, &report)
        let outcome = shown?["workflow"]?["outcome"]?.string
        if outcome == "succeeded" {
            report.workflows += 1
        } else {
            report.faults.append("the last one is \(outcome ?? "under way"): \(last.output.suffix(2000))")
        }
        return report
    }

    /// What had succeeded stays so, in the same attempt; nothing fails; a job is one run.
    private func look(at shown: JSON?, _ known: inout [Int: Int], _ report: inout Report) {
        for step in shown?["steps"]?.array ?? [] {
            guard let number = step["step"]?.int, let attempt = step["attempt"]?.int, let state = step["state"]?.string else { continue }
            if let before = known[number], state != "succeeded" || attempt != before {
                report.faults.append("kill \(report.kills): step \(number) had succeeded in attempt \(before), now \(state) in \(attempt)")
            }
            if state == "succeeded" { known[number] = attempt }
            if state == "failed" || state == "cancelled" || state == "awaitingUser" {
                report.faults.append("kill \(report.kills): step \(number) is \(step.text)")
            }
            if step["kind"]?.string?.hasSuffix("Job") == true, attempt > 1 {
                report.faults.append("kill \(report.kills): job \(number) is in attempt \(attempt)")
            }
        }
    }
}

private struct NeverBegan: Error { let words: String }
