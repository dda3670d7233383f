import ArgumentParser
package import Vocabulary

/// A typed workflow, or one of its steps: `w3`, or `w3.2`.
package struct WorkflowWord: Hashable, Sendable, ExpressibleByArgument {
    package var workflow: WorkflowID
    /// The number of a step, or the id of its node.
    package var step: String?

    package init?(argument: String) {
        let halves = argument.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let workflow = WorkflowID(parsing: halves[0]), halves.count == 1 || !halves[1].isEmpty else { return nil }
        self.workflow = workflow
        step = halves.count == 2 ? halves[1] : nil
    }
}
