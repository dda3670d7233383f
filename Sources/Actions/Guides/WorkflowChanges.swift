import Services
import Vocabulary

/// The moments at which a workflow may have changed: each of its events in this process, and each second, since another
/// process may own it.
struct WorkflowChanges {
    private let moments: AsyncStream<Void>
    private let sources: [Task<Void, Never>]

    /// Starts to listen. `end` must follow.
    init(of workflow: WorkflowID, in hub: EventHub) {
        let (moments, moment) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.moments = moments
        let events = hub.listen()
        sources = [
            Task { for await event in events where event.workflow == workflow { moment.yield() } },
            Task { while (try? await Task.sleep(for: .seconds(1))) != nil { moment.yield() } },
        ]
    }

    /// Waits for the next moment.
    ///
    /// - Returns: false if the task was cancelled.
    func next() async -> Bool {
        for await _ in moments { return !Task.isCancelled }
        return false
    }

    /// Stops listening.
    func end() { for source in sources { source.cancel() } }
}
