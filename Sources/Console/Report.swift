import Actions
import JSON
import Synchronization
import Terminal
import Vocabulary

extension Limits {
    /// The last lines of output that are shown while a command is rehearsed.
    fileprivate static let liveOutputLines = 6

    /// The seconds after which a terminal that redraws nothing shows that a command runs.
    fileprivate static let announcedRehearsalSeconds = 1.0

    /// The seconds after which a notice says, once, that a command still runs and has written nothing.
    fileprivate static let longRehearsalSeconds = 60.0
}

/// Shows the progress of one workflow: as lines of JSON, or for people as its plan, its running and finished steps, and
/// its results.
final class Report: WorkflowListener {
    fileprivate struct State {
        var startedAt: [Int: Moment] = [:]
        var running: [Int: StepLine] = [:]
        /// The finished steps that still fit on the last line.
        var chips: [StepLine] = []
        /// The tasks that show the output of the steps that are being rehearsed, by step number.
        var rehearsed: [Int: Task<Void, Never>] = [:]
        /// The rows that are drawn in place, for the steps that run.
        var live: [StyledText] = []
        /// The steps that are counted, by their kind.
        var batches: [String: BatchLine] = [:]
    }

    private let context: CommandContext
    private let output: Output
    private let workflow: WorkflowID
    /// The template in the order of the stored graph, without keys.
    private let template: Template
    private let isStored: Bool
    /// Whether this report prints the events. In a conversation, its session prints them once, in their order.
    private let printsEvents: Bool
    private let state = Mutex(State())

    init(context: CommandContext, output: Output, workflow: WorkflowID, template: Template, printsEvents: Bool = true) {
        self.printsEvents = printsEvents
        self.context = context
        self.output = output
        self.workflow = workflow
        let stored = try? context.look.template(workflow)
        var numbered = context.withoutKeys(template)
        numbered.takeOrder(of: stored)
        (self.template, isStored) = (numbered, stored != nil)
        let kinds = numbered.nodes.indices.filter { !isFolded($0 + 1) }.map { numbered.nodes[$0].kind }
        let catalogue = context.shownTools()
        state.withLock { $0.batches = BatchLine.all(in: kinds) { catalogue[$0]?.title ?? $0 } }
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
        if case .awaitOpened(let record) = event.kind, !record.isAboutCall {
            return output.isChat
                ? ()
                : output.screen.show(InboxView.news(context.people.entries(of: [record])[0], columns: output.columns))
        }
        guard case .stepChanged(let step, let phase, let reason, let progress, let failure) = event.kind,
            let number = event.step, !template.isQuestion
        else {
            return
        }
        state.withLock { $0.rehearsed.removeValue(forKey: number) }?.cancel()
        if step == .ready, reason?.code == .rehearsal { watch(number) }
        let (finished, status) = state.withLock { state in
            if let counted = state.count(kind(of: number), number, step, at: event.at, in: workflow, output.columns) {
                return ([StyledText](), counted)
            }
            return state.take(
                number, at: event.at,
                StepLine(
                    title: title(of: number), state: step, phase: phase, progress: progress,
                    reason: reason ?? why(step, failure),
                    failure: failure),
                took: step.isTerminal ? commandSeconds(of: number) : nil,
                isFolded: isFolded(number), columns: output.columns)
        }
        if !finished.isEmpty { output.screen.show(finished) }
        output.screen.setStatus(status)
    }

    /// Returns the reason of a cancelled step with its remedy. A cancelled step has not failed, but the person must
    /// learn why it ended and what to do. Returns nil for other states.
    private func why(_ state: StepState, _ failure: Failure?) -> Reason? {
        guard state == .cancelled, let failure else { return nil }
        return Reason(
            failure.code,
            [failure.message, Voice.worded(failure.remedy ?? "")].filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Shows the output of a command while it is rehearsed. After a while, it shows once that no file is written yet.
    private func watch(_ number: Int) {
        // What is drawn in place is not seen on a terminal without escape sequences.
        let isPlain = output.screen.capabilities.isPlain && output.screen.canAsk
        let task = Task { [weak self] in
            var (isTold, isAnnounced) = (false, false)
            let start = ContinuousClock.now
            while (try? await Task.sleep(for: .milliseconds(500))) != nil, !Task.isCancelled, let self {
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                if isPlain, !isAnnounced, seconds >= Limits.announcedRehearsalSeconds {
                    isAnnounced = true
                    output.screen.show(RehearsalRows.head(title(of: number), seconds))
                }
                if seconds >= Limits.longRehearsalSeconds, !isTold {
                    isTold = true
                    let words =
                        "has been running for \(Amounts.duration(seconds)). Nothing of it is written yet. "
                        + "Ctrl-C\(output.isChat ? " twice" : "") ends it now, "
                        + "and after \(Amounts.duration(Limits.commandSeconds)) it is ended anyway."
                    output.screen.show(
                        Layout.wrapped(
                            StyledText("\(title(of: number)) \(words)", .dim), columns: output.columns))
                }
                output.screen.setStatus(state.withLock { $0.live } + rehearsal(number, seconds))
            }
        }
        state.withLock { $0.rehearsed[number] = task }
    }

    private func rehearsal(_ number: Int, _ seconds: Double) -> [StyledText] {
        RehearsalRows.lines(
            title(of: number), seconds, said: context.look.saidSoFar(StepID(workflow, number)) ?? "",
            columns: output.columns)
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
        for watch in state.withLock({ $0.takeWatches() }) { watch.cancel() }
        if followed.isRead { showReadEnd(followed) }
        guard !output.isJSON, !isAnswered(followed) else { return }
        output.screen.setStatus([])
        output.screen.show(state.withLock { $0.flush(columns: output.columns) })
        let end = end(followed.outcome)
        if let end { output.screen.show(BatchView.lines(end, columns: output.columns)) }
        let assets = (try? context.look.assets(workflow)) ?? []
        let newest = Dictionary(
            assets.map { ("\($0.run.step.index) \($0.port)", $0) }, uniquingKeysWith: { _, newer in newer })
        let printed = printed(assets, besides: followed.outputs)
        var results = ResultLine.withWordsForData(followed.outputs.map(\.shown))
        let written = results.filter { $0.path != nil && !$0.isOfCommand }
        if written.count > BatchView.resultsLimit {
            results.removeAll { $0.path != nil && !$0.isOfCommand }
            output.screen.show(
                BatchView.results(written, of: workflow, workspace: context.workspace, columns: output.columns))
        }
        for result in (results + printed).sorted(by: { $0.step < $1.step }) {
            let isText = result.type == .text || result.type == .json
            let asset = newest["\(result.step) \(result.port)"]
            output.screen.show(
                ResultLine.lines(
                    result, workflow: workflow, workspace: context.workspace, name: asset?.name, label: asset?.label,
                    preview: isText ? context.look.text(result.hash) : nil, columns: output.columns))
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
        let made = (try? context.look.assets(workflow)) ?? []
        return made.last { $0.run.step.index == number && $0.isOfCommand }?.commandSeconds
    }

    private func title(of number: Int) -> String {
        guard template.nodes.indices.contains(number - 1) else { return "step \(number)" }
        let node = template.nodes[number - 1]
        return context.shownTools()[node.kind]?.title ?? node.kind
    }

    /// Returns whether a step is a loader or a saver. Their success is not reported, since the plan and the result show
    /// it.
    private func isFolded(_ number: Int) -> Bool {
        guard template.nodes.indices.contains(number - 1) else { return false }
        return context.shownTools()[template.nodes[number - 1].kind].map { $0.isLoader || $0.isSaver } ?? false
    }
}

/// The rows of a command that is rehearsed: `▸ Shell rehearsed 12 s`, and the last lines of its output.
enum RehearsalRows {
    static func lines(_ title: String, _ seconds: Double, said: String, columns: Int) -> [StyledText] {
        let said = said.isEmpty ? [] : VisibleText.lines(said).suffix(Limits.liveOutputLines)
        return [head(title, seconds)]
            + said.map { ("    " + Gutter.mark + StyledText($0, .dim)).truncated(to: columns) }
    }

    static func head(_ title: String, _ seconds: Double) -> StyledText {
        StyledText("  ▸ ", .running) + StyledText("\(title) rehearsed ")
            + StyledText(Amounts.duration(seconds), .dim)
    }
}

extension Report.State {
    /// Counts the step if its tool has many steps, or if it is a loader or a saver of such a plan that failed: the end
    /// names the file.
    ///
    /// - Returns: the status that is drawn, or nil if the step is shown by itself.
    fileprivate mutating func count(
        _ kind: String?, _ number: Int, _ step: StepState, at moment: Moment, in workflow: WorkflowID, _ columns: Int
    ) -> [StyledText]? {
        guard let kind, !batches.isEmpty else { return nil }
        if batches[kind] == nil {
            guard step == .failed else { return nil }
        } else {
            batches[kind]?.take(number, step, at: moment)
        }
        let lines = batches.sorted { $0.key < $1.key }.map(\.value).filter(\.isRunning)
        live =
            StepLine.joined(chips, columns: columns)
            + lines.map { $0.live(workflow, now: moment).truncated(to: columns) }
        return live
    }

    /// Records the new line of a step.
    ///
    /// - Parameter seconds: the seconds for which the step's command ran, or nil for other steps.
    /// - Returns: the lines that are finished, and the status that is drawn in place below them.
    fileprivate mutating func take(
        _ number: Int, at moment: Moment, _ line: StepLine, took seconds: Double?, isFolded: Bool, columns: Int
    ) -> (finished: [StyledText], status: [StyledText]) {
        var line = line
        var finished: [StyledText] = []
        if line.state.isRunning {
            if startedAt[number] == nil { startedAt[number] = moment }
            // While the provider cannot be reached, its last progress is shown.
            if line.progress == nil, line.state == running[number]?.state { line.progress = running[number]?.progress }
            running[number] = line
        } else {
            running[number] = nil
            let begun = startedAt.removeValue(forKey: number)
            // What was rehearsed has run before its step began: both are the time of the step.
            let carriedOut = begun.map { moment.seconds(since: $0) }
            let hasRunBefore = (seconds ?? 0) > (carriedOut ?? 0)
            line.seconds = hasRunBefore ? (seconds ?? 0) + (carriedOut ?? 0) : seconds ?? carriedOut
            let isNews = line.state.isTerminal || (line.reason?.code == .backoff)
            if isNews, !(isFolded && line.isChip) {
                chips.append(line)
                let lines = StepLine.joined(chips, columns: columns)
                if lines.count > 1 {
                    finished = Array(lines.dropLast())
                    chips = [line]
                    if !line.isChip {
                        finished = lines
                        chips = []
                    }
                }
            }
        }
        live =
            StepLine.joined(chips, columns: columns)
            + running.sorted { $0.key < $1.key }.flatMap { $0.value.lines(columns: columns) }
        return (finished, live)
    }

    fileprivate mutating func takeWatches() -> [Task<Void, Never>] {
        defer { rehearsed = [:] }
        return Array(rehearsed.values)
    }

    fileprivate mutating func flush(columns: Int) -> [StyledText] {
        defer { chips = [] }
        return StepLine.joined(chips, columns: columns)
            + batches.sorted { $0.key < $1.key }.map(\.value).filter(\.hasBegun).map {
                $0.finished.truncated(to: columns)
            }
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
