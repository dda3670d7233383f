import Glibc
import Synchronization

/// The console without escape sequences: a pipe, a file, `--plain`, `NO_COLOR`, `TERM=dumb`, a screen reader. The
/// kernel edits lines, and text is written as it arrives.
package final class PlainScreen: Screen {
    package let inputs: AsyncStream<ScreenInput>
    package let capabilities: TerminalCapabilities
    private let output: Int32
    /// Whether a person types and reads here.
    private let isConversation: Bool
    private let mailbox = EditorMailbox()
    private let page: PlainPage
    private let input: InputOwner

    /// Starts the screen at once. A prompt is shown only if a person types.
    ///
    /// - Parameters:
    ///   - input: the input, which no other code in this process may read until this screen is closed.
    ///   - hasLine: whether lines are read, or only questions are answered.
    ///   - holds: whether a line begins a dialogue that may ask for a secret.
    package init(
        _ input: InputOwner, output: Int32 = STDOUT_FILENO, capabilities: TerminalCapabilities,
        prompt: StyledText = "› ",
        hasLine: Bool = true, ownsProcess: Bool = true, holds: @escaping @Sendable (String) -> Bool = { _ in false },
        now: @escaping @Sendable () -> Int64 = QuestionTime.machine
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: ScreenInput.self)
        inputs = stream
        self.output = output
        self.input = input
        self.capabilities = TerminalCapabilities(isTerminal: capabilities.isTerminal, hasColour: false, isPlain: true)
        isConversation = input.isTerminal && isatty(output) == 1
        let hasPrompt = isConversation && !prompt.isEmpty
        page = PlainPage(
            PlainWriter(
                input: input.descriptor, output: output, prompt: hasPrompt ? Self.text(of: prompt) : nil,
                hasGutter: capabilities.isTerminal
            ))
        if ownsProcess, input.isTerminal { SavedTerminal.keep(input.descriptor) }
        let (page, mailbox, capabilities) = (page, mailbox, self.capabilities)
        // The thread may still be reading when its lines are no longer needed.
        OwnThread.start {
            PlainReader(
                input: input, output: output, capabilities: capabilities, page: page, mailbox: mailbox,
                inputs: continuation, hasLine: hasLine, holds: holds, now: now
            ).run()
        }
    }

    private static func text(of prompt: StyledText) -> String { EditorLoop.closed(prompt).plain }

    package var canAsk: Bool { isConversation }

    package var columns: Int { TerminalSize(of: output).columns }

    package var rows: Int { TerminalSize(of: output).rows }

    package func show(_ lines: [StyledText]) { page.change { $0.write(lines: lines.map(\.plain)) } }

    package func stream(_ piece: String) { page.change { $0.write(piece: piece) } }

    package func endStream() { page.change { $0.endStream() } }

    package func setPrompt(_ prompt: StyledText) { page.change { $0.change(prompt: Self.text(of: prompt)) } }

    /// Does nothing, since nothing can be drawn in place here. Important changes come as news.
    package func setStatus(_ lines: [StyledText]) {}

    package func send(_ signal: TerminalSignal) {
        if signal == .bell, isatty(output) == 1 { page.change { $0.ring() } }
    }

    package var attention: TerminalAttention { input.attention }

    package func setBusy(_ isBusy: Bool) { page.change { $0.change(isBusy: isBusy) } }

    package func invite() { page.change { $0.invite() } }

    /// Handles Ctrl-C, which the kernel turns into a signal here, since it reads the keys.
    package func interrupt() -> Bool {
        guard isConversation, mailbox.state.withLock({ !$0.isClosing && !$0.hasEnded }) else { return false }
        mailbox.signal(.interrupted)
        return true
    }

    package func endHold() { mailbox.post { $0.endsHold = true } }

    package func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer { await mailbox.ask(question) }

    package func lend(_ body: @escaping @Sendable (Int32) -> Void) async -> Bool { await mailbox.lend(body) }

    package func close() async {
        await mailbox.close()
        page.change { $0.finish() }
    }
}

/// The output of a plain screen. Any thread shows lines, and the reading thread reports what was entered.
final class PlainPage: Sendable {
    private let writer: Mutex<PlainWriter>

    init(_ writer: PlainWriter) { self.writer = Mutex(writer) }

    func change(_ change: (inout PlainWriter) -> Void) { writer.withLock { change(&$0) } }
}
