import Glibc

/// The dialogue of one question on a terminal that is in raw mode already. It blocks, and needs a thread of its own.
struct QuestionSession {
    let input: InputOwner
    let capabilities: TerminalCapabilities
    /// The descriptor that is readable when `events` must be called, or -1 for none.
    var wake: Int32 = -1
    /// Returns the next event. It is called when `wake` is readable.
    var events: () -> Event = { .nothing }
    var now = QuestionTime.machine
    /// Stops this process until the shell continues it, for Ctrl-Z. The key has no meaning if it is `nil`.
    var suspend: (() -> Void)?
    let write: (String) -> Void

    enum Event {
        case nothing, withdrawn, resized
        /// A picture arrived that is drawn below the question, with these bytes.
        case illustrated(String)
    }

    struct Outcome {
        var answer: KeyQuestion.Answer
        /// The bytes that were typed before a decision accepted keys, so they were meant for something else.
        var early: [UInt8] = []
    }

    /// Asks a question, and blocks until there is an answer.
    ///
    /// - Parameter isLineBegun: whether characters of a line were typed before the question appeared. The next Enter
    ///   ends that line, so it does not answer.
    func ask(_ question: KeyQuestion, isLineBegun: Bool = false) -> Outcome {
        var reader = AnswerReader(question.form, beginningWith: question.text?.text ?? "")
        var outcome = Outcome(answer: .none(.endOfInput))
        if isLineBegun { reader.doubt(.begunBefore) }
        let deadline = question.timeoutMilliseconds.map { now() + $0 }
        // The time at which a letter or an Esc that arrived alone becomes an answer.
        var settles: Int64?
        var echo = ""
        draw(question.lines)
        show(reader.takeLines())
        var answer = open(question, &reader, until: deadline, &outcome.early)
        while answer == nil {
            switch waitForInput(until: [settles, deadline].compactMap(\.self).min()) {
            case .timeout where settles.map { $0 <= now() } ?? false:
                settles = nil
                answer = self.answer(reader.settle(), question, &reader, &outcome.early)
            case .timeout: if deadline.map({ $0 <= now() }) ?? false { answer = .none(.timeout) }
            case .event(.withdrawn): answer = .none(.withdrawn)
            case .event(.resized):
                // The question has moved, so a key that was on its way may have been meant for something else.
                reader.holdLetter()
                settles = nil
                erase()
                paint(question, reader)
            case .event(.illustrated(let picture)):
                erase()
                write(picture)
                // The question has moved up.
                reader.holdLetter()
                settles = nil
                paint(question, reader)
            case .event(.nothing): break
            case .input:
                let pastes = input.pastes
                let bytes = burst()
                // A decision ignores a paste, and all bytes while one is open.
                if suspends(on: bytes, at: question) {
                    settles = nil
                    guard question.form.isDecision else {
                        paint(question, reader)
                        continue
                    }
                    reader.holdLetter()
                    answer = open(question, &reader, until: deadline, &outcome.early)
                    continue
                }
                let isPaste = question.form.isDecision && input.pastes.isPaste(since: pastes) && !bytes.isEmpty
                let step = isPaste ? reader.refusePaste() : reader.receive(bytes)
                question.text?.set(reader.entered)
                if capabilities.isPlain, question.form != .secret {
                    show(reader, &echo, isOver: step != .goOn(isWrong: false))
                }
                if isPaste, input.pastes.isOpen {
                    erase()
                    var dropped: [UInt8] = []
                    answer = arm(question, until: deadline, &dropped)
                    if answer == nil { paint(question, reader) }
                } else {
                    answer = self.answer(step, question, &reader, &outcome.early)
                }
                settles = answer == nil ? settling(reader) : nil
            }
        }
        erase()
        if let answer { outcome.answer = answer }
        draw(question.lines(below: outcome.answer))
        return outcome
    }

    private func settling(_ reader: AnswerReader) -> Int64? {
        if reader.isEscapeAlone { return now() + Int64(TerminalLimits.armingMilliseconds) }
        return reader.isLetterAlone ? now() + Int64(TerminalLimits.letterMilliseconds) : nil
    }

    private func answer(
        _ step: AnswerReader.Step, _ question: KeyQuestion, _ reader: inout AnswerReader, _ early: inout [UInt8]
    ) -> KeyQuestion.Answer? {
        switch step {
        case .answered(let given): return given
        case .goOn(let isWrong):
            early += reader.takeBegun().utf8
            show(reader.takeLines())
            paint(question, reader, isWrong: isWrong)
            return nil
        }
    }

    // MARK: - Beginning

    /// Makes the question accept input. Its hint appears then.
    ///
    /// A decision waits until nothing was typed for a while, since a user who types has not read it. For a secret, all
    /// that was typed or pasted before the question is dropped, with the rest of an open paste. Entries of other
    /// content accept at once the bytes that have arrived. No question accepts a paste that began before it.
    ///
    /// - Returns: an answer that came before that, which is never a yes.
    private func open(
        _ question: KeyQuestion, _ reader: inout AnswerReader, until deadline: Int64?, _ early: inout [UInt8]
    ) -> KeyQuestion.Answer? {
        let before = early.count
        let isSecret = question.form == .secret
        let wasTooEarly = isSecret && input.discard(untilSilent: Int64(TerminalLimits.letterMilliseconds), now: now)
        let isInPaste = isSecret && input.pastes.isOpen
        if let answer = arm(question, until: deadline, &early) { return answer }
        if early.count > before { reader.doubt(.begunBefore) }
        if wasTooEarly || isInPaste {
            let words = StyledText("   What came before this question was dropped. Type or paste it again.", .warning)
            for row in words.wrapped(to: columns) { write(row.rendered(hasColour: capabilities.hasColour) + "\r\n") }
        }
        paint(question, reader)
        return nil
    }

    /// Waits until a question may accept keys: nothing was typed for its time, and no paste is open.
    ///
    /// A paste may have no end, for example if its terminal has ended. So a single Esc, or Ctrl-C, leaves the question
    /// even within a paste.
    private func arm(_ question: KeyQuestion, until deadline: Int64?, _ early: inout [UInt8]) -> KeyQuestion.Answer? {
        var end = now() + Int64(question.armingMilliseconds)
        var leaves: Int64?
        var isTold = false
        while now() < end || input.pastes.isOpen {
            if deadline.map({ $0 <= now() }) ?? false { return .none(.timeout) }
            if leaves.map({ $0 <= now() }) ?? false { return .none(.escape) }
            let isQuiet = end <= now()
            if isQuiet, !isTold {
                isTold = true
                say(KeyQuestion.withinPaste(columns: columns))
            }
            switch waitForInput(until: [isQuiet ? nil : end, leaves, deadline].compactMap(\.self).min()) {
            case .timeout, .event(.nothing), .event(.resized): continue
            case .event(.withdrawn): return .none(.withdrawn)
            case .event(.illustrated(let picture)):
                erase()
                write(picture)
                (end, isTold) = (now() + Int64(question.armingMilliseconds), false)
            case .input:
                let pastes = input.pastes
                guard let bytes = input.read() else { return .none(.endOfInput) }
                if bytes.isEmpty { continue }
                if suspends(on: bytes, at: question) {
                    (end, isTold) = (now() + Int64(question.armingMilliseconds), false)
                    continue
                }
                let isPaste = input.pastes.isPaste(since: pastes)
                guard isPaste ? bytes != [0x03] : !bytes.contains(0x03) else { return .none(.interrupt) }
                // Esc may be the beginning of the end mark.
                leaves = pastes.isOpen && bytes == [0x1B] ? now() + Int64(TerminalLimits.armingMilliseconds) : nil
                // Enter alone begins no line, such as the one behind a letter that has acted at once.
                let isEnter = early.isEmpty && bytes.allSatisfy { [0x0A, 0x0D].contains($0) }
                if question.form != .secret, !isEnter {
                    early += bytes.prefix(TerminalLimits.earlyBytes - early.count)
                }
                (end, isTold) = (now() + Int64(question.armingMilliseconds), false)
                if !capabilities.isPlain, !isEnter { row(KeyQuestion.unarmed(columns: columns)) }
            }
        }
        return nil
    }

    /// Stops this process if the bytes are Ctrl-Z. Draws the question again when the process goes on.
    ///
    /// - Returns: whether the process was stopped.
    private func suspends(on bytes: [UInt8], at question: KeyQuestion) -> Bool {
        guard bytes == [0x1A], !input.pastes.isOpen, let suspend else { return false }
        erase()
        suspend()
        draw(question.lines)
        return true
    }

    // MARK: - Reading

    private enum Arrival { case input, timeout, event(Event) }

    /// Waits for keys or events. It checks the clock again and again, since a test moves it.
    private func waitForInput(until deadline: Int64?) -> Arrival {
        let left = deadline.map { QuestionTime.slice(until: $0, now: now()) } ?? -1
        switch input.wait(wake: wake, milliseconds: left) {
        case .input: return .input
        case .mail: return .event(events())
        case .timeout: return .timeout
        case .interrupted: return .event(wake < 0 ? .nothing : events())
        }
    }

    /// Returns all bytes that belong together. A single ESC is a key, ESC and more a sequence, and a bracketed paste
    /// ends with its end mark. A paste that is too long or too slow for this is put together by the reader.
    private func burst() -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.isEmpty {
            guard let more = input.read() else { return [] }
            bytes = more
        }
        let first = bytes[0]
        var isOpen = first == 0x1B || !Self.isComplete(bytes)
        while isOpen, bytes.count < TerminalLimits.pasteBytes {
            let isPaste = PasteBuffer.begins(bytes)
            if isPaste, Self.contains(bytes, PasteMarks.end) { break }
            let patience = isPaste ? TerminalLimits.burstMilliseconds * 10 : TerminalLimits.burstMilliseconds
            guard input.wait(milliseconds: patience) == .input, let more = input.read(), !more.isEmpty else { break }
            bytes += more
            isOpen = bytes.first == 0x1B || !Self.isComplete(bytes)
        }
        return bytes
    }

    /// Whether all bytes of the last scalar have arrived.
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

    private func draw(_ lines: [StyledText]) {
        for line in lines { write(line.rendered(hasColour: capabilities.hasColour) + "\r\n") }
    }

    // MARK: - The hint below the question

    /// Shows complete lines of a long entry, which stay on the screen.
    private func show(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        erase()
        for line in lines { write("  " + VisibleText.line(line) + "\r\n") }
    }

    /// Shows the typed characters as the kernel would: without a movable cursor, only the new ones.
    private func show(_ reader: AnswerReader, _ echo: inout String, isOver: Bool) {
        // A letter alone is shown together with the answer.
        let typed = reader.isLetterAlone ? "" : VisibleText.line(reader.typed)
        if typed.hasPrefix(echo) {
            write(String(typed.dropFirst(echo.count)))
        } else if echo.hasPrefix(typed) && !isOver {
            write(String(repeating: "\u{8} \u{8}", count: DisplayWidth.of(echo) - DisplayWidth.of(typed)))
        }
        if isOver, !echo.isEmpty || !typed.isEmpty { write("\r\n") }
        echo = isOver ? "" : typed
    }

    private var columns: Int { TerminalSize(of: input.descriptor).columns - 1 }

    private func paint(_ question: KeyQuestion, _ reader: AnswerReader, isWrong: Bool = false) {
        let hint = question.hint(
            typed: reader.typed, isWrong: isWrong, isUntouched: reader.isUntouched || reader.isLetterAlone,
            refused: reader.refused,
            refusal: reader.refusal, isShown: reader.isShown, columns: columns)
        guard capabilities.isPlain else { return row(hint) }
        // Without a movable cursor, the hint is written once, and again after a wrong key.
        if isWrong || reader.typed.isEmpty { write(hint.plain + "\r\n") }
    }

    /// Shows a text in place of the hint, or below it if nothing can be drawn over.
    private func say(_ text: StyledText) { if capabilities.isPlain { write(text.plain + "\r\n") } else { row(text) } }

    private func row(_ text: StyledText) {
        // The typed characters stand at the end, which a cut always shows.
        let fitting = text.width > columns ? StyledText(VisibleText.cut(text.plain, to: columns), .question) : text
        write("\r" + fitting.rendered(hasColour: capabilities.hasColour) + "\u{1B}[K")
    }

    private func erase() { if !capabilities.isPlain { write("\r\u{1B}[K") } }
}

/// The clock by which keys are dropped and questions time out, in milliseconds since some moment in the past.
package enum QuestionTime {
    package static let machine: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Returns the milliseconds to wait before the clock is read again. A test moves the clock, so no wait is longer
    /// than `TerminalLimits.clockMilliseconds`.
    static func slice(until end: Int64, now: Int64) -> Int32 {
        Int32(clamping: max(0, min(TerminalLimits.clockMilliseconds, end - now)))
    }
}
