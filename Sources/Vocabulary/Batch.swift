/// One transaction's worth of what changed: written whole or not at all (`architecture.md` invariant 2).
package struct Batch: Sendable {
    package var workflow: WorkflowID
    /// The fence under which this engine carries the workflow: a commit under an old one is refused.
    package var fence: Int64
    package var steps: [StepRecord] = []
    /// Of nodes that a new graph revision brought.
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
    /// Commands whose changes these are: taken with them, or not at all.
    package var commandsTaken: [Int64] = []
    /// Set when the workflow comes to its end, or `.some(nil)` when a retry takes it up again.
    package var outcome: Outcome??
    /// Whether a cancel holds that was asked for: said again, since what takes a workflow up again says that none does,
    /// and the two may come in one batch in any order.
    package var cancels = false
    /// Set when status checks are paused, or go on.
    package var pollingPausedAt: Moment??
    /// From now on its calls are decided under these.
    package var terms: AskTerms?
    /// A new graph revision: the text of its template.
    package var template: String?
    package var pins: [Pin] = []
    /// Whether nothing can move until a person or a time comes: such a workflow need not be loaded.
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

    /// An input that takes what a past run of its producer gave; `asset` is `nil` when it takes the newest again.
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
        /// Whether an answer that a person gave meanwhile goes first: then nothing of the batch is written, and the
        /// workflow is loaded anew.
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
