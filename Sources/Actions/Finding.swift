package import Vocabulary

/// One line of `doctor`.
package struct Finding: Hashable, Sendable {
    package var name: String
    package var words: String
    /// `succeeded` where all is well.
    package var status: ExitStatus
    /// Worth knowing, and no fault.
    package var isRemark = false

    package var isFine: Bool { status == .succeeded }

    package init(isFine: Bool, name: String, words: String) {
        self.name = name
        self.words = words
        status = isFine ? .succeeded : .failed
    }

    package init(remark words: String, name: String) {
        self.init(isFine: true, name: name, words: words)
        isRemark = true
    }

    /// What could not even be looked at.
    package init(name: String, _ failure: Failure) {
        self.name = name
        words = failure.description
        status = ExitStatus(of: failure)
    }
}
