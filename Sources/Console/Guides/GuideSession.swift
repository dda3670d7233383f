import JSON
import Terminal
import Vocabulary

/// Leads a person through the steps of a workflow that was made from a guide, one after the other, until it is over or they leave.
struct GuideSession: Sendable {
    let house: House
    let output: Output
    let workflow: WorkflowID
    let guide: Guide
    /// Waits for so many seconds, unless the task is cancelled.
    var pause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    /// The yes to the camera.
    let camera = CameraConsent()

    private var screen: any Screen { output.screen }

    /// Asks step after step.
    ///
    /// - Returns: `.waiting` if the person leaves.
    func run() async throws(Failure) -> ExitStatus {
        let places = GuidePlaces(house: house, workflow: workflow, pause: pause)
        var answered: Set<Int64> = []
        var (settling, reopened) = (StepID?.none, StepID?.none)
        while true {
            if let settling { try await places.waitUntilSettled(settling) }
            settling = nil
            switch try await places.next(after: answered, at: reopened) {
            case .ended(let outcome): return ExitStatus(of: outcome, failures: try house.look.steps(workflow).compactMap(\.failure))
            case .elsewhere: return left("It waits for something else: \(Voice.call("show \(workflow)"))")
            case .asked(let record):
                reopened = nil
                if isReview(record) { screen.show(GuideView.review(try self.record(), columns: screen.columns)) }
                switch await OpenEditor(house: house, screen: screen, record: record, guidance: guidance(at: record)).outcome() {
                case .ended(.succeeded):
                    answered.insert(record.number)
                    settling = record.step
                case .ended(.waiting): return left("Everything so far is kept. To go on: \(Voice.call("guide run \(workflow)"))")
                case .ended(let status): return status
                case .back(let name): reopened = try goBack(to: name, from: record)
                }
            }
        }
    }

    private func guidance(at open: AwaitRecord) -> Guidance {
        Guidance(
            guides: house.guides, isSession: true, speaks: guide.speaks,
            list: { if let record = try? record() { screen.show(GuideView.list(record, columns: screen.columns)) } },
            annotate: { annotate($0, at: open) }, earlier: earlier(of: open.step), draft: lostDraft(of: open), camera: camera)
    }

    /// Returns the answer that a step had before it was opened anew.
    private func earlier(of step: StepID) -> [Asset] {
        guard let record = (try? house.look.steps(workflow))?.first(where: { $0.id == step }), record.attempt > 0 else { return [] }
        return ((try? house.look.assets(workflow)) ?? []).filter { $0.run.step == step && $0.run.attempt == record.attempt }
    }

    /// Returns the work at a step that was closed because an earlier one was opened anew.
    private func lostDraft(of record: AwaitRecord) -> JSON? {
        let closed = ((try? house.look.awaits(true)) ?? []).filter { $0.step == record.step && $0.status == .done }
        guard let last = closed.max(by: { $0.number < $1.number }), last.resolution == "superseded" else { return nil }
        return last.draft
    }

    /// Keeps a text with the step that is asked; at the review with the step whose number stands before the text.
    private func annotate(_ words: String, at record: AwaitRecord) {
        var (step, text) = (record.step, words)
        if isReview(record) {
            let parts = words.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]),
                let entry = (try? self.record())?.entries.last(where: { $0.number == number && $0.state != .notAsked })
            else {
                return screen.show(StyledText("   Say to which step: note 3 TEXT", .warning))
            }
            (step, text) = (entry.record.id, String(parts[1]))
        }
        house.act.record(
            Event(
                at: house.now(), workflow: workflow, step: step.index,
                .workflowChanged(Reason(Reason.annotated, String(text.prefix(Limits.guideTextBytes))), by: "person")))
        screen.show(StyledText("   noted", .dim))
    }

    func record() throws(Failure) -> GuideRecord {
        GuideRecord(guide: guide, workflow: workflow, steps: try house.look.steps(workflow), assets: try house.look.assets(workflow))
    }

    private func isReview(_ record: AwaitRecord) -> Bool {
        (try? house.look.steps(record.step.workflow).first { $0.id == record.step }?.node) == Guide.reviewID
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
            let words = name.map { "\"\($0)\" is no step that is answered: list shows them." } ?? "This is the first step."
            screen.show(Layout.wrapped(StyledText(words, .warning), columns: screen.columns, indent: 3))
            return nil
        }
        if let answer = GuideView.answer(of: target) {
            screen.show(Layout.wrapped(StyledText("Enter keeps: ", .dim) + answer, columns: screen.columns, indent: 3))
        }
        try house.again.command(workflow, .rerun(Rerun(step: target.record.id.index)), "person", nil)
        return target.record.id
    }
}

extension OpenEditor {
    fileprivate init(house: House, screen: any Screen, record: AwaitRecord, guidance: Guidance) {
        self.init(house: house, screen: screen, record: record)
        self.guidance = guidance
    }
}
