import ArgumentParser
import Conversations
import Glibc
package import Terminal
package import Vocabulary

/// The chat: waits for the person, the conversation and the engine at once, and shows what each of them does.
package actor Chatting {
    private enum Input: Sendable {
        case screen(ScreenInput)
        case event(Event)
        case hint(Turn.Hint)
        case queued([String])
        /// Ends the stream once all that was said before has been done.
        case settle(AsyncStream<Never>.Continuation)
        /// Its store has failed.
        case engineEnded(Failure)
        /// Time to look whether another process has put something into the inbox, or answered it, and whether the engine may start again.
        case tick
    }

    private static let tickSeconds = 1.0

    private let house: House
    private let screen: any Screen
    private let output: Output
    /// The lines come from a pipe or a file: one is done before the next is taken, and all before the end.
    private let isPiped = isatty(STDIN_FILENO) == 0
    /// As of now; a turn that runs sees a change from its next plan on.
    private let mode: Kept<ConfirmationMode>
    private let inputs: AsyncStream<Input>
    private let feed: AsyncStream<Input>.Continuation
    private var session: Session?
    private var sessionID: SessionID?
    private var reports: [WorkflowID: Report] = [:]
    /// Workflows whose end was shown with their turn.
    private var told: Set<WorkflowID> = []
    /// The one that was called last.
    private var verb: Task<Void, Never>?
    /// What came of the lines, for whoever runs the chat as a script.
    private var statuses: [ExitStatus] = []
    private var isLeaving = false
    private var hasLookedBack = false
    /// Whether the database has been opened.
    private var isOpen = false
    /// What was stored when the inbox was last read, and when it changes without that.
    private var seenInbox: (version: Int?, next: Moment?) = (nil, nil)
    /// Entries of the inbox that the person has been told of.
    private var announced: Set<Int64> = []
    private var reviving = Reviving()

    package init(house: House, screen: any Screen, mode: ConfirmationMode) {
        let kept = Kept(mode)
        var house = house
        house.settings.mode = { kept.value }
        house.settings.setMode = { kept.value = $0 }
        self.house = house
        self.screen = screen
        self.mode = kept
        output = Output(isJSON: false, screen: screen, isChat: true)
        (inputs, feed) = AsyncStream.makeStream(of: Input.self)
    }

    /// Runs until the person leaves.
    package func run() async -> ExitStatus {
        let events = house.events()
        let sources = [
            Task { [feed, screen, isPiped] in
                for await input in screen.inputs {
                    feed.yield(.screen(input))
                    if isPiped { await Self.settled(feed) }
                }
                feed.yield(.screen(.end))
            },
            Task { [feed] in for await event in events { feed.yield(.event(event)) } },
            Task { [feed] in
                while (try? await Task.sleep(for: .seconds(Self.tickSeconds))) != nil { feed.yield(.tick) }
            },
        ]
        screen.show(
            Banner.line(
                model: house.settings.modelName(), mode: mode.value,
                workspace: house.workspace))
        screen.invite()
        // A script may be over before anything else is said.
        if isPiped { await sayWhatHolds() }
        // After the prompt is there: the database, manifests, and whatever a crash left under way.
        Task { await start() }
        for await input in inputs {
            await take(input)
            if isLeaving { break }
        }
        for source in sources { source.cancel() }
        await house.act.stopEngine()
        await screen.close()
        return isPiped ? .gravest(statuses) : .succeeded
    }

    private static func settled(_ feed: AsyncStream<Input>.Continuation) async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        feed.yield(.settle(end))
        for await _ in ends {}
    }

    private func settle(_ end: AsyncStream<Never>.Continuation) {
        Task { [session, verb] in
            _ = await session?.finished()
            await verb?.value
            end.finish()
        }
    }

    /// Ctrl-D leaves at once.
    private func end() async {
        guard isPiped, let sessionID else { return await leave() }
        // Through the same line as all events, so that those before it are shown before it.
        house.act.record(Event(at: house.now(), session: sessionID, .end(exit: 0)))
    }

    /// Who leaves takes the lines back that wait: only what a crash cut goes on by itself.
    private func leave() async {
        isLeaving = true
        let lines = await session?.takeQueue() ?? []
        if !lines.isEmpty { show(lines, below: "Not run, since you left:") }
    }

    private func show(_ lines: [String], below words: String) {
        screen.show([StyledText(words, .dim)] + lines.map { StyledText("  › ", .dim) + StyledText($0) })
    }

    private func start() async {
        do throws(Failure) {
            try house.act.startEngine({}, { [feed] in feed.yield(.engineEnded($0)) })
            if !isOpen { announced = Set(try house.look.awaits(false).map(\.number)) }
            isOpen = true
            refreshPrompt()
            await sayWhatHolds()
            if let session = try takeUpSession() { await turnsEnded(session) }
        } catch {
            engineEnded(error)
        }
    }

    /// What holds less than usual on this machine, once.
    private func sayWhatHolds() async {
        if let notice = await house.notice() { screen.show(StyledText(notice, .dim)) }
    }

    private func engineEnded(_ failure: Failure) {
        guard reviving.ended(failure) else { return }
        show(failure)
        screen.show(StyledText("Workflows stand still here until this is mended; then they go on by themselves.", .dim))
    }

    private func lookAfterEngine() {
        switch reviving.tick() {
        case .nothing: break
        case .start: Task { await start() }
        case .isBack: screen.show(StyledText("Workflows go on.", .dim))
        }
    }

    private func take(_ input: Input) async {
        switch input {
        case .tick:
            lookAfterEngine()
            lookForNews()
        case .engineEnded(let failure): engineEnded(failure)
        case .screen(.line(let line)): await take(line: line)
        case .screen(.refused(let fault)):
            show(Self.failure(fault))
            screen.invite()
        case .screen(.interrupt): await interrupt()
        case .screen(.end): await end()
        case .screen(.resize): break
        case .event(let event): await take(event)
        case .hint(.notice(let words)): screen.show(StyledText(words, .dim))
        case .hint(.callStarted(let name)): screen.setStatus([StyledText("  · \(name) …", .dim)])
        case .settle(let end): settle(end)
        case .queued(let lines):
            if !lines.isEmpty { screen.setStatus([StyledText("  \(lines.count) line\(lines.count == 1 ? "" : "s") waiting", .dim)]) }
        }
    }

    // MARK: Lines

    private static func failure(_ fault: LineFault) -> Failure {
        let (code, remedy) =
            switch fault {
            case .tooLong: ("lineTooLong", "Say it in fewer words, or put the text into a file and name that.")
            case .hasNUL: ("badLine", "Send text: a NUL comes of a file that is none.")
            }
        return Failure(code, "This line \(fault.words); nothing of it was carried out.", remedy: remedy)
    }

    private func take(line: String) async {
        let line = line.trimmed
        guard !line.isEmpty else { return screen.invite() }
        if line.hasPrefix("/") { return await take(verb: String(line.dropFirst())) }
        do throws(Failure) {
            let session = try openSession(title: line)
            screen.setBusy(true)
            try await session.say(line)
            Task { await turnsEnded(session) }
        } catch {
            screen.setBusy(false)
            show(error)
            screen.invite()
        }
    }

    private func turnsEnded(_ session: Session) async {
        statuses.append(ExitStatus(of: await session.finished()))
        screen.endStream()
        screen.setStatus([])
        refreshPrompt()
        screen.setBusy(false)
        screen.invite()
    }

    /// Once: goes on with the lines that waited when a chat was killed here.
    private func takeUpSession() throws(Failure) -> Session? {
        guard !hasLookedBack else { return nil }
        hasLookedBack = true
        guard let left = try house.act.takeUpSession() else { return nil }
        screen.setBusy(true)
        show(left.lines, below: "Assent was ended while this waited. It goes on now; Ctrl-C stops a turn:")
        return open(left.id, left)
    }

    private func openSession(title: String) throws(Failure) -> Session {
        if let session { return session }
        if let session = try takeUpSession() { return session }
        return open(try house.act.beginSession(title).id)
    }

    private func open(_ id: SessionID, _ left: House.LeftSession? = nil) -> Session {
        sessionID = id
        let asker = Asker(house: house, screen: screen)
        let performing = Performing(
            house: house, session: id, onAsk: .inline, mode: { [mode] in mode.value }, asker: asker,
            onPlan: { [weak self] id, template in await self?.begin(id, template) },
            onEvent: { [weak self] event in await self?.follow(event) },
            onRest: { [weak self] id, followed in await self?.end(id, followed) })
        let made = house.converse(
            House.Conversing(
                session: id, left: left, keepsLines: true, hint: { [feed] hint in feed.yield(.hint(hint)) },
                queued: { [feed] lines in feed.yield(.queued(lines)) },
                heard: { [screen] said in
                    switch said {
                    case .messageDelta(let text): screen.stream(text)
                    case .messageCompleted(let message) where message.role == .assistant: screen.endStream()
                    default: break
                    }
                },
                perform: { call in await performing.perform(call) },
                confirmHost: { [house, screen] question in await HostAsker(house: house, screen: screen).ask(question) }))
        session = made
        return made
    }

    private func take(verb line: String) async {
        let words = Words.split(line)
        switch words.first {
        case "quit", "exit": await leave()
        case "help", "?", nil: reply(HelpView.lines(columns: screen.columns))
        case let name? where !Root.has(name):
            show(Root.noCommand(name, remedy: "/help lists them."))
            screen.invite()
        default:
            do {
                var command = try Root.parseAsRoot(words)
                // Help is a command too: it throws its text.
                guard let verb = command as? any Verb else { return try command.run() }
                guard !(verb is Chat), !(verb is Work) else { return reply([StyledText("This is the chat already.", .dim)]) }
                let (house, output) = (house, output)
                self.verb = Task {
                    do throws(Failure) {
                        self.verbEnded(verb, try await verb.carryOut(in: house, output))
                    } catch {
                        self.show(error)
                        self.verbEnded(verb, ExitStatus(of: error))
                    }
                }
            } catch {
                statuses.append(.badUsage)
                let words = Root.fullMessage(for: error).replacing("Usage: assent ", with: "Usage: /").replacing(
                    "See 'assent ", with: "See '/")
                reply(words.split(separator: "\n").map { StyledText(String($0), .warning) })
            }
        }
    }

    /// All that is to be said to the line that was entered.
    private func reply(_ lines: [StyledText]) {
        screen.show(lines)
        screen.invite()
    }

    private func verbEnded(_ verb: any Verb, _ status: ExitStatus) {
        statuses.append(status)
        refreshPrompt()
        screen.invite()
    }

    private func interrupt() async {
        if let session, await session.isBusy {
            await session.interrupt()
            screen.show(StyledText("Stopped. What was started goes on: /list", .dim))
        } else {
            screen.show(StyledText("Ctrl-D or /quit leaves.", .dim))
        }
    }

    // MARK: Events

    private func begin(_ id: WorkflowID, _ template: Template) async {
        let report = Report(house: house, output: output, workflow: id, template: template)
        reports[id] = report
        await report.begin()
    }

    private func follow(_ event: Event) async {
        guard let workflow = event.workflow else { return }
        // A question about a call is asked here: no news later, when nobody follows the workflow any more.
        if case .awaitOpened(let record) = event.kind, record.isAboutCall { announced.insert(record.number) }
        await reports[workflow]?.show(event)
    }

    private func end(_ id: WorkflowID, _ followed: Followed) {
        reports.removeValue(forKey: id)?.end(followed)
        statuses.append(followed.status)
        if followed.outcome != .waiting, !Task.isCancelled { told.insert(id) }
        refreshPrompt()
    }

    private func take(_ event: Event) async {
        switch event.kind {
        // Without a conversation and a workflow it is the engine's, which tells of its end by itself.
        case .error(let failure): if event.session != nil || event.workflow != nil { show(failure) }
        case .end where event.session == sessionID: isLeaving = true
        case .awaitOpened(let record):
            let isFollowed = record.isAboutCall && event.workflow.map { reports[$0] != nil } ?? false
            if isFollowed { announced.insert(record.number) }
            announce(isFollowed ? [] : [record], of: (try? house.look.awaits(false)) ?? [])
        case .awaitClosed, .awaitChanged: refreshPrompt()
        case .workflowChanged(_, by: "person"):
            // Whoever has it taken up again wants to hear of its end once more.
            if let id = event.workflow { told.remove(id) }
        case .workflowFinished(let outcome, _):
            // One that nobody follows here: taken up again after a crash, or started before the turn was stopped.
            if outcome != .waiting, let id = event.workflow, reports[id] == nil, !told.contains(id) {
                screen.show(StyledText("\(id) \(outcome.rawValue) · /show \(id)", .dim))
            }
        default: break
        }
    }

    /// What waits already when the chat begins is counted in the prompt, not told.
    private func lookForNews() {
        // Asked each second: the rows are read only where something was stored, or a snooze or a lease has ended.
        let (version, now) = (try? house.look.version(), house.now())
        guard isOpen, version != seenInbox.version || seenInbox.next.map({ $0 <= now }) ?? false,
            let open = try? house.look.awaits(false)
        else { return }
        // Questions about calls of what is followed here are for its report; they are looked at again when it has ended.
        let own = open.filter { reports[$0.step.workflow] == nil || !$0.isAboutCall }
        if own.count == open.count { seenInbox = (version, open.compactMap(\.until).filter { $0 > now }.min()) }
        announce(own, of: open)
    }

    /// - Parameter open: all that waits.
    private func announce(_ records: [AwaitRecord], of open: [AwaitRecord]) {
        // What they hold up takes a look at their graphs: before anything is drawn, so that prompt and news change together.
        let news = house.entries(of: records.filter { announced.insert($0.number).inserted })
            .flatMap { InboxView.news($0, columns: screen.columns) }
        // The prompt first: where it cannot be drawn anew, it stands again below the news.
        refreshPrompt(open)
        if !news.isEmpty { screen.show(news) }
    }

    private func refreshPrompt() { refreshPrompt((try? house.look.awaits(false)) ?? []) }

    /// What was put off, and what somebody is at, does not wait for the person.
    private func refreshPrompt(_ open: [AwaitRecord]) {
        let now = house.now()
        let waiting = open.count { $0.status(at: now) == .pending }
        screen.setPrompt(waiting == 0 ? StyledText("›", .accent) : StyledText("[\(waiting)⚑]", .warning) + StyledText(" ›", .accent))
    }

    private func show(_ failure: Failure) {
        statuses.append(ExitStatus(of: failure))
        screen.show(FailureLine.lines(failure, columns: screen.columns))
    }
}
