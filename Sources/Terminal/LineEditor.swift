import Glibc
import Synchronization

/// The console on a capable terminal. libedit reads the line on a thread of its own, and everything else is drawn above
/// it.
package final class LineEditor: Screen {
    package struct Settings: Sendable {
        package var output: Int32 = STDOUT_FILENO
        package var capabilities = TerminalCapabilities(isTerminal: true, hasColour: true, isPlain: false)
        /// The name of the terminal in terminfo.
        package var terminal = "xterm"
        package var historyPath: String?
        package var prompt: StyledText = "› "
        /// Whether lines are edited here. A command that only asks questions has no line, and typing between its
        /// questions is not shown.
        package var hasLine = true
        /// Whether a line begins a dialogue that may ask for a secret. From its Enter until `endHold`, typing is not
        /// shown, and only questions read it. Runs on the editor's thread.
        package var holds: @Sendable (String) -> Bool = { _ in false }
        /// Whether signals and exits of this process concern this terminal. A test has several terminals.
        package var ownsProcess = true
        /// The clock of questions, in milliseconds.
        package var now = QuestionTime.machine
        /// The menu above the prompt, and the completions for Tab.
        package var help: any LineHelp = NoLineHelp()
        /// The reports that the terminal is asked for.
        package var reports = ReportRequest.none
        /// Returns the form of an entered line that stays on the screen, in the history and in its file. Runs on the
        /// editor's thread.
        package var remembers: @Sendable (String) -> String = { $0 }

        /// Opens the user's own editor with a text, for Ctrl-X Ctrl-E. Returns the edited text, or nil if the editor
        /// failed. Runs on the editor's thread, with the terminal's original settings. It is nil if the user has no
        /// editor.
        package var edit: (@Sendable (_ text: String, _ terminal: Int32) -> String?)?
        /// Stops this process, for Ctrl-Z, and returns once it continues. Runs on the editor's thread, with the
        /// terminal's original settings. If it is nil, the key does nothing.
        package var suspend: (@Sendable () -> Void)?

        package init() {}
    }

    package let inputs: AsyncStream<ScreenInput>
    package let capabilities: TerminalCapabilities
    private let output: Int32
    private let hasLine: Bool
    private let mailbox = EditorMailbox()
    private let input: InputOwner

    /// Starts the editor. The prompt appears after the history file was read, without any other delay.
    ///
    /// - Parameter input: the terminal, which no other code in this process may read until this screen is closed.
    package init(_ input: InputOwner, _ settings: Settings) {
        let (stream, continuation) = AsyncStream.makeStream(of: ScreenInput.self)
        inputs = stream
        capabilities = settings.capabilities
        output = settings.output
        hasLine = settings.hasLine
        self.input = input
        let loop = EditorLoop(input, settings, mailbox: mailbox, inputs: continuation)
        OwnThread.start { loop.run() }
    }

    package var columns: Int { TerminalSize(of: output).columns }

    package var rows: Int { TerminalSize(of: output).rows }

    package func show(_ lines: [StyledText]) { if !lines.isEmpty { mailbox.post { $0.add(.lines(lines)) } } }

    package func show(_ picture: TerminalPicture) { mailbox.post { $0.add(.picture(picture)) } }

    package func illustrate(_ caption: [StyledText], _ picture: TerminalPicture) {
        mailbox.post { $0.add(.illustration(caption, picture)) }
    }

    package func copy(_ text: String) -> Bool {
        mailbox.post { $0.add(.clipboard(text)) }
        return true
    }

    package var pictureRoom: PictureRoom? { capabilities.hasColour ? TerminalSize(of: output).pictureRoom : nil }

    package func stream(_ piece: String) { if !piece.isEmpty { mailbox.post { $0.add(.piece(piece)) } } }

    package func endStream() { mailbox.post { $0.add(.endOfStream) } }

    package func setPrompt(_ prompt: StyledText) { mailbox.post { $0.prompt = prompt } }

    package func setStatus(_ lines: [StyledText]) { mailbox.post { $0.status = lines } }

    package func setBusy(_ isBusy: Bool) { mailbox.post { $0.isBusy = isBusy } }

    package func send(_ signal: TerminalSignal) { mailbox.post { $0.signals.append(signal) } }

    package var attention: TerminalAttention {
        var attention = input.attention
        attention.isBusy = mailbox.state.withLock { $0.isBusy }
        return attention
    }

    package func offer(_ line: String) -> Bool {
        mailbox.post { $0.offer = EditorMailbox.OfferedLine(text: line) }
        return hasLine
    }

    @discardableResult package func putBack(_ text: String, isAsked: Bool) -> Bool {
        mailbox.post { $0.offer = EditorMailbox.OfferedLine(text: text, isOwn: true, isAsked: isAsked) }
        return hasLine
    }

    package func setHasQueue(_ hasQueue: Bool) { mailbox.post { $0.hasQueue = hasQueue } }

    package func endHold() { mailbox.post { $0.endsHold = true } }

    package func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer { await mailbox.ask(question) }

    package func lend(_ body: @escaping @Sendable (Int32) -> Void) async -> Bool { await mailbox.lend(body) }

    package func close() async { await mailbox.close() }

    /// Reports a new size of the terminal. SIGWINCH reports it for the process's own terminal, so this is for others.
    package func noticeResize() { mailbox.signal(.resize) }
}

extension EditorMailbox {
    func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer {
        let number = state.withLock { state in
            state.lastQuestion += 1
            return state.lastQuestion
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let isTooLate = post { state in
                    if !state.hasEnded {
                        state.questions.append(PendingQuestion(number: number, question: question, answer: answer))
                    }
                    return state.hasEnded
                }
                if isTooLate { answer.resume(returning: .none(.noTerminal)) }
            }
        } onCancel: {
            post { _ = $0.withdrawn.insert(number) }
        }
    }

    func lend(_ body: @escaping @Sendable (Int32) -> Void) async -> Bool {
        await withCheckedContinuation { done in
            let isTooLate = post { state in
                if !state.hasEnded { state.loans.append(Loan(body: body, done: done)) }
                return state.hasEnded
            }
            if isTooLate { done.resume(returning: false) }
        }
    }

    func close() async {
        await withCheckedContinuation { done in
            let hasEnded = post { state in
                state.isClosing = true
                if !state.hasEnded { state.closers.append(done) }
                return state.hasEnded
            }
            if hasEnded { done.resume() }
        }
    }

    /// Marks the thread as ended, and resumes all waiting callers.
    func end() {
        let (questions, loans, closers) = state.withLock { state in
            state.hasEnded = true
            defer { (state.questions, state.loans, state.closers) = ([], [], []) }
            return (state.questions, state.loans, state.closers)
        }
        loans.forEach { $0.done.resume(returning: false) }
        questions.forEach { $0.answer.resume(returning: .none(.noTerminal)) }
        closers.forEach { $0.resume() }
    }
}

/// A thread for calls that block.
enum OwnThread {
    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body)).toOpaque()
        pthread_create(
            &thread, nil,
            { @Sendable context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box)
        pthread_detach(thread)
    }
}
