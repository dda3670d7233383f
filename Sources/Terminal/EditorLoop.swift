import CEdit
import Glibc
import Synchronization

/// The editor's thread: all of libedit and all writing to the terminal happens here and nowhere else (hence `@unchecked`).
///
/// On the screen stand, from above: finished lines; the rows of the live region (the open block of a stream, then the status); prompt and text,
/// which libedit draws. News erase the lower two, are written, and the lower two are drawn again below.
final class EditorLoop: @unchecked Sendable {
    let settings: LineEditor.Settings
    let mailbox: EditorMailbox
    let inputs: AsyncStream<ScreenInput>.Continuation
    private(set) var editor: OpaquePointer!
    private var output: UnsafeMutablePointer<FILE>!
    private var input: UnsafeMutablePointer<FILE>!
    private let libeditHistory = history_init()!
    private var history: InputHistory
    private var decoder = InputDecoder()

    private var prompt: StyledText
    private var promptText: UnsafeMutablePointer<CChar>
    private var status: [StyledText] = []
    private var markdown: StreamingMarkdown?
    /// Widths of the live rows that are on the screen.
    private var liveRows: [Int] = []
    /// Whether libedit's prompt is on the screen.
    private var isEditing = false
    private var entered: ScreenInput?
    private var hasHungUp = false

    init(_ settings: LineEditor.Settings, mailbox: EditorMailbox, inputs: AsyncStream<ScreenInput>.Continuation) {
        (self.settings, self.mailbox, self.inputs) = (settings, mailbox, inputs)
        history = InputHistory(path: settings.historyPath)
        prompt = Self.closed(settings.prompt)
        promptText = Self.promptBytes(prompt, hasColour: settings.capabilities.hasColour)
    }

    deinit { free(promptText) }

    func run() {
        begin()
        while !hasHungUp, !mailbox.state.withLock({ $0.isClosing }) {
            entered = nil
            draw(isFirst: true)
            var count: Int32 = 0
            _ = el_gets(editor, &count)
            isEditing = false
            if let entered { deliver(entered) }
        }
        finish()
    }

    private func deliver(_ entered: ScreenInput) {
        if case .line(let line) = entered { remember(line) }
        inputs.yield(entered)
    }

    private func remember(_ line: String) {
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

    /// terminfo's loader keeps global state.
    private static let starting = Mutex(())

    private func begin() {
        if settings.ownsProcess {
            SavedTerminal.keep(settings.input)
            SavedTerminal.willChange(settings.input)
            mailbox.listenToSignals()
        }
        // libedit speaks the locale's encoding; ours is always UTF-8.
        Self.starting.withLock { _ in
            setlocale(LC_CTYPE, "")
            if String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
            input = fdopen(dup(settings.input), "r")
            output = fdopen(dup(settings.output), "w")
            setvbuf(output, nil, Int32(_IOFBF), 1 << 16)
            editor = el_init_fd("assent", input, output, output, settings.input, settings.output, settings.output)
            cedit_set_client(editor, Unmanaged.passUnretained(self).toOpaque())
            _ = settings.terminal.withCString { cedit_set_str(editor, EL_TERMINAL, $0) }
        }
        cedit_set_int(editor, EL_SIGNAL, 0)
        // Ctrl-C and Ctrl-Z arrive as bytes, also in the moments between two lines ("-x").
        // Neither of CR and LF becomes the other: in a paste CR LF is one newline.
        for mode in ["-d", "-x"] { for flag in ["-isig", "-icrnl", "-inlcr"] { cedit_setty(editor, mode, flag) } }
        for flag in ["-echo", "-icanon"] { cedit_setty(editor, "-x", flag) }
        cedit_hist_int(libeditHistory, H_SETSIZE, Int32(TerminalLimits.historyEntries))
        fillHistory()
        cedit_set_history(editor, libeditHistory)
        cedit_set_prompt(editor, { loop(of: $0).promptText }, 1)
        cedit_set_getc(editor, { loop(of: $0).read(into: $1) })
        bindKeys()
        put("\u{1B}[?2004h")
    }

    private func finish() {
        erase()
        liveRows = []
        showNews()
        put("\u{1B}[?2004l")
        fflush(output)
        el_end(editor)
        history_end(libeditHistory)
        fclose(input)
        fclose(output)
        if settings.ownsProcess {
            mailbox.stopListening()
            SavedTerminal.restore()
        }
        if hasHungUp { inputs.yield(.end) }
        inputs.finish()
        mailbox.end()
    }

    // MARK: - Reading

    /// libedit wants a character: the only place where this thread waits.
    fileprivate func read(into character: UnsafeMutablePointer<wchar_t>) -> Int32 {
        isEditing = true
        while true {
            if let scalar = decoder.next() {
                character.pointee = wchar_t(bitPattern: scalar.value)
                return 1
            }
            var waiting = [
                pollfd(fd: settings.input, events: Int16(POLLIN), revents: 0), pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waiting, 2, -1) < 0 {
                if errno == EINTR { continue }
                return hangUp()
            }
            if waiting[1].revents != 0, !attend() { return 0 }
            if waiting[0].revents != 0, !readSome() { return hangUp() }
        }
    }

    private func readSome() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // A question may have taken what poll saw; then nothing is waiting any more.
        var waiting = pollfd(fd: settings.input, events: Int16(POLLIN), revents: 0)
        if poll(&waiting, 1, 0) == 0 { return true }
        let count = Glibc.read(settings.input, &buffer, buffer.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        decoder.feed(buffer.prefix(count))
        return count > 0
    }

    private func hangUp() -> Int32 {
        hasHungUp = true
        return 0
    }

    /// Does what others have posted. False when it is time to go.
    private func attend() -> Bool {
        let signals = mailbox.receive()
        if signals.contains(EditorMailbox.Signal.resumed.rawValue) {
            // Whoever had the terminal while we were stopped has set it as they liked.
            for isRaw: Int32 in [0, 1] { cedit_set_int(editor, EL_PREP_TERM, isRaw) }
            put("\u{1B}[?2004h")
        }
        if signals.contains(EditorMailbox.Signal.resize.rawValue) {
            el_resize(editor)
            inputs.yield(.resize)
        }
        if mailbox.state.withLock({ $0.isClosing }) { return false }
        while let pending = nextQuestion() { ask(pending) }
        draw(isFirst: false, isForced: signals != [EditorMailbox.Signal.mail.rawValue])
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
        let session = QuestionSession(
            descriptor: settings.input, capabilities: settings.capabilities, wake: mailbox.wake,
            events: { [self] in questionEvent(pending.number) },
            write: { [self] text in
                put(text)
                fflush(output)
            })
        let answer = session.ask(pending.question)
        // Keys pressed while the question stood were meant for it.
        decoder.clear()
        liveRows = []
        isEditing = false
        pending.answer.resume(returning: answer)
        draw(isFirst: false, isForced: true)
        isEditing = true
    }

    private func questionEvent(_ number: Int) -> QuestionSession.Event {
        let signals = mailbox.receive()
        if isWithdrawn(number) || mailbox.state.withLock({ $0.isClosing }) { return .withdrawn }
        guard signals.contains(EditorMailbox.Signal.resize.rawValue) else { return .nothing }
        el_resize(editor)
        inputs.yield(.resize)
        return .resized
    }

    private func isWithdrawn(_ number: Int) -> Bool { mailbox.state.withLock { $0.withdrawn.remove(number) != nil } }

    // MARK: - Drawing

    private func put(_ text: String) { fputs(text, output) }

    /// Where the terminal knows synchronised updates, nothing flickers.
    private func begin(update: Bool) { put(update ? "\u{1B}[?2026h" : "\u{1B}[?2026l") }

    /// Draws what is new. `isFirst`: libedit draws the prompt next by itself.
    private func draw(isFirst: Bool, isForced: Bool = false) {
        let mail = mailbox.state.withLock { state in
            defer { (state.prompt, state.status) = (nil, nil) }
            return (prompt: state.prompt, status: state.status, hasNews: !state.news.isEmpty)
        }
        let isStatusNew = mail.status.map { $0 != status } ?? false
        let isPromptNew = mail.prompt.map { Self.closed($0) != prompt } ?? false
        guard isFirst || isForced || mail.hasNews || isStatusNew || isPromptNew else { return }
        begin(update: true)
        erase()
        if let new = mail.prompt { change(prompt: new) }
        status = mail.status ?? status
        showNews()
        drawLive()
        if !isFirst { cedit_refresh(editor) }
        begin(update: false)
        fflush(output)
    }

    private func change(prompt new: StyledText) {
        prompt = Self.closed(new)
        free(promptText)
        promptText = Self.promptBytes(prompt, hasColour: settings.capabilities.hasColour)
    }

    /// Empties the live region and libedit's rows and leaves the cursor at the top of them. Row by row: `ESC[J` from the first row of the screen
    /// makes tmux keep the erased rows in its scrollback.
    private func erase() {
        let size = TerminalSize(of: settings.output)
        let live = liveRows.reduce(0) { $0 + max(1, ($1 + size.columns - 1) / size.columns) }
        let (above, rows) = isEditing ? editRows(size) : (0, 0)
        let up = min(live + above, size.rows - 1)
        let total = min(live + rows, size.rows)
        guard up > 0 || total > 0 else { return }
        put("\r" + Self.up(up) + "\u{1B}[K")
        for _ in 1..<max(1, total) { put("\u{1B}[B\u{1B}[K") }
        put(Self.up(max(0, total - 1)))
        liveRows = []
    }

    /// Rows of libedit above the cursor, and all of them.
    private func editRows(_ size: TerminalSize) -> (above: Int, total: Int) {
        let line = el_wline(editor).pointee
        guard let start = line.buffer, let cursor = line.cursor, let end = line.lastchar else { return (0, 1) }
        var area = EditArea(columns: size.columns, promptWidth: promptWidth)
        area.advance(over: start, count: cursor - start)
        let above = area.row
        area.advance(over: cursor, count: end - cursor)
        return (above, area.row + 1)
    }

    private var promptWidth: Int { prompt.width }

    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

    private func showNews() {
        let news = mailbox.state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
        for item in news {
            switch item {
            case .lines(let lines): write(lines)
            case .piece(let text):
                var growing = markdown ?? StreamingMarkdown(width: columns)
                growing.width = columns
                growing.feed(text)
                write(growing.takeFinished())
                markdown = growing
            case .endOfStream:
                markdown?.finish()
                write(markdown?.takeFinished() ?? [])
                markdown = nil
            }
        }
    }

    private var columns: Int { TerminalSize(of: settings.output).columns }

    private func write(_ lines: [StyledText]) {
        for line in lines { put(line.rendered(hasColour: settings.capabilities.hasColour) + "\r\n") }
    }

    /// The newest rows that leave room for the line that is typed.
    private func drawLive() {
        let size = TerminalSize(of: settings.output)
        let open = (markdown?.open ?? []).flatMap { $0.rows(of: size.columns) }
        let fixed = status.map { $0.truncated(to: size.columns) }
        let typed = isEditing ? editRows(size).total : 1
        let room = max(0, size.rows - 1 - typed)
        let rows = Array(open.suffix(max(0, room - fixed.count)) + fixed.suffix(room))
        write(rows)
        liveRows = rows.map(\.width)
    }

    /// libedit draws what takes no room together with the character after it: the last one must be plain.
    private static func closed(_ prompt: StyledText) -> StyledText {
        prompt.spans.last?.style.isEmpty == false ? prompt + " " : prompt
    }

    /// The prompt as libedit wants it: `\1` around what takes no room.
    private static func promptBytes(_ prompt: StyledText, hasColour: Bool) -> UnsafeMutablePointer<CChar> {
        let text = prompt.spans.reduce(into: "") { out, span in
            let sgr = hasColour ? span.style.sgr : ""
            out += sgr.isEmpty ? span.text : "\u{1}\(sgr)\u{1}\(span.text)\u{1}\u{1B}[0m\u{1}"
        }
        return strdup(text)
    }

    // MARK: - What keys do

    /// Enter: the region below becomes finished lines.
    func enter() -> UInt8 {
        let text = lineText
        begin(update: true)
        erase()
        if !text.isEmpty { write(echo(text)) }
        begin(update: false)
        fflush(output)
        // libedit goes to the end of the line it believes to be on the screen: there must be none.
        clearLine()
        entered = .line(text)
        return UInt8(CC_NEWLINE)
    }

    private func echo(_ text: String) -> [StyledText] {
        let indent = StyledText(spaces: prompt.width)
        return VisibleText.lines(text).enumerated().map { ($0 == 0 ? prompt : indent) + StyledText($1) }
    }

    func interrupt() -> UInt8 {
        let isBusy = mailbox.state.withLock { $0.isBusy }
        if isBusy || lineText.isEmpty {
            inputs.yield(.interrupt)
            return UInt8(CC_NORM)
        }
        clearLine()
        return UInt8(CC_REFRESH)
    }

    func endOrDelete() -> UInt8 {
        let line = el_wline(editor).pointee
        guard line.lastchar > line.buffer else {
            entered = .end
            begin(update: true)
            erase()
            begin(update: false)
            fflush(output)
            return UInt8(CC_NEWLINE)
        }
        guard line.cursor < line.lastchar else { return UInt8(CC_ERROR) }
        el_cursor(editor, 1)
        el_deletestr(editor, 1)
        return UInt8(CC_REFRESH)
    }

    private func clearLine() {
        let line = el_wline(editor).pointee
        el_cursor(editor, Int32(line.lastchar - line.cursor))
        el_deletestr(editor, Int32(line.lastchar - line.buffer))
    }

    /// What is on the line, without controls that Ctrl-V has let in.
    private var lineText: String {
        let line = el_wline(editor).pointee
        return Self.text(line.buffer, line.lastchar - line.buffer)
    }

    var textBeforeCursor: String {
        let line = el_wline(editor).pointee
        return Self.text(line.buffer, line.cursor - line.buffer)
    }

    private static func text(_ characters: UnsafePointer<wchar_t>, _ count: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for index in 0..<count {
            let scalar = Unicode.Scalar(UInt32(bitPattern: characters[index])) ?? "\u{FFFD}"
            if scalar == "\n" || (scalar.value >= 0x20 && InputDecoder.isTypeable(scalar) && scalar.value != 0x7F) { scalars.append(scalar) }
        }
        return String(scalars)
    }

    /// Lines that belong above the prompt, from this thread.
    func tell(_ lines: [StyledText]) { mailbox.post { $0.add(.lines(lines)) } }
}

/// libedit's callbacks know only the editor.
func loop(of editor: OpaquePointer) -> EditorLoop {
    guard let context = cedit_client(editor) else { fatalError("an editor without its loop") }
    return Unmanaged<EditorLoop>.fromOpaque(context).takeUnretainedValue()
}
