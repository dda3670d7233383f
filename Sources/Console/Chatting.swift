package import Actions
import ArgumentParser
import Conversations
import Glibc
import Notices
import Progress
package import Terminal
package import Vocabulary

/// The chat, which waits for the user, the conversation and the engine at once, and shows what each of them does.
package actor Chatting {
    enum Input: Sendable {
        case screen(ScreenInput)
        /// An order of a paste.
        case order(String)
        case event(Event)
        case hint(Turn.Hint)
        /// Ends the stream once all earlier inputs have been handled.
        case settle(AsyncStream<Never>.Continuation)
        /// The engine has ended, since its store failed.
        case engineEnded(Failure)
        /// A second has passed. The chat looks for changes of the inbox by other processes, and tries to start an
        /// engine that ended.
        case tick
    }

    /// The stages of a chat.
    enum Phase {
        /// The database has not been opened yet. Each start of the engine tries it again.
        case opening
        case open
        /// The chat ends after the current input. It stays in this phase, even if the database is opened meanwhile.
        case leaving
    }

    /// The stages of the suggestions for a new user.
    enum Suggestions {
        case due
        /// The suggestions are being made, or were shown.
        case begun
        /// A line was entered. A user who knows what to type needs none.
        case unneeded
    }

    private static let tickSeconds = 1.0

    var context: CommandContext
    let screen: any Screen
    let output: Output
    /// Whether the lines come from a pipe or a file. Each line is then finished before the next is read, and all before
    /// the end.
    private let isPiped = isatty(STDIN_FILENO) == 0
    /// The confirmation mode that holds now. A turn that is under way follows a change from its next plan on.
    let mode: Kept<ConfirmationMode>
    private let inputs: AsyncStream<Input>
    let feed: AsyncStream<Input>.Continuation
    var conversation = Conversation.unsought
    var reports: [WorkflowID: Report] = [:]
    var stopping = Stopping()
    /// The workflows whose end was shown with their turn.
    var told: Set<WorkflowID> = []
    /// The workflows of turns here that rested because the user has not answered yet.
    var unanswered: Set<WorkflowID> = []
    /// The task of the verb that was called last.
    var verb: Task<Void, Never>?
    /// The task that shows the end of the newest turn.
    var turn: Task<Void, Never>?
    /// The exit statuses of all lines, for the exit code of a chat that runs as a script.
    var statuses: [ExitStatus] = []
    var phase = Phase.opening
    var suggestions = Suggestions.due
    /// The conversation that the chat begins with.
    let left: LeftSession?
    /// The version of the data when the inbox was last read, and the moment when the inbox changes by time alone.
    var seenInbox: (version: Int?, next: Moment?) = (nil, nil)
    /// The numbers of the inbox entries that the user has seen.
    var announced: Set<Int64> = []
    /// The entries that were announced, with their ends elsewhere.
    var entries = AnnouncedEntries()
    private var reviving = Reviving()
    var progress = ModelProgress()
    /// The orders of a paste that wait to be run.
    var waiting = WaitingOrders()
    /// The last words of a model or the planner.
    let said = Kept("")
    /// The lines of the user that are shown once their turns begin.
    let held = HeldLines()
    let notifier: Notifier
    /// The line that the planner offers in the place of the refused one, or nil.
    let way = Kept<String?>(nil)
    /// The tokens that the models of the turn have reported. They are stored here before the chat handles the events.
    let taken = Kept<Reply.Usage?>(nil)

    /// Creates a chat.
    ///
    /// - Parameter left: the conversation that the chat continues. `nil` means a new one, or one that a crash cut.
    package init(context: CommandContext, screen: any Screen, mode: ConfirmationMode, left: LeftSession? = nil) {
        let kept = Kept(mode)
        self.context = context
        self.screen = screen
        self.mode = kept
        self.left = left
        output = Output(isJSON: false, screen: screen, isChat: true)
        notifier = context.notifier()
        (inputs, feed) = AsyncStream.makeStream(of: Input.self)
    }

    /// Runs the chat until the user leaves, and returns its exit status.
    package func run() async -> ExitStatus {
        let events = context.events()
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
                model: context.settings.modelName, mode: mode.value,
                workspace: context.workspace))
        context.chat = ChatLink(chat: self, kept: mode, way: way)
        if let left { take(up: left) }
        screen.invite()
        // A script may be over before anything else is said.
        if isPiped { await sayWhatHolds() }
        // After the prompt is there: the database, manifests, and whatever a crash left under way.
        Task { await start() }
        for await input in inputs {
            await take(input)
            if phase == .leaving { break }
        }
        for source in sources { source.cancel() }
        await context.act.stopEngine()
        notifier.leave()
        await screen.close()
        return isPiped ? .gravest(statuses) : .succeeded
    }

    static func settled(_ feed: AsyncStream<Input>.Continuation) async {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        feed.yield(.settle(end))
        for await _ in ends {}
    }

    private func settle(_ end: AsyncStream<Never>.Continuation) {
        Task { [session, verb, turn] in
            _ = await session?.finished()
            await turn?.value
            await verb?.value
            end.finish()
        }
    }

    /// Ends the chat at Ctrl-D, or at the end of piped input after the events of all lines are shown.
    private func end() async {
        guard isPiped, let sessionID else { return await leave() }
        // Through the same line as all events, so that those before it are shown before it.
        context.act.record(Event(at: context.now(), session: sessionID, .end(exit: 0)))
    }

    func show(_ lines: [String], below words: String) {
        screen.show([StyledText(words, .dim)] + lines.map { StyledText("  › ", .dim) + StyledText($0) })
    }

    private func start() async {
        do throws(Failure) {
            // This includes a chat that is left before it was open.
            let opens = phase != .open
            if opens { tellOfCutUndos() }
            // Before the engine changes it.
            let standing = try opens && !isPiped ? standing() : []
            try context.act.startEngine({}, { [feed] in feed.yield(.engineEnded($0)) })
            if opens { announced = Set(try context.look.awaits(false).map(\.number)) }
            if phase == .opening { phase = .open }
            refreshPrompt()
            if !standing.isEmpty { screen.show(standing) }
            await sayWhatHolds()
            try await suggest()
            if let session = try begunSession() { await turnsEnded(session) }
        } catch {
            engineEnded(error)
        }
    }

    /// Shows things to try, as long as there is no workflow. A script needs none.
    private func suggest() async throws(Failure) {
        guard !isPiped, suggestions == .due,
            try context.again.list(WorkflowQuery(includesArchived: true, limit: 1)).count == 0
        else { return }
        suggestions = .begun
        let sentences = StartSuggestions.sentences(for: await context.folders.listing(), context.catalogue)
        guard sessionID == nil, suggestions == .begun else { return }
        screen.show(StartSuggestions.lines(sentences, columns: screen.columns))
    }

    /// Shows each undo that was cut, before the engine takes it over and continues it.
    private func tellOfCutUndos() {
        for cut in (try? context.undoing.cuts()) ?? [] {
            guard let summary = (try? context.look.summary(cut.workflow)) ?? nil,
                (try? context.standing([summary]))?.isEmpty == false
            else {
                continue
            }
            screen.show(UndoView.cut(cut, workspace: context.workspace, columns: screen.columns))
        }
    }

    /// Shows once which protections are weaker than usual on this machine.
    private func sayWhatHolds() async {
        if let notice = await context.notice() { screen.show(StyledText(notice, .dim)) }
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
            notifier.tick(in: sessionID)
            setStatus(progress.status(context.settings.modelName, at: context.now()))
        case .engineEnded(let failure): engineEnded(failure)
        case .screen(.held(let line)): await take(line: line, isHeld: true)
        case .screen(.line(let line)):
            await take(line: line)
            if goesOnWithOrders(line), waiting.resume() { carryOutOrders(afterLine: true) }
        case .screen(.paste(let text)):
            guard let orders = PastedOrders.orders(in: text) else { return await take(line: text) }
            begin(orders)
        case .order(let line): await take(order: line)
        case .screen(.refused(let fault)):
            show(Self.failure(fault))
            screen.invite()
        case .screen(.interrupt): await interrupt()
        case .screen(.end): await end()
        case .screen(.takeBack): await takeBack()
        case .screen(.escape): _ = leaveView()
        case .screen(.resize): break
        case .event(let event): await take(event)
        case .hint(.queued(let lines)):
            output.live.set(.queue, ChatLine.waiting(lines, columns: screen.columns))
            screen.setHasQueue(!lines.isEmpty)
        case .hint(.notice(let words)): screen.show(StyledText(words, .dim))
        case .hint(.callStarted(let name)): setStatus([StyledText("  · \(name) …", .dim)])
        case .hint(let hint): setStatus(progress.hear(hint, at: context.now()))
        case .settle(let end): settle(end)
        }
    }
}
