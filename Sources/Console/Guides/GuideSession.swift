import Actions
import JSON
import Terminal
import Vocabulary

/// Leads a person through the steps of a workflow that was made from a guide, one after the other, until it is over or
/// they leave.
struct GuideSession: Sendable {
    let context: CommandContext
    let output: Output
    let workflow: WorkflowID
    let guide: Guide
    /// Waits for so many seconds, unless the task is cancelled.
    var pause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    /// The yes to the camera.
    let camera = CameraConsent()

    private let speaker: Speaker

    init(context: CommandContext, output: Output, workflow: WorkflowID, guide: Guide) {
        (self.context, self.output, self.workflow, self.guide) = (context, output, workflow, guide)
        speaker = Speaker(context.guides)
    }

    private var screen: any Screen { output.screen }

    /// Asks step after step.
    ///
    /// - Returns: `.waiting` if the person leaves.
    func run() async throws(Failure) -> ExitStatus {
        let places = GuidePlaces(context: context, workflow: workflow, pause: pause)
        var answered: Set<Int64> = []
        var (settling, reopened) = (StepID?.none, StepID?.none)
        while true {
            if let settling { try await places.waitUntilSettled(settling) }
            settling = nil
            switch try await places.next(after: answered, at: reopened) {
            case .ended(let outcome):
                if outcome == .succeeded, let review = GuideReview(of: try context.look.steps(workflow)), review.isOld {
                    try context.again.command(workflow, .rerun(Rerun(step: review.step.id.index)), "person", nil)
                    reopened = review.step.id
                    continue
                }
                return ExitStatus(of: outcome, failures: try context.look.steps(workflow).compactMap(\.failure))
            case .elsewhere: return left("It waits for something else: \(Voice.call("show \(workflow)"))")
            case .asked(let record):
                reopened = nil
                if isReview(record) { screen.show(GuideView.review(try self.record(), columns: screen.columns)) }
                switch await OpenEditor(
                    context: context, screen: screen, record: record, guidance: guidance(at: record)
                )
                .outcome()
                {
                case .ended(.succeeded):
                    answered.insert(record.number)
                    settling = record.step
                case .ended(.waiting):
                    return left("Everything so far is kept. To go on: \(Voice.call("guide run \(workflow)"))")
                case .ended(let status): return status
                case .back(let name): reopened = try goBack(to: name, from: record)
                }
            }
        }
    }

    private func guidance(at open: AwaitRecord) -> Guidance {
        Guidance(
            guides: context.guides, isSession: true, speaker: guide.speaks ? speaker : nil,
            list: { if let record = try? record() { screen.show(GuideView.list(record, columns: screen.columns)) } },
            annotate: { annotate($0, at: open) }, earlier: earlier(of: open.step), draft: lostDraft(of: open),
            camera: camera)
    }

    /// Returns the answer that a step had before it was opened anew.
    private func earlier(of step: StepID) -> [Asset] {
        guard let record = (try? context.look.steps(workflow))?.first(where: { $0.id == step }), record.attempt > 0
        else {
            return []
        }
        return ((try? context.look.assets(workflow)) ?? []).filter {
            $0.run.step == step && $0.run.attempt == record.attempt
        }
    }

    /// Returns the work at a step that was closed because an earlier one was opened anew.
    private func lostDraft(of record: AwaitRecord) -> JSON? {
        let closed = ((try? context.look.awaits(true)) ?? []).filter { $0.step == record.step && $0.status == .done }
        guard let last = closed.max(by: { $0.number < $1.number }), last.resolution == "superseded" else { return nil }
        return last.draft
    }

    /// Keeps a text with the step that is asked; at the review with the step, or the picture of it, whose number stands
    /// before the text.
    private func annotate(_ words: String, at record: AwaitRecord) {
        var (step, part, text) = (record.step, String?.none, words)
        if isReview(record) {
            guard let place = NotePlace(words), let entry = try? place.entry(of: self.record()) else {
                return screen.show(
                    StyledText(
                        "   Say to which step, or to which picture of it: note 3 TEXT, or note 3.2 TEXT", .warning))
            }
            (step, part, text) = (entry.record.id, place.part(of: entry), place.text)
        }
        do throws(Failure) {
            try context.guides.annotate(step, part: part, text)
            screen.show(StyledText("   noted", .dim))
        } catch {
            screen.show(FailureLine.lines(error, columns: screen.columns))
        }
    }

    func record() throws(Failure) -> GuideRecord {
        try GuideRecord(guide, of: workflow, in: context)
    }

    private func isReview(_ record: AwaitRecord) -> Bool {
        (try? context.look.steps(record.step.workflow).first { $0.id == record.step }?.node) == Guide.reviewID
    }

    private func left(_ words: String) -> ExitStatus {
        screen.show(Layout.wrapped(StyledText(words, .dim), columns: screen.columns, indent: 2))
        return .waiting
    }

    /// Opens an earlier step anew, with the answer that it had. Later answers stay.
    ///
    /// - Returns: the step that is opened; `nil` if there is none.
    private func goBack(to name: String?, from record: AwaitRecord) throws(Failure) -> StepID? {
        let all = try self.record().entries
        let place = all.firstIndex { $0.record.id == record.step } ?? all.count
        let earlier = all[..<place].filter { $0.state == .answered || $0.state == .skipped }
        let target =
            if let name {
                earlier.last { $0.step.id == name || "\($0.number ?? 0)" == name }
            } else { earlier.last { $0.step.kind != .note } }
        guard let target else {
            let words =
                name.map { "\"\($0)\" is no step that is answered: list shows them." } ?? "This is the first step."
            screen.show(Layout.wrapped(StyledText(words, .warning), columns: screen.columns, indent: 3))
            return nil
        }
        if let answer = GuideView.answer(of: target) {
            screen.show(Layout.wrapped(StyledText("Enter keeps: ", .dim) + answer, columns: screen.columns, indent: 3))
        }
        try context.again.command(workflow, .rerun(Rerun(step: target.record.id.index)), "person", nil)
        return target.record.id
    }
}

extension OpenEditor {
    fileprivate init(context: CommandContext, screen: any Screen, record: AwaitRecord, guidance: Guidance) {
        self.init(context: context, screen: screen, record: record)
        self.guidance = guidance
    }
}
