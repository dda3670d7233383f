import CaseNames
import Glibc
import Harness
import Testing

/// The order of the lines at a console, for days that a seed scripts. The oracle reads what is stored and typed.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct OrderTests {
    private static func setting(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    /// `ASSENT_ORDER_SEED=7` gives the first seed, `ASSENT_ORDER_RUNS=3` the number of days, and
    /// `ASSENT_ORDER_MINUTES=15` makes days for so long, with stray keys, pastes and signals.
    private static let seed = setting("ASSENT_ORDER_SEED") ?? .random(in: 1...1_000_000_000)
    private static let runs = setting("ASSENT_ORDER_RUNS") ?? 2
    private static let minutes = setting("ASSENT_ORDER_MINUTES")

    @Test func linesStandInTheOrderOfWhatHappened() async throws {
        let end = ContinuousClock.now + .seconds(Int(Self.minutes ?? 0) * 60)
        var seed = Self.seed
        var done = 0
        while Self.minutes == nil ? done < Self.runs : ContinuousClock.now < end {
            print("lines in order: ASSENT_ORDER_SEED=\(seed)")
            try await day(seed)
            (seed, done) = (seed + 1, done + 1)
        }
    }

    private func day(_ seed: UInt64) async throws {
        let isLong = Self.minutes != nil
        var lab = try await OrderLab(seed: seed, consoles: seed % 3 == 0 ? 1 : 2)
        do {
            try await lab.run(actions: isLong ? 20 : 14, isWild: isLong)
        } catch {
            Issue.record("seed \(seed): \(error)")
            return
        }
        for console in lab.consoles.indices {
            let faults = try lab.faults(at: console)
            guard !faults.isEmpty else { continue }
            Issue.record("seed \(seed), console \(console): \(faults.map(\.description).joined(separator: "\n"))")
            print("FAULTS seed \(seed) console \(console)")
            for fault in faults { print("  FAULT \(fault)") }
            print("JOURNAL\n" + lab.journal.joined(separator: "\n"))
            print("TRANSCRIPT\n" + lab.transcript(of: console).filter { !$0.isEmpty }.joined(separator: "\n"))
        }
        let left = try await lab.leave()
        #expect(left.isEmpty, "seed \(seed): \(left)")
    }
}
