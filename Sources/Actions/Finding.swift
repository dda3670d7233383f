package import Vocabulary

/// A line in the report of `doctor`: an examined thing and the result.
package struct Finding: Hashable, Sendable {
    /// The examined thing, such as `database` or `w3`.
    package let name: String
    /// The result in words. They may hold text from outside.
    package let words: String
    /// The result. It is `succeeded` if all is well.
    package let status: ExitStatus
    /// Whether the finding is worth knowing although all is well.
    package private(set) var isRemark = false

    /// Whether all is well.
    package var isFine: Bool { status == .succeeded }

    init(isFine: Bool, name: String, words: String) {
        self.name = name
        self.words = words
        status = isFine ? .succeeded : .failed
    }

    init(remark words: String, name: String) {
        self.init(isFine: true, name: name, words: words)
        isRemark = true
    }

    /// Creates a finding about something that could not be examined.
    init(name: String, _ failure: Failure) {
        self.name = name
        words = failure.description
        status = ExitStatus(of: failure)
    }
}
