package import Vocabulary

/// What can be done.
package struct WorkflowActions: Sendable {
    /// Reads and checks a template that comes in; changes nothing.
    package var check: @Sendable (_ bytes: [UInt8], _ bound: Set<Template.Endpoint>) -> (Template?, [Problem])
    /// The same for a graph that a workflow has, as a person has changed it: what it was called may stay.
    package var checkChanged: @Sendable (_ bytes: [UInt8], _ old: Template) -> (Template?, [Problem])
    package var checkTemplate: @Sendable (Template) -> [Problem]
    /// The tools that it wants and that are not here.
    package var missingTools: @Sendable (Template) -> [Problem]
    /// Stores a checked workflow and has the engine of this process carry it.
    package var start: @Sendable (Template, WorkflowStart) throws(Failure) -> WorkflowID
    package var command: @Sendable (WorkflowID, Command.Verb) throws(Failure) -> Void
    package var answer: @Sendable (AwaitRecord, Answer, _ by: String) throws(Failure) -> AnswerOutcome
    /// Starts the engine of this process, unless it works. `onIdle` hears whenever nothing is left that could move
    /// by itself; `onFailure` that the store has failed: the engine has ended, and may be started again.
    package var startEngine:
        @Sendable (_ onIdle: @escaping @Sendable () -> Void, _ onFailure: @escaping @Sendable (Failure) -> Void)
            throws(Failure) -> Void
    package var stopEngine: @Sendable () async -> Void
    /// Starts `assent work --until-idle` in a process of its own.
    package var detachWorker: @Sendable () throws(Failure) -> Void
    package var readFile: @Sendable (_ path: String) throws(Failure) -> [UInt8]
    package var record: @Sendable (Event) -> Void
    /// The workflow that the person looks at: it gets more slots than the others (`semantics.md` 13).
    package var focus: @Sendable (WorkflowID) -> Void
    /// A systemd user unit that runs `assent work` of this program.
    package var serviceUnit: @Sendable () -> String

    package init(
        check: @escaping @Sendable ([UInt8], Set<Template.Endpoint>) -> (Template?, [Problem]),
        checkChanged: @escaping @Sendable ([UInt8], Template) -> (Template?, [Problem]),
        checkTemplate: @escaping @Sendable (Template) -> [Problem],
        missingTools: @escaping @Sendable (Template) -> [Problem],
        start: @escaping @Sendable (Template, WorkflowStart) throws(Failure) -> WorkflowID,
        command: @escaping @Sendable (WorkflowID, Command.Verb) throws(Failure) -> Void,
        answer: @escaping @Sendable (AwaitRecord, Answer, String) throws(Failure) -> AnswerOutcome,
        startEngine:
            @escaping @Sendable (
                @escaping @Sendable () -> Void, @escaping @Sendable (Failure) -> Void
            ) throws(Failure) -> Void,
        stopEngine: @escaping @Sendable () async -> Void,
        detachWorker: @escaping @Sendable () throws(Failure) -> Void,
        readFile: @escaping @Sendable (String) throws(Failure) -> [UInt8],
        record: @escaping @Sendable (Event) -> Void,
        focus: @escaping @Sendable (WorkflowID) -> Void, serviceUnit: @escaping @Sendable () -> String
    ) {
        self.check = check
        self.checkChanged = checkChanged
        self.checkTemplate = checkTemplate
        self.missingTools = missingTools
        self.start = start
        self.command = command
        self.answer = answer
        self.startEngine = startEngine
        self.stopEngine = stopEngine
        self.detachWorker = detachWorker
        self.readFile = readFile
        self.record = record
        self.focus = focus
        self.serviceUnit = serviceUnit
    }
}
