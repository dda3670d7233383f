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

/// A wait for a person, shown as an entry of the inbox (`semantics.md` 40–48).
package struct AwaitRecord: Hashable, Sendable {
    /// The inbox number, durable and never reused. The database assigns it when the await is stored. Before that it is
    /// 0.
    package var number: Int64
    package var step: StepID
    package var type: AwaitType
    package var status: AwaitStatus
    package var title: String
    package var reason: String
    package var urgency: Urgency
    package var createdAt: Moment
    package var expiresAt: Moment?
    /// The digest of the call that is asked about, or of the content that a gate approves.
    package var digest: ContentHash?
    /// The content of the question. For `confirmCall` it is the call's canonical JSON with the other parts of the
    /// question. For other types it is what the editor needs (`AwaitRequest`).
    package var question: JSON?
    /// The number of times that the await was claimed. A completion must name the number of its claim (`semantics.md`
    /// 42).
    package var claim: Int = 0
    package var claimedBy: String?
    /// The process of the last claim, by the name of its lock, or `nil` if it is not known. The lease ends with that
    /// process.
    package var claimProcess: String?
    /// The end of the lease, or of the snooze.
    package var until: Moment?
    package var snoozes: Int = 0
    /// The unfinished answer of a person, as it was last stored.
    package var draft: JSON?
    /// The end of the await, such as `approved`, `rejected: words`, `cancelled` or `superseded`, or `nil` while it is
    /// open.
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

    /// Returns the status at a time. A claim or a snooze whose time is over counts as pending, although the record
    /// still says otherwise.
    package func status(at now: Moment) -> AwaitStatus {
        switch status {
        case .claimed, .snoozed: until.map { $0 > now } ?? false ? status : .pending
        case .pending, .done: status
        }
    }

    /// The link `assent://workflow/w3/node/2?await=7` (`semantics.md` 46). Opening it focuses the step and never
    /// changes anything.
    package var link: String { "assent://workflow/\(step.workflow)/node/\(step.index)?await=\(number)" }
}
