package import Vocabulary

/// What can be looked at. Nothing of it changes anything.
package struct WorkflowRecords: Sendable {
    package var summary: @Sendable (WorkflowID) throws(Failure) -> WorkflowSummary?
    package var steps: @Sendable (WorkflowID) throws(Failure) -> [StepRecord]
    package var template: @Sendable (WorkflowID) throws(Failure) -> Template?
    package var runs: @Sendable (StepID) throws(Failure) -> [RunRecord]
    package var assets: @Sendable (WorkflowID) throws(Failure) -> [Asset]
    package var history: @Sendable (WorkflowID, _ step: Int?) throws(Failure) -> [EventRecord]
    package var awaits: @Sendable (_ includingDone: Bool) throws(Failure) -> [AwaitRecord]
    /// Another number whenever something has been stored, by whomever: cheap to ask.
    package var version: @Sendable () throws(Failure) -> Int
    package var awaitNumbered: @Sendable (Int64) throws(Failure) -> AwaitRecord?
    /// The question of an await, if its call still hashes to its digest.
    package var question: @Sendable (AwaitRecord) throws(Failure) -> Question
    /// The last that a step's command has said which this process rehearses; `nil` where it rehearses none.
    package var saidSoFar: @Sendable (StepID) -> String?
    /// Both sides of the texts that its call would change, by the place of the target. Blocks for as long as it
    /// takes to read them.
    package var texts: @Sendable (AwaitRecord, Question) -> [Int: TextChange]
    /// The one that was spoken in last comes first.
    package var sessions: @Sendable (_ limit: Int) throws(Failure) -> [SessionRecord]
    package var messages: @Sendable (SessionID) throws(Failure) -> [MessageRecord]
    /// The first bytes of an asset, for a preview of texts: without keys.
    package var preview: @Sendable (ContentHash, _ bytes: Int) -> String?
    /// The whole text of an asset without keys; `nil` if it is gone or larger than `Limits.readFileBytes`.
    package var text: @Sendable (ContentHash) -> String?
    package var path: @Sendable (ContentHash) -> String?
    /// Whether it came of a file that may hold keys: not for a model (`consent.md`, "Effects").
    package var isPrivate: @Sendable (ContentHash) -> Bool
    /// Whether some process carries workflows out now.
    package var hasEngine: @Sendable () -> Bool
    /// Processes of `assent work`, the oldest first.
    package var workers: @Sendable () throws(Failure) -> [BackgroundWorker]

    package init(
        summary: @escaping @Sendable (WorkflowID) throws(Failure) -> WorkflowSummary?,
        steps: @escaping @Sendable (WorkflowID) throws(Failure) -> [StepRecord],
        template: @escaping @Sendable (WorkflowID) throws(Failure) -> Template?,
        runs: @escaping @Sendable (StepID) throws(Failure) -> [RunRecord],
        assets: @escaping @Sendable (WorkflowID) throws(Failure) -> [Asset],
        history: @escaping @Sendable (WorkflowID, Int?) throws(Failure) -> [EventRecord],
        awaits: @escaping @Sendable (Bool) throws(Failure) -> [AwaitRecord],
        version: @escaping @Sendable () throws(Failure) -> Int,
        awaitNumbered: @escaping @Sendable (Int64) throws(Failure) -> AwaitRecord?,
        question: @escaping @Sendable (AwaitRecord) throws(Failure) -> Question,
        saidSoFar: @escaping @Sendable (StepID) -> String?,
        texts: @escaping @Sendable (AwaitRecord, Question) -> [Int: TextChange],
        sessions: @escaping @Sendable (Int) throws(Failure) -> [SessionRecord],
        messages: @escaping @Sendable (SessionID) throws(Failure) -> [MessageRecord],
        preview: @escaping @Sendable (ContentHash, Int) -> String?,
        text: @escaping @Sendable (ContentHash) -> String?,
        path: @escaping @Sendable (ContentHash) -> String?,
        isPrivate: @escaping @Sendable (ContentHash) -> Bool, hasEngine: @escaping @Sendable () -> Bool,
        workers: @escaping @Sendable () throws(Failure) -> [BackgroundWorker]
    ) {
        self.summary = summary
        self.steps = steps
        self.template = template
        self.runs = runs
        self.assets = assets
        self.history = history
        self.awaits = awaits
        self.version = version
        self.awaitNumbered = awaitNumbered
        self.question = question
        self.saidSoFar = saidSoFar
        self.texts = texts
        self.sessions = sessions
        self.messages = messages
        self.preview = preview
        self.text = text
        self.isPrivate = isPrivate
        self.hasEngine = hasEngine
        self.workers = workers
        self.path = path
    }
}
