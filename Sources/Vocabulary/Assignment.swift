package import JSON

/// An attempt of a step as the engine hands it to the tools, with everything that decides what it does.
package struct Assignment: Hashable, Sendable {
    package var run: RunID
    package var manifest: ToolManifest
    /// The parameters, checked against the manifest and with its defaults filled in.
    package var params: JSON.Object
    /// The inputs in the order of the node's ports. Optional ports that no edge feeds are left out.
    package var inputs: [Input]
    /// The output ports, as the node declares them, or else as its manifest does.
    package var outputs: [Port]
    /// The real path of the folder in which relative paths are resolved.
    package var workspace: String
    /// The folder of this attempt alone, such as `…/runs/w3/2-1`. It is created when it is needed.
    package var runFolder: String

    package init(
        run: RunID, manifest: ToolManifest, params: JSON.Object = JSON.Object(), inputs: [Input] = [],
        outputs: [Port]? = nil,
        workspace: String, runFolder: String
    ) {
        self.run = run
        self.manifest = manifest
        self.params = params
        self.inputs = inputs
        self.outputs = outputs ?? manifest.outputs
        self.workspace = workspace
        self.runFolder = runFolder
    }

    /// An asset that feeds a port of the step. The second input of a variadic port `files` is named `files.2`.
    package struct Input: Hashable, Sendable {
        package var port: String
        package var from: Template.Endpoint?
        /// The asset, or `nil` if a plan is inspected before its producers have run.
        package var asset: Asset?
        /// The file name that the asset is expected to have, if it does not exist yet.
        package var expectedName: String?

        package init(_ port: String, _ asset: Asset?, from: Template.Endpoint? = nil, expectedName: String? = nil) {
            self.port = port
            self.asset = asset
            self.from = from
            self.expectedName = expectedName
        }

        package var name: String? { asset?.name ?? expectedName }
    }
}

/// A workflow that an engine has taken over.
package struct Claimed: Hashable, Sendable {
    package var id: WorkflowID
    /// Whether no step of the workflow can advance until a person acts or a time comes.
    package var isResting: Bool

    package init(_ id: WorkflowID, isResting: Bool) {
        self.id = id
        self.isResting = isResting
    }
}

/// The stored state from which an engine starts when it takes over a workflow.
package struct CarriedWorkflow: Sendable {
    package var record: WorkflowRecord
    package var fence: Int64
    package var template: String
    package var steps: [StepRecord]
    /// The assets of the newest attempt of each step.
    package var assets: [Asset]
    package var openAwaits: [AwaitRecord]
    /// The approvals that are not used up yet.
    package var approvals: [Approval]
    /// Attempts that have not ended.
    package var running: [RunRecord]
    /// The assets that pinned inputs use instead of the newest ones.
    package var pinned: [PinnedInput]
    package var spending: Spending
    /// Whether no step could advance when the workflow was last committed.
    package var isResting: Bool

    package init(
        record: WorkflowRecord, fence: Int64, template: String, steps: [StepRecord], assets: [Asset] = [],
        openAwaits: [AwaitRecord] = [],
        approvals: [Approval] = [], running: [RunRecord] = [], pinned: [PinnedInput] = [],
        spending: Spending = Spending(),
        isResting: Bool = false
    ) {
        self.record = record
        self.fence = fence
        self.template = template
        self.steps = steps
        self.assets = assets
        self.openAwaits = openAwaits
        self.approvals = approvals
        self.running = running
        self.pinned = pinned
        self.spending = spending
        self.isResting = isResting
    }
}

/// An input of a step with the asset that it is pinned to.
package struct PinnedInput: Hashable, Sendable {
    /// The number of the step that has the input.
    package var step: Int
    package var port: String
    package var asset: Asset

    package init(step: Int, port: String, asset: Asset) {
        self.step = step
        self.port = port
        self.asset = asset
    }
}

/// The inputs of earlier attempts, needed when a step runs again (`semantics.md` 24, 25).
package struct WorkflowHistory: Sendable {
    /// The newest attempt of each step, with its frozen inputs.
    package var runs: [RunRecord]
    /// The assets of all attempts.
    package var assets: [Asset]

    package init(runs: [RunRecord] = [], assets: [Asset] = []) {
        self.runs = runs
        self.assets = assets
    }
}

/// The result of a commit to the database.
package struct Committed: Sendable {
    /// The awaits that were opened, now with their inbox numbers.
    package var awaits: [AwaitRecord] = []
    /// The workflows that another engine has taken over. Nothing of their batches was written.
    package var lost: Set<WorkflowID> = []
    /// The workflows whose batch came after an answer of a person. Nothing of the batch was written, and they must be
    /// loaded again.
    package var overtaken: Set<WorkflowID> = []

    package init() {}
}
