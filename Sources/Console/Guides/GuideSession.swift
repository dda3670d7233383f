import Actions
import Terminal
import Vocabulary

/// Leads a person through the steps of a run, one after the other, until the run is over or the person leaves.
struct GuideSession: Sendable {
    private let context: CommandContext
    private let screen: any Screen
    private let run: GuideRun
    /// The yes to the camera.
    private let camera = CameraConsent()
    private let speaker: Speaker

    init(_ run: GuideRun, context: CommandContext, screen: any Screen) {
        (self.run, self.context, self.screen) = (run, context, screen)
        speaker = Speaker(context.guides.devices)
    }

    /// Asks step after step.
    ///
    /// - Returns: `.waiting` if the person leaves.
    func lead() async throws(Failure) -> ExitStatus {
        var course = run.course()
        while true {
            switch try await course.next() {
            case .held(let holder): screen.show(note(holder.words))
            case .ended(let outcome):
                if outcome == .succeeded, try course.reopenOldReview() { continue }
                return ExitStatus(of: outcome, failures: try run.failures())
            case .elsewhere: return left("It waits for something else: \(Voice.call("show \(run.workflow)"))")
            case .asked(let record):
                if try run.isReview(record) {
                    screen.show(GuideView.review(try run.record(), columns: screen.columns))
                }
                var editor = OpenEditor(context: context, screen: screen, record: record)
                editor.guidance = try guidance(at: record)
                switch await editor.outcome() {
                case .ended(.succeeded): continue
                case .ended(.waiting):
                    return left("Everything so far is kept. To go on: \(Voice.call("guide run \(run.workflow)"))")
                case .ended(let status): return status
                case .back(let name):
                    guard let entry = try run.answeredStep(name, before: record) else {
                        refuse(back: name)
                        continue
                    }
                    tell(earlier: entry)
                    try course.goBack(to: entry.record.id)
                }
            }
        }
    }

    private func guidance(at open: AwaitRecord) throws(Failure) -> Guidance {
        Guidance(
            guides: context.guides, session: Notes(run: run, record: open, screen: screen),
            speaker: run.guide.speaks ? speaker : nil, earlier: try run.earlierAnswer(to: open.step),
            draft: try run.lostDraft(of: open), camera: camera)
    }

    /// The session at the step that is asked.
    private struct Notes: GuideNotes {
        let run: GuideRun
        let record: AwaitRecord
        let screen: any Screen

        func showList() {
            if let record = try? run.record() { screen.show(GuideView.list(record, columns: screen.columns)) }
        }

        func annotate(_ words: String) {
            do throws(Failure) {
                guard try run.annotate(words, at: record) else {
                    let words = "   Say to which step, or to which picture of it: note 3 TEXT, or note 3.2 TEXT"
                    return screen.show(StyledText(words, .warning))
                }
                screen.show(StyledText("   noted", .dim))
            } catch {
                screen.show(FailureLine.lines(error, columns: screen.columns))
            }
        }
    }

    private func refuse(back name: String?) {
        let words = name.map { "\"\($0)\" is no step that is answered: list shows them." } ?? "This is the first step."
        screen.show(Layout.wrapped(StyledText(words, .warning), columns: screen.columns, indent: 3))
    }

    private func tell(earlier entry: GuideRecord.Entry) {
        guard let answer = GuideView.answer(of: entry) else { return }
        screen.show(Layout.wrapped(StyledText("Enter keeps: ", .dim) + answer, columns: screen.columns, indent: 3))
    }

    private func note(_ words: String) -> [StyledText] {
        Layout.wrapped(StyledText(words, .dim), columns: screen.columns, indent: 2)
    }

    private func left(_ words: String) -> ExitStatus {
        screen.show(note(words))
        return .waiting
    }
}
