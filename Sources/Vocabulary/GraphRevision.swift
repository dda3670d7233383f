/// A present or past graph of a workflow (`semantics.md` 14).
package struct GraphRevision: Hashable, Sendable {
    package var number: Int
    /// The text of its template.
    package var template: String
    /// The time when the graph was replaced, or `nil` if it is the present one.
    package var replacedAt: Moment?

    package init(number: Int, template: String, replacedAt: Moment? = nil) {
        self.number = number
        self.template = template
        self.replacedAt = replacedAt
    }
}
