import Glibc
import Synchronization

/// The thread of a plain screen, which reads lines and asks questions between them.
final class PlainReader {
    private let input: InputOwner
    private let output: Int32
    private let capabilities: TerminalCapabilities
    private let page: PlainPage
    private let mailbox: EditorMailbox
    private let inputs: AsyncStream<ScreenInput>.Continuation
    private let now: @Sendable () -> Int64
    private let hasLine: Bool
    private let holds: @Sendable (String) -> Bool
    private var lines: LineBuffer
    /// The settings of the terminal before a hold, or nil if there is none. During a hold, only questions read the
    /// keys, and the terminal does not show them.
    private var hold: termios?
    /// Whether a secret was asked for since the hold began. Characters that were typed meanwhile may belong to it, and
    /// are dropped.
    private var isSecretive = false

    init(
        input: InputOwner, output: Int32, capabilities: TerminalCapabilities, page: PlainPage, mailbox: EditorMailbox,
        inputs: AsyncStream<ScreenInput>.Continuation, hasLine: Bool, holds: @escaping @Sendable (String) -> Bool,
        now: @escaping @Sendable () -> Int64
    ) {
        (self.input, self.output, self.capabilities, self.now) = (input, output, capabilities, now)
        (self.page, self.mailbox, self.inputs) = (page, mailbox, inputs)
        (self.hasLine, self.holds) = (hasLine, holds)
        lines = LineBuffer(limit: input.isTerminal ? TerminalLimits.terminalLineBytes : TerminalLimits.plainLineBytes)
    }

    func run() {
        if !hasLine { beginHold() }
        var isOpen = true
        while isOpen {
            // During a hold, typed characters stay with the kernel, which still turns Ctrl-C into a signal.
            var waiting = [
                pollfd(fd: hold == nil ? input.descriptor : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waiting, 2, -1) < 0 {
                if errno == EINTR { continue }
                break
            }
            if waiting[1].revents != 0 {
                isOpen = attend()
            } else if waiting[0].revents != 0 {
                isOpen = readSome()
            }
        }
        restoreEcho()
        input.release()
        // Questions that still arrive get no answer.
        inputs.yield(.end)
        inputs.finish()
        mailbox.end()
    }

    private func attend() -> Bool {
        receive()
        if mailbox.state.withLock({ $0.isClosing }) { return false }
        if mailbox.takeEndOfHold(), hasLine { endHold() }
        while let pending = mailbox.state.withLock({ $0.questions.isEmpty ? nil : $0.questions.removeFirst() }) {
            pending.answer.resume(returning: answer(pending))
        }
        while let loan = mailbox.state.withLock({ $0.loans.isEmpty ? nil : $0.loans.removeFirst() }) { lend(loan) }
        return true
    }

    // MARK: - Holding

    private func beginHold() {
        var settings = termios()
        guard hold == nil, input.isTerminal, tcgetattr(input.descriptor, &settings) == 0 else { return }
        hold = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        SavedTerminal.willChange(input.descriptor, usesEscapes: false)
        tcsetattr(input.descriptor, TCSANOW, &settings)
    }

    private func endHold() {
        if isSecretive { discard() }
        isSecretive = false
        restoreEcho()
    }

    /// Drops all typed characters, including a line without its end. They are read, not flushed, so that the marks of a
    /// paste are noticed.
    private func discard() {
        var settings = termios()
        guard tcgetattr(input.descriptor, &settings) == 0 else { return }
        settings.c_lflag &= ~tcflag_t(ICANON)
        tcsetattr(input.descriptor, TCSANOW, &settings)
        _ = input.discard(untilSilent: 0)
    }

    private func restoreEcho() {
        guard var settings = hold else { return }
        hold = nil
        tcsetattr(input.descriptor, TCSANOW, &settings)
    }

    private func receive() {
        guard mailbox.receive().contains(EditorMailbox.Signal.interrupted.rawValue) else { return }
        // The kernel has dropped the typed part of the line, so this must, too. It drops nothing of a pipe.
        if input.isTerminal { lines.forget() }
        page.change { $0.interrupted() }
        inputs.yield(.interrupt)
    }

    // MARK: - Questions

    private func answer(_ pending: EditorMailbox.PendingQuestion) -> KeyQuestion.Answer {
        guard input.isTerminal else { return .none(.noTerminal) }
        if isWithdrawn(pending.number) { return .none(.withdrawn) }
        lines.forget()
        page.change { $0.beginQuestion() }
        defer { page.change { $0.endQuestion() } }
        let outcome = RawTerminal.ask(
            pending.question, input: input, output: output, capabilities: capabilities, wake: mailbox.wake,
            events: { [self] in
                receive()
                return isWithdrawn(pending.number) || mailbox.state.withLock({ $0.isClosing }) ? .withdrawn : .nothing
            }, now: now)
        let isSecret = pending.question.form == .secret
        if isSecret { isSecretive = hold != nil }
        // Who has answered another question since types no secret.
        defer { if !isSecret, outcome.answer.isGiven { isSecretive = false } }
        let early = TypedText.row(outcome.early)
        // The kernel edits the line, so nothing can be put back on it.
        if hasLine, !isSecretive, !early.isEmpty {
            page.change {
                $0.write(lines: ["Typed before the question counted, and not used: \(VisibleText.line(early))"])
            }
        }
        return outcome.answer
    }

    /// Lends the terminal to `loan`. Its settings are the original ones all the time.
    private func lend(_ loan: EditorMailbox.Loan) {
        guard input.isTerminal else { return loan.done.resume(returning: false) }
        lines.forget()
        page.change { $0.beginQuestion() }
        loan.body(input.descriptor)
        page.change { $0.endQuestion() }
        loan.done.resume(returning: true)
    }

    private func isWithdrawn(_ number: Int) -> Bool { mailbox.state.withLock { $0.withdrawn.remove(number) != nil } }

    // MARK: - Lines

    private func readSome() -> Bool {
        page.change { $0.beginReading() }
        let bytes = input.read(65536)
        page.change { $0.endReading(hasEntered: bytes?.contains(0x0A) ?? false) }
        guard let bytes else {
            if !lines.isEmpty { lines.end().forEach(deliver) }
            return false
        }
        lines.feed(bytes).forEach(deliver)
        return true
    }

    private func deliver(_ item: LineBuffer.Item) {
        switch item {
        case .refused(let fault): inputs.yield(.refused(fault))
        case .line(let line):
            let text = EditorLoop.pasted(String(decoding: line, as: UTF8.self).unicodeScalars)
            let entered = text.last == "\n" ? String(text.dropLast()) : text
            if holds(entered) { beginHold() }
            inputs.yield(.line(entered))
        }
    }
}
