package import Vocabulary

/// The figures of a bundle that was written or read.
package struct BundleSummary: Hashable, Sendable {
    package let workflow: WorkflowID
    package let title: String
    /// The path of the bundle.
    package let path: String
    /// The number of contents in the bundle.
    package let contents: Int
    /// The number of contents that were left out: they are missing, may hold keys, or result from files with keys.
    package let withheld: Int
    /// The size of the bundle.
    package let bytes: Int
    /// Whether the imported workflow waits until a person releases it.
    package var isHeld = false
}
