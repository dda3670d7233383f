/// By what the usage of models is summed up.
package enum UsageGrouping: String, Hashable, Sendable, CaseIterable {
    case session, model
    /// Of this machine's calendar.
    case day
}

/// What replies of models took together.
package struct UsageTotal: Hashable, Sendable {
    /// `s3`, a model's name, or `2026-11-23`; `-` for what belongs to no conversation.
    package var name: String
    package var replies: Int
    /// Sums. The cost is that of the replies whose price is known; `nil` where none is.
    package var usage: Reply.Usage
    /// Replies whose price is not known.
    package var unpricedReplies: Int

    package init(name: String, replies: Int, usage: Reply.Usage, unpricedReplies: Int) {
        self.name = name
        self.replies = replies
        self.usage = usage
        self.unpricedReplies = unpricedReplies
    }
}
