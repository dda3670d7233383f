import Glibc
import Synchronization

/// The thread of a plain screen: reads lines and, between them, asks.
final class PlainReader {
    private let input: Int32
    private let output: Int32
    private let capabilities: TerminalCapabilities
    private let page: PlainPage
    private let mailbox: EditorMailbox
    private let inputs: AsyncStream<ScreenInput>.Continuation
    private let now: @Sendable () -> Int64
    private var lines: LineBuffer

    init(
        input: Int32, output: Int32, capabilities: TerminalCapabilities, page: PlainPage, mailbox: EditorMailbox,
        inputs: AsyncStream<ScreenInput>.Continuation, now: @escaping @Sendable () -> Int64
    ) {
        (self.input, self.output, self.capabilities, self.now) = (input, output, capabilities, now)
        (self.page, self.mailbox, self.inputs) = (page, mailbox, inputs)
        lines = LineBuffer(limit: isatty(input) == 1 ? TerminalLimits.terminalLineBytes : TerminalLimits.plainLineBytes)
    }

    func run() {
        var isOpen = true
        while isOpen {
            var waiting = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0), pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0),
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
        // Questions that still come find that nobody answers.
        inputs.yield(.end)
        inputs.finish()
        mailbox.end()
    }

    private func attend() -> Bool {
        receive()
        if mailbox.state.withLock({ $0.isClosing }) { return false }
        while let pending = mailbox.state.withLock({ $0.questions.isEmpty ? nil : $0.questions.removeFirst() }) {
            pending.answer.resume(returning: answer(pending))
        }
        while let loan = mailbox.state.withLock({ $0.loans.isEmpty ? nil : $0.loans.removeFirst() }) { lend(loan) }
        return true
    }

    private func receive() {
        guard mailbox.receive().contains(EditorMailbox.Signal.interrupted.rawValue) else { return }
        // The kernel has dropped what was typed of the line; so must we. Of a pipe it drops nothing.
        if isatty(input) == 1 { lines.forget() }
        page.change { $0.interrupted() }
        inputs.yield(.interrupt)
    }

    // MARK: - Questions

    private func answer(_ pending: EditorMailbox.PendingQuestion) -> KeyQuestion.Answer {
        guard isatty(input) == 1 else { return .none(.noTerminal) }
        if isWithdrawn(pending.number) { return .none(.withdrawn) }
        lines.forget()
        page.change { $0.beginQuestion() }
        defer { page.change { $0.endQuestion() } }
        return RawTerminal.ask(
            pending.question, input: input, output: output, capabilities: capabilities, wake: mailbox.wake,
            events: { [self] in
                receive()
                return isWithdrawn(pending.number) || mailbox.state.withLock({ $0.isClosing }) ? .withdrawn : .nothing
            }, now: now)
    }

    /// The terminal is as it was found all the time.
    private func lend(_ loan: EditorMailbox.Loan) {
        guard isatty(input) == 1 else { return loan.done.resume(returning: false) }
        lines.forget()
        page.change { $0.beginQuestion() }
        loan.body(input)
        page.change { $0.endQuestion() }
        loan.done.resume(returning: true)
    }

    private func isWithdrawn(_ number: Int) -> Bool { mailbox.state.withLock { $0.withdrawn.remove(number) != nil } }

    // MARK: - Lines

    private func readSome() -> Bool {
        page.change { $0.beginReading() }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(input, &buffer, buffer.count)
        let error = errno
        let isWhole = count > 0 && buffer[..<count].contains(0x0A)
        page.change { $0.endReading(hasEntered: isWhole) }
        if count < 0 { return error == EINTR || error == EAGAIN }
        lines.feed(buffer.prefix(count)).forEach(deliver)
        if count == 0, !lines.isEmpty { lines.end().forEach(deliver) }
        return count > 0
    }

    private func deliver(_ item: LineBuffer.Item) {
        switch item {
        case .refused(let fault): inputs.yield(.refused(fault))
        case .line(let line):
            let text = EditorLoop.pasted(String(decoding: line, as: UTF8.self).unicodeScalars)
            inputs.yield(.line(text.last == "\n" ? String(text.dropLast()) : text))
        }
    }
}
