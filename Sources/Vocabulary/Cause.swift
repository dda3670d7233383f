/// One link of the chain that leads from how a step stands back to what began it: what `why` says first.
package struct Cause: Hashable, Sendable {
    /// When it happened, or since when it holds; `nil` where nobody wrote that down.
    package var at: Moment?
    package var step: Int?
    /// 0 for what was asked about; each further link is one more.
    package var depth: Int
    /// For machines: a state, a reason's code, a failure's.
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
