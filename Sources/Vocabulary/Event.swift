package import JSON

/// An event, from a closed list (`architecture.md`, "Events"). Every event but `messageDelta` is stored.
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
        /// The user has left the conversation. After a crash there is no such event.
        case sessionLeft
        case messageDelta(String)
        case messageCompleted(ChatMessage)
        /// The tokens and the cost of a reply, with the name of the model.
        case usage(model: String, Reply.Usage)
        /// A call the model or planner made in a turn, by its id and name.
        case call(id: String, name: String, CallState)
        /// A look of a model at files, which is no workflow: its kind, the digest of the call, and the hash of what the
        /// model received.
        case looked(kind: String, digest: ContentHash, result: ContentHash)
        case questionAsked(await: Int64, digest: ContentHash, title: String)
        case questionAnswered(await: Int64, answer: String, by: String)
        case workflowCreated(title: String, steps: Int)
        case stepChanged(StepState, phase: String?, reason: Reason?, progress: Double?, failure: Failure?)
        case awaitOpened(AwaitRecord)
        case awaitClosed(await: Int64, type: AwaitType, resolution: String, by: String)
        /// An await was claimed, snoozed or released. `until` is the end of the lease or the snooze.
        case awaitChanged(await: Int64, AwaitStatus, by: String, until: Moment?)
        /// An answer of a person does not meet the demands. The await stays open (`semantics.md` 204).
        case awaitRefused(await: Int64, Refusal, attempt: Int, left: Int, by: String)
        /// An answer of a person does not meet the demands, but is accepted for the reason that they gave.
        case awaitTaken(await: Int64, why: String, by: String)
        /// A text that a person attached to a step, or to one of its contents.
        ///
        /// - part: the name of the content among several, or its number from 1. `nil` means the whole step.
        case stepAnnotated(part: String?, text: String, by: String)
        /// A result or a message arrived for a run after its end (`semantics.md` 88).
        case lateResult(String)
        /// A change of the whole workflow, or a request for one. Changes are `paused`, `resumed`, `revised`, `pinned`,
        /// `archived`, and so on. Requests name their author in `by`. They are `retryAsked`, `rerunAsked`,
        /// `cancelAsked`, `pinAsked`, `editAsked`, `pauseAsked` and `resumeAsked`.
        case workflowChanged(Reason, by: String? = nil)
        case workflowFinished(Outcome, outputs: [Output])
        case error(Failure)
        case end(exit: Int, commands: [CommandExit] = [])
    }

    package enum CallState: Hashable, Sendable {
        case pending, running, succeeded
        /// The workflow of the call waits for a person who is not here. The turn continues once that person has
        /// answered.
        case waiting
        case failed(Failure)
        case declined(String)
    }

    /// A result of a workflow: the output of a port without a consumer, or a file that it wrote.
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
