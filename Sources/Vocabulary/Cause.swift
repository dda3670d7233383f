/// A link of the chain that leads from the present state of a step back to its cause. `why` prints this chain first.
package struct Cause: Hashable, Sendable {
    /// The time of the event, or the beginning of the state, or `nil` if no record of the time exists.
    package var at: Moment?
    package var step: Int?
    /// The distance from the link that was asked about, which has depth 0.
    package var depth: Int
    /// The code for scripts: a state, the code of a reason, or the code of a failure.
    package var code: String
    package var words: String

    package init(at: Moment?, step: Int?, depth: Int, code: String, words: String) {
        self.at = at
        self.step = step
        self.depth = depth
        self.code = code
        self.words = words
    }
}
