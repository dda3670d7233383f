import Synchronization
package import Vocabulary

/// Hands every event to everybody who listens, in one order that is the same for all. Posting never blocks.
package final class EventHub: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    /// Held while an event is handed out: one listener may act on it and post the next before another has even been
    /// given this one. Never held by whoever ends a listener: ending takes the runtime's lock of the task, and so does
    /// handing out.
    private let turn = Mutex(())

    /// Creates a hub that nobody listens to yet.
    package init() {}

    /// Hands an event to all listeners.
    package func post(_ event: Event) {
        turn.withLock { _ in
            for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
        }
    }

    /// Returns the events that are posted from now on, until the listener is cancelled.
    package func listen() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}
