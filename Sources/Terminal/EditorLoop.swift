import CEdit
import Glibc
import Synchronization

/// The editor's thread. All use of libedit and all writing to the terminal happens on it (hence `@unchecked`).
///
/// The screen shows, from above: finished lines; the rows of the live region (the open block of a stream, then the
/// status); prompt and text, which libedit draws. To show news, the lower two are erased, the news are written, and the
/// lower two are drawn again below.
final class EditorLoop: @unchecked Sendable {
    let settings: LineEditor.Settings
    private let terminal: InputOwner
    let mailbox: EditorMailbox
    let inputs: AsyncStream<ScreenInput>.Continuation
    var editor: OpaquePointer!
    var output: UnsafeMutablePointer<FILE>!
    private var input: UnsafeMutablePointer<FILE>!
    private let libeditHistory = history_init()!
    /// The history, which is read at its first use, on this thread.
    private lazy var history = InputHistory(path: settings.historyPath)
    var decoder = InputDecoder()

    var prompt: StyledText
    var promptText: UnsafeMutablePointer<CChar>
    private let noPrompt: UnsafeMutablePointer<CChar> = strdup("")
    var status: [StyledText] = []
    /// The menu for the line as it was when the live region was drawn last.
    var menu: [LineCandidate] = []
    var markdown: StreamingMarkdown?
    /// The widths of the live rows on the screen.
    var liveRows: [Int] = []
    /// The reader of the keys.
    var mode: Mode
    /// Whether libedit's prompt and line are on the screen. They leave it for a question or a loan in any mode.
    var isLineDrawn = false
    var entered: ScreenInput?
    var newlines = Newlines.none
    /// The line that was offered to the user, while it stands unchanged on the input line.
    var offer: Offer?
    /// How many bytes of a key that is an escape sequence libedit has not read yet.
    private var keyBytes = 0
    /// The bytes that were read last.
    private var lastRead: [UInt8] = []
    /// The number of the paste that the user left before its end.
    private var leftPaste = 0
    /// The terminal's settings before the editor changed them.
    private var found = termios()

    init(
        _ terminal: InputOwner, _ settings: LineEditor.Settings, mailbox: EditorMailbox,
        inputs: AsyncStream<ScreenInput>.Continuation
    ) {
        (self.terminal, self.settings, self.mailbox, self.inputs) = (terminal, settings, mailbox, inputs)
        mode = settings.hasLine ? .editing : .holding(Hold())
        prompt = Self.closed(settings.prompt)
        promptText = Self.promptBytes(prompt, hasColour: settings.capabilities.hasColour)
    }

    deinit {
        free(promptText)
        free(noPrompt)
    }

    /// The prompt that libedit draws. There is none while only questions read the keys: what is typed then would not
    /// come onto the line, and after a secret it would be dropped.
    var drawnPrompt: UnsafeMutablePointer<CChar> { hold == nil ? promptText : noPrompt }

    func run() {
        begin()
        while mode != .hungUp, !mailbox.state.withLock({ $0.isClosing }) {
            entered = nil
            draw(isFirst: true)
            var count: Int32 = 0
            _ = el_gets(editor, &count)
            // Without a line, the editor ends, and the prompt on the screen is erased then.
            guard let entered else { continue }
            isLineDrawn = false
            deliver(entered)
        }
        finish()
    }

    private func deliver(_ entered: ScreenInput) {
        switch entered {
        case .line(let line), .paste(let line), .held(let line):
            if settings.holds(line) { mode = .holding(Hold()) }
            remember(line)
        case .refused, .interrupt, .end, .resize, .takeBack, .escape: break
        }
        inputs.yield(entered)
    }

    func remember(_ entered: String) {
        let line = settings.remembers(entered)
        // A line with a secret in it is not stored in the history.
        guard line == entered else { return }
        if history.enter(line) {
            fillHistory()
        } else if history.entries.last == line {
            cedit_hist_str(libeditHistory, H_ENTER, line)
        }
    }

    private func fillHistory() {
        cedit_hist_clear(libeditHistory)
        for entry in history.entries { cedit_hist_str(libeditHistory, H_ENTER, entry) }
    }

    // MARK: - Beginning and end

    /// Held while an editor is started, since terminfo's loader uses global state.
    private static let starting = Mutex(())

    private func begin() {
        if settings.ownsProcess {
            SavedTerminal.keep(terminal.descriptor)
            SavedTerminal.willChange(terminal.descriptor)
            mailbox.listenToSignals()
        }
        tcgetattr(terminal.descriptor, &found)
        // libedit uses the encoding of the locale, ours is always UTF-8.
        Self.starting.withLock { _ in
            setlocale(LC_CTYPE, "")
            if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
            input = fdopen(dup(terminal.descriptor), "r")
            output = fdopen(dup(settings.output), "w")
            setvbuf(output, nil, Int32(_IOFBF), 1 << 16)
            editor = el_init_fd("assent", input, output, output, terminal.descriptor, settings.output, settings.output)
            cedit_set_client(editor, Unmanaged.passUnretained(self).toOpaque())
            _ = settings.terminal.withCString { cedit_set_str(editor, EL_TERMINAL, $0) }
        }
        cedit_set_int(editor, EL_SIGNAL, 0)
        // Ctrl-C and Ctrl-Z arrive as bytes, even between two lines ("-x"). CR and LF stay as they are, since CR LF is
        // one newline in a paste.
        for mode in ["-d", "-x"] { for flag in ["-isig", "-icrnl", "-inlcr"] { cedit_setty(editor, mode, flag) } }
        for flag in ["-echo", "-icanon"] { cedit_setty(editor, "-x", flag) }
        cedit_hist_int(libeditHistory, H_SETSIZE, Int32(TerminalLimits.historyEntries))
        fillHistory()
        cedit_set_history(editor, libeditHistory)
        cedit_set_prompt(editor, { loop(of: $0).drawnPrompt }, 1)
        cedit_set_getc(editor, { loop(of: $0).read(into: $1) })
        bindKeys()
        if !settings.reports.isNone { terminal.listen(settings.now) }
        put("\u{1B}[?2004h" + settings.reports.focusOn + settings.reports.query)
    }

    /// Sends the signals that wait, between whole writes of everything else.
    private func sendSignals() {
        let signals = mailbox.takeSignals()
        guard !signals.isEmpty else { return }
        for signal in signals { put(signal.bytes) }
        fflush(output)
    }

    private func finish() {
        erase()
        liveRows = []
        showNews()
        sendSignals()
        put("\u{1B}[?2004l" + settings.reports.focusOff)
        fflush(output)
        if settings.reports.asksForStatus { terminal.awaitAnswer() }
        el_end(editor)
        history_end(libeditHistory)
        fclose(input)
        fclose(output)
        if settings.ownsProcess {
            mailbox.stopListening()
            SavedTerminal.release(terminal.descriptor)
        }
        terminal.release()
        if mode == .hungUp { inputs.yield(.end) }
        inputs.finish()
        mailbox.end()
    }

    // MARK: - Reading

    /// Waits for the next character for libedit. This is the only place where this thread waits.
    fileprivate func read(into character: UnsafeMutablePointer<wchar_t>) -> Int32 {
        isLineDrawn = true
        while true {
            if mode == .editing, keyBytes == 0 { dropSequences() }
            if hold == nil, let scalar = decoder.next() {
                if keyBytes > 0 { offer?.isUntouched = false } else if offer != nil { leaveOffer(for: scalar) }
                keyBytes = max(0, keyBytes - UTF8.width(scalar))
                character.pointee = wchar_t(bitPattern: scalar.value)
                return 1
            }
            // The line holds all characters that have arrived.
            if keyBytes == 0 { refreshMenu() }
            switch terminal.wait(wake: mailbox.wake, milliseconds: -1) {
            case .mail: if !attend() { return 0 }
            case .input: if !readSome() { return hangUp() }
            case .interrupted where errno != EINTR: return hangUp()
            case .interrupted, .timeout: continue
            }
        }
    }

    /// Whether Ctrl-C was typed alone within a paste. The user then leaves a paste that has no end. A pasted Ctrl-C
    /// comes among other bytes.
    func leavesPaste() -> Bool {
        guard lastRead == [0x03], decoder.pending == nil else { return false }
        guard terminal.wait(milliseconds: TerminalLimits.escapeMilliseconds) != .input else { return false }
        leftPaste = terminal.pastes.begun
        return true
    }

    /// Drops escape sequences that are not keys of the prompt, and an Esc alone, which only drops an offer. libedit
    /// would read it as the first half of a key, and swallow the next key.
    private func dropSequences() {
        while decoder.pending == 0x1B {
            let bytes = decoder.rest
            switch EscapeSequence(bytes) {
            case .key(let count):
                keyBytes = count
                return
            case .other(let count): decoder.drop(count)
            case .incomplete:
                let mayGoOn = bytes.count < TerminalLimits.sequenceBytes
                guard mayGoOn, terminal.wait(milliseconds: TerminalLimits.escapeMilliseconds) == .input, readSome()
                else {
                    decoder.drop(bytes.count)
                    if bytes == [0x1B] { escape() }
                    continue
                }
            }
        }
    }

    private func readSome() -> Bool {
        // A question may have read the bytes that were seen, so that none are left.
        guard terminal.hasInput else { return true }
        guard let bytes = terminal.read() else { return false }
        lastRead = bytes
        if hold == nil { decoder.feed(bytes) } else if holdBack(bytes) { inputs.yield(.interrupt) }
        return true
    }

    private func hangUp() -> Int32 {
        mode = .hungUp
        return 0
    }

    /// Handles the requests of other threads. Returns false if the editor must end.
    private func attend() -> Bool {
        let signals = mailbox.receive()
        if signals.contains(EditorMailbox.Signal.resumed.rawValue) {
            // The program that had the terminal while we were stopped may have changed its settings.
            for isRaw: Int32 in [0, 1] { cedit_set_int(editor, EL_PREP_TERM, isRaw) }
            put("\u{1B}[?2004h" + settings.reports.focusOn)
        }
        if signals.contains(EditorMailbox.Signal.resize.rawValue) {
            el_resize(editor)
            inputs.yield(.resize)
        }
        if mailbox.state.withLock({ $0.isClosing }) { return false }
        sendSignals()
        let endsHold = mailbox.takeEndOfHold()
        if endsHold { endHold() }
        // The rest of a paste would be read as keys.
        while mode != .pasting, let pending = nextQuestion() { ask(pending) }
        while mode != .pasting, let loan = mailbox.state.withLock({ $0.loans.isEmpty ? nil : $0.loans.removeFirst() }) {
            lend(loan)
        }
        let isOffered = mailbox.takeOffer().map(putOffer) ?? false
        draw(isFirst: false, isForced: endsHold || isOffered || signals != [EditorMailbox.Signal.mail.rawValue])
        return true
    }

    // MARK: - Questions

    private func nextQuestion() -> EditorMailbox.PendingQuestion? {
        mailbox.state.withLock { $0.questions.isEmpty ? nil : $0.questions.removeFirst() }
    }

    private func ask(_ pending: EditorMailbox.PendingQuestion) {
        if isWithdrawn(pending.number) { return pending.answer.resume(returning: .none(.withdrawn)) }
        begin(update: true)
        erase()
        showNews()
        begin(update: false)
        fflush(output)
        terminal.giveBack(takeHeld())
        let session = QuestionSession(
            input: terminal, capabilities: settings.capabilities, wake: mailbox.wake,
            events: { [self] in questionEvent(pending.number) }, now: settings.now,
            suspend: settings.suspend.map { suspend in { [self] in lend { _ in suspend() } } },
            write: { [self] text in
                put(text)
                fflush(output)
            })
        let outcome = session.ask(pending.question, isLineBegun: hasBegunLine)
        goOn(with: outcome, after: pending.question.form)
        liveRows = []
        isLineDrawn = false
        pending.answer.resume(returning: outcome.answer)
        draw(isFirst: false, isForced: true)
        isLineDrawn = true
    }

    /// Whether characters that the user typed stand on the line, or wait for it.
    private var hasBegunLine: Bool {
        let isOffer = offer.map { $0.isUntouched && $0.text == lineText } ?? false
        return !lineText.isEmpty && !isOffer || decoder.pending != nil
    }

    /// The bytes that make the rest of an open paste a paste of the line. If they were keys, its newlines would enter
    /// the line. It is empty if no paste is open, or if the user has left it.
    var openPaste: [UInt8] { terminal.pastes.begun == leftPaste ? [] : terminal.pastes.opening }

    /// Puts characters that were typed too early for a question on the line, without entering it. If a secret was asked
    /// for, they are dropped, since they may be a part of it. Who has answered another question since types no secret.
    private func goOn(with outcome: QuestionSession.Outcome, after form: KeyQuestion.Form) {
        let isSecretive = form == .secret || hold?.isSecretive == true
        hold?.isSecretive = isSecretive && (form == .secret || !outcome.answer.isGiven)
        let bytes = isSecretive || !settings.hasLine ? [] : decoder.rest + outcome.early
        decoder.clear()
        decoder.feed(TypedText.lines(bytes))
        if settings.hasLine { decoder.feed(openPaste) }
    }

    private func lend(_ loan: EditorMailbox.Loan) {
        lend(loan.body)
        loan.done.resume(returning: true)
        takeBack()
    }

    /// Lends the terminal, with its original settings, until `body` returns. `takeBack` must follow.
    private func lend(_ body: (_ terminal: Int32) -> Void) {
        begin(update: true)
        erase()
        showNews()
        begin(update: false)
        put("\u{1B}[?2004l" + settings.reports.focusOff)
        fflush(output)
        var own = termios()
        tcgetattr(terminal.descriptor, &own)
        tcsetattr(terminal.descriptor, TCSADRAIN, &found)
        body(terminal.descriptor)
        tcsetattr(terminal.descriptor, TCSADRAIN, &own)
        put("\u{1B}[?2004h" + settings.reports.focusOn)
        decoder.clear()
        liveRows = []
        isLineDrawn = false
    }

    private func takeBack() {
        draw(isFirst: false, isForced: true)
        isLineDrawn = true
    }

    /// Opens the line in the user's own editor, for Ctrl-X Ctrl-E. The edited line is not entered.
    func editLine() -> UInt8 {
        guard let edit = settings.edit else {
            tell([StyledText("There is no editor to open: set VISUAL or EDITOR to one.", .warning)])
            return UInt8(CC_NORM)
        }
        let text = lineText
        var edited: String?
        lend { edited = edit(text, $0) }
        takeBack()
        guard let edited, edited.utf8.count <= TerminalLimits.pasteBytes else {
            tell([StyledText("The editor failed, or left more than a line can hold. The line is as it was.", .warning)])
            return UInt8(CC_NORM)
        }
        clearLine()
        return insert(Self.pasted(String(edited.reversed().drop { $0.isNewline }.reversed()).unicodeScalars))
    }

    /// Stops the process until the shell continues it (`fg`), for Ctrl-Z.
    func suspend() -> UInt8 {
        guard let suspend = settings.suspend else { return UInt8(CC_NORM) }
        lend { _ in suspend() }
        takeBack()
        return UInt8(CC_NORM)
    }

    private func questionEvent(_ number: Int) -> QuestionSession.Event {
        let signals = mailbox.receive()
        if isWithdrawn(number) || mailbox.state.withLock({ $0.isClosing }) { return .withdrawn }
        sendSignals()
        guard signals.contains(EditorMailbox.Signal.resize.rawValue) else {
            let pictures = mailbox.state.withLock { $0.takeIllustrations() }
            return pictures.isEmpty ? .nothing : .illustrated(pictures.map { drawn($0.0, $0.1) }.joined())
        }
        el_resize(editor)
        inputs.yield(.resize)
        return .resized
    }

    private func isWithdrawn(_ number: Int) -> Bool { mailbox.state.withLock { $0.withdrawn.remove(number) != nil } }
}
