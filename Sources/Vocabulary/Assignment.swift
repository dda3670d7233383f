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
        run: RunID, manifest: ToolManifest, params: JSON.Object = JSON.Object(), inputs: [Input] = [], outputs: [Port]? = nil,
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

    package init(
        record: WorkflowRecord, fence: Int64, template: String, steps: [StepRecord], assets: [Asset] = [], openAwaits: [AwaitRecord] = [],
        approvals: [Approval] = []
    ) {
        self.record = record
        self.fence = fence
        self.template = template
        self.steps = steps
        self.assets = assets
        self.openAwaits = openAwaits
        self.approvals = approvals
    }
}

/// What a commit gave back.
package struct Committed: Sendable {
    /// The awaits that were opened, now with their inbox numbers.
    package var awaits: [AwaitRecord] = []
    /// Workflows that another engine has taken over: nothing of their batches was written.
    package var lost: Set<WorkflowID> = []

    package init() {}
}
