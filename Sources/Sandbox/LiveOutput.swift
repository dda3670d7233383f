import Synchronization
package import Vocabulary

extension Limits {
    /// The bytes at the end of a rehearsed command's output that are kept to be shown while it runs.
    fileprivate static let liveOutputBytes = 16 << 10
}

/// The newest output of the commands that this process is rehearsing, as raw bytes, for the views that follow them.
package final class LiveOutput: Sendable {
    package init() {}

    private let tails = Mutex<[StepID: [UInt8]]>([:])

    /// Returns the end of the output of a step's command, about `Limits.liveOutputBytes` long, or `nil` if no command
    /// of the step runs.
    package func tail(of step: StepID) -> String? {
        tails.withLock { $0[step] }.map { String(decoding: $0, as: UTF8.self) }
    }

    package func begin(_ step: StepID) { tails.withLock { $0[step] = [] } }

    package func add(_ bytes: ArraySlice<UInt8>, of step: StepID) {
        tails.withLock { tails in
            guard var tail = tails.removeValue(forKey: step) else { return }
            tail += bytes
            if tail.count > 2 * Limits.liveOutputBytes { tail.removeFirst(tail.count - Limits.liveOutputBytes) }
            tails[step] = tail
        }
    }

    package func end(_ step: StepID) { tails.withLock { _ = $0.removeValue(forKey: step) } }
}
