package import JSON

/// One attempt of a step as the engine hands it to the tools: everything that decides what it does.
package struct Assignment: Hashable, Sendable {
    package var run: RunID
    package var manifest: ToolManifest
    /// Checked against the manifest, defaults filled in.
    package var params: JSON.Object
    /// In the order of the node's ports; optional ports that nothing feeds are left out.
    package var inputs: [Input]
    /// As the node declares them, or as its manifest does.
    package var outputs: [Port]
    /// The real path of the folder that relative paths are under.
    package var workspace: String
    /// This attempt's own folder, such as `…/runs/w3/2-1`. Made when it is needed.
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

    /// What is plugged into a port: `files.2` for the second of a variadic one.
    package struct Input: Hashable, Sendable {
        package var port: String
        package var from: Template.Endpoint?
        /// `nil` while a plan is looked at whose producers have not run.
        package var asset: Asset?
        /// The file name that the asset is expected to have, where it is not there yet.
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
    /// Nothing in it can move until a person or a time comes.
    package var isResting: Bool

    package init(_ id: WorkflowID, isResting: Bool) {
        self.id = id
        self.isResting = isResting
    }
}

/// What an engine starts from when it takes a workflow over.
package struct CarriedWorkflow: Sendable {
    package var record: WorkflowRecord
    package var fence: Int64
    package var template: String
    package var steps: [StepRecord]
    /// Of the newest attempts only.
    package var assets: [Asset]
    package var openAwaits: [AwaitRecord]
    /// Not used up yet.
    package var approvals: [Approval]
    /// Attempts that have not ended.
    package var running: [RunRecord]
    /// What pinned inputs take instead of the newest.
    package var pinned: [PinnedInput]
    package var spending: Spending
    /// Nothing could move when it was last committed.
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
    /// The number of the step that takes it.
    package var step: Int
    package var port: String
    package var asset: Asset

    package init(step: Int, port: String, asset: Asset) {
        self.step = step
        self.port = port
        self.asset = asset
    }
}

/// What earlier attempts were made of: needed where a step runs again (`semantics.md` 24, 25).
package struct WorkflowHistory: Sendable {
    /// The newest attempt of each step, with its frozen inputs.
    package var runs: [RunRecord]
    /// Of all attempts.
    package var assets: [Asset]

    package init(runs: [RunRecord] = [], assets: [Asset] = []) {
        self.runs = runs
        self.assets = assets
    }
}

/// What a commit gave back.
package struct Committed: Sendable {
    /// The awaits that were opened, now with their inbox numbers.
    package var awaits: [AwaitRecord] = []
    /// Workflows that another engine has taken over: nothing of their batches was written.
    package var lost: Set<WorkflowID> = []
    /// Workflows whose batch came after an answer of a person: nothing of it was written; they are to be loaded anew.
    package var overtaken: Set<WorkflowID> = []

    package init() {}
}
