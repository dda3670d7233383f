import Glibc

/// Asks one question on a terminal that is in raw mode already. Blocks: for a thread of its own.
struct QuestionSession {
    let descriptor: Int32
    let capabilities: TerminalCapabilities
    /// Readable when `events` should be looked at; -1 for none.
    var wake: Int32 = -1
    /// Called when `wake` is readable.
    var events: () -> Event = { .nothing }
    var now = QuestionTime.machine
    let write: (String) -> Void

    enum Event { case nothing, withdrawn, resized }

    func ask(_ question: KeyQuestion) -> KeyQuestion.Answer {
        var reader = AnswerReader(question.form, acceptsLines: capabilities.isPlain)
        let deadline = question.timeoutMilliseconds.map { now() + $0 }
        for line in question.lines { write(line.rendered(hasColour: capabilities.hasColour) + "\r\n") }
        var answer = arm(question, &reader)
        while answer == nil {
            switch waitForInput(until: deadline) {
            case .timeout: answer = .none(.timeout)
            case .event(.withdrawn): answer = .none(.withdrawn)
            case .event(.resized):
                // What the person reads has moved; a key that was on its way may have been meant for something else.
                reader.forget()
                erase()
                answer = arm(question, &reader)
            case .event(.nothing): break
            case .input:
                switch reader.receive(burst()) {
                case .answered(let given): answer = given
                case .goOn(let isWrong):
                    show(reader.takeLines())
                    paint(question, reader, isWrong: isWrong)
                }
            }
        }
        erase()
        return answer ?? .none(.endOfInput)
    }

    // MARK: - Reading

    /// Throws away what was typed before the question could be read. The hint appears when keys count.
    private func arm(_ question: KeyQuestion, _ reader: inout AnswerReader) -> KeyQuestion.Answer? {
        // The next line of content may be on its way already.
        if case .entry = question.form, question.armingMilliseconds <= 0 {
            paint(question, reader, isWrong: false)
            return nil
        }
        tcflush(descriptor, TCIFLUSH)
        let end = now() + Int64(max(0, question.armingMilliseconds))
        while now() < end {
            if wake < 0 {
                usleep(UInt32(max(1, end - now())) * 1000)
            } else {
                var waiting = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
                if poll(&waiting, 1, Int32(max(1, end - now()))) > 0, case .withdrawn = events() {
                    return .none(.withdrawn)
                }
            }
        }
        tcflush(descriptor, TCIFLUSH)
        reader.forgetPaste()
        paint(question, reader, isWrong: false)
        return nil
    }

    private enum Arrival { case input, timeout, event(Event) }

    private func waitForInput(until deadline: Int64?) -> Arrival {
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        let left = deadline.map { Int32(clamping: max(0, $0 - now())) } ?? -1
        let count = poll(&waiting, nfds_t(wake < 0 ? 1 : 2), left)
        if count == 0 { return .timeout }
        if count < 0 { return .event(wake < 0 ? .nothing : events()) }
        if wake >= 0, waiting[1].revents != 0 { return .event(events()) }
        return .input
    }

    /// All bytes that belong together: a lone ESC is a key, ESC and more a sequence, and a bracketed paste is over at its end mark. The reader
    /// puts a paste together that is too long for that, or too slow.
    private func burst() -> [UInt8] {
        var bytes = readSome()
        guard let first = bytes.first else { return [] }
        var isOpen = first == 0x1B || !Self.isComplete(bytes)
        while isOpen, bytes.count < TerminalLimits.pasteBytes {
            let isPaste = bytes.starts(with: Array("\u{1B}[200~".utf8))
            if isPaste, Self.contains(bytes, Array("\u{1B}[201~".utf8)) { break }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let patience = isPaste ? TerminalLimits.burstMilliseconds * 10 : TerminalLimits.burstMilliseconds
            guard poll(&waiting, 1, patience) > 0 else { break }
            let more = readSome()
            if more.isEmpty { break }
            bytes += more
            isOpen = bytes.first == 0x1B || !Self.isComplete(bytes)
        }
        return bytes
    }

    private func readSome() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            return Array(buffer.prefix(max(0, count)))
        }
    }

    /// Whether the last scalar has all its bytes.
    private static func isComplete(_ bytes: [UInt8]) -> Bool {
        let tail = bytes.reversed().prefix { $0 & 0xC0 == 0x80 }.count
        guard tail < bytes.count else { return true }
        let lead = bytes[bytes.count - 1 - tail]
        return tail >= (lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0)
    }

    private static func contains(_ bytes: [UInt8], _ mark: [UInt8]) -> Bool {
        guard bytes.count >= mark.count else { return false }
        return (0...(bytes.count - mark.count)).contains { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
    }

    // MARK: - The hint below the question

    /// Complete lines of a long entry stay on the screen.
    private func show(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        erase()
        for line in lines { write("  " + VisibleText.line(line) + "\r\n") }
    }

    private func paint(_ question: KeyQuestion, _ reader: AnswerReader, isWrong: Bool) {
        let hint = question.hint(
            typed: reader.typed, isWrong: isWrong, refused: reader.refused, fault: reader.lastFault, isShown: reader.isShown)
        if capabilities.isPlain {
            // Without a cursor to move, the hint is said once and again when a key was wrong.
            if isWrong || reader.typed.isEmpty { write(hint.plain + "\r\n") }
            return
        }
        let room = TerminalSize(of: descriptor).columns - 1
        // What is typed stands at the end, which a cut always shows.
        let fitting = hint.width > room ? StyledText(VisibleText.cut(hint.plain, to: room), isWrong ? .warning : .question) : hint
        write("\r" + fitting.rendered(hasColour: capabilities.hasColour) + "\u{1B}[K")
    }

    private func erase() { if !capabilities.isPlain { write("\r\u{1B}[K") } }
}

/// The time by which keys are thrown away and a question is over, in milliseconds since some moment in the past.
package enum QuestionTime {
    package static let machine: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
