import Actions
import Conversations
import Synchronization
import Terminal
import Vocabulary

/// The front end of the turn of `assent ask`. The events of the session are shown by `OneTurn`, and those of its
/// workflows by a report for each.
final class OneTurnSurroundings: ConversationSurroundings {
    private let context: CommandContext
    private let output: Output
    let mode: ConfirmationMode
    let onAsk: OnAsk
    let questioner: (any Questioner)?
    private let hosts: HostAsker
    private let reports = Mutex<[WorkflowID: Report]>([:])
    private let ended = Mutex<[ExitStatus]>([])
    /// The workflows that go on although their call was answered.
    private let underWay = Mutex<Set<WorkflowID>>([])

    init(context: CommandContext, output: Output, mode: ConfirmationMode, onAsk: OnAsk) {
        (self.context, self.output, self.mode, self.onAsk) = (context, output, mode, onAsk)
        let canAsk = onAsk == .inline
        questioner = canAsk ? Asker(context: context, screen: output.screen) : nil
        hosts = HostAsker(context: context, screen: canAsk ? output.screen : nil)
    }

    /// The exit statuses of the workflows that have rested.
    var statuses: [ExitStatus] { ended.withLock { $0 } }

    func hint(_ hint: Turn.Hint) {
        if case .notice(let words) = hint, !output.isJSON { output.screen.show(StyledText(words, .dim)) }
    }

    /// Does nothing, since the events are shown in their order with those of the workflows.
    func heard(_ event: Event.Kind) {}

    func planned(_ template: Template, as id: WorkflowID) async {
        let report = Report(context: context, output: output, workflow: id, template: template, printsEvents: false)
        reports.withLock { $0[id] = report }
        _ = underWay.withLock { $0.insert(id) }
        await report.begin()
    }

    func happened(_ event: Event) async {
        // A question that is asked here is not news.
        if questioner != nil, case .awaitOpened(let record) = event.kind, record.isWrittenByTemplate { return }
        guard let report = event.workflow.flatMap({ id in reports.withLock { $0[id] } }) else { return }
        await report.happened(event)
    }

    /// Waits for the commands that the model did not wait for, since they end with this process.
    func settle() async {
        for id in underWay.withLock({ $0.sorted() }) {
            let follower = WorkflowFollower(
                workflow: id, records: context.look, asker: questioner, isTakenUp: true, listener: self)
            rested(id, await follower.untilItRests(context.events()))
        }
    }

    func rested(_ id: WorkflowID, _ followed: Followed) {
        _ = underWay.withLock { $0.remove(id) }
        // In a turn of a model, the model decides what the code of a command means.
        let isOfPlanner = context.settings.modelName == nil
        ended.withLock { $0.append(isOfPlanner ? followed.statusWithCommands : followed.status) }
        output.commands.add(followed.commands)
        reports.withLock { $0[id] }?.end(followed)
    }

    func mayKeep(_ template: Template, as name: String) async -> Bool {
        guard questioner != nil else { return false }
        return await KeepQuestion(template: template, name: name).ask(in: context, output.screen)
    }

    func mayLook() async -> Bool? {
        questioner == nil ? nil : await YesNoQuestion.look.ask(in: context, output.screen)
    }

    func confirm(_ question: HostQuestion) async { await hosts.ask(question) }

    func confirm(_ question: ProgramQuestion) async { await hosts.programs.ask(question) }

    func looked(_ words: String) async {
        guard !output.isJSON else { return }
        output.screen.show(StyledText("  \(words)", .dim).truncated(to: output.screen.columns))
    }

    func wording(of call: String) -> String { Voice.call(call) }
}
