package import Vocabulary

/// Everything outside a conversation. A test changes one thing.
package struct World: Sendable {
    package var model: ChatModel
    package var now: @Sendable () async -> Moment
    package var emit: @Sendable (Event) async -> Void
    /// Passing news that is not an event: a call that begins to arrive, "retry 2/4 in 8 s".
    package var hint: @Sendable (Turn.Hint) async -> Void
    /// Appends a message of this turn to the session. Throwing ends the turn before anything more is done.
    package var store: @Sendable (ChatMessage, _ turn: Int) async throws(Failure) -> Void
    /// The lines that wait for the running turn, after each change: to be shown, and stored so that they survive a crash.
    package var queued: @Sendable ([String]) async -> Void
    /// Does what the model asked for. It is called within a task that is cancelled when the turn is interrupted; a workflow
    /// that it started goes on.
    package var perform: @Sendable (PlannerCall) async -> CallResult
    package var files: @Sendable () async -> Listing

    package init(
        model: @escaping ChatModel, now: @escaping @Sendable () async -> Moment, emit: @escaping @Sendable (Event) async -> Void,
        hint: @escaping @Sendable (Turn.Hint) async -> Void = { _ in },
        store: @escaping @Sendable (ChatMessage, _ turn: Int) async throws(Failure) -> Void,
        queued: @escaping @Sendable ([String]) async -> Void = { _ in },
        perform: @escaping @Sendable (PlannerCall) async -> CallResult, files: @escaping @Sendable () async -> Listing
    ) {
        self.model = model
        self.now = now
        self.emit = emit
        self.hint = hint
        self.store = store
        self.queued = queued
        self.perform = perform
        self.files = files
    }
}
