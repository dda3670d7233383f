import Glibc
import Synchronization

/// The clock of a scripted server: that of the machine, or a clock that stands still until it is moved.
package final class ScriptClock: Sendable {
    private struct State {
        /// The time at which the clock is held, in milliseconds. `nil` while the clock runs.
        var held: Int?
        /// The lead of this clock over that of the machine, in milliseconds.
        var offset = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The time in milliseconds since an arbitrary moment in the past.
    package var milliseconds: Int { state.withLock { $0.held ?? Self.machine() + $0.offset } }

    package func hold() { state.withLock { $0.held = $0.held ?? Self.machine() + $0.offset } }

    /// Lets a held clock run on from its current time.
    package func release() {
        state.withLock { state in
            guard let held = state.held else { return }
            (state.held, state.offset) = (nil, held - Self.machine())
        }
    }

    package func advance(byMilliseconds count: Int) {
        state.withLock { if $0.held == nil { $0.offset += count } else { $0.held! += count } }
    }

    /// Returns the milliseconds to wait before the clock is read again. 0 if `end` has come.
    package func patience(until end: Int) -> Int {
        state.withLock { state in
            if let held = state.held { return held < end ? 5 : 0 }
            return max(0, end - Self.machine() - state.offset)
        }
    }

    private static func machine() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
    }
}

/// A gate that a test opens when the other side may go on.
package final class ScriptGate: Sendable, Hashable {
    private let state = Mutex(false)

    package init() {}

    package var isOpen: Bool { state.withLock { $0 } }
    package func open() { state.withLock { $0 = true } }

    package static func == (one: ScriptGate, other: ScriptGate) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
