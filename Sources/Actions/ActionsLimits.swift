package import Vocabulary

/// The limits that several files of this module use.
extension Limits {
    /// The most steps of a workflow, or entries of the inbox, in the result of a model's call.
    package static let stepsTold = 50
}
