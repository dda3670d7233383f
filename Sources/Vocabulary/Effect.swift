/// What a call may do to the world outside the asset store (`consent.md`, "Words").
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
    /// With words for how: "delete it", "move it back".
    case yes(how: String)
    case no
}

/// How much is asked (`consent.md`, "Modes").
package enum ConfirmationMode: String, Hashable, Sendable, CaseIterable {
    // From the strictest on.
    case alwaysAsk = "always-ask"
    case adaptive
    case auto

    /// The one of them that asks most.
    package static func strictest(_ modes: Self...) -> Self { allCases.first(where: modes.contains) ?? .alwaysAsk }
}

/// What becomes of a call that would ask while nobody is there (`consent.md`, "Approvals").
package enum OnAsk: String, Hashable, Sendable, CaseIterable {
    /// On a terminal, in the turn that the person just started.
    case inline
    case deny
    case park
    case fail
}

/// What holds for whoever asks: how much is asked, and what becomes of what would ask.
package struct AskTerms: Hashable, Sendable {
    package var mode: ConfirmationMode
    package var onAsk: OnAsk
    /// The turn of a conversation that from now on answers for what it spends.
    package var turn: Int?

    package init(mode: ConfirmationMode, onAsk: OnAsk, turn: Int? = nil) {
        self.mode = mode
        self.onAsk = onAsk
        self.turn = turn
    }
}
