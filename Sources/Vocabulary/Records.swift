package import JSON

/// A workflow instance as stored.
package struct WorkflowRecord: Hashable, Sendable {
    package var id: WorkflowID
    package var title: String
    package var session: SessionID?
    /// The folder it works in (a real path); relative paths in parameters are under it.
    package var workspace: String
    package var mode: ConfirmationMode
    package var onAsk: OnAsk
    package var createdAt: Moment
    package var updatedAt: Moment
    /// `nil` while it is under way; `waiting` is derived, never stored.
    package var outcome: Outcome?
    package var isCancelRequested: Bool

    package init(
        id: WorkflowID, title: String, session: SessionID? = nil, workspace: String, mode: ConfirmationMode = .adaptive,
        onAsk: OnAsk = .park, createdAt: Moment, updatedAt: Moment, outcome: Outcome? = nil, isCancelRequested: Bool = false
    ) {
        self.id = id
        self.title = title
        self.session = session
        self.workspace = workspace
        self.mode = mode
        self.onAsk = onAsk
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.outcome = outcome
        self.isCancelRequested = isCancelRequested
    }
}

/// A step as stored: one row, one small update per transition.
package struct StepRecord: Hashable, Sendable {
    package var id: StepID
    package var node: String
    package var kind: String
    package var state: StepState
    package var reason: Reason?
    /// The last attempt that was started, 0 before the first.
    package var attempt: Int
    /// Attempts since a person last started it: the retry budget counts these.
    package var tries: Int
    package var failure: Failure?
    /// Earliest time of the next attempt, or the end of a delay.
    package var dueAt: Moment?
    package var updatedAt: Moment

    package init(
        id: StepID, node: String, kind: String, state: StepState = .blocked, reason: Reason? = nil, attempt: Int = 0,
        tries: Int = 0, failure: Failure? = nil, dueAt: Moment? = nil, updatedAt: Moment
    ) {
        self.id = id
        self.node = node
        self.kind = kind
        self.state = state
        self.reason = reason
        self.attempt = attempt
        self.tries = tries
        self.failure = failure
        self.dueAt = dueAt
        self.updatedAt = updatedAt
    }
}

/// One attempt as stored.
package struct RunRecord: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable { case tool, `import` }

    package var id: RunID
    package var kind: Kind
    package var startedAt: Moment
    package var finishedAt: Moment?
    /// `succeeded`, `failed`, `cancelled`, `lost`, or `nil` while it runs.
    package var ending: String?
    package var failure: Failure?
    /// The frozen inputs: port → asset.
    package var inputs: [String: Asset]
    package var params: JSON.Object
    package var callDigest: ContentHash?

    package init(
        id: RunID, kind: Kind = .tool, startedAt: Moment, finishedAt: Moment? = nil, ending: String? = nil, failure: Failure? = nil,
        inputs: [String: Asset] = [:], params: JSON.Object = JSON.Object(), callDigest: ContentHash? = nil
    ) {
        self.id = id
        self.kind = kind
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.ending = ending
        self.failure = failure
        self.inputs = inputs
        self.params = params
        self.callDigest = callDigest
    }
}

/// How one attempt ended, as the tool reports it.
package enum RunEnding: Hashable, Sendable {
    case succeeded([Asset])
    case failed(Failure)
    case cancelled
    /// The process is gone and left no exit record (`semantics.md` 17).
    case lost
}

/// A conversation as stored.
package struct SessionRecord: Hashable, Sendable {
    package var id: SessionID
    package var title: String
    /// The real path of the folder where it began.
    package var workspace: String
    package var startedAt: Moment
    package var updatedAt: Moment
    package var messageCount: Int

    package init(id: SessionID, title: String, workspace: String, startedAt: Moment, updatedAt: Moment, messageCount: Int = 0) {
        self.id = id
        self.title = title
        self.workspace = workspace
        self.startedAt = startedAt
        self.updatedAt = updatedAt
        self.messageCount = messageCount
    }
}

/// A stored message with its place in the conversation.
package struct MessageRecord: Hashable, Sendable {
    package var id: Int64
    package var session: SessionID
    package var turn: Int
    package var message: ChatMessage
    package var at: Moment

    package init(id: Int64, session: SessionID, turn: Int, message: ChatMessage, at: Moment) {
        self.id = id
        self.session = session
        self.turn = turn
        self.message = message
        self.at = at
    }
}

/// A stored event: its type and body, as `why` and `--json` show them.
package struct EventRecord: Hashable, Sendable {
    package var at: Moment
    package var step: Int?
    package var attempt: Int?
    package var type: String
    package var body: JSON

    package init(at: Moment, step: Int?, attempt: Int?, type: String, body: JSON) {
        self.at = at
        self.step = step
        self.attempt = attempt
        self.type = type
        self.body = body
    }
}

/// What a person wants of a workflow, put down for the engine that carries it, in whatever process that is.
package struct Command: Hashable, Sendable {
    package enum Verb: Hashable, Sendable {
        case cancel
        /// One step by its number, or all that failed.
        case retry(step: Int?)
        case answer(step: Int, await: Int64, Answer, by: String)
    }

    package var id: Int64
    package var workflow: WorkflowID
    package var verb: Verb

    package init(id: Int64, workflow: WorkflowID, verb: Verb) {
        self.id = id
        self.workflow = workflow
        self.verb = verb
    }
}

/// A workflow with what a list shows of it.
package struct WorkflowSummary: Hashable, Sendable {
    package var record: WorkflowRecord
    package var stepCount: Int
    package var doneCount: Int
    package var openAwaits: Int
    package var states: Set<StepState>

    package init(record: WorkflowRecord, stepCount: Int, doneCount: Int, openAwaits: Int, states: Set<StepState>) {
        self.record = record
        self.stepCount = stepCount
        self.doneCount = doneCount
        self.openAwaits = openAwaits
        self.states = states
    }
}
