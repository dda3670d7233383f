package import Vocabulary

/// A step as its plan shows it.
package struct PlannedStep: Hashable, Sendable {
    package let kind: String
    package let title: String
    /// Whether it only loads or saves, so that the plan and the results show it already.
    package let isFolded: Bool
    /// The name of the provider that runs it, or nil for a step of this machine.
    let provider: String?

    /// Creates a step of a plan.
    package init(_ kind: String, title: String, isFolded: Bool = false, provider: String? = nil) {
        (self.kind, self.title, self.isFolded, self.provider) = (kind, title, isFolded, provider)
    }

    /// Creates the step of a node. A kind that is not known keeps its own name.
    package init(_ node: Template.Node, _ tool: ToolManifest?) {
        let provider: String? = if case .job(let job)? = tool?.action { job.provider } else { nil }
        self.init(
            node.kind, title: tool?.title ?? node.kind, isFolded: tool.map { $0.isLoader || $0.isSaver } ?? false,
            provider: provider)
    }
}
