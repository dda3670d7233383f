package import Actions
import Synchronization
package import Terminal
package import Vocabulary

extension Limits {
    /// The last lines of output that are shown while a command is rehearsed.
    package static let liveOutputLines = 6

    /// The time between two drawings of the clocks.
    fileprivate static let clockMilliseconds = 500

    /// The ended workflows that are remembered, so that a late event does not draw one again.
    fileprivate static let rememberedEnds = 256
}

/// The rows below the finished lines that are drawn in place: what runs, what waits, and a hint. Each part has one
/// writer, and any thread may call it.
///
/// A screen that draws nothing in place gets a line about what runs after 10 s, and then each minute.
package final class LiveRegion: Sendable {
    /// A part of the region, in the order from above.
    package enum Part: Hashable, Sendable, CaseIterable {
        /// The last lines of what a user follows.
        case log
        /// The progress of an undo.
        case undo
        /// The reply of a model that is waited for.
        case turn
        /// The lines of the user that wait for their turn.
        case queue
        case hint
    }

    fileprivate struct State {
        var parts: [Part: [StyledText]] = [:]
        /// The finished steps that still fit on the last line, by workflow.
        var chips: [WorkflowID: [StyledText]] = [:]
        var workflows: [WorkflowID: WorkflowProgress] = [:]
        /// The moments of the ends of workflows, whose earlier events are over.
        var ends: [WorkflowID: Moment] = [:]
        var clock: Task<Void, Never>?
        var announcements = Announcements()
    }

    private let screen: any Screen
    private let isChat: Bool
    private let state = Mutex(State())

    /// Creates an empty region.
    ///
    /// - Parameter isChat: whether the first Ctrl-C asks and only the second ends a command.
    package init(_ screen: any Screen, isChat: Bool) { (self.screen, self.isChat) = (screen, isChat) }

    /// Sets the rows of a part. An empty list removes it.
    package func set(_ part: Part, _ rows: [StyledText]) { change { $0.parts[part] = rows } }

    /// Sets the finished steps of a workflow that are not printed yet.
    package func set(chips: [StyledText], of workflow: WorkflowID) { change { $0.chips[workflow] = chips } }

    /// Takes a workflow up again that was removed, with the events from before that.
    package func join(_ workflow: WorkflowID) { change { $0.ends[workflow] = nil } }

    /// Removes a workflow, since its end is being printed.
    package func leave(_ workflow: WorkflowID, at moment: Moment) { change { $0.end(workflow, at: moment) } }

    /// Returns the first step of a workflow that runs, and whether its command runs over an overlay.
    package func current(of workflow: WorkflowID) -> (number: Int, isRehearsed: Bool)? {
        state.withLock { state in
            guard let progress = state.workflows[workflow], let number = progress.current else { return nil }
            return (number, progress.step(number)?.isRehearsed ?? false)
        }
    }

    /// Records an event of a workflow. The same event may come twice.
    package func take(_ event: Event, of records: WorkflowRecords) {
        guard let workflow = event.workflow else { return }
        switch event.kind {
        case .stepChanged(let step, let phase, let reason, let share, _):
            guard let number = event.step, isNews(event, of: workflow) else { return }
            let read = state.withLock { $0.workflows[workflow] == nil } ? records.progress(of: workflow) : nil
            change { state in
                // In place: a copy would be one of all its steps.
                state.workflows[workflow, default: read ?? WorkflowProgress(workflow, plan: [])].take(
                    number, step, phase: phase, reason: reason, share: share, at: event.at)
            }
            startClock(reading: records)
        case .workflowFinished(let outcome, _) where outcome != .waiting: leave(workflow, at: event.at)
        default: break
        }
    }

    private func isNews(_ event: Event, of workflow: WorkflowID) -> Bool {
        state.withLock { $0.ends[workflow].map { $0 < event.at } ?? true }
    }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            draw(state, said: nil)
        }
    }

    /// Draws the region. It is called with the lock held, so that an older drawing never follows a newer one.
    private func draw(_ state: borrowing State, said: [StyledText]?) {
        guard !screen.capabilities.isPlain else { return }
        let columns = screen.columns
        var rows = state.chips.sorted { $0.key < $1.key }.flatMap(\.value)
        rows += LiveLines.rows(of: Array(state.workflows.values), at: OpenWorkspace.now(), columns: columns)
        rows += said ?? []
        rows += Part.allCases.flatMap { state.parts[$0] ?? [] }
        screen.setStatus(rows)
    }

    // MARK: The clock

    /// Draws the seconds again and again as long as something runs.
    private func startClock(reading records: WorkflowRecords) {
        state.withLock { state in
            guard state.clock == nil, state.isRunning else { return }
            state.clock = Task { [weak self] in
                while let self, tick(reading: records) {
                    do { try await Task.sleep(for: .milliseconds(Limits.clockMilliseconds)) } catch { return }
                }
            }
        }
    }

    /// Draws what runs now, and announces what has run for long.
    ///
    /// - Returns: whether something runs.
    private func tick(reading records: WorkflowRecords) -> Bool {
        let rehearsed = state.withLock { $0.rehearsed }
        let said = rehearsed.flatMap { records.saidSoFar($0) }
        let columns = screen.columns
        let isDrawn = !screen.capabilities.isPlain
        let (goesOn, told) = state.withLock { state in
            draw(state, said: said.map { Self.rows(ofOutput: $0, columns: columns) })
            let told = state.announcements.due(
                Array(state.workflows.values), at: OpenWorkspace.now(), isDrawn: isDrawn, isChat: isChat)
            if !state.isRunning { state.clock = nil }
            return (state.isRunning, told)
        }
        if !told.isEmpty { tell(told, columns) }
        return goesOn
    }

    private func tell(_ told: [StyledText], _ columns: Int) {
        let rows = told.flatMap { Layout.wrapped($0, columns: columns, hanging: 4) }
        guard screen.capabilities.isTerminal else {
            // The output may be read by a program.
            return StandardError.write(Array((rows.map(\.plain).joined(separator: "\n") + "\n").utf8))
        }
        screen.show(rows)
    }

    /// Returns the last lines that a command has written.
    package static func rows(ofOutput said: String, columns: Int) -> [StyledText] {
        let lines = said.isEmpty ? [] : VisibleText.lines(said).suffix(Limits.liveOutputLines)
        return lines.map { ("    " + Gutter.mark + StyledText($0, .dim)).truncated(to: columns) }
    }
}

extension LiveRegion.State {
    fileprivate var isRunning: Bool { workflows.values.contains { $0.isRunning } }

    /// The first step of the newest workflow whose command runs over an overlay.
    fileprivate var rehearsed: StepID? {
        workflows.values.sorted { $1.id < $0.id }.lazy
            .compactMap { workflow in workflow.rehearsed.first.map { StepID(workflow.id, $0) } }.first
    }

    fileprivate mutating func end(_ workflow: WorkflowID, at moment: Moment) {
        if ends.count >= Limits.rememberedEnds { ends = [:] }
        ends[workflow] = max(moment, ends[workflow] ?? moment)
        (workflows[workflow], chips[workflow]) = (nil, nil)
        announcements.forget(workflow)
    }
}

extension WorkflowRecords {
    /// Returns the progress of a stored workflow, with the clocks of its steps that run. It is nil if it cannot be
    /// read.
    package func progress(of id: WorkflowID) -> WorkflowProgress? {
        do throws(Failure) {
            guard let template = try template(id) else { return nil }
            let catalogue = engineCatalogue()
            var progress = WorkflowProgress(id, plan: template.nodes.map { PlannedStep($0, catalogue[$0.kind]) })
            for step in try steps(id) {
                let began = step.state.isRunning ? try runs(step.id).suffix(max(1, step.tries)).first?.startedAt : nil
                if let began = began ?? (step.state.isTerminal ? step.updatedAt : nil) {
                    progress.take(step.id.index, step.state, at: began)
                }
            }
            return progress
        } catch {
            return nil
        }
    }
}
