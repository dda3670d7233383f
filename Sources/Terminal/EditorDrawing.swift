import CEdit
import Glibc
import Synchronization

/// The drawing of the screen.
extension EditorLoop {
    func put(_ text: String) { fputs(text, output) }

    /// Begins or ends a synchronised update, in which terminals that support it draw without flicker.
    func begin(update: Bool) { put(update ? "\u{1B}[?2026h" : "\u{1B}[?2026l") }

    /// Draws everything that has changed. `isFirst`: whether libedit draws the prompt next by itself.
    func draw(isFirst: Bool, isForced: Bool = false) {
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
        menu = isFirst ? [] : menuEntries()
        drawLive()
        if !isFirst { cedit_refresh(editor) }
        begin(update: false)
        fflush(output)
    }

    func change(prompt new: StyledText) {
        prompt = Self.closed(new)
        free(promptText)
        promptText = Self.promptBytes(prompt, hasColour: settings.capabilities.hasColour)
    }

    /// Erases the live region and libedit's rows, and leaves the cursor at their top. It does so row by row: `ESC[J`
    /// from the first row of the screen would make tmux keep the erased rows in its scrollback.
    func erase() {
        let size = TerminalSize(of: settings.output)
        let live = liveRows.reduce(0) { $0 + max(1, ($1 + size.columns - 1) / size.columns) }
        let (above, rows) = isLineDrawn ? editRows(size) : (0, 0)
        let up = min(live + above, size.rows - 1)
        let total = min(live + rows, size.rows)
        guard up > 0 || total > 0 else { return }
        put("\r" + Self.up(up) + "\u{1B}[K")
        for _ in 1..<max(1, total) { put("\u{1B}[B\u{1B}[K") }
        put(Self.up(max(0, total - 1)))
        liveRows = []
    }

    /// Returns the rows that libedit has drawn above the cursor, and all its rows.
    private func editRows(_ size: TerminalSize) -> (above: Int, total: Int) {
        let line = el_wline(editor).pointee
        guard let start = line.buffer, let cursor = line.cursor, let end = line.lastchar else { return (0, 1) }
        var area = EditArea(columns: size.columns, promptWidth: promptWidth)
        area.advance(over: start, count: cursor - start)
        let above = area.row
        area.advance(over: cursor, count: end - cursor)
        return (above, area.row + 1)
    }

    private var promptWidth: Int { hold == nil ? prompt.width : 0 }

    private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

    func showNews() {
        let news = mailbox.state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
        for item in news {
            switch item {
            case .lines(let lines): write(lines)
            case .picture(let picture): put(drawn(picture))
            case .illustration(let caption, let picture): put(drawn(caption, picture))
            case .clipboard(let text): put("\u{1B}]52;c;\(Base64.text(of: Array(text.utf8)))\u{07}")
            case .piece(let text):
                let room = columns - Gutter.cells
                var growing = markdown ?? StreamingMarkdown(width: room)
                growing.width = room
                growing.feed(text)
                write(ofOthers(growing.takeFinished()))
                markdown = growing
            case .endOfStream:
                markdown?.finish()
                write(ofOthers(markdown?.takeFinished() ?? []))
                markdown = nil
            }
        }
    }

    private func ofOthers(_ lines: [StyledText]) -> [StyledText] { lines.flatMap { Gutter.rows($0, columns: columns) } }

    private var columns: Int { TerminalSize(of: settings.output).columns }

    func write(_ lines: [StyledText]) {
        for line in lines { put(line.rendered(hasColour: settings.capabilities.hasColour) + "\r\n") }
    }

    /// Returns the bytes that draw a picture. If the screen has become too small for it, they draw words that say so,
    /// since the picture would scroll away while it is drawn.
    private func drawn(_ picture: TerminalPicture) -> String {
        let size = TerminalSize(of: settings.output)
        guard picture.rows < size.rows, picture.columns <= size.columns else {
            return rendered([StyledText("(the screen is too small now for the picture)", .dim)])
        }
        return picture.drawn
    }

    func drawn(_ caption: [StyledText], _ picture: TerminalPicture) -> String { rendered(caption) + drawn(picture) }

    private func rendered(_ lines: [StyledText]) -> String {
        lines.map { $0.rendered(hasColour: settings.capabilities.hasColour) + "\r\n" }.joined()
    }

    /// Draws the newest rows of the live region, as many as leave space for the line that is typed.
    private func drawLive() {
        let size = TerminalSize(of: settings.output)
        let open = (markdown?.open ?? []).flatMap { Gutter.rows($0, columns: size.columns) }
        let fixed = status.map { $0.truncated(to: size.columns) }
        let typed = isLineDrawn ? editRows(size).total : 1
        let all = max(0, size.rows - 1 - typed)
        // The menu comes first, since it belongs to the line that is typed.
        let entries = CandidateRows(columns: size.columns).menu(menu, most: min(TerminalLimits.menuRows, all))
        let room = all - entries.count
        let rows = Array(open.suffix(max(0, room - fixed.count)) + fixed.suffix(room) + entries)
        write(rows)
        liveRows = rows.map(\.width)
    }

    /// Returns the menu for the current line. It is empty during a paste, and while only questions are read.
    private func menuEntries() -> [LineCandidate] {
        mode == .editing ? settings.help.menu(for: lineText) : []
    }

    /// Draws the menu again if the typed line has changed it.
    func refreshMenu() {
        if menuEntries() != menu { draw(isFirst: false, isForced: true) }
    }

    /// Returns a prompt whose last character is plain. libedit draws sequences without width together with the
    /// character after them.
    static func closed(_ prompt: StyledText) -> StyledText {
        prompt.spans.last?.style.isEmpty == false ? prompt + " " : prompt
    }

    /// Returns the prompt in the form that libedit needs: `\1` encloses sequences without width, and a character stands
    /// between any two of these. The caller frees it.
    static func promptBytes(_ prompt: StyledText, hasColour: Bool) -> UnsafeMutablePointer<CChar> {
        var (text, pending) = ("", "")
        for span in prompt.spans where !span.text.isEmpty {
            let sgr = hasColour ? span.style.sgr : ""
            pending += sgr
            text += (pending.isEmpty ? "" : "\u{1}\(pending)\u{1}") + span.text
            pending = sgr.isEmpty ? "" : "\u{1B}[0m"
        }
        return strdup(pending.isEmpty ? text : text + "\u{1}\(pending)\u{1}")
    }
}
