/// A step that waits for a person, because it requires the result of the step that asks.
package struct BlockedStep: Hashable, Sendable {
    /// The number of the step.
    package var step: Int
    /// The id of the step's node.
    package var node: String
    /// The title of the step's tool, or its kind if the tool is not installed.
    package var title: String

    /// Creates a blocked step.
    package init(step: Int, node: String, title: String) {
        self.step = step
        self.node = node
        self.title = title
    }
}
