package import JSON

/// Something that happened: a closed list (`architecture.md`, "Events"). Every event but `messageDelta` is stored.
package struct Event: Hashable, Sendable {
    package var at: Moment
    package var session: SessionID?
    package var turn: Int?
    package var workflow: WorkflowID?
    /// The step's number and node id.
    package var step: Int?
    package var node: String?
    package var run: RunID?
    package var kind: Kind

    package init(
        at: Moment, session: SessionID? = nil, turn: Int? = nil, workflow: WorkflowID? = nil, step: Int? = nil,
        node: String? = nil,
        run: RunID? = nil, _ kind: Kind
    ) {
        self.at = at
        self.session = session
        self.turn = turn
        self.workflow = workflow
        self.step = step
        self.node = node
        self.run = run
        self.kind = kind
    }

    package enum Kind: Hashable, Sendable {
        case sessionStarted(workspace: String, model: String)
        case messageDelta(String)
        case messageCompleted(ChatMessage)
        /// What a reply of a model took, by the name of the model.
        case usage(model: String, Reply.Usage)
        /// A call the model or planner made in a turn, by its id and name.
        case call(id: String, name: String, CallState)
        case questionAsked(await: Int64, digest: ContentHash, title: String)
        case questionAnswered(await: Int64, answer: String, by: String)
        case workflowCreated(title: String, steps: Int)
        case stepChanged(StepState, phase: String?, reason: Reason?, progress: Double?, failure: Failure?)
        case awaitOpened(AwaitRecord)
        case awaitClosed(await: Int64, type: AwaitType, resolution: String, by: String)
        /// Claimed, snoozed, given back: with the end of the lease or the snooze.
        case awaitChanged(await: Int64, AwaitStatus, by: String, until: Moment?)
        /// An answer of a person does not fit. The await stays open (`semantics.md` 204).
        case awaitRefused(await: Int64, Refusal, attempt: Int, left: Int, by: String)
        /// An answer of a person does not fit, and is taken as it is, for their reason.
        case awaitTaken(await: Int64, why: String, by: String)
        /// A text that a person writes to a step, or to one of its contents.
        ///
        /// - part: the name of the content among several, or its number from 1; `nil` for the whole step.
        case stepAnnotated(part: String?, text: String, by: String)
        /// Something came of a run after its end (`semantics.md` 88).
        case lateResult(String)
        /// Of the whole workflow: `paused`, `resumed`, `revised`, `pinned`, `archived`, …; and what somebody asked for,
        /// with who it was: `retryAsked`, `rerunAsked`, `cancelAsked`, `pinAsked`, `editAsked`, `pauseAsked`,
        /// `resumeAsked`.
        case workflowChanged(Reason, by: String? = nil)
        case workflowFinished(Outcome, outputs: [Output])
        case error(Failure)
        case end(exit: Int)
    }

    package enum CallState: Hashable, Sendable {
        case pending, running, succeeded
        /// A call whose workflow waits for a person who is not here: the turn goes on once they have answered.
        case waiting
        case failed(Failure)
        case declined(String)
    }

    /// A result of a workflow: what came out of a port that nothing consumes, or a file it wrote.
    package struct Output: Hashable, Sendable {
        package var step: Int
        package var port: String
        package var type: PortType
        package var path: String?
        package var hash: ContentHash
        package var bytes: Int
        package var meta: JSON.Object

        package init(
            step: Int, port: String, type: PortType, path: String?, hash: ContentHash, bytes: Int,
            meta: JSON.Object = JSON.Object()
        ) {
            self.step = step
            self.port = port
            self.type = type
            self.path = path
            self.hash = hash
            self.bytes = bytes
            self.meta = meta
        }
    }
}
