package import Vocabulary

/// The seam to everything outside a conversation. A test replaces single functions.
package struct World: Sendable {
    package var model: ChatModel
    /// Checks whether a request may go to the model now. May ask the person. If it throws, the turn ends, and nothing
    /// is sent.
    package var admit: @Sendable () async throws(Failure) -> Void
    /// Returns the filter that cuts keys out of all input.
    package var keys: @Sendable () -> KeyFilter
    package var now: @Sendable () async -> Moment
    package var emit: @Sendable (Event) async -> Void
    /// Reports news that is not an event: a call that begins to arrive, "retry 2/4 in 8 s".
    package var hint: @Sendable (Turn.Hint) async -> Void
    /// Appends a message of this turn to the session. A stored line is deleted in the commit that makes it a message.
    /// If it throws, the turn ends before anything more is done.
    package var store: @Sendable (ChatMessage, _ turn: Int) async throws(Failure) -> Void
    /// Stores a line after those that wait, so that it survives a crash.
    package var keep: @Sendable (String) async throws(Failure) -> Void
    /// Deletes the stored lines that wait, or the newest of them with a text.
    package var forget: @Sendable (String?) async throws(Failure) -> Void
    /// Performs a request of the model. It is called within a task that is cancelled when the turn is interrupted. A
    /// workflow that it started continues.
    package var perform: @Sendable (PlannerCall, _ turn: Int) async -> CallResult
    /// Asks the user whether a turn goes on after so many calls. It is called within a task that is cancelled when
    /// the turn is interrupted.
    package var mayGoOn: @Sendable (_ calls: Int) async -> Bool
    /// Follows the workflow of a waiting call again. Without `asks`, its questions stay in the inbox.
    package var takeUp: @Sendable (ChatCall, _ turn: Int, _ asks: Bool) async -> CallResult
    /// Adds an answer after each call that has none, with the state of the call.
    package var answered: @Sendable ([ChatMessage]) async -> [ChatMessage]
    package var context: any TurnContext

    package init(
        model: @escaping ChatModel, now: @escaping @Sendable () async -> Moment,
        emit: @escaping @Sendable (Event) async -> Void,
        admit: @escaping @Sendable () async throws(Failure) -> Void = { () throws(Failure) in },
        keys: @escaping @Sendable () -> KeyFilter = { KeyFilter() },
        hint: @escaping @Sendable (Turn.Hint) async -> Void = { _ in },
        store: @escaping @Sendable (ChatMessage, _ turn: Int) async throws(Failure) -> Void,
        keep: @escaping @Sendable (String) async throws(Failure) -> Void = { _ throws(Failure) in },
        forget: @escaping @Sendable (String?) async throws(Failure) -> Void = { _ throws(Failure) in },
        perform: @escaping @Sendable (PlannerCall, _ turn: Int) async -> CallResult,
        mayGoOn: @escaping @Sendable (_ calls: Int) async -> Bool = { _ in false },
        takeUp: @escaping @Sendable (ChatCall, Int, Bool) async -> CallResult = { _, _, _ in .lost },
        answered: @escaping @Sendable ([ChatMessage]) async -> [ChatMessage] = { $0 },
        context: any TurnContext
    ) {
        self.model = model
        self.admit = admit
        self.keys = keys
        self.now = now
        self.emit = emit
        self.hint = hint
        self.store = store
        self.keep = keep
        self.forget = forget
        self.perform = perform
        self.mayGoOn = mayGoOn
        self.takeUp = takeUp
        self.answered = answered
        self.context = context
    }
}
