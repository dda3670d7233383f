import JSON

/// The step of a proposed workflow that brings in a result of an earlier one, as a model names it: `w3.2.image`. Before
/// the workflow starts, the name is replaced by a request, so no proposal can name any other content.
package enum StoredResult {
    /// The kind of the step, which stands in no catalogue that a model reads.
    package static let kind = "LoadResult"

    /// The output of the step.
    package static let port = "file"
}
