package import Terminal
package import Vocabulary

/// The knowledge of one process about notifications: the notices that wait, the inbox, and the status of its terminal.
///
/// Pure: a caller hears events, looks at the inbox, and shows the results. All times are milliseconds of a clock that
/// cannot be set.
package struct NoticeBook: Sendable {
    /// The part of a workflow that a notice needs.
    package struct Subject: Hashable, Sendable {
        /// The title without keys. It is empty if it is the words of a question.
        var title: String
        var session: SessionID?

        package init(title: String, session: SessionID?) { (self.title, self.session) = (title, session) }
    }

    /// The place of a process among the others.
    package struct Place: Hashable, Sendable {
        /// The conversation of the chat, if the process is a chat that has one.
        var session: SessionID?
        /// Whether the process has a terminal, on which it shows what it hears.
        var hasTerminal: Bool

        package init(session: SessionID?, hasTerminal: Bool) {
            (self.session, self.hasTerminal) = (session, hasTerminal)
        }
    }

    private var events = NoticeEvents()
    private var queue = NoticeQueue()
    private var board = StatusBoard()
    private var subjects: [WorkflowID: Subject] = [:]
    /// The entries that wait for the user, by number.
    private var open: [Int64: AwaitRecord] = [:]
    /// The numbers of all entries that were seen, or nil before the first look at the inbox.
    private var known: Set<Int64>?
    /// The state while nothing works, and the time since which it holds.
    private var rest = (state: ProgramStatus.State.idle, since: Int64(0))
    private var wasBusy = false

    /// Creates the book of a process that has heard nothing yet.
    package init() {}

    /// Whether any notice waits.
    package var hasNotices: Bool { !queue.isEmpty }

    /// The workflows whose subjects are needed and not known. The caller learns them before it asks for results.
    package var unknownSubjects: Set<WorkflowID> {
        events.working.union(open.values.map(\.step.workflow)).subtracting(subjects.keys)
    }

    /// Learns the subject of a workflow.
    package mutating func learn(_ subject: Subject, of id: WorkflowID) { subjects[id] = subject }

    /// Hears an event of this process.
    ///
    /// - Parameter subject: returns what is known of the event's workflow. It is called if the event deserves a notice.
    package mutating func hear(
        _ event: Event, at now: Int64, _ place: Place, subject: (WorkflowID) -> Subject
    ) {
        let noticed = events.hear(event)
        switch event.kind {
        case .awaitOpened(let record):
            open[record.number] = record
            known?.insert(record.number)
        case .awaitClosed(let number, _, _, _), .awaitChanged(let number, .claimed, _, _):
            open[number] = nil
            queue.remove(entry: number)
        case .workflowFinished(let outcome, _) where outcome != .waiting:
            rest = (outcome == .failed ? .error : .done, now)
        case .error where event.session != nil && event.session == place.session: rest = (.error, now)
        default: break
        }
        guard let noticed, let id = event.workflow else { return }
        learn(subject(id), of: id)
        add(id, noticed, isCarried: true, at: now, place)
    }

    /// Adds the failure of a workflow that another process carries and this chat follows.
    package mutating func hear(failureOf id: WorkflowID, at now: Int64, _ place: Place) {
        add(id, .failed, isCarried: false, at: now, place)
    }

    /// Compares the inbox with the last look. The first look finds entries that waited before.
    ///
    /// - Parameters:
    ///   - entries: all open entries.
    ///   - pending: those of them that wait for the user at this moment.
    /// - Returns: the new entries.
    package mutating func look(at entries: [AwaitRecord], pending: [AwaitRecord]) -> [AwaitRecord] {
        let numbers = Set(entries.map(\.number))
        for number in open.keys where !numbers.contains(number) { queue.remove(entry: number) }
        open = Dictionary(pending.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        defer { known = numbers.union(known ?? []) }
        return known.map { known in entries.filter { !known.contains($0.number) } } ?? []
    }

    /// Adds the notices of entries that other processes have opened.
    package mutating func hear(_ entries: [AwaitRecord], at now: Int64, _ place: Place) {
        for entry in entries {
            add(entry.step.workflow, .needsYou(entry: entry.number), isCarried: false, at: now, place)
        }
    }

    private mutating func add(
        _ id: WorkflowID, _ state: Notice.State, isCarried: Bool, at now: Int64, _ place: Place
    ) {
        let subject = subjects[id]
        let share = NoticeQueue.Share(
            isShown: place.hasTerminal, isOfSession: place.session != nil && subject?.session == place.session,
            isCarried: isCarried)
        queue.add(Notice(id, state, title: subject?.title ?? ""), share, at: now)
    }

    /// Removes the notices whose time has come, and returns them.
    ///
    /// - Parameter isLast: whether the process ends now.
    package mutating func due(
        at now: Int64, _ attention: TerminalAttention, _ place: Place, _ when: NoticePreference.When, isLast: Bool
    ) -> NoticeQueue.Due {
        queue.take(at: now, isAway: !place.hasTerminal || attention.isAway, when, isLast: isLast)
    }

    /// Records that a notification was shown.
    package mutating func hasTold(at now: Int64) { queue.hasTold(at: now) }

    // MARK: Status

    /// Returns the changes of the status since the last call. It returns none if the terminal shows no status.
    package mutating func status(at now: Int64, _ attention: TerminalAttention) -> [ProgramStatus] {
        guard attention.showsStatus else { return [] }
        if wasBusy, !attention.isBusy, rest.state == .idle { rest = (.done, now) }
        if attention.isBusy, !wasBusy { rest = (.idle, now) }
        wasBusy = attention.isBusy
        // The user has typed since, and so has seen the end.
        if attention.idleMilliseconds < now - rest.since { rest.state = .idle }
        let working = events.working.map { ($0, subjects[$0]?.title ?? "") }
        let waiting = open.values.sorted { $0.number < $1.number }.map { ($0, subjects[$0.step.workflow]?.title ?? "") }
        return board.changes(
            to: StatusBoard.records(isBusy: attention.isBusy, working: working, open: waiting, rest: rest.state))
    }

    /// Returns the changes of the status as the user leaves: all parts are cleared.
    package mutating func farewell() -> [ProgramStatus] {
        board.isEmpty ? [] : board.changes(to: [ProgramStatus(.idle)])
    }
}
