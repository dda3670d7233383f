import Synchronization
import Testing
import Vocabulary

/// Where a crash is told apart from its neighbours, each place is tried: each reference scenario again for each (point,
/// hit), and again with a second crash soon after the first, while its successor takes over.
@Suite(.serialized) struct FailPoints {
    private struct Crash: Sendable {
        var reference: Reference
        var points: [(point: String, hit: Int)]

        var words: String { "\(reference): " + points.map { "\($0.point) \($0.hit)" }.joined(separator: ", then ") }
    }

    @Test func everyHitOfEveryPointIsSurvived() async throws {
        var crashes: [Crash] = []
        var reached: [String: Int] = [:]
        for reference in Reference.allCases {
            let calm = try Simulation(seed: 1, scenario: reference.scenario)
            #expect(calm.play() == nil, "\(reference)")
            let hits = calm.storm.hits
            for (place, point) in Storm.points.enumerated() {
                let count = hits[point] ?? 0
                reached[point, default: 0] += count
                // Each place of the first; of the others every third, another third at each point.
                for hit in stride(
                    from: reference == .kinds ? 1 : place % 3 + 1, through: count, by: reference == .kinds ? 1 : 3)
                {
                    crashes.append(Crash(reference: reference, points: [(point, hit)]))
                    // The second at another of the places that a takeover goes through; not where too little is left
                    // for it.
                    guard (place + hit) % 5 == 0, hit < count - count / 5 else { continue }
                    let second = Self.onTakeover[(place + hit) / 5 % Self.onTakeover.count]
                    crashes.append(Crash(reference: reference, points: [(point, hit), second]))
                }
            }
        }
        for point in Storm.points { #expect(reached[point] ?? 0 >= 3, "\(point) is hardly reached") }
        // `make quick` takes every tenth.
        let step = Seeds.environment("FAIL_POINTS_STEP").flatMap { Int($0) } ?? 1
        if step > 1 { crashes = stride(from: 0, to: crashes.count, by: step).map { crashes[$0] } }
        let left = Mutex(crashes)
        let faults = Mutex<[String]>([])
        try await Seeds.atOnce {
            while let crash = left.withLock({ $0.popLast() }) {
                let simulation = try Simulation(seed: 1, scenario: crash.reference.scenario)
                simulation.storm.planned = crash.points
                if let violation = simulation.play() { faults.withLock { $0.append("\(crash.words): \(violation)") } }
                if simulation.crashes != crash.points.count {
                    faults.withLock { $0.append("\(crash.words) was not reached") }
                }
            }
        }
        #expect(faults.withLock { $0 } == [])
        print("fail points: \(crashes.count) crashes, \(crashes.count { $0.points.count > 1 }) of them twice")
    }

    private static let onTakeover: [(point: String, hit: Int)] = [
        ("afterClaim", 1), ("beforeLoad", 1), ("beforeCommit", 1), ("commitUnheard", 1), ("afterAct", 1),
    ]
}
