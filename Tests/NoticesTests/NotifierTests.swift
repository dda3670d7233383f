import Harness
import JSON
import Notices
import Synchronization
import Terminal
import Testing
import Vocabulary

/// A world that remembers what is done to it, and a screen that a test looks at.
private final class FakeWorld: NoticeWorld {
    struct State {
        var now: Int64 = 0
        var setting = NoticePreference()
        var variables: [String: String] = [:]
        var hasBus = false
        var inbox: (version: Int, open: [AwaitRecord])?
        var claimed: Set<String> = []
        var shown: [String] = []
        var run: [String] = []
    }

    let state = Mutex(State())

    var milliseconds: Int64 { state.withLock { $0.now } }
    var setting: NoticePreference { state.withLock { $0.setting } }
    var hasBus: Bool { state.withLock { $0.hasBus } }

    func variable(_ name: String) -> String? { state.withLock { $0.variables[name] } }

    func subject(of id: WorkflowID) -> (title: String, session: SessionID?) { ("Zip", SessionID(1)) }

    func inbox(since version: Int?) -> (version: Int, open: [AwaitRecord], pending: [AwaitRecord])? {
        state.withLock { state in
            state.inbox.flatMap { $0.version == version ? nil : ($0.version, $0.open, $0.open) }
        }
    }

    func claims(_ id: WorkflowID, entry: Int64?) -> Bool {
        state.withLock { $0.claimed.insert("\(id) \(entry ?? 0)").inserted }
    }

    func showOnDesktop(_ text: String, isLast: Bool, otherwise: @escaping @Sendable () -> Void) {
        state.withLock { $0.shown.append(text) }
        otherwise()
    }

    func run(_ command: [String], _ json: JSON, isLast: Bool) {
        state.withLock { $0.run.append("\(command.joined(separator: " ")) \(json["text"]?.string ?? "")") }
    }
}

private final class FakeScreen: Screen {
    let inputs = AsyncStream<ScreenInput> { $0.finish() }
    let capabilities: TerminalCapabilities
    let columns = 80
    let looks: Mutex<TerminalAttention>
    let sent = Mutex<[TerminalSignal]>([])

    init(_ attention: TerminalAttention, isTerminal: Bool = true) {
        looks = Mutex(attention)
        capabilities = TerminalCapabilities(isTerminal: isTerminal, hasColour: false, isPlain: !isTerminal)
    }

    var attention: TerminalAttention { looks.withLock { $0 } }

    func send(_ signal: TerminalSignal) { sent.withLock { $0.append(signal) } }
    func show(_ lines: [StyledText]) {}
    func stream(_ piece: String) {}
    func endStream() {}
    func setPrompt(_ prompt: StyledText) {}
    func setStatus(_ lines: [StyledText]) {}
    func setBusy(_ isBusy: Bool) {}
    func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer { .none(.noTerminal) }
    func lend(_ body: @escaping @Sendable (Int32) -> Void) async -> Bool { false }
    func close() async {}
}

@Suite struct NotifierTests {
    private let world = FakeWorld()
    private let away = TerminalAttention(isFocused: false)
    private let failure = Event(
        at: Moment(milliseconds: 0), workflow: WorkflowID(3), .workflowFinished(.failed, outputs: []))

    private func entry(_ number: Int64) -> AwaitRecord {
        AwaitRecord(
            number: number, step: StepID(WorkflowID(3), 1), type: .choose, title: "SECRET WORDS", reason: "r",
            createdAt: Moment(milliseconds: 0))
    }

    private func move(to now: Int64) { world.state.withLock { $0.now = now } }

    /// The chat of the session waits for the chat with the focus. The second event within 5 s waits, too.
    @Test func anUnfocusedChatTellsAfterItsGrace() {
        world.state.withLock { $0.variables = ["TERM_PROGRAM": "WezTerm"] }
        let screen = FakeScreen(away)
        let notifier = Notifier(world, screen)
        notifier.hear(failure, in: SessionID(1))
        notifier.tick(in: SessionID(1))
        #expect(screen.sent.withLock { $0.isEmpty })
        move(to: 1_500)
        notifier.tick(in: SessionID(1))
        notifier.tick(in: SessionID(1))
        #expect(screen.sent.withLock { $0 } == [.notice("Assent: w3 failed: Zip", as: .osc9)])
    }

    @Test func theFocusedChatIsSilentAndEndsItForAll() {
        let (focused, other) = (FakeScreen(TerminalAttention(isFocused: true)), FakeScreen(away))
        let (here, there) = (Notifier(world, focused), Notifier(world, other))
        world.state.withLock { $0.inbox = (1, []) }
        here.tick()
        there.tick()
        world.state.withLock { $0.inbox = (2, [entry(7)]) }
        for notifier in [here, there] { notifier.tick(in: SessionID(1)) }
        move(to: 9_000)
        for notifier in [here, there] { notifier.tick(in: SessionID(1)) }
        #expect(focused.sent.withLock { $0.isEmpty } && other.sent.withLock { $0.isEmpty })
        #expect(world.state.withLock { $0.claimed } == ["w3 7"])
    }

    /// The words of a question are in nothing that goes out.
    @Test func entriesThatWaitedBeforeAreNoNewsAndNoWordsOfAQuestionGoOut() {
        world.state.withLock { state in
            state.inbox = (1, [entry(1)])
            state.setting = NoticePreference(command: ["hook"])
        }
        let screen = FakeScreen(TerminalAttention(isFocused: false, showsStatus: true))
        let notifier = Notifier(world, screen)
        notifier.tick(in: SessionID(1))
        world.state.withLock { $0.inbox = (2, [entry(1), entry(2), entry(3)]) }
        notifier.tick(in: SessionID(1))
        move(to: 2_000)
        notifier.tick(in: SessionID(1))
        #expect(world.state.withLock { $0.run } == ["hook Assent: 2 need you"])
        let sent = screen.sent.withLock { $0 }
        #expect(sent.contains(.bell) && !sent.contains { "\($0)".contains("SECRET") || "\($0)".contains("U0VDUkVU") })
        notifier.leave()
        #expect(screen.sent.withLock { $0.last } == .status(ProgramStatus(.idle)))
    }

    @Test func withoutATerminalOnlyTheDesktopAndTheProgramAreLeft() {
        for (hasBus, isJSON) in [(true, false), (false, false), (false, true)] {
            world.state.withLock { state in
                (state.hasBus, state.shown, state.claimed) = (hasBus, [], [])
            }
            let screen = FakeScreen(away, isTerminal: isJSON)
            let notifier = Notifier(world, screen, isJSON: isJSON)
            notifier.hear(failure)
            notifier.tick(isLast: true)
            #expect(world.state.withLock { $0.shown } == (hasBus ? ["Assent: w3 failed: Zip"] : []))
            #expect(screen.sent.withLock { $0.isEmpty })
        }
    }
}
