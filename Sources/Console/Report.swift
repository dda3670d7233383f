import Actions
import JSON
import Progress
import Synchronization
import Terminal
import Vocabulary

/// Shows the progress of one workflow: as lines of JSON, or for people as its plan, its running and finished steps, and
/// its results.
final class Report: WorkflowListener {
    fileprivate struct State {
        var progress: WorkflowProgress
        /// The finished steps that still fit on the last line.
        var chips: [StepLine] = []
    }

    private let context: CommandContext
    private let output: Output
    private let workflow: WorkflowID
    /// The template in the order of the stored graph, without keys.
    private let template: Template
    private let isStored: Bool
    /// Whether this report prints the events. In a conversation, its session prints them once, in their order.
    private let printsEvents: Bool
    /// The number before each row of a workflow that a verb follows in a chat, where rows of a turn may come between.
    private let lead: StyledText
    private let state: Mutex<State>

    init(
        context: CommandContext, output: Output, workflow: WorkflowID, template: Template, printsEvents: Bool = true,
        isOfVerb: Bool = false, begun: WorkflowProgress? = nil
    ) {
        self.printsEvents = printsEvents
        lead = isOfVerb && output.isChat ? StyledText("  \(workflow)", .dim) : StyledText()
        self.context = context
        self.output = output
        self.workflow = workflow
        let stored = try? context.look.template(workflow)
        var numbered = context.withoutKeys(template)
        numbered.takeOrder(of: stored)
        (self.template, isStored) = (numbered, stored != nil)
        let catalogue = context.shownTools()
        let plan = numbered.nodes.map { PlannedStep($0, catalogue[$0.kind]) }
        state = Mutex(State(progress: begun ?? WorkflowProgress(workflow, plan: plan)))
    }

    func begin() async {
        if !output.isJSON, !template.isQuestion {
            let revision = (try? context.look.summary(workflow))?.record.graphRevision ?? 1
            output.screen.show(
                PlanTable.lines(
                    template, catalogue: context.shownTools(), workspace: context.workspace,
                    isStored: isStored, isShort: true,
                    call: "show \(workflow) --revision \(revision)", columns: output.columns))
        }
    }

    func happened(_ event: Event) async {
        if output.isJSON { return printsEvents ? output.line(event) : () }
        if case .error(let failure) = event.kind { return output.fail(failure, at: event.at) }
        if case .awaitOpened(let record) = event.kind {
            // The steps that ended before the question stand above it.
            show(state.withLock { $0.takeChips(columns: columns) })
            output.live.set(chips: [], of: workflow)
            guard !record.isAboutCall, !output.isChat else { return }
            return output.screen.show(
                InboxView.news(context.people.entries(of: [record])[0], columns: output.columns))
        }
        guard case .stepChanged(let step, let phase, let reason, let progress, let failure) = event.kind,
            let number = event.step, !template.isQuestion
        else {
            return
        }
        // A chat hears of all events, also of those that no report shows.
        if !output.isChat { output.live.take(event, of: context.look) }
        let line = StepLine(
            title: title(of: number), state: step, phase: phase, progress: progress,
            reason: reason ?? why(step, failure), failure: failure)
        // A command may have waited for another one before it ran.
        let seconds = step.isTerminal ? commandSeconds(of: number) : nil
        let (finished, chips) = state.withLock { $0.take(number, line, at: event.at, took: seconds, columns) }
        show(finished)
        output.live.set(chips: chips.map { lead + $0 }, of: workflow)
    }

    private var columns: Int { max(20, output.columns - lead.width) }

    private func show(_ rows: [StyledText]) { output.screen.show(lead.isEmpty ? rows : rows.map { lead + $0 }) }

    /// Returns the reason of a cancelled step with its remedy. A cancelled step has not failed, but the person must
    /// learn why it ended and what to do. Returns nil for other states.
    private func why(_ state: StepState, _ failure: Failure?) -> Reason? {
        guard state == .cancelled, let failure else { return nil }
        return Reason(
            failure.code,
            [failure.message, Voice.worded(failure.remedy ?? "")].filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Reports the stopped process that holds the workflow. The follower waits for it.
    func standsStill(_ holder: WorkflowHolder) async { output.tell(notice: holder.words) }

    /// Shows the end of a workflow that another process runs, whose events were not seen.
    private func showReadEnd(_ followed: Followed) {
        guard followed.outcome != .waiting else { return }
        if output.isJSON {
            let kind = Event.Kind.workflowFinished(followed.outcome, outputs: followed.outputs)
            return output.line(Event(at: context.now(), workflow: workflow, kind))
        }
        for failure in followed.failures { output.fail(failure, at: context.now()) }
        if followed.outcome == .succeeded, let end = end(.succeeded) { output.screen.show(news(end)) }
    }

    private func news(_ end: WorkflowEnd) -> [StyledText] {
        EndNews(end: end, workspace: context.workspace).lines(columns: output.columns)
    }

    /// Whether a question was answered, which the person knows already.
    private func isAnswered(_ followed: Followed) -> Bool { template.isQuestion && followed.outcome == .succeeded }

    func end(_ followed: Followed) {
        if followed.isRead { showReadEnd(followed) }
        guard !output.isJSON, !isAnswered(followed) else { return }
        output.live.leave(workflow, at: context.now())
        show(state.withLock { $0.flush(columns: columns) })
        let end = end(followed.outcome)
        if let end { show(BatchView.lines(end, columns: columns)) }
        let assets = (try? context.look.assets(workflow)) ?? []
        let newest = Dictionary(
            assets.map { ("\($0.run.step.index) \($0.port)", $0) }, uniquingKeysWith: { _, newer in newer })
        let printed = printed(assets, besides: followed.outputs)
        var results = ResultLine.withWordsForData(followed.outputs.map(\.shown))
        let written = results.filter { $0.path != nil && !$0.isOfCommand }
        if written.count > BatchView.resultsLimit {
            results.removeAll { $0.path != nil && !$0.isOfCommand }
            show(BatchView.results(written, of: workflow, workspace: context.workspace, columns: columns))
        }
        for result in (results + printed).sorted(by: { $0.step < $1.step }) {
            let isText = result.type == .text || result.type == .json
            let asset = newest["\(result.step) \(result.port)"]
            show(
                ResultLine.lines(
                    result, workflow: workflow, workspace: context.workspace, name: asset?.name, label: asset?.label,
                    preview: isText ? context.look.text(result.hash) : nil, columns: columns))
        }
        let subjects = pictures(of: followed.outputs.map(\.shown), newest)
        let thumbnails = Thumbnails(viewing: context.viewing, screen: output.screen)
        if !subjects.isEmpty { output.pictures.add { await thumbnails.show(subjects) } }
        // A workflow that is no longer followed has not ended. Only an open question needs the person.
        if followed.outcome == .waiting, let end, end.isForPerson {
            output.screen.show(
                StyledText("⚑ ", .warning)
                    + StyledText("\(workflow) waits for you: \(EndNews.call(end.offer))", .dim))
        }
        if followed.outcome == .cancelled, let end { output.screen.show(news(end)) }
    }

    /// Returns the end of the workflow, or nil if it cannot be read.
    private func end(_ outcome: Outcome) -> WorkflowEnd? {
        do throws(Failure) { return try WorkflowEnd(workflow, outcome, context.look) } catch { return nil }
    }

    /// Returns the results that are pictures. A picture that was made and saved is returned once.
    private func pictures(of results: [Event.Output], _ newest: [String: Asset]) -> [Thumbnails.Subject] {
        var seen: Set<ContentHash> = []
        return results.filter { $0.type == .image || $0.type == .mask || $0.meta["width"]?.int != nil }.compactMap {
            result in
            guard seen.insert(result.hash).inserted else { return nil }
            let asset = newest["\(result.step) \(result.port)"]
            let name = asset?.name ?? result.port
            return Thumbnails.Subject(
                caption: StyledText("▣ ", .success)
                    + StyledText("\(name)  \(asset?.label ?? "\(workflow).\(result.step)")", .dim),
                hash: result.hash)
        }
    }

    /// Returns the printed output that is not a result of the workflow, because the command failed or another step uses
    /// the output. Leaves out the standard output of a command that ended with 0.
    private func printed(_ assets: [Asset], besides results: [Event.Output]) -> [Event.Output] {
        let known = Set(results.map { "\($0.step) \($0.port)" })
        return CommandOutputs(of: assets).assets.filter { asset in
            let isNews = asset.exitCode != 0 || asset.port == "errors" || asset.changed != nil
            return isNews && !asset.isEmptyErrors && !known.contains("\(asset.run.step.index) \(asset.port)")
        }.map { asset in
            Event.Output(
                step: asset.run.step.index, port: asset.port, type: asset.type, path: nil, hash: asset.hash,
                bytes: asset.bytes,
                meta: asset.meta)
        }
    }

    private func kind(of number: Int) -> String? {
        template.nodes.indices.contains(number - 1) ? template.nodes[number - 1].kind : nil
    }

    /// Returns the seconds for which the command of a step ran in its last attempt, or nil for other steps.
    private func commandSeconds(of number: Int) -> Double? {
        guard let kind = kind(of: number), context.shownTools()[kind]?.effects.contains(.executes) ?? true else {
            return nil
        }
        let made = (try? context.look.assets(StepID(workflow, number))) ?? []
        return made.last(where: \.isOfCommand)?.commandSeconds
    }

    private func title(of number: Int) -> String { state.withLock { $0.progress.title(of: number) } }
}

extension Report.State {
    /// Records the new state of a step.
    ///
    /// - Parameter seconds: the seconds for which the step's command ran, or nil for other steps.
    /// - Returns: the lines that are finished, and those that may still grow.
    fileprivate mutating func take(
        _ number: Int, _ line: StepLine, at moment: Moment, took seconds: Double?, _ columns: Int
    ) -> (finished: [StyledText], chips: [StyledText]) {
        var line = line
        let counted = progress.take(
            number, line.state, phase: line.phase, reason: line.reason, share: line.progress, at: moment)
        line.seconds = seconds ?? counted
        var finished: [StyledText] = []
        if isShown(number, line) {
            chips.append(line)
            let lines = StepLine.joined(chips, columns: columns)
            if !line.isChip {
                (finished, chips) = (lines, [])
            } else if lines.count > 1 {
                (finished, chips) = (Array(lines.dropLast()), [line])
            }
        }
        return (finished, StepLine.joined(chips, columns: columns))
    }

    /// Returns whether a step has a line of its own. Many steps of one kind are one line at the end, and a loader or
    /// saver of such a plan is named there, too.
    private func isShown(_ number: Int, _ line: StepLine) -> Bool {
        guard line.state.isTerminal || line.reason?.code == .backoff else { return false }
        if progress.countedGroup(of: number) != nil { return false }
        let isFolded = progress.plan.indices.contains(number - 1) && progress.plan[number - 1].isFolded
        if isFolded, line.isChip { return false }
        return !(progress.hasCountedGroups && line.state == .failed && isFolded)
    }

    /// Removes the finished steps from the line that may still grow, and returns their rows.
    fileprivate mutating func takeChips(columns: Int) -> [StyledText] {
        defer { chips = [] }
        return StepLine.joined(chips, columns: columns)
    }

    fileprivate mutating func flush(columns: Int) -> [StyledText] {
        takeChips(columns: columns)
            + progress.countedGroups.map { $0.finished.truncated(to: columns) }
    }
}

extension WorkflowProgress.Group {
    /// The line when all has ended, such as `✓ Resize 60 · 6 s`. Without the sign if steps of it were not done.
    fileprivate var finished: StyledText {
        let head = isWhole ? StyledText("  ✓ ", .success) : StyledText("  ⚑ ", .warning)
        return head + StyledText("\(title) \(isWhole ? "" : "\(done.count) of ")\(total)")
            + StyledText(" · \(Amounts.duration(lastSeconds))", .dim)
    }
}

extension Event.Output {
    /// The output as people see it: with the path of a written file, and never a path in the asset store.
    fileprivate var shown: Event.Output {
        var shown = self
        shown.path = meta["path"]?.string
        return shown
    }
}
