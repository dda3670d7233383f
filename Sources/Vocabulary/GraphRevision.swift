/// A graph that a workflow had, or has (`semantics.md` 14).
package struct GraphRevision: Hashable, Sendable {
    package var number: Int
    /// The text of its template.
    package var template: String
    /// `nil`: it is the one that holds.
    package var replacedAt: Moment?

    package init(number: Int, template: String, replacedAt: Moment? = nil) {
        self.number = number
        self.template = template
        self.replacedAt = replacedAt
    }
}
