import Synchronization
package import Vocabulary

/// A hub that hands every event to all listeners, in one order that is the same for all. Posting never blocks.
package final class EventHub: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    /// Locked while an event is handed out, so that all listeners get events in one order. Otherwise a listener could
    /// act on an event and post the next before another listener has the first. It is never locked while a listener is
    /// ended: ending takes the runtime's lock of the task, and handing out does, too.
    private let turn = Mutex(())

    /// Creates a hub without listeners.
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
