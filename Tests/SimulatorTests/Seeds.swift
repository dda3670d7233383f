import Glibc
import Harness
import Synchronization
import Vocabulary

/// Plays seeds, several at once, and says of the first that fails how to play it alone.
enum Seeds {
    struct Finding: Sendable {
        var seed: UInt64
        var violation: String
    }

    struct Tally: Sendable {
        var played = 0
        var commits = 0
        var findings: [Finding] = []
        var marks: [String: Int] = [:]
    }

    /// - Parameters:
    ///   - seconds: after so long no further seed is begun.
    ///   - most: findings after which it stops.
    static func play(
        _ seeds: Range<UInt64>, planted: Simulation.Planted? = nil, seconds: Double = .infinity, most: Int = 1
    ) async throws -> Tally {
        let desk = Desk(next: seeds.lowerBound)
        try await atOnce {
            while let seed = desk.take(below: seeds.upperBound, seconds: seconds, most: most) {
                LastWords.about(seed)
                let simulation = try Simulation(seed: seed, planted: planted)
                desk.note(seed, simulation.play(), simulation)
            }
        }
        return desk.tally
    }

    /// The same work on as many threads as there are processors, four at most.
    static func atOnce(_ work: @escaping @Sendable () throws -> Void) async throws {
        let threads = min(4, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<threads { group.addTask { try await onOwnThread(work) } }
            try await group.waitForAll()
        }
    }

    /// Where the threads fetch their seeds and leave their findings.
    private final class Desk: Sendable {
        private let next: Mutex<UInt64>
        private let state = Mutex(Tally())
        private let began = now()

        init(next: UInt64) { self.next = Mutex(next) }

        var tally: Tally { state.withLock { $0 } }

        func take(below end: UInt64, seconds: Double, most: Int) -> UInt64? {
            guard now() - began < seconds, state.withLock({ $0.findings.count < most }) else { return nil }
            return next.withLock { next in
                guard next < end else { return nil }
                next += 1
                return next - 1
            }
        }

        func note(_ seed: UInt64, _ violation: String?, _ simulation: Simulation) {
            state.withLock { tally in
                tally.played += 1
                tally.commits += simulation.checks.commits
                tally.marks.merge(simulation.checks.marks) { $0 + $1 }
                tally.marks["crash", default: 0] += simulation.crashes
                guard let violation else { return }
                tally.findings.append(Finding(seed: seed, violation: violation))
                // At once: a trap in another seed would take it along.
                if simulation.planted == nil { print("finding \(seed): \(violation)") }
            }
        }
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The scenario and what happened last, for whoever looks for the cause.
    static func story(of seed: UInt64, scenario: Scenario? = nil, planted: Simulation.Planted? = nil) throws -> String {
        let simulation = try Simulation(seed: seed, scenario: scenario, planted: planted, isTraced: true)
        let violation = simulation.play()
        let lines = environment("SIM_TRACE") == nil ? Array(simulation.trace.suffix(60)) : simulation.trace
        return """
            seed \(seed): \(violation ?? "nothing is wrong") (trace \(Content.hash(simulation.trace.joined(separator: "\n")).hex.prefix(16)))
            alone: SIM_SEED=\(seed) swift test --filter SimulatorTests.Simulator/oneSeedAlone   (SIM_TRACE=1 for all of it)
            \(simulation.scenario.story)
            \(lines.joined(separator: "\n"))
            """
    }

    /// Seeds whose stories are told again in other processes.
    static let retold = Array(1...Int(environment("SIM_RETOLD") ?? "40")!).map { UInt64($0) }

    /// Returns a digest of the story of each seed.
    static func digests(of seeds: [UInt64]) throws -> [String] {
        try seeds.map { seed in
            let simulation = try Simulation(seed: seed, isTraced: true)
            _ = simulation.play()
            return String(Content.hash(simulation.trace.joined(separator: "\n")).hex.prefix(16))
        }
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension Scenario {
    /// In lines that a person can read.
    var story: String {
        let own = providers.map {
            "\($0.terms.provider): \($0.terms.idempotency) \($0.terms.ambiguity) \($0.terms.cancelling)"
        }
        let plans = workflows.enumerated().map { number, plan in
            let nodes = plan.nodes.map { node in
                let inputs = node.inputs.map { "\(plan.nodes[$0.producer].id)\($0.isOptional ? "?" : "")" }.joined(
                    separator: ",")
                let wait =
                    node.wait.map { " \($0.says) \($0.expiresSeconds.map { "\($0) s " } ?? "")\($0.onTimeout)" } ?? ""
                func names(_ word: String, _ places: [Int]) -> String {
                    places.isEmpty ? "" : " \(word) \(places.map { plan.nodes[$0].id }.joined(separator: ","))"
                }
                let order = names("follows", node.follows) + names("starts after", node.startsAfter)
                return
                    "\(node.id):\(node.kind.tool)(\(inputs)) \(node.fate)\(node.isAllowed ? "" : " no")\(wait)\(order)"
            }
            return
                "workflow \(number + 1)\(plan.isFailFast ? " fail-fast" : "")\(plan.asksAlways ? " always-ask" : ""): "
                + nodes.joined(separator: " · ")
        }
        return (["\(engines) engines, \(localSlots)+\(remoteSlots) slots, \(weather)"] + own + plans).joined(
            separator: "\n")
    }
}

/// What a thread was playing when the core trapped: a precondition ends the whole test, and would not say which seed it
/// was.
enum LastWords {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { free($0) }
        for trap in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT] {
            signal(trap) { number in
                if let words = pthread_getspecific(LastWords.key) {
                    let text = words.assumingMemoryBound(to: CChar.self)
                    write(2, text, strlen(text))
                }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        return key
    }()

    static func about(_ seed: UInt64) {
        let old = pthread_getspecific(key)
        pthread_setspecific(key, strdup("\nsimulator: it trapped while it played SIM_SEED=\(seed)\n"))
        free(old)
    }
}
