import Engine
import Storage
import Synchronization
import Tools
import Vocabulary

/// Where the time of a chain goes whose every transition is a commit: the parts of one node, in the order in which they
/// follow each other.
///
/// The engine's thread and a worker's take turns in such a chain, so that the parts add up to the whole time. They are
/// told apart by the calls by which an engine reaches what is outside of it.
final class ChainParts: Sendable {
    enum Part: String, CaseIterable {
        case hearing = "the engine's thread hears of the end"
        case deciding = "decision"
        case committing = "commit"
        case acting = "acting on the commit"
        case waking = "a worker's thread begins"
        case running = "the step itself"
    }

    private struct State {
        var seconds: [Part: Double] = [:]
        var commits = 0
        /// When the part before ended.
        var since: Double?
        /// Whether the end of a step is on its way to the engine's thread.
        var isOnItsWay = false
    }

    private let state = Mutex(State())

    /// Ends a part, which began where the one before ended.
    private func end(_ part: Part) {
        let now = Clock.seconds()
        state.withLock { state in
            if let since = state.since { state.seconds[part, default: 0] += now - since }
            state.since = now
            state.isOnItsWay = part == .running
            if part == .committing { state.commits += 1 }
        }
    }

    /// Ends `hearing` if the end of a step was on its way. The engine's thread reads its clock first of all.
    func readClock() {
        if state.withLock({ $0.isOnItsWay }) { end(.hearing) }
    }

    func commit<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        end(.deciding)
        let value = try body()
        end(.committing)
        return value
    }

    func onWorker(_ job: @escaping @Sendable () -> Void) {
        end(.acting)
        workers.run {
            self.end(.waking)
            job()
        }
    }

    func run(_ body: () -> RunEnding) -> RunEnding {
        let ending = body()
        end(.running)
        return ending
    }

    /// - Parameter count: the nodes of the chain.
    func figures(_ count: Int) -> [Figure] {
        let (seconds, commits) = state.withLock { ($0.seconds, $0.commits) }
        let parts = Part.allCases.map { part in
            Figure(
                name: "  of a node of that chain: \(part.rawValue)",
                value: (seconds[part] ?? 0) / Double(count) * 1_000_000,
                unit: "µs", bar: .none)
        }
        let all = Figure(
            name: "  of a node of that chain: commits", value: Double(commits) / Double(count), unit: "", bar: .none)
        return parts + [all]
    }
}
