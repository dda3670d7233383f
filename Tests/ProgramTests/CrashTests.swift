import CaseNames
import Glibc
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// kill -9 at random moments of a workflow of real programs (show 5).
@Suite(.process, .serialized) struct CrashTests {
    static let kills = 50
    static let seed: UInt64 = 20_260_723

    @Test(.timeLimit(.minutes(60))) func aWorkflowOf40StepsSurvives50Kills() async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 1500, height: 1000)
        try lab.write("one two three four", to: "notes.txt")
        let plan = Self.plan
        #expect(plan["nodes"]?.array?.count == 40)
        try lab.write(plan, to: ".plan.json")
        let report = try await onOwnThread { try Self.torment(lab) }
        print("kill -9: seed \(Self.seed), \(report.words)")
        #expect(report.faults.isEmpty, "\(report.faults.joined(separator: "\n"))")
        #expect(report.kills == Self.kills)
        // Kills of something that was at work: how many depends on how soon a start is, and on how soon the workflow is
        // done.
        #expect(report.hits >= 8, "\(report.words)")

        // Finished, and nothing is lost.
        let shown = try await lab.shown()
        let steps = shown["steps"]?.array ?? []
        #expect(
            steps.count == 40 && steps.allSatisfy { $0["state"]?.string == "succeeded" },
            "\(steps.map(\.text).joined(separator: "\n"))")
        #expect(shown["workflow"]?["outcome"]?.string == "succeeded")
        for number in 1...6 {
            let picture = try await lab.picture("out-\(number).jpg")
            #expect(picture[0] == 100 + 10 * number && picture[2] == 1, "out-\(number).jpg: \(picture)")
        }
        for number in 1...4 { #expect(lab.text("words-\(number).txt")?.isEmpty == false) }
        #expect(
            lab.names()
                == ([".plan.json", "cat.jpg", "notes.txt"] + (1...6).map { "out-\($0).jpg" }
                + (1...4).map { "words-\($0).txt" }).sorted())
        try await Self.expectAssets(of: shown, in: lab)
        #expect(
            try await lab.run("doctor", "--json").lines.first { $0["name"]?.string == "database" }?["ok"]?.bool == true)

        // Each step has exactly one run that succeeded: its last.
        for number in 1...40 {
            let step = try #require(try await lab.json("show", "w1", "\(number)").first)
            let endings = (step["runs"]?.array ?? []).map { $0["ending"]?.string ?? "none" }
            #expect(
                endings.count { $0 == "succeeded" } == 1 && endings.last == "succeeded", "step \(number): \(endings)")
        }
    }

    /// Six chains of a picture that begin one after the other (wait, resize, grayscale, blur, save) and four of a text
    /// (count, write).
    private static var plan: JSON {
        var nodes = [node("load", "ImageLoader", ["path": "cat.jpg"]), node("read", "ReadFile", ["path": "notes.txt"])]
        var edges: [JSON] = []
        for number in 1...6 {
            nodes += [
                [
                    "id": .string("wait\(number)"), "kind": "Delay",
                    "params": ["seconds": .double(1.5 * Double(number))],
                    "inputs": ["in": "image"], "outputs": ["out": "image"],
                ],
                node("gray\(number)", "Grayscale"), node("blur\(number)", "Blur"),
                node("resize\(number)", "Resize", ["width": .int(100 + 10 * number)]),
                node("save\(number)", "SaveFile", ["path": .string("out-\(number).jpg")]),
            ]
            edges += [
                edge("load.image", "wait\(number).in"), edge("wait\(number).out", "gray\(number).image"),
                edge("gray\(number).image", "blur\(number).image"),
                edge("blur\(number).image", "resize\(number).image"),
                edge("resize\(number).image", "save\(number).file"),
            ]
        }
        for number in 1...4 {
            nodes += [
                node("count\(number)", "CountWords"),
                node("write\(number)", "WriteFile", ["path": .string("words-\(number).txt")]),
            ]
            edges += [edge("read.text", "count\(number).text"), edge("count\(number).text", "write\(number).text")]
        }
        return workflow("40 steps", nodes, edges)
    }

    struct Report: Sendable {
        var kills = 0
        /// Kills of a process that had not ended by itself and had told something, of an unfinished workflow.
        var hits = 0
        var attempts = 0
        var succeededAtKills: [Int] = []
        var faults: [String] = []

        var words: String {
            "\(kills) kills, \(hits) of them at work and before its end, \(attempts) attempts for 40 steps; steps that had succeeded at the kills: \(succeededAtKills)"
        }
    }

    /// Starts it, kills it, looks what is committed, starts it again, and so on to the end. Blocks.
    private static func torment(_ lab: ProgramLab) throws -> Report {
        var random = Seeded(seed)
        var report = Report()
        var succeeded: [Int: Int] = [:]
        var process = try lab.start(["run", ".plan.json", "--mode", "auto", "--json"])
        // The workflow is there from its first event on; before that there is nothing to lose.
        guard process.wait(forOutput: "workflow.created") else { throw CrashFailure(words: process.wait().output) }
        while report.kills < kills {
            // A slow machine must come to work, too: two of three have begun to, or have nothing left to do.
            if random.next() % 3 > 0 { process.wait(forOutput: "step.changed") }
            // Early and late moments: it takes a few hundredths of a second to start, and a step some tenths.
            usleep(UInt32(random.next() % 250_000) + 1_000)
            let ending = process.end(with: SIGKILL)
            report.kills += 1
            let told = Announced([ending])
            for words in try lab.archived({ try told.lost(of: WorkflowID(1), in: $0) }) {
                report.faults.append("kill \(report.kills): \(words)")
            }
            let steps = try lab.jsonNow("show", "w1").first?["steps"]?.array ?? []
            if steps.count != 40 { report.faults.append("kill \(report.kills): \(steps.count) steps are left") }
            for step in steps {
                guard let number = step["step"]?.int, let attempt = step["attempt"]?.int,
                    let state = step["state"]?.string
                else {
                    continue
                }
                if let known = succeeded[number] {
                    if state != "succeeded" || attempt != known {
                        report.faults.append(
                            "kill \(report.kills): step \(number) had succeeded in attempt \(known), now \(state) in \(attempt)"
                        )
                    }
                } else if state == "succeeded" {
                    succeeded[number] = attempt
                } else if state == "failed" || state == "cancelled" {
                    report.faults.append("kill \(report.kills): step \(number) is \(step.text)")
                }
            }
            if ending.wasKilled, told.count > 0, succeeded.count < 40 { report.hits += 1 }
            report.succeededAtKills.append(succeeded.count)
            process = try lab.start(["work", "--until-idle", "--json"])
        }
        let last = process.wait()
        if last.exit != 0 {
            report.faults.append("the last start ended with \(last.exit): \(last.output)\(last.errors)")
        }
        let steps = try lab.jsonNow("show", "w1").first?["steps"]?.array ?? []
        for step in steps {
            let (number, attempt) = (step["step"]?.int ?? 0, step["attempt"]?.int ?? 0)
            report.attempts += attempt
            if let known = succeeded[number], known != attempt {
                report.faults.append("step \(number) had succeeded in attempt \(known) and ran again: \(attempt)")
            }
        }
        return report
    }

    /// Every asset that is recorded lies in the store, under its hash.
    private static func expectAssets(of shown: JSON, in lab: ProgramLab) async throws {
        let assets = shown["assets"]?.array ?? []
        #expect(assets.count >= 39)
        let stored = ScratchFolder.files(under: "\(lab.home)/data/assets")
        for hash in Set(assets.compactMap { $0["sha256"]?.string }) {
            let file = try #require(stored.first { $0.hasSuffix("/\(hash)") }, "\(hash) is not in the store")
            let told = try await lab.tool("sha256sum", file)
            #expect(told.output.hasPrefix(hash), "\(told.output)")
        }
    }
}

private struct CrashFailure: Error { let words: String }
