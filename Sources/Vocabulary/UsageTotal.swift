/// The property by which the usage of models is summed up.
package enum UsageGrouping: String, Hashable, Sendable, CaseIterable {
    case session, model
    /// The day in the calendar of this machine.
    case day
}

/// The usage of several replies together.
package struct UsageTotal: Hashable, Sendable {
    /// The name of the group: `s3`, a model's name, or `2026-11-23`. `-` stands for replies outside of a conversation.
    package var name: String
    package var replies: Int
    /// The sums. The cost covers the replies with a known price, and is `nil` if there are none.
    package var usage: Reply.Usage
    /// The number of replies whose price is not known.
    package var unpricedReplies: Int

    package init(name: String, replies: Int, usage: Reply.Usage, unpricedReplies: Int) {
        self.name = name
        self.replies = replies
        self.usage = usage
        self.unpricedReplies = unpricedReplies
    }
}
