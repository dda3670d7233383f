import Glibc

/// Questions without an editor. The terminal is set to single keys for one question, and restored after it.
enum RawTerminal {
    /// Asks a question, and blocks until there is an answer.
    static func ask(
        _ question: KeyQuestion, input: InputOwner, output: Int32, capabilities: TerminalCapabilities, wake: Int32 = -1,
        events: @escaping () -> QuestionSession.Event = { .nothing },
        now: @escaping @Sendable () -> Int64 = QuestionTime.machine
    ) -> QuestionSession.Outcome {
        var settings = termios()
        guard tcgetattr(input.descriptor, &settings) == 0 else {
            return QuestionSession.Outcome(answer: .none(.noTerminal))
        }
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        SavedTerminal.willChange(input.descriptor, usesEscapes: !capabilities.isPlain)
        tcsetattr(input.descriptor, TCSANOW, &raw)
        let write = { (text: String) in
            let bytes = Array(text.utf8)
            _ = Glibc.write(output, bytes, bytes.count)
        }
        // Bracketed paste is switched on, so that a paste is recognised.
        if !capabilities.isPlain { write("\u{1B}[?2004h") }
        defer {
            if !capabilities.isPlain { write("\u{1B}[?2004l") }
            tcsetattr(input.descriptor, TCSANOW, &settings)
        }
        let session = QuestionSession(
            input: input, capabilities: capabilities, wake: wake, events: events, now: now, write: write)
        return session.ask(question)
    }
}
