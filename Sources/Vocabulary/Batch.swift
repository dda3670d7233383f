/// The changes of one transaction, written as a whole or not at all (`architecture.md` invariant 2).
package struct Batch: Sendable {
    package var workflow: WorkflowID
    /// The fence under which this engine runs the workflow. A commit under an older fence is refused.
    package var fence: Int64
    package var steps: [StepRecord] = []
    /// The steps of nodes that a new graph revision added.
    package var stepsAdded: [StepRecord] = []
    package var runsStarted: [RunRecord] = []
    package var runsEnded: [RunEnd] = []
    /// Ledger lines of jobs, in their newest form.
    package var jobs: [RunID: JobRecord] = [:]
    package var awaitsOpened: [AwaitRecord] = []
    package var awaitsClosed: [AwaitClose] = []
    package var decisions: [DecisionRecord] = []
    /// Approvals that this batch uses up, by await number and step.
    package var approvalsUsed: [ApprovalUse] = []
    package var events: [Event] = []
    /// The commands whose changes this batch holds. They are marked as done in the same transaction.
    package var commandsTaken: [Int64] = []
    /// The outcome, if the workflow ends in this batch. `.some(nil)` removes the outcome when a retry continues the
    /// workflow.
    package var outcome: Outcome??
    /// Whether a cancel is requested after this batch. A cancel and a retry may come in one batch, and the later one
    /// decides.
    package var cancels = false
    /// Set when status checks are paused, or go on.
    package var pollingPausedAt: Moment??
    /// The new terms under which calls of the workflow are decided from now on, if they change.
    package var terms: AskTerms?
    /// The text of the template for a new graph revision.
    package var template: String?
    package var pins: [Pin] = []
    /// Whether no step can advance until a person acts or a time comes, so that the workflow need not be loaded.
    package var isResting: Bool?
    /// Whether the batch must survive a power cut (`architecture.md` invariant 3): human answers, decisions, results
    /// with outside effects, and the end of a workflow.
    package var isPrecious = false

    package init(workflow: WorkflowID, fence: Int64) {
        self.workflow = workflow
        self.fence = fence
    }

    package var isEmpty: Bool {
        steps.isEmpty && runsStarted.isEmpty && runsEnded.isEmpty && awaitsOpened.isEmpty && awaitsClosed.isEmpty
            && decisions.isEmpty && approvalsUsed.isEmpty && events.isEmpty && commandsTaken.isEmpty && outcome == nil
            && jobs.isEmpty && stepsAdded.isEmpty && pollingPausedAt == nil && terms == nil && template == nil
            && pins.isEmpty
            && isResting == nil
    }

    /// An input that uses the output of a past run of its producer. If `asset` is `nil`, the input uses the newest
    /// output again.
    package struct Pin: Hashable, Sendable {
        package var step: StepID
        package var port: String
        package var asset: Asset?

        package init(step: StepID, port: String, asset: Asset?) {
            self.step = step
            self.port = port
            self.asset = asset
        }
    }

    package struct RunEnd: Hashable, Sendable {
        package var run: RunID
        package var at: Moment
        package var ending: RunEnding

        package init(run: RunID, at: Moment, ending: RunEnding) {
            self.run = run
            self.at = at
            self.ending = ending
        }
    }

    package struct AwaitClose: Hashable, Sendable {
        package var number: Int64
        package var resolution: String
        package var by: String
        package var at: Moment
        /// Whether an answer that a person gave in the meantime takes precedence. In that case nothing of the batch is
        /// written, and the workflow is loaded again.
        package var yields: Bool

        package init(number: Int64, resolution: String, by: String, at: Moment, yields: Bool = false) {
            self.number = number
            self.resolution = resolution
            self.by = by
            self.at = at
            self.yields = yields
        }
    }

    package struct ApprovalUse: Hashable, Sendable {
        package var awaitNumber: Int64
        package var step: StepID
        package var digest: ContentHash

        package init(awaitNumber: Int64, step: StepID, digest: ContentHash) {
            self.awaitNumber = awaitNumber
            self.step = step
            self.digest = digest
        }
    }
}
