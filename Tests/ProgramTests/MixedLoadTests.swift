import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// kill -9 of the real program while it buys jobs, runs programs, waits for a person, hears commands and passes values
/// on, over and over (show 3). `make soak` asks for a thousand kills with ten thousand steps under way; here there are
/// fifty.
@Suite(.process, .serialized) struct MixedLoadTests {
    static let kills = getenv("ASSENT_SOAK_KILLS").flatMap { Int(String(cString: $0)) } ?? 50
    static var isSoak: Bool { getenv("ASSENT_SOAK_KILLS") != nil }
    static let seed: UInt64 = 20_261_121
    @Test(.timeLimit(.minutes(isSoak ? 240 : 60))) func nothingIsLostAndNothingIsBoughtTwice() async throws {
        let jobs = try Self.lab()
        let load = MixedLoad(jobs: jobs, tail: Self.isSoak ? 9_900 : 60)
        try load.lab.write("one two three four", to: "notes.txt")
        try await load.lab.photograph("cat.jpg", width: 300, height: 200)
        let report = try await onOwnThread {
            var torment = Torment(
                load: load, kills: Self.kills, random: Seeded(Self.seed), showsEvery: Self.isSoak ? 10 : 1)
            return try torment.run()
        }
        print("mixed load, seed \(Self.seed): \(report.words)")
        #expect(report.faults.isEmpty, "\(report.faults.prefix(20).joined(separator: "\n"))")
        #expect(report.kills == Self.kills && report.workflows > 0)

        // Each launch but the first of a workflow was a relaunch, and none of them is left out. How soon they were
        // there is told above; its bar is one of `make bench`.
        #expect(report.starts.count == report.launches - report.workflows)
        #expect(report.starts.count + report.workflows > report.kills)

        try await Self.expectBooks(of: jobs, report)
        // It was tried: requests were under way and awaits open at kills, and lines were told before them.
        #expect(report.told > report.kills && report.openAtKills > 0)
        #expect(report.inFlight.values.reduce(0, +) > 0, "\(report.inFlight)")
        if Self.isSoak { #expect(Set(report.inFlight.keys) == Set(JobLab.modes), "\(report.inFlight)") }
        #expect(
            try await load.lab.run("doctor", "--json").lines.first { $0["name"]?.string == "database" }?["ok"]?.bool
                == true)
    }

    /// Each mode has the provider that it is for: one that knows nobody's names again is looked through first, or asked
    /// about; one that refuses a name that it knows; one that gives back what it has.
    private static func lab() throws -> JobLab {
        func script(_ provider: JSON) -> JSON {
            [
                "seed": 7, "provider": provider,
                "jobs": [
                    ["when": ["kind": "short"], "life": ["queuedMs": [0, 150], "runningMs": [50, 400], "value": 1]],
                    [
                        "when": ["kind": "long"],
                        "life": ["queuedMs": [100, 500], "runningMs": [500, 1500], "value": 2],
                    ],
                    [
                        "when": ["kind": "slow"], "submit": [["delayMs": 250, "times": "always"]],
                        "result": [["delayMs": 120]],
                        "life": ["runningMs": 200, "value": 3],
                    ],
                ],
            ]
        }
        return try JobLab(
            script(["again": "same"]),
            others: [
                "clientId": script(["again": "conflict", "honours": ["body"]]), "reconcile": script(["honours": []]),
                "none": script(["honours": []]),
            ])
    }

    /// What the providers sold: each step one job, under one name, and asked for again only where that does no harm.
    private static func expectBooks(of jobs: JobLab, _ report: Torment.Report) async throws {
        let perMode = MixedLoad.jobs / JobLab.modes.count
        let (shared, again) = (try await jobs.harness.books(), ["put", "header"])
        #expect(
            shared.bought == report.workflows * perMode * again.count && shared.boughtTwice.isEmpty,
            "\(shared.boughtTwice)")
        #expect(shared.jobs.allSatisfy { $0["differing"] == 0 }, "the same name, the same job")
        let repeated = shared.jobs.map { ($0["submits"]?.int ?? 99) - 1 }
        // Once more for each kill that met its request; one that a second process took over at that moment may not have
        // been seen.
        let met = again.reduce(report.pairs) { $0 + report.inFlight[$1, default: 0] }
        #expect(repeated.reduce(0, +) <= met, "\(repeated.filter { $0 > 0 })")
        for mode in ["clientId", "reconcile"] {
            let books = try await jobs.provider(of: mode).books()
            #expect(
                books.bought == report.workflows * perMode && books.boughtTwice.isEmpty, "\(mode): \(books.boughtTwice)"
            )
            #expect(
                books.jobs.allSatisfy { $0["submits"] == 1 }, "\(mode): it is looked for before it is asked for again")
        }
        // Nobody can tell these apart but a person: by what they were bought for.
        let books = try await jobs.provider(of: "none").books()
        let marks = books.jobs.compactMap { $0["input"]?["mark"]?.string }
        #expect(books.bought == report.workflows * perMode && Set(marks).count == marks.count, "\(marks)")
    }
}
