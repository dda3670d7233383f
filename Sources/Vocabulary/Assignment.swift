package import JSON

/// One attempt of a step as it is handed to the tools: everything that decides what it does.
package struct Assignment: Hashable, Sendable {
    package var run: RunID
    package var manifest: ToolManifest
    /// Checked, defaults filled in.
    package var params: JSON.Object
    /// In the order of the node's ports; optional ports that nothing feeds are left out.
    package var inputs: [Input]
    package var outputs: [Port]
    /// The real path under which relative paths are.
    package var workspace: String

    package init(run: RunID, manifest: ToolManifest, params: JSON.Object, inputs: [Input], outputs: [Port], workspace: String) {
        self.run = run
        self.manifest = manifest
        self.params = params
        self.inputs = inputs
        self.outputs = outputs
        self.workspace = workspace
    }

    package struct Input: Hashable, Sendable {
        package var port: String
        package var from: Template.Endpoint
        package var asset: Asset

        package init(port: String, from: Template.Endpoint, asset: Asset) {
            self.port = port
            self.from = from
            self.asset = asset
        }
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
