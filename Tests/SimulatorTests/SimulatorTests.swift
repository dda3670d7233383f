import CaseNames
import Testing
import Vocabulary

@Suite(.serialized) struct Simulator {
    /// Line 2 of the issue. `SIM_FROM`, `SIM_COUNT`, `SIM_SECONDS` and `SIM_MOST` choose others: `make soak` does.
    @Test func noSeedBreaksARule() async throws {
        let from = Self.number("SIM_FROM") ?? 1
        let count = Self.number("SIM_COUNT") ?? 300
        let began = ContinuousClock.now
        let tally = try await Seeds.play(
            from..<from + count, seconds: Self.number("SIM_SECONDS").map { Double($0) } ?? .infinity,
            most: Int(Self.number("SIM_MOST") ?? 1))
        print("simulator: \(tally.played) seeds from \(from), \(tally.commits) commits, \(ContinuousClock.now - began)")
        print(tally.marks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " · "))
        if tally.findings.isEmpty, tally.played < Int(count) {
            Issue.record("played \(tally.played) of \(count) seeds; ended by time")
        }
        if tally.played >= 300, tally.findings.isEmpty {
            for mark in Self.musts where tally.marks[mark] ?? 0 == 0 {
                Issue.record("\(mark) never happened: the seeds are too tame")
            }
        }
        if let first = tally.findings.min(by: { $0.seed < $1.seed }) {
            Issue.record("\(try Seeds.story(of: first.seed))")
        }
    }

    /// What 300 seeds must have brought about, or the rules were not put to the test.
    private static let musts = [
        "crash", "lost fence", "step.late", "submitUnknown", "jobLost", "runTimeout", "queueTimeout", "resultExpired",
        "cancelUnsupported",
        "cancelRefused", "cancelRequested", "reconnecting", "offline", "backoff", "processLost", "awaitExpired",
        "skipped", "halted",
        "setAside", "inputChanged", "upstreamStale", "rerunQueued", "definitionChanged", "revised", "pinned", "paused",
        "removed",
        "notAsked", "standsAfter", "held by a follow", "exited",
    ]

    /// The same seed is the same story, to the byte: here, and in processes whose hash tables have another order.
    @Test(.process) func aSeedIsTheSameStoryInEveryProcess() async throws {
        let here = try Seeds.digests(of: Seeds.retold)
        for _ in 1...2 {
            let elsewhere = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                for digest in try Seeds.digests(of: Seeds.retold) { print("story \(digest)") }
            }
            let lines = String(decoding: elsewhere?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
            let told = lines.filter { $0.hasPrefix("story ") }.map { String($0.dropFirst(6)) }
            #expect(zip(Seeds.retold, zip(here, told)).filter { $1.0 != $1.1 }.map(\.0) == [])
            #expect(told.count == here.count)
        }
    }

    /// The checks can fail: each planted fault is found.
    @Test(arguments: Simulation.Planted.allCases) func aPlantedFaultIsFound(fault: Simulation.Planted) async throws {
        let from = Self.nearFinding[fault] ?? 1
        let tally = try await Seeds.play(from..<from + 2000, planted: fault)
        let first = try #require(
            tally.findings.min { $0.seed < $1.seed }, "\(fault) is not found within \(tally.played) seeds")
        print("planted \(fault): seed \(first.seed): \(first.violation)")
        // And it is this fault that is found.
        let sound = try Simulation(seed: first.seed)
        #expect(sound.play() == nil)
    }

    /// The faults that few seeds show, each with a start shortly before the first that does.
    private static let nearFinding: [Simulation.Planted: UInt64] = [.answersOfOthers: 85, .jobsOfOthers: 900]

    @Test(.enabled(if: Seeds.environment("SIM_SEED") != nil)) func oneSeedAlone() throws {
        let seed = try #require(Self.number("SIM_SEED"))
        LastWords.about(seed)
        print(try Seeds.story(of: seed))
    }

    /// Prints one digest over the stories of `SIM_COUNT` seeds from `SIM_FROM`. A change of the engine's structure
    /// keeps it.
    @Test(.enabled(if: Seeds.environment("SIM_DIGEST") != nil)) func theDigestOfManyStories() throws {
        let from = Self.number("SIM_FROM") ?? 1
        let digests = try Seeds.digests(of: Array(from..<from + (Self.number("SIM_COUNT") ?? 1000)))
        print("digest of \(digests.count) stories: \(Content.hash(digests.joined(separator: "\n")).hex)")
    }

    private static func number(_ name: String) -> UInt64? { Seeds.environment(name).flatMap { UInt64($0) } }
}
