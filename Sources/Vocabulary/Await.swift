package import JSON

package enum AwaitType: String, Hashable, Sendable, CaseIterable {
    case drawMask, selectAsset, confirmParams, confirmCall, choose, text, capture, connect, submitUnknown

    /// Reads `drawMask` and `draw_mask` (`semantics.md` 77).
    package init?(parsing written: String) {
        let camel = written.split(separator: "_").enumerated().map {
            $0.offset == 0 ? String($0.element) : $0.element.capitalizedFirst
        }
        self.init(rawValue: camel.joined())
    }
}

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

package enum Urgency: String, Hashable, Sendable, CaseIterable {
    case high, normal, low
}

package enum OnTimeout: String, Hashable, Sendable, CaseIterable {
    case cancel, autoDefault, skip
}

package enum AwaitStatus: String, Hashable, Sendable, CaseIterable {
    case pending, claimed, snoozed, done
}

/// Something that waits for a person: an entry of the inbox (`semantics.md` 40–48).
package struct AwaitRecord: Hashable, Sendable {
    /// The inbox number: given by the database when it is stored, durable, never reused. 0 before that.
    package var number: Int64
    package var step: StepID
    package var type: AwaitType
    package var status: AwaitStatus
    package var title: String
    package var reason: String
    package var urgency: Urgency
    package var createdAt: Moment
    package var expiresAt: Moment?
    /// Of the call that is asked about, or of what a gate is passed for.
    package var digest: ContentHash?
    /// For `confirmCall` the call's canonical JSON and the question's other parts; else what the editor needs:
    /// `AwaitRequest`.
    package var question: JSON?
    /// How often it was claimed; who completes it shows the number of their claim (`semantics.md` 42).
    package var claim: Int = 0
    package var claimedBy: String?
    /// The process of who claimed it last, by the name of its lock; `nil` where it is not known. A lease ends with it.
    package var claimProcess: String?
    /// The end of the lease, or of the snooze.
    package var until: Moment?
    package var snoozes: Int = 0
    /// What a person had made so far.
    package var draft: JSON?
    /// `approved`, `rejected: words`, `cancelled`, `superseded`, … once it is done.
    package var resolution: String?
    package var answeredBy: String?
    package var closedAt: Moment?

    package init(
        number: Int64 = 0, step: StepID, type: AwaitType, status: AwaitStatus = .pending, title: String, reason: String,
        urgency: Urgency = .normal, createdAt: Moment, expiresAt: Moment? = nil, digest: ContentHash? = nil,
        question: JSON? = nil
    ) {
        self.number = number
        self.step = step
        self.type = type
        self.status = status
        self.title = title
        self.reason = reason
        self.urgency = urgency
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.digest = digest
        self.question = question
    }

    /// As it is now: leases and snoozes end by themselves, without anybody writing it down.
    package func status(at now: Moment) -> AwaitStatus {
        switch status {
        case .claimed, .snoozed: until.map { $0 > now } ?? false ? status : .pending
        case .pending, .done: status
        }
    }

    /// `assent://workflow/w3/node/2?await=7` (`semantics.md` 46): focuses, never changes anything.
    package var link: String { "assent://workflow/\(step.workflow)/node/\(step.index)?await=\(number)" }
}
