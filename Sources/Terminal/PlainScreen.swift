import Glibc
import Synchronization

/// The console without escapes: a pipe, a file, `--plain`, `TERM=dumb`, a screen reader. Lines are read as the kernel gives them, text is written
/// as it comes.
package final class PlainScreen: Screen {
    package let inputs: AsyncStream<ScreenInput>
    package let capabilities: TerminalCapabilities
    private let output: Int32
    private let mailbox = EditorMailbox()
    private let writer: Mutex<PlainWriter>

    /// A prompt is shown only where a person types.
    package init(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, capabilities: TerminalCapabilities, prompt: StyledText = "› ",
        ownsProcess: Bool = true
    ) {
        let (stream, continuation) = AsyncStream.makeStream(of: ScreenInput.self)
        inputs = stream
        self.output = output
        self.capabilities = TerminalCapabilities(isTerminal: capabilities.isTerminal, hasColour: false, isPlain: true)
        let isConversation = isatty(input) == 1 && isatty(output) == 1
        writer = Mutex(PlainWriter(output: output, prompt: isConversation ? prompt.plain : ""))
        if ownsProcess, isatty(input) == 1 { SavedTerminal.keep(input) }
        let (mailbox, capabilities) = (mailbox, self.capabilities)
        // Weak: the thread may still be reading when nobody wants its lines any more.
        OwnThread.start { [weak self] in
            PlainReader(input: input, output: output, capabilities: capabilities, mailbox: mailbox, inputs: continuation).run {
                self?.writer.withLock { $0.showPrompt() }
            }
        }
    }

    package var columns: Int { TerminalSize(of: output).columns }

    package func show(_ lines: [StyledText]) { writer.withLock { $0.write(lines: lines.map(\.plain)) } }

    package func stream(_ piece: String) { writer.withLock { $0.write(piece: piece) } }

    package func endStream() { writer.withLock { $0.endStream() } }

    package func setPrompt(_ prompt: StyledText) { writer.withLock { $0.change(prompt: prompt.plain) } }

    /// Nothing can be drawn in place here; what is worth knowing comes as news.
    package func setStatus(_ lines: [StyledText]) {}

    package func setBusy(_ isBusy: Bool) {}

    package func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer { await mailbox.ask(question) }

    package func close() async {
        endStream()
        await mailbox.close()
    }
}

/// What has been written, as far as the next piece depends on it.
private struct PlainWriter: Sendable {
    let output: Int32
    var prompt: String
    private var isMidLine = false
    private var isStreaming = false
    /// A CR at the end of a piece: the LF may be in the next one.
    private var held = ""
    private var waiting: [String] = []

    init(output: Int32, prompt: String) { (self.output, self.prompt) = (output, prompt) }

    mutating func write(lines: [String]) {
        // A streamed line that is not complete must not be torn apart.
        if isMidLine { return waiting += lines }
        put(lines.map { $0 + "\n" }.joined())
    }

    mutating func write(piece: String) {
        isStreaming = true
        var text = held + piece
        held = ""
        if text.unicodeScalars.last == "\r" {
            text.unicodeScalars.removeLast()
            held = "\r"
        }
        guard !text.isEmpty else { return }
        let scalars = text.unicodeScalars
        let rest = scalars.lastIndex(of: "\n").map { scalars.index(after: $0) } ?? scalars.startIndex
        if rest > scalars.startIndex {
            put(VisibleText.multiline(String(scalars[..<rest])))
            writeWaiting()
            isMidLine = false
        }
        if rest < scalars.endIndex {
            put(VisibleText.line(String(scalars[rest...])))
            isMidLine = true
        }
    }

    mutating func endStream() {
        if !held.isEmpty { put(VisibleText.line(held)) }
        if isMidLine || !held.isEmpty { put("\n") }
        (isMidLine, isStreaming, held) = (false, false, "")
        writeWaiting()
    }

    mutating func change(prompt new: String) { if !prompt.isEmpty { prompt = new } }

    mutating func showPrompt() { if !prompt.isEmpty, !isStreaming { put(prompt) } }

    private mutating func writeWaiting() {
        put(waiting.map { $0 + "\n" }.joined())
        waiting = []
    }

    private func put(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR, errno != EAGAIN { return }
        }
    }
}

/// The thread that reads lines and, between them, asks.
private final class PlainReader {
    private let input: Int32
    private let output: Int32
    private let capabilities: TerminalCapabilities
    private let mailbox: EditorMailbox
    private let inputs: AsyncStream<ScreenInput>.Continuation
    private var bytes: [UInt8] = []

    init(
        input: Int32, output: Int32, capabilities: TerminalCapabilities, mailbox: EditorMailbox,
        inputs: AsyncStream<ScreenInput>.Continuation
    ) {
        (self.input, self.output, self.capabilities) = (input, output, capabilities)
        (self.mailbox, self.inputs) = (mailbox, inputs)
    }

    func run(prompt: () -> Void) {
        var isOpen = true
        prompt()
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
                isOpen = readSome(prompt)
            }
        }
        // Questions that still come find that nobody answers.
        inputs.yield(.end)
        inputs.finish()
        mailbox.end()
    }

    private func attend() -> Bool {
        _ = mailbox.receive()
        if mailbox.state.withLock({ $0.isClosing }) { return false }
        while let pending = mailbox.state.withLock({ $0.questions.isEmpty ? nil : $0.questions.removeFirst() }) {
            pending.answer.resume(returning: answer(pending))
        }
        return true
    }

    private func answer(_ pending: EditorMailbox.PendingQuestion) -> KeyQuestion.Answer {
        guard isatty(input) == 1 else { return .none(.noTerminal) }
        bytes = []
        let mailbox = mailbox
        return RawTerminal.ask(
            pending.question, input: input, output: output, capabilities: capabilities, wake: mailbox.wake,
            events: {
                _ = mailbox.receive()
                return mailbox.state.withLock { $0.withdrawn.contains(pending.number) || $0.isClosing } ? .withdrawn : .nothing
            })
    }

    private func readSome(_ prompt: () -> Void) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(input, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        bytes += buffer.prefix(count)
        while let newline = bytes.firstIndex(of: 0x0A) {
            deliver(bytes[..<newline])
            bytes.removeFirst(newline + 1)
            prompt()
        }
        if bytes.count > TerminalLimits.plainLineBytes || (count == 0 && !bytes.isEmpty) {
            deliver(bytes[...])
            bytes = []
        }
        return count > 0
    }

    private func deliver(_ line: ArraySlice<UInt8>) {
        let text = EditorLoop.pasted(String(decoding: line, as: UTF8.self).unicodeScalars)
        inputs.yield(.line(text.last == "\n" ? String(text.dropLast()) : text))
    }
}
