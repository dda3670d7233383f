package import JSON
package import Vocabulary

/// Doing again, looking back, and what becomes of a workflow: re-runs with their dry runs, causes, times,
/// revisions, the archive.
package struct Reruns: Sendable {
    /// As many as the query wants, and how many there are.
    package var list: @Sendable (WorkflowQuery) throws(Failure) -> (shown: [WorkflowSummary], count: Int)
    /// What was asked for and no process has taken yet, oldest first.
    package var asked: @Sendable (WorkflowID) throws(Failure) -> [Command]
    /// - Parameter terms: of the session of a model that wants it; `nil` for a person.
    package var command: @Sendable (WorkflowID, Command.Verb, _ by: String, _ terms: AskTerms?) throws(Failure) -> Void
    /// What a command would make run; changes nothing.
    package var forecast: @Sendable (WorkflowID, Command.Verb) throws(Failure) -> Forecast
    package var causes: @Sendable (WorkflowID, _ step: Int?) throws(Failure) -> [Cause]
    /// The whole, then each step.
    package var timelines: @Sendable (WorkflowID) throws(Failure) -> [Timeline]
    package var pins: @Sendable (WorkflowID) throws(Failure) -> [PinnedInput]
    /// The newest last; a template that cannot be read any more is left out.
    package var revisions: @Sendable (WorkflowID) throws(Failure) -> [WorkflowRevision]
    /// The graph as it will be once the edits that wait are taken; `nil` if it cannot be read.
    package var planned: @Sendable (WorkflowID) throws(Failure) -> WorkflowRevision?
    /// A new graph for it: merged into the one it was made from, checked, and, unless this is a dry run, put down
    /// for its engine.
    package var revise:
        @Sendable (WorkflowID, Template, _ from: WorkflowRevision, _ by: String, _ isDryRun: Bool) throws(Failure) ->
            RevisionOutcome
    /// A fresh workflow like it, with its edits.
    package var duplicate: @Sendable (WorkflowID) throws(Failure) -> WorkflowID
    /// False if it was so already.
    package var archive: @Sendable (WorkflowID, Bool, _ by: String) throws(Failure) -> Bool
    package var delete: @Sendable (WorkflowID) throws(Failure) -> Void
    /// The last lines that a run wrote, as far as they were kept.
    package var log: @Sendable (RunRecord) -> String?
    package var written: @Sendable (Template) -> JSON
    /// Has the person change a text in their editor; `nil` if they left it as it was.
    package var edit: @Sendable (String) async throws(Failure) -> String?

    package init(
        list: @escaping @Sendable (WorkflowQuery) throws(Failure) -> (shown: [WorkflowSummary], count: Int),
        asked: @escaping @Sendable (WorkflowID) throws(Failure) -> [Command],
        command: @escaping @Sendable (WorkflowID, Command.Verb, String, AskTerms?) throws(Failure) -> Void,
        forecast: @escaping @Sendable (WorkflowID, Command.Verb) throws(Failure) -> Forecast,
        causes: @escaping @Sendable (WorkflowID, Int?) throws(Failure) -> [Cause],
        timelines: @escaping @Sendable (WorkflowID) throws(Failure) -> [Timeline],
        pins: @escaping @Sendable (WorkflowID) throws(Failure) -> [PinnedInput],
        revisions: @escaping @Sendable (WorkflowID) throws(Failure) -> [WorkflowRevision],
        planned: @escaping @Sendable (WorkflowID) throws(Failure) -> WorkflowRevision?,
        revise:
            @escaping @Sendable (WorkflowID, Template, WorkflowRevision, String, Bool) throws(Failure) ->
            RevisionOutcome,
        duplicate: @escaping @Sendable (WorkflowID) throws(Failure) -> WorkflowID,
        archive: @escaping @Sendable (WorkflowID, Bool, String) throws(Failure) -> Bool,
        delete: @escaping @Sendable (WorkflowID) throws(Failure) -> Void,
        log: @escaping @Sendable (RunRecord) -> String?,
        written: @escaping @Sendable (Template) -> JSON,
        edit: @escaping @Sendable (String) async throws(Failure) -> String?
    ) {
        self.list = list
        self.asked = asked
        self.command = command
        self.forecast = forecast
        self.causes = causes
        self.timelines = timelines
        self.pins = pins
        self.revisions = revisions
        self.planned = planned
        self.revise = revise
        self.duplicate = duplicate
        self.archive = archive
        self.delete = delete
        self.log = log
        self.written = written
        self.edit = edit
    }
}

/// A graph that a workflow had, or has.
package struct WorkflowRevision: Hashable, Sendable {
    package var number: Int
    package var template: Template
    /// Without the marks of nodes that were taken out: what a person edits.
    package var editable: Template
    package var replacedAt: Moment?

    package init(number: Int, template: Template, editable: Template, replacedAt: Moment? = nil) {
        self.number = number
        self.template = template
        self.editable = editable
        self.replacedAt = replacedAt
    }
}

/// What came of a new graph. With problems nothing is stored.
package struct RevisionOutcome: Hashable, Sendable {
    /// Steps that are other than they were, by number, and ids of new ones.
    package var changed: [Int]
    package var added: [String]
    /// Ids of those that are taken out.
    package var removed: [String]
    package var problems: [Problem]

    package init(changed: [Int] = [], added: [String] = [], removed: [String] = [], problems: [Problem] = []) {
        self.changed = changed
        self.added = added
        self.removed = removed
        self.problems = problems
    }
}
