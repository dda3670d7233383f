import Actions
import Conversations
import Terminal
import Vocabulary

/// The part of a chat that decides which conversation its lines go to.
extension Chatting {
    enum Conversation {
        /// The chat has none yet. The first line looks for a conversation that was cut when a chat was killed here.
        case unsought
        /// The next line begins another conversation.
        case none
        /// Lines go to this session. `hasWaitingLines`: whether lines wait to be run that were left over when the
        /// conversation was opened.
        case open(Session, SessionID, hasWaitingLines: Bool)
    }

    var session: Session? { if case .open(let session, _, _) = conversation { session } else { nil } }

    var sessionID: SessionID? { if case .open(_, let id, _) = conversation { id } else { nil } }

    /// Returns the session whose stored lines wait to be run, or `nil`. It is the conversation that the chat began
    /// with, or once, a conversation that was cut when a chat was killed in this folder.
    func begunSession() throws(Failure) -> Session? {
        if session == nil { _ = try takeUpSession() }
        return leaveLinesToTurn() ? session : nil
    }

    /// Records that the lines which a crash left over are run now.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    private func leaveLinesToTurn() -> Bool {
        guard case .open(let session, let id, hasWaitingLines: true) = conversation else { return false }
        conversation = .open(session, id, hasWaitingLines: false)
        return true
    }

    private func takeUpSession() throws(Failure) -> Session? {
        guard case .unsought = conversation else { return nil }
        conversation = .none
        guard let left = try context.sessions.openCut() else { return nil }
        return open(left)
    }

    func openSession(title: String) throws(Failure) -> Session {
        if let session { return session }
        if let session = try takeUpSession() {
            // Whoever says this line waits for those before it, too.
            leaveLinesToTurn()
            return session
        }
        return make(LeftSession(beginning: try context.sessions.begin(title).id))
    }

    /// Shows which lines of an opened conversation are run by themselves, and returns its session.
    private func open(_ left: LeftSession) -> Session {
        if left.goesOn { screen.setBusy(true) }
        if !left.lines.isEmpty {
            show(left.lines, below: "Assent was ended while this waited. It goes on now; Ctrl-C stops a turn:")
            // Each stands once more above its answer.
            for line in left.lines { held.add(line) }
        } else if left.waits {
            screen.show(StyledText("The last turn waited for your answer. It goes on now; Ctrl-C stops it.", .dim))
        }
        return make(left)
    }

    /// Continues in a conversation that has been opened, and shows its end.
    func take(up left: LeftSession) {
        do throws(Failure) {
            let (record, messages) = (try context.sessions.find(left.id), try context.look.messages(left.id))
            let last = messages.filter { $0.turn == messages.last?.turn }
            let transcript = HistoryTranscript(
                catalogue: context.shownTools(), workspace: context.workspace, columns: screen.columns)
            screen.show(
                Layout.wrapped(
                    StyledText(left.id.description, .bold)
                        + StyledText(" goes on · \(Amounts.count(messages.count, "message")) · ", .dim)
                        + StyledText(record.title, .dim), columns: screen.columns)
                    + transcript.tail(try ConversationStory(left.id, context.look).parts(last)))
        } catch { show(error) }
        _ = open(left)
    }

    /// Returns the lines about the workflows of this folder for a person who enters.
    func standing() throws(Failure) -> [StyledText] {
        try LeftWork(context.look).entering(left?.id).flatMap { line in
            let text =
                switch line {
                case .ended(let end): EndNews(end: end, workspace: context.workspace).line
                case .sentence(let words): StyledText(Voice.worded(words), .dim)
                }
            return Layout.wrapped(text, columns: screen.columns, hanging: 2)
        }
    }

    /// Leaves the chat, and shows the lines that were still waiting, since they are not run. Only a crash leaves lines
    /// to be run later.
    func leave() async {
        phase = .leaving
        let lines = (await session?.takeQueue() ?? []) + waiting.takeLines()
        if await session?.cutReply() == true {
            screen.endStream()
            screen.show(StyledText("… cut off, since you left", .warning))
        }
        if !lines.isEmpty { show(lines, below: "Not run, since you left:") }
        if let sessionID { context.sessions.leave(sessionID) }
        do throws(Failure) {
            let words = try LeftWork(context.look).sentences().map { StyledText($0, .dim) }
            screen.show(words.flatMap { Layout.wrapped($0, columns: screen.columns, hanging: 2) })
        } catch { show(error) }
    }

    /// Continues another conversation, for `/resume s3`.
    ///
    /// - Throws: `turnUnderWay`, or the failure to open the conversation.
    func goOn(in id: SessionID) async throws(Failure) {
        guard id != sessionID else {
            return screen.show(StyledText("\(id) is this conversation already.", .dim))
        }
        try await requireRest()
        let left = try context.sessions.open(id)
        leaveSession()
        take(up: left)
        if let session = try begunSession() { Task { await turnsEnded(session) } }
    }

    /// Leaves the conversation, for `/new`. The next line begins another conversation.
    func beginAnew() async {
        do throws(Failure) {
            try await requireRest()
            leaveSession()
            context.models.leave()
            screen.show(StyledText("What you say next begins another conversation.", .dim))
        } catch {
            show(error)
        }
        screen.invite()
    }

    private func requireRest() async throws(Failure) {
        guard let session, await session.isBusy else { return }
        throw Failure(.turnUnderWay, "A turn is under way here.")
    }

    private func leaveSession() {
        // If it cannot be written now, it is free when this chat has ended.
        if let sessionID {
            context.sessions.leave(sessionID)
            try? context.sessions.close(sessionID)
        }
        conversation = .none
    }

    private func make(_ left: LeftSession) -> Session {
        let made = context.sessions.converse(
            in: left, keepsLines: true,
            with: ChatSurroundings(
                chat: self, screen: screen, kept: mode, feed: feed, said: said, held: held, way: way,
                taken: taken,
                hosts: HostAsker(context: context, screen: screen),
                questioner: Asker(context: context, screen: screen)))
        conversation = .open(made, left.id, hasWaitingLines: left.goesOn)
        return made
    }
}

extension LeftSession {
    /// Whether the conversation has a turn or lines that continue by themselves.
    fileprivate var goesOn: Bool { !lines.isEmpty || waits }
}
