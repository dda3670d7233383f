/// A possible effect of a call on the world outside the asset store (`consent.md`, "Words").
package enum Effect: String, Hashable, Sendable, CaseIterable, Comparable {
    case reads, creates, overwrites, deletes, sends, spends, executes

    package static func < (one: Effect, other: Effect) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self)! }
}

/// How far a call reaches. Ordered: the furthest of its targets counts.
package enum Reach: String, Hashable, Sendable, CaseIterable, Comparable {
    case workspace, outside, remote

    package static func < (one: Reach, other: Reach) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self)! }
}

/// Whether and how a call can be undone. It comes from the manifest, never from a model.
package enum Reversibility: Hashable, Sendable {
    /// The call can be undone. `how` says by which action, such as "delete it" or "move it back".
    case yes(how: String)
    case no
}

/// How much is asked (`consent.md`, "Modes").
package enum ConfirmationMode: String, Hashable, Sendable, CaseIterable {
    // From the strictest on.
    case alwaysAsk = "always-ask"
    case adaptive
    case auto

    /// Returns the mode among `modes` that asks most, or `alwaysAsk` if there are none.
    package static func strictest(_ modes: Self...) -> Self { allCases.first(where: modes.contains) ?? .alwaysAsk }
}

/// The treatment of a call that needs a question while no person is present (`consent.md`, "Approvals").
package enum OnAsk: String, Hashable, Sendable, CaseIterable {
    /// The question is asked on the terminal, in the turn that the person just started.
    case inline
    case deny
    case park
    case fail
}

/// The terms under which calls are decided: how much is asked, and how a call that needs a question is treated.
package struct AskTerms: Hashable, Sendable {
    package var mode: ConfirmationMode
    package var onAsk: OnAsk
    /// The turn of a conversation to which the spending is charged from now on.
    package var turn: Int?

    package init(mode: ConfirmationMode, onAsk: OnAsk, turn: Int? = nil) {
        self.mode = mode
        self.onAsk = onAsk
        self.turn = turn
    }
}
