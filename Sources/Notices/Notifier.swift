import Synchronization
package import JSON
package import Terminal
package import Vocabulary

/// The surroundings of a notifier: the storage, the settings, and the programs that notify.
package protocol NoticeWorld: Sendable {
    /// The time of a clock that cannot be set.
    var milliseconds: Int64 { get }
    /// Returns a variable of the environment.
    func variable(_ name: String) -> String?
    /// The setting, as the file says it now.
    var setting: NoticePreference { get }
    /// Whether a session bus of the desktop is at hand.
    var hasBus: Bool { get }
    /// Returns the title of a workflow without keys, and its conversation.
    func subject(of id: WorkflowID) -> (title: String, session: SessionID?)
    /// Returns all open entries of the inbox, and those of them that wait for the user at this moment. Returns nil if
    /// nothing was stored since a version.
    func inbox(since version: Int?) -> (version: Int, open: [AwaitRecord], pending: [AwaitRecord])?
    /// Claims the report of an event. Returns false if another process has claimed it.
    func claims(_ id: WorkflowID, entry: Int64?) -> Bool
    /// Shows a notification on the desktop. Calls `otherwise` if that failed.
    ///
    /// - Parameter isLast: whether the process ends now. Then it returns once the program has ended. Otherwise the
    ///   program runs on another thread.
    func showOnDesktop(_ text: String, isLast: Bool, otherwise: @escaping @Sendable () -> Void)
    /// Runs a program of the user, with JSON on its standard input, on another thread unless the process ends now.
    func run(_ command: [String], _ json: JSON, isLast: Bool)
}

extension NoticeWorld {
    package var milliseconds: Int64 { QuestionTime.machine() }

    package func variable(_ name: String) -> String? { TerminalCapabilities.environmentValue(name) }
}

/// The notifications of one process: a chat, or `work`. It hears events, and shows at each tick the notices whose time
/// has come. If the terminal shows the status of programs, it is sent the status, too (OSC 7501).
package final class Notifier: Sendable {
    private let world: any NoticeWorld
    private let screen: any Screen
    /// The capabilities of the terminal, as of a pipe if it shows JSON.
    private let capabilities: TerminalCapabilities
    private let book = Mutex((notices: NoticeBook(), version: Int?.none))

    /// Creates the notifier of a process.
    ///
    /// - Parameter isJSON: whether the screen shows JSON, so that no bell rings.
    package init(_ world: any NoticeWorld, _ screen: any Screen, isJSON: Bool = false) {
        (self.world, self.screen) = (world, screen)
        var capabilities = screen.capabilities
        capabilities.isTerminal = capabilities.isTerminal && !isJSON
        self.capabilities = capabilities
    }

    private func place(_ session: SessionID?) -> NoticeBook.Place {
        NoticeBook.Place(session: session, hasTerminal: capabilities.isTerminal)
    }

    private func subject(_ id: WorkflowID) -> NoticeBook.Subject {
        let subject = world.subject(of: id)
        return NoticeBook.Subject(title: subject.title, session: subject.session)
    }

    /// Hears an event of this process.
    ///
    /// - Parameter session: the conversation of the chat, or nil.
    package func hear(_ event: Event, in session: SessionID? = nil) {
        book.withLock { book in
            book.notices.hear(event, at: world.milliseconds, place(session), subject: subject)
            sendStatus(&book.notices)
        }
    }

    /// Adds the failure of a workflow that this chat follows and another process carries.
    package func hear(failureOf id: WorkflowID, in session: SessionID?) {
        book.withLock { book in
            book.notices.learn(subject(id), of: id)
            book.notices.hear(failureOf: id, at: world.milliseconds, place(session))
        }
    }

    /// Looks at the inbox, and shows the notices whose time has come. Call it every second.
    ///
    /// - Parameter isLast: whether the process ends now.
    package func tick(in session: SessionID? = nil, isLast: Bool = false) {
        book.withLock { book in
            if let inbox = world.inbox(since: book.version) {
                let new = book.notices.look(at: inbox.open, pending: inbox.pending)
                for id in book.notices.unknownSubjects { book.notices.learn(subject(id), of: id) }
                book.notices.hear(new, at: world.milliseconds, place(session))
                book.version = inbox.version
            }
            if book.notices.hasNotices { showDue(place(session), isLast: isLast, &book.notices) }
            sendStatus(&book.notices)
        }
    }

    /// Ticks every second until the task is cancelled.
    package func run() async {
        do {
            while true {
                try await Task.sleep(for: .seconds(1))
                tick()
            }
        } catch {
            // Cancelled: the process ends.
        }
    }

    /// Clears the status, as the user leaves.
    package func leave() {
        for status in book.withLock({ $0.notices.farewell() }) { screen.send(.status(status)) }
    }

    private func showDue(_ place: NoticeBook.Place, isLast: Bool, _ notices: inout NoticeBook) {
        let (setting, now) = (world.setting, world.milliseconds)
        let due = notices.due(at: now, screen.attention, place, setting.when, isLast: isLast)
        for notice in due.seen { _ = world.claims(notice.workflow, entry: notice.entry) }
        let told = due.told.filter { world.claims($0.workflow, entry: $0.entry) }
        guard !told.isEmpty else { return }
        notices.hasTold(at: now)
        switch NoticeWay.choose(setting.way, capabilities, hasBus: world.hasBus, environment: world.variable) {
        case .terminal(let form, let isInTmux): screen.send(.notice(told.text, as: form, isInTmux: isInTmux))
        case .desktop:
            let (screen, rings) = (screen, capabilities.isTerminal)
            world.showOnDesktop(told.text, isLast: isLast) { if rings { screen.send(.bell) } }
        case .bell: screen.send(.bell)
        case .none: break
        }
        if !setting.command.isEmpty { world.run(setting.command, told.json, isLast: isLast) }
    }

    private func sendStatus(_ notices: inout NoticeBook) {
        for status in notices.status(at: world.milliseconds, screen.attention) { screen.send(.status(status)) }
    }
}
