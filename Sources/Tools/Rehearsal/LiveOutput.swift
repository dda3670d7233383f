import Synchronization
package import Vocabulary

extension Limits {
    /// Of what a command says while it is rehearsed: the bytes that are kept to be looked at, and the lines that are
    /// shown.
    fileprivate static let liveOutputBytes = 16 << 10
}

/// What commands of this process have said while they are rehearsed, for whoever watches: the last of it, raw.
package final class LiveOutput: Sendable {
    private let tails = Mutex<[StepID: [UInt8]]>([:])

    /// The last that a step's command has said, up to `Limits.liveOutputBytes`; `nil` where none runs.
    package func tail(of step: StepID) -> String? {
        tails.withLock { $0[step] }.map { String(decoding: $0, as: UTF8.self) }
    }

    func begin(_ step: StepID) { tails.withLock { $0[step] = [] } }

    func add(_ bytes: ArraySlice<UInt8>, of step: StepID) {
        tails.withLock { tails in
            guard var tail = tails.removeValue(forKey: step) else { return }
            tail += bytes
            if tail.count > 2 * Limits.liveOutputBytes { tail.removeFirst(tail.count - Limits.liveOutputBytes) }
            tails[step] = tail
        }
    }

    func end(_ step: StepID) { tails.withLock { _ = $0.removeValue(forKey: step) } }
}
