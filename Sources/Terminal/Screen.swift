import Glibc

/// An action of the user at the screen.
package enum ScreenInput: Hashable, Sendable {
    /// A line was entered. It holds no control characters except newlines.
    case line(String)
    /// A line was entered into which several lines were pasted, and no newline was typed. It holds newlines.
    case paste(String)
    /// A line was entered while something runs. It is not on the screen. The one who takes it shows it when it begins.
    case held(String)
    /// ↑ was pressed on an empty line while lines wait, to take the newest back.
    case takeBack
    /// Esc was pressed alone on an empty line.
    case escape
    /// A line was refused, and dropped up to its end.
    case refused(LineFault)
    /// Ctrl-C was pressed, and the line was empty or something runs.
    case interrupt
    /// Ctrl-D was pressed on an empty line, or the input has ended.
    case end
    /// The terminal has another size.
    case resize
}

/// The user's terminal: lines in, finished lines out, and below them a live region. Any thread may call it, and no call
/// blocks.
package protocol Screen: Sendable {
    /// The actions of the user, in order, for one reader. It ends after `close`, or at the end of the input.
    var inputs: AsyncStream<ScreenInput> { get }
    var capabilities: TerminalCapabilities { get }
    /// Whether a person types and reads here, and so can be asked.
    var canAsk: Bool { get }
    /// The cells in a row at this moment.
    var columns: Int { get }
    /// The rows of the whole screen at this moment.
    var rows: Int { get }

    /// Shows finished lines, which never change.
    func show(_ lines: [StyledText])
    /// Shows a picture among the finished lines. A screen that draws nothing in place skips it.
    func show(_ picture: TerminalPicture)
    /// Shows a picture with its caption. While a question stands, it is shown below the question.
    func illustrate(_ caption: [StyledText], _ picture: TerminalPicture)
    /// Sends a text to the clipboard of the terminal (OSC 52), which may ignore it.
    ///
    /// - Returns: whether this screen can do so.
    func copy(_ text: String) -> Bool
    /// Sends a signal that draws nothing: the bell, a notification, a status. A plain screen sends only the bell, and
    /// only to a terminal.
    func send(_ signal: TerminalSignal)
    /// The attention of the user to this screen.
    var attention: TerminalAttention { get }
    /// The space for a picture that leaves the line before it and the prompt on the screen. It is nil if no picture can
    /// be shown.
    var pictureRoom: PictureRoom? { get }
    /// Shows a piece of Markdown as it arrives. News that are shown meanwhile stand above the block that is still open.
    func stream(_ piece: String)
    /// Ends the streamed text.
    func endStream()
    func setPrompt(_ prompt: StyledText)
    /// Draws lines in place above the prompt, until they are replaced.
    func setStatus(_ lines: [StyledText])
    /// Sets whether something runs. Then Ctrl-C is an interrupt even if there is text on the line.
    func setBusy(_ isBusy: Bool)
    /// Shows the prompt for the next line, once the one before has been dealt with. A prompt that is drawn in place
    /// stands all the time.
    func invite()
    /// Puts a line onto the empty input line, where Enter sends it as the user's own. Nothing is put there if the user
    /// has typed already.
    ///
    /// - Returns: whether this screen has a line that it edits.
    func offer(_ line: String) -> Bool
    /// Puts a text of the user back onto the input line, where they go on with it. If a line stands there already, the
    /// text goes to the earlier lines.
    ///
    /// - Parameter isAsked: whether the user has pressed a key for it. Otherwise an Enter that was on its way is
    ///   dropped.
    /// - Returns: whether this screen has a line that it edits.
    @discardableResult func putBack(_ text: String, isAsked: Bool) -> Bool
    /// Sets whether lines of the user wait, so that ↑ on an empty line takes the newest back.
    func setHasQueue(_ hasQueue: Bool)
    /// Handles a Ctrl-C that came as a signal. Returns false if this screen does not handle it, so that it ends the
    /// program.
    func interrupt() -> Bool
    /// Ends a dialogue that may ask for a secret, which a line has begun. Lines are shown and read again.
    func endHold()
    /// Asks a question, and waits for the user's answer. Cancelling the task withdraws the question.
    func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer
    /// Lends the terminal, with its original settings, to a program. Nothing is read or drawn until `body` has
    /// returned, which runs on the screen's own thread.
    ///
    /// - Returns: whether there is a terminal to lend.
    func lend(_ body: @escaping @Sendable (_ terminal: Int32) -> Void) async -> Bool
    /// Restores the terminal. Returns when that is done.
    func close() async
}

extension Screen {
    package func show(_ line: StyledText) { show([line]) }

    package var canAsk: Bool { capabilities.isTerminal }

    package var rows: Int { TerminalLimits.fallbackRows }

    package func show(_ picture: TerminalPicture) {}

    package func offer(_ line: String) -> Bool { false }

    package func putBack(_ text: String, isAsked: Bool) -> Bool { false }

    package func setHasQueue(_ hasQueue: Bool) {}

    package func illustrate(_ caption: [StyledText], _ picture: TerminalPicture) {}

    package var pictureRoom: PictureRoom? { nil }

    package func send(_ signal: TerminalSignal) {}

    package var attention: TerminalAttention { TerminalAttention() }

    package func copy(_ text: String) -> Bool { false }

    package func invite() {}

    package func endHold() {}

    /// Returns false. On a screen where Ctrl-C is a key, a signal comes from another program.
    package func interrupt() -> Bool { false }
}

/// Opens the screen that fits standard input and output: the line editor on a terminal, plain lines otherwise.
///
/// - Parameters:
///   - reports: the reports that the terminal is asked for (`LineEditor.Settings`).
///   - help: the menu and the completions of lines.
///   - hasLine: whether lines are read, or only questions are answered.
///   - holds: whether a line begins a dialogue that may ask for a secret (`LineEditor.Settings`).
///   - remembers: returns the form of an entered line that may be stored.
///   - edit: opens the user's own editor (`LineEditor.Settings`).
///   - suspend: stops this process (`LineEditor.Settings`).
/// - Throws: `InputOwner.Taken`, if other code in this process reads standard input already.
package func openScreen(
    plainFlag: Bool = false, prompt: StyledText = "› ", hasLine: Bool = true, historyPath: String? = nil,
    reports: ReportRequest = .none, help: any LineHelp = NoLineHelp(),
    holds: @escaping @Sendable (String) -> Bool = { _ in false },
    remembers: @escaping @Sendable (String) -> String = { $0 },
    edit: (@Sendable (String, Int32) -> String?)? = nil, suspend: (@Sendable () -> Void)? = nil
) throws(InputOwner.Taken) -> any Screen {
    let capabilities = TerminalCapabilities.detect(plainFlag: plainFlag)
    let input = try InputOwner(STDIN_FILENO)
    guard !capabilities.isPlain, input.isTerminal else {
        return PlainScreen(input, capabilities: capabilities, prompt: prompt, hasLine: hasLine, holds: holds)
    }
    var settings = LineEditor.Settings()
    settings.capabilities = capabilities
    settings.terminal = TerminalCapabilities.environmentValue("TERM") ?? settings.terminal
    settings.historyPath = historyPath
    settings.prompt = prompt
    settings.hasLine = hasLine
    settings.reports = reports
    settings.help = help
    settings.holds = holds
    settings.remembers = remembers
    settings.edit = edit
    settings.suspend = suspend
    return LineEditor(input, settings)
}
