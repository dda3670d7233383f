import Actions
import Conversations
import Notices
import Progress
import Terminal
import Vocabulary

/// The part of a chat that shows events of the engine and of other processes.
extension Chatting {
    func begin(_ id: WorkflowID, _ template: Template) async {
        let report = Report(context: context, output: output, workflow: id, template: template)
        reports[id] = report
        output.followed.insert(id)
        await report.begin()
    }

    func follow(_ event: Event) async {
        guard let workflow = event.workflow else { return }
        // A question about a call is asked here: no news later, when nobody follows the workflow any more.
        if case .awaitOpened(let record) = event.kind, Self.isAskedInTurn(record) { announced.insert(record.number) }
        await reports[workflow]?.happened(event)
    }

    /// Returns whether an entry of the inbox is asked in the turn that caused it. Such an entry is no news.
    private static func isAskedInTurn(_ record: AwaitRecord) -> Bool {
        record.isAboutCall || record.isWrittenByTemplate
    }

    /// Returns whether the turn or the verb that follows the workflow here asks an entry of the inbox.
    private func isAskedHere(_ record: AwaitRecord) -> Bool {
        let id = record.step.workflow
        return reports[id] != nil && Self.isAskedInTurn(record) || record.isAboutCall && output.followed.contains(id)
    }

    func end(_ id: WorkflowID, _ followed: Followed) {
        if followed.outcome == .waiting { unanswered.insert(id) } else { unanswered.remove(id) }
        reports.removeValue(forKey: id)?.end(followed)
        output.followed.remove(id)
        if followed.isRead, followed.outcome == .failed { notifier.hear(failureOf: id, in: sessionID) }
        statuses.append(context.settings.modelName == nil ? followed.statusWithCommands : followed.status)
        if followed.outcome != .waiting, !Task.isCancelled { told.insert(id) }
        refreshPrompt()
    }

    /// Shows the state of the reply that is waited for. `nil` leaves it as it is.
    func setStatus(_ status: [StyledText]?) {
        if let status { output.live.set(.turn, status) }
    }

    func take(_ event: Event) async {
        notifier.hear(event, in: sessionID)
        withdrawStopQuestion(after: event)
        output.live.take(event, of: context.look)
        if event.session == sessionID { setStatus(progress.hear(event.kind, at: context.now())) }
        switch event.kind {
        // Without a conversation and a workflow it is the engine's, which tells of its end by itself.
        case .error(let failure): if event.session != nil || event.workflow != nil { show(failure) }
        case .end where event.session == sessionID: phase = .leaving
        case .awaitOpened(let record):
            let isFollowed = isAskedHere(record)
            if isFollowed { announced.insert(record.number) }
            announce(isFollowed ? [] : [record], of: (try? context.look.awaits(false)) ?? [])
        case .awaitClosed, .awaitChanged:
            let open = (try? context.look.awaits(false)) ?? []
            refreshPrompt(open)
            showEnds(besides: open)
        case .workflowChanged(let reason, by: "person"):
            // Whoever has it taken up again wants to hear of its end once more.
            guard let id = event.workflow else { break }
            told.remove(id)
            if reason.code != .cancelAsked { output.followed.remove(id) }
        case .workflowFinished(let outcome, _):
            // One that nobody follows here: taken up again after a crash, or started before the turn was stopped.
            if outcome != .waiting, let id = event.workflow, reports[id] == nil, !told.contains(id),
                !output.followed.contains(id)
            {
                if unanswered.remove(id) != nil { resumeTurn() }
                do throws(Failure) {
                    screen.show(try EndNews(id, outcome, in: context).lines(columns: screen.columns))
                } catch { show(error) }
            }
        default: break
        }
    }

    /// Shows the entries of the inbox that have opened since the last look, and counts all of them in the prompt.
    func lookForNews() {
        // Asked each second: the rows are read only where something was stored, or a snooze or a lease has ended.
        let (version, now) = (try? context.look.version(), context.now())
        guard phase == .open, version != seenInbox.version || seenInbox.next.map({ $0 <= now }) ?? false,
            let open = try? context.look.awaits(false)
        else { return }
        // Questions about calls of what is followed here are for its report; they are looked at again when it has
        // ended.
        let own = open.filter { !isAskedHere($0) }
        if own.count == open.count { seenInbox = (version, open.compactMap(\.until).filter { $0 > now }.min()) }
        announce(own, of: open)
    }

    /// Resumes the turn of this conversation that waited for an answer, after the answer has come.
    private func resumeTurn() {
        guard let session else { return }
        Task {
            guard await session.goOn() else { return }
            screen.setBusy(true)
            await turnsEnded(session)
        }
    }

    /// Shows new entries of the inbox as news, after the prompt that counts them.
    ///
    /// - Parameters:
    ///   - records: the entries that may be new.
    ///   - open: all entries that are open.
    private func announce(_ records: [AwaitRecord], of open: [AwaitRecord]) {
        // What they hold up takes a look at their graphs: before anything is drawn, so that prompt and news change
        // together. A guide asks its steps itself.
        let unknown = records.filter { announced.insert($0.number).inserted && !output.led.contains($0.step.workflow) }
        let news = context.people.entries(of: unknown)
            .flatMap { InboxView.news($0, columns: screen.columns) }
        // The prompt first: where it cannot be drawn anew, it stands again below the news.
        refreshPrompt(open)
        if !news.isEmpty { screen.show(news) }
        showEnds(besides: open)
    }

    /// Shows once what became of announced entries elsewhere and by time.
    private func showEnds(besides open: [AwaitRecord]) {
        do throws(Failure) {
            let news = try entries.news(
                of: announced, open, asked: Set(reports.keys), context.people, at: context.now())
            let rows = news.map { StyledText("⚑ ", .warning) + StyledText(Voice.worded($0), .dim) }
            screen.show(rows.flatMap { Layout.wrapped($0, columns: screen.columns, hanging: 2) })
        } catch { show(error) }
    }

    func refreshPrompt() { refreshPrompt((try? context.look.awaits(false)) ?? []) }

    /// Draws the prompt with the number of entries that wait for the user. An entry that is snoozed or being answered
    /// elsewhere does not count.
    private func refreshPrompt(_ open: [AwaitRecord]) {
        let now = context.now()
        let waiting = open.count { $0.status(at: now) == .pending }
        let badge = waiting == 0 ? StyledText("") : StyledText("[\(waiting)⚑] ", .warning)
        let left = self.waiting.lines.count
        let orders = left == 0 ? StyledText("") : StyledText("\(Amounts.count(left, "order")) waiting ", .warning)
        screen.setPrompt(badge + orders + ModeView.mark(mode.value) + StyledText("›", .accent))
    }

    func show(_ failure: Failure) {
        statuses.append(ExitStatus(of: failure))
        screen.show(FailureLine.lines(failure, columns: screen.columns))
    }
}
