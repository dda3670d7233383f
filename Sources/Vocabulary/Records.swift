package import JSON

/// A workflow instance as stored.
package struct WorkflowRecord: Hashable, Sendable {
    package var id: WorkflowID
    package var title: String
    package var session: SessionID?
    /// The real path of the folder in which the workflow works. Relative paths in parameters are resolved in it.
    package var workspace: String
    package var mode: ConfirmationMode
    package var onAsk: OnAsk
    package var createdAt: Moment
    package var updatedAt: Moment
    /// The outcome, or `nil` while the workflow is under way. `waiting` is derived and never stored.
    package var outcome: Outcome?
    package var isCancelRequested: Bool
    /// The time since which the status of the jobs is not requested, or `nil` if it is (`semantics.md` 10).
    package var pollingPausedAt: Moment?
    /// The time when the workflow was archived, so that lists leave it out, or `nil` if it is not.
    package var archivedAt: Moment?
    /// The revision of the graph, counted from 1. Each edit of the live graph increments it (`semantics.md` 14).
    package var graphRevision: Int

    package init(
        id: WorkflowID, title: String, session: SessionID? = nil, workspace: String, mode: ConfirmationMode = .adaptive,
        onAsk: OnAsk = .park, createdAt: Moment, updatedAt: Moment, outcome: Outcome? = nil,
        isCancelRequested: Bool = false,
        pollingPausedAt: Moment? = nil, archivedAt: Moment? = nil, graphRevision: Int = 1
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
        self.pollingPausedAt = pollingPausedAt
        self.archivedAt = archivedAt
        self.graphRevision = graphRevision
    }
}

/// A step as stored: one row, one small update per transition.
package struct StepRecord: Hashable, Sendable {
    package var id: StepID
    package var node: String
    package var kind: String
    package var state: StepState
    package var reason: Reason?
    /// The number of the last attempt that was started, 0 before the first.
    package var attempt: Int
    /// The number of attempts since a person last started the step, against which the retry budget counts.
    package var tries: Int
    package var failure: Failure?
    /// The earliest time of the next attempt, or the end of a delay.
    package var dueAt: Moment?
    /// The deadline behind `dueAt` as it is stored. `nil` in a flow, whose `dueAt` is of the engine's clock.
    package var deadline: Deadline?
    /// The run whose new outputs made this step stale, or `nil` while the step is fresh (`semantics.md` 24). A stale
    /// step keeps its outputs.
    package var staleSince: RunID?
    /// The attempt whose frozen inputs and parameters a retry uses again, or `nil` if the next attempt is not a retry
    /// (`semantics.md` 25).
    package var replays: Int?
    /// The parameters that a person changed for this step, as a JSON object. They override those of the template.
    package var edits: JSON.Object?
    /// The digest of the content that a person approved at the step's gate. The gate stays open while the content has
    /// this digest (`semantics.md` 2).
    package var agreed: ContentHash?
    package var updatedAt: Moment

    package init(
        id: StepID, node: String, kind: String, state: StepState = .blocked, reason: Reason? = nil, attempt: Int = 0,
        tries: Int = 0, failure: Failure? = nil, dueAt: Moment? = nil, staleSince: RunID? = nil, replays: Int? = nil,
        edits: JSON.Object? = nil, agreed: ContentHash? = nil, updatedAt: Moment
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
        self.staleSince = staleSince
        self.replays = replays
        self.edits = edits
        self.agreed = agreed
        self.updatedAt = updatedAt
    }
}

/// An attempt as stored.
package struct RunRecord: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case tool
        /// Imports a value from outside (`semantics.md` 27).
        case `import`
        /// A person gave the outputs.
        case person
    }

    package var id: RunID
    package var kind: Kind
    package var startedAt: Moment
    package var finishedAt: Moment?
    /// The ending: `succeeded`, `failed`, `cancelled` or `lost`, or `nil` while the attempt runs.
    package var ending: String?
    package var failure: Failure?
    /// The frozen inputs: port → asset.
    package var inputs: [String: Asset]
    package var params: JSON.Object
    package var callDigest: ContentHash?
    /// The version of the manifest with which the run was made, or `nil` in runs of earlier versions.
    package var toolVersion: ContentHash?
    package var job: JobRecord?

    package init(
        id: RunID, kind: Kind = .tool, startedAt: Moment, finishedAt: Moment? = nil, ending: String? = nil,
        failure: Failure? = nil,
        inputs: [String: Asset] = [:], params: JSON.Object = JSON.Object(), callDigest: ContentHash? = nil,
        toolVersion: ContentHash? = nil, job: JobRecord? = nil
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
        self.toolVersion = toolVersion
        self.job = job
    }
}

/// The end of an attempt, as the tool reports it.
package enum RunEnding: Hashable, Sendable {
    case succeeded([Asset])
    case failed(Failure)
    case cancelled
    /// The process ended without an exit record (`semantics.md` 17).
    case lost
}

/// A conversation as stored.
package struct SessionRecord: Hashable, Sendable {
    package var id: SessionID
    package var title: String
    /// The real path of the folder where the conversation began.
    package var workspace: String
    package var startedAt: Moment
    package var updatedAt: Moment
    package var messageCount: Int

    package init(
        id: SessionID, title: String, workspace: String, startedAt: Moment, updatedAt: Moment, messageCount: Int = 0
    ) {
        self.id = id
        self.title = title
        self.workspace = workspace
        self.startedAt = startedAt
        self.updatedAt = updatedAt
        self.messageCount = messageCount
    }
}

extension SessionRecord {
    /// Returns the title of a conversation that begins with a line of the user: its first row with text, cut to
    /// `Limits.titleCharacters`.
    package static func title(of line: String) -> String {
        let row =
            line.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.first { !$0.isEmpty } ?? ""
        return row.count <= Limits.titleCharacters ? String(row) : row.prefix(Limits.titleCharacters - 1) + "…"
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

/// A workflow with the figures that a list shows.
package struct WorkflowSummary: Hashable, Sendable {
    package var record: WorkflowRecord
    package var stepCount: Int
    package var doneCount: Int
    package var openAwaits: Int
    package var states: Set<StepState>
    /// The reason why a part of the workflow cannot be read, in one sentence, or `nil` if all is well. The other fields
    /// hold what can be read.
    package var damage: String?
    /// Whether an output of the workflow is stale, since an input or a definition has changed.
    package var isStale: Bool
    /// The exit code of the first command that ended with another code than 0, or `nil` if there is no such command.
    package var exit: Int?

    package init(
        record: WorkflowRecord, stepCount: Int, doneCount: Int, openAwaits: Int, states: Set<StepState>,
        isStale: Bool = false, exit: Int? = nil
    ) {
        self.record = record
        self.stepCount = stepCount
        self.doneCount = doneCount
        self.openAwaits = openAwaits
        self.states = states
        self.isStale = isStale
        self.exit = exit
    }
}
