package import Vocabulary

/// The part of a front end that receives the events of a workflow which is followed.
package protocol WorkflowListener: Sendable {
    /// Receives an event of the workflow, before the event is handled.
    func happened(_ event: Event) async

    /// Receives the stopped process that holds the workflow, once.
    func standsStill(_ holder: WorkflowHolder) async
}

extension WorkflowListener {
    package func standsStill(_ holder: WorkflowHolder) async {}
}

/// The front end of the calls of a planner: it shows the workflows that the calls start, and asks the user.
package protocol PlannerFront: WorkflowListener {
    /// The mode of the session, which the user may change during a turn.
    var mode: ConfirmationMode { get }

    /// Whether questions about the steps of a workflow are asked here, or wait in the inbox.
    var onAsk: OnAsk { get }

    /// Asks the user about awaits. It is nil if awaits go to the inbox.
    var questioner: (any Questioner)? { get }

    /// Shows the plan of a workflow, before its first event.
    func planned(_ template: Template, as id: WorkflowID) async

    /// Receives the workflow that a call now waits for.
    func follows(_ id: WorkflowID) async

    /// Receives a workflow that no call waits for any more. It may still go on.
    func leaves(_ id: WorkflowID) async

    /// Shows that a workflow has ended, or that it waits for the user.
    func rested(_ id: WorkflowID, _ followed: Followed) async

    /// Asks the user whether a workflow, which a new one corrects, is undone first, and undoes it after a yes. If the
    /// user cannot be asked, it stays.
    ///
    /// - Returns: whether the new workflow is to start.
    func mayCorrect(_ id: WorkflowID) async -> Bool

    /// Asks the user whether a workflow is kept as a template, in every mode. If the user cannot be asked, it is not.
    func mayKeep(_ template: Template, as name: String) async -> Bool

    /// Asks the user about hosts, if the user can be asked, and stores a yes.
    func confirm(_ question: HostQuestion) async

    /// Asks the user which folders with programs commands may see, if the user can be asked, and stores the answer.
    func confirm(_ question: ProgramQuestion) async

    /// Asks the user whether a model may look at files of this folder until its turn ends.
    ///
    /// - Returns: nil if the user cannot be asked, or has not answered.
    func mayLook() async -> Bool?

    /// Shows that a model looked at files, in a few words such as `read main.py`.
    func looked(_ words: String) async

    /// Returns a call of a verb, such as `retry w3`, as the user types it.
    func wording(of call: String) -> String
}

extension PlannerFront {
    package func follows(_ id: WorkflowID) async {}

    package func leaves(_ id: WorkflowID) async {}

    package func mayCorrect(_ id: WorkflowID) async -> Bool { true }

    package func mayKeep(_ template: Template, as name: String) async -> Bool { false }

    package func mayLook() async -> Bool? { nil }

    package func looked(_ words: String) async {}
}
