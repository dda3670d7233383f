package import JSON

/// The verdict of the policy on one call, with the rules that led to it (`consent.md`, "Words").
package enum Decision: Hashable, Sendable {
    case allow(because: [String])
    case ask(because: [String])
    case deny(because: [String])

    package var because: [String] {
        switch self {
        case .allow(let because), .ask(let because), .deny(let because): because
        }
    }

    package var name: String {
        switch self {
        case .allow: "allow"
        case .ask: "ask"
        case .deny: "deny"
        }
    }
}

/// A question to a person about a call, derived from the bytes that are hashed. Texts are raw, so they must pass
/// through Terminal's visible forms before they reach a screen.
package struct Question: Hashable, Sendable {
    /// "overwrite a file", "delete a file for good".
    package var title: String
    /// "step 3 of "Weekly notes"".
    package var subject: String
    package var call: Call
    /// SHA-256 over `call.json.canonical`.
    package var digest: ContentHash
    package var because: [String]
    /// The word that must be typed instead of a key, for calls that cannot be undone.
    package var wordToType: String?
    /// The other calls of the plan that a yes may cover (mode always-ask), with their planned digests.
    package var plan: [Planned]
    /// Steps of the plan that no yes to the whole of it covers: they ask when their turn comes.
    package var leftOut: [LeftOut]
    package var mode: ConfirmationMode

    package init(
        title: String, subject: String, call: Call, digest: ContentHash, because: [String], wordToType: String? = nil,
        plan: [Planned] = [], leftOut: [LeftOut] = [], mode: ConfirmationMode = .adaptive
    ) {
        self.title = title
        self.subject = subject
        self.call = call
        self.digest = digest
        self.because = because
        self.wordToType = wordToType
        self.plan = plan
        self.leftOut = leftOut
        self.mode = mode
    }

    /// A step whose call is not known yet, or must be asked about by itself.
    package struct LeftOut: Hashable, Sendable {
        package var step: Int
        package var tool: String
        /// The reason in words.
        package var reason: String

        package init(step: Int, tool: String, reason: String) {
            self.step = step
            self.tool = tool
            self.reason = reason
        }
    }

    package struct Planned: Hashable, Sendable {
        package var step: Int
        package var call: Call
        package var digest: ContentHash

        package init(step: Int, call: Call, digest: ContentHash) {
            self.step = step
            self.call = call
            self.digest = digest
        }
    }
}

/// A person's answer to a question. Nothing but `yes` and `yesToPlan` authorises anything.
package enum Answer: Hashable, Sendable {
    case yes
    /// Yes to the call and to the plan that was shown with it.
    case yesToPlan
    /// A part of the changes that a command would make, by path. The other changes are dropped, and the remaining ones
    /// are decided and asked again. The answer authorises nothing. The paths are stored with the rehearsal, not with
    /// the answer.
    case part([String])
    case no(reason: String)
}

/// A recorded yes: for one digest, once (`consent.md` guarantee 1).
package struct Approval: Hashable, Sendable {
    package var digest: ContentHash
    /// Whether `digest` is of a planned call, which a concrete call refines.
    package var isPlanned: Bool
    package var step: StepID
    /// The await it came from, as shown in the inbox.
    package var awaitNumber: Int64
    /// The author of the yes and the place, such as `person on /dev/pts/3` or `policy (auto)`.
    package var by: String
    package var at: Moment
    package var expiresAt: Moment
    /// The policy under which the yes was given. Under another policy it is void. An empty text authorises nothing.
    package var policyEpoch: String

    package init(
        digest: ContentHash, isPlanned: Bool, step: StepID, awaitNumber: Int64, by: String, at: Moment,
        expiresAt: Moment,
        policyEpoch: String = ""
    ) {
        self.digest = digest
        self.isPlanned = isPlanned
        self.step = step
        self.awaitNumber = awaitNumber
        self.by = by
        self.at = at
        self.expiresAt = expiresAt
        self.policyEpoch = policyEpoch
    }
}

/// The durable record of a decision, committed before the effect starts (`consent.md` guarantee 10).
package struct DecisionRecord: Hashable, Sendable {
    package var run: RunID
    package var digest: ContentHash
    package var call: JSON
    package var decision: Decision
    package var mode: ConfirmationMode
    /// `policy`, or the approval's `by`.
    package var by: String
    package var policyEpoch: String
    package var at: Moment

    package init(
        run: RunID, digest: ContentHash, call: JSON, decision: Decision, mode: ConfirmationMode, by: String,
        policyEpoch: String, at: Moment
    ) {
        self.run = run
        self.digest = digest
        self.call = call
        self.decision = decision
        self.mode = mode
        self.by = by
        self.policyEpoch = policyEpoch
        self.at = at
    }
}
