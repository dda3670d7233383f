package import Conversations
package import Vocabulary

/// What a conversation needs of the console.
package struct Conversing: Sendable {
    package var session: SessionID
    /// What a session that is taken up again has had, and the lines that wait in it.
    package var left: LeftSession?
    /// Whether its lines survive a crash: those of a chat do.
    package var keepsLines: Bool
    package var hint: @Sendable (Turn.Hint) async -> Void
    package var queued: @Sendable ([String]) async -> Void
    /// Hears what is said at once, before the event goes the way of all events: each hand it passes through costs a
    /// token its time.
    package var heard: @Sendable (Event.Kind) -> Void
    package var perform: @Sendable (PlannerCall, _ turn: Int) async -> CallResult
    /// Follows a workflow again that a call began and that waited for a person. Without `asks`, nobody is asked
    /// here.
    package var takeUp: @Sendable (WorkflowID, _ asks: Bool) async -> CallResult
    /// Asks the person for the model's host, where they can be asked.
    package var confirmHost: @Sendable (HostQuestion) async -> Void

    package init(
        session: SessionID, left: LeftSession? = nil, keepsLines: Bool = false,
        hint: @escaping @Sendable (Turn.Hint) async -> Void = { _ in },
        queued: @escaping @Sendable ([String]) async -> Void = { _ in },
        heard: @escaping @Sendable (Event.Kind) -> Void = { _ in },
        perform: @escaping @Sendable (PlannerCall, _ turn: Int) async -> CallResult,
        takeUp: @escaping @Sendable (WorkflowID, Bool) async -> CallResult = { _, _ in .lost },
        confirmHost: @escaping @Sendable (HostQuestion) async -> Void = { _ in }
    ) {
        self.takeUp = takeUp
        self.confirmHost = confirmHost
        self.session = session
        self.left = left
        self.keepsLines = keepsLines
        self.hint = hint
        self.queued = queued
        self.heard = heard
        self.perform = perform
    }
}
