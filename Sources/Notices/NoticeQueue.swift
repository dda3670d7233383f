import Terminal
package import Vocabulary

extension Limits {
    /// The milliseconds between two notifications of a process. What happens meanwhile is joined.
    fileprivate static let noticeMilliseconds: Int64 = 5_000
    /// The milliseconds for which the chat of a workflow's session leaves an event to the chat that has the focus.
    fileprivate static let sessionGraceMilliseconds: Int64 = 1_500
    /// The milliseconds for which the process that carries a workflow leaves an event to the chats.
    fileprivate static let carrierGraceMilliseconds: Int64 = 3_000
    /// The most notices that wait.
    fileprivate static let waitingNotices = 64
    /// The milliseconds without a key after which a user whose focus is not known counts as away.
    fileprivate static let idleMilliseconds: Int64 = 20_000
}

extension TerminalAttention {
    /// Whether the user does not look at the terminal: it has no focus, or its focus is not known and no key was
    /// pressed for a while.
    package var isAway: Bool { isFocused.map { !$0 } ?? (idleMilliseconds >= Limits.idleMilliseconds) }
}

/// The notices of one process that wait to be shown.
///
/// Of all processes, one reports an event. The chat with the focus shows it without a notification. Without one, the
/// chat of the workflow's session notifies, or else the process that carries the workflow. They leave the event to each
/// other for some seconds, and a mark in the database decides. All times are milliseconds of a clock that cannot be set.
package struct NoticeQueue: Sendable {
    /// The relation of this process to an event.
    package struct Share: Hashable, Sendable {
        /// Whether the terminal of this process shows the event by itself.
        var isShown: Bool
        /// Whether the workflow belongs to the session of this chat.
        var isOfSession: Bool
        /// Whether this process carries the workflow.
        var isCarried: Bool

        package init(isShown: Bool, isOfSession: Bool, isCarried: Bool) {
            (self.isShown, self.isOfSession, self.isCarried) = (isShown, isOfSession, isCarried)
        }

        var grace: Int64? {
            isOfSession ? Limits.sessionGraceMilliseconds : isCarried ? Limits.carrierGraceMilliseconds : nil
        }
    }

    /// The notices whose time has come.
    package struct Due: Hashable, Sendable {
        /// The notices that the user sees in the terminal of this process, so that no process notifies of them.
        package var seen: [Notice] = []
        /// The notices that are joined into one notification.
        package var told: [Notice] = []
    }

    private struct Waiting {
        var notice: Notice
        var share: Share
        var since: Int64
    }

    private var waiting: [Waiting] = []
    private var lastTold: Int64?

    /// Creates an empty queue.
    package init() {}

    /// Whether any notice waits.
    package var isEmpty: Bool { waiting.isEmpty }

    /// Adds a notice. A notice about the same event replaces the one that waits, and keeps its time.
    package mutating func add(_ notice: Notice, _ share: Share, at now: Int64) {
        if let index = waiting.firstIndex(where: { $0.notice.isSameEvent(as: notice) }) {
            waiting[index].notice = notice
            waiting[index].share.isCarried = waiting[index].share.isCarried || share.isCarried
            waiting[index].share.isShown = waiting[index].share.isShown || share.isShown
            return
        }
        guard waiting.count < Limits.waitingNotices else { return }
        waiting.append(Waiting(notice: notice, share: share, since: now))
    }

    /// Removes the notice about an entry of the inbox, which is closed.
    package mutating func remove(entry: Int64) { waiting.removeAll { $0.notice.entry == entry } }

    /// Removes the notices whose time has come, and returns them.
    ///
    /// - Parameters:
    ///   - isAway: whether the user does not look at the terminal of this process.
    ///   - isLast: whether the process ends now, so that notices wait for no other process.
    package mutating func take(at now: Int64, isAway: Bool, _ when: NoticePreference.When, isLast: Bool = false) -> Due
    {
        var due = Due()
        if when == .never { waiting = [] }
        let mayTell = isLast || lastTold.map { now - $0 >= Limits.noticeMilliseconds } ?? true
        waiting.removeAll { item in
            let isSeen = !isAway && item.share.isShown
            if isSeen, when == .unfocused {
                due.seen.append(item.notice)
                return true
            }
            let age = now - item.since
            guard let grace = isSeen || isLast && item.share.grace != nil ? 0 : item.share.grace else {
                // The focus may still come here.
                return age > Limits.carrierGraceMilliseconds
            }
            guard mayTell, age >= grace else { return false }
            due.told.append(item.notice)
            return true
        }
        return due
    }

    /// Records that a notification was shown.
    package mutating func hasTold(at now: Int64) { lastTold = now }
}

extension Notice {
    fileprivate func isSameEvent(as other: Notice) -> Bool { workflow == other.workflow && entry == other.entry }
}
