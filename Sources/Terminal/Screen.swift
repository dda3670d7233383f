import Glibc

/// What the person does.
package enum ScreenInput: Hashable, Sendable {
    /// A line was entered; it holds no control character but newlines.
    case line(String)
    /// A line was entered into which several lines were pasted, and no newline was typed. It holds newlines.
    case paste(String)
    /// A line that came was not taken; it is gone up to its end.
    case refused(LineFault)
    /// Ctrl-C, when there was nothing to clear or something runs.
    case interrupt
    /// Ctrl-D on an empty line, or the input has ended.
    case end
    /// The terminal has another size.
    case resize
}

/// The person's terminal: lines in, finished lines out, and below them a live region. Any thread may call; nothing here
/// blocks.
package protocol Screen: Sendable {
    /// What the person does, in order; ends after `close` or when the input has ended. For one reader.
    var inputs: AsyncStream<ScreenInput> { get }
    var capabilities: TerminalCapabilities { get }
    /// Whether a person can be asked here: they type here and read here.
    var canAsk: Bool { get }
    /// Cells in a row, now.
    var columns: Int { get }
    /// The rows of the whole screen, now.
    var rows: Int { get }

    /// Finished lines; they never change.
    func show(_ lines: [StyledText])
    /// Shows a picture among the finished lines. A screen that draws nothing in place leaves it out.
    func show(_ picture: TerminalPicture)
    /// Shows a picture under its caption. It comes while a question stands, too, and then below the question.
    func illustrate(_ caption: [StyledText], _ picture: TerminalPicture)
    /// Sends a text to the clipboard of the terminal (OSC 52), which may not take it.
    /// - Returns: whether this screen can do so.
    func copy(_ text: String) -> Bool
    /// The room for a picture that leaves the line before it and the prompt on the screen; `nil` where none can be
    /// shown.
    var pictureRoom: PictureRoom? { get }
    /// A piece of Markdown as it arrives. News shown meanwhile stand above the block that is still open.
    func stream(_ piece: String)
    /// The streamed text is complete.
    func endStream()
    func setPrompt(_ prompt: StyledText)
    /// Lines drawn in place above the prompt until they are replaced.
    func setStatus(_ lines: [StyledText])
    /// While something runs, Ctrl-C is an interrupt even if there is text on the line.
    func setBusy(_ isBusy: Bool)
    /// What was entered has been dealt with: the next line may be typed. Where the prompt is drawn in place, it stands
    /// all the time.
    func invite()
    /// Ctrl-C came as a signal. False where it is not heard as an input: then it ends the program.
    func interrupt() -> Bool
    /// Ends what a line has begun that may ask for a key: lines are shown and taken again.
    func endHold()
    /// Asks, and waits for the person's key; cancelling the task withdraws the question.
    func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer
    /// Lends the terminal, as it was found, to a program: nothing is read or drawn until `body` has returned, on the
    /// screen's own thread.
    /// - Returns: whether there is a terminal to lend.
    func lend(_ body: @escaping @Sendable (_ terminal: Int32) -> Void) async -> Bool
    /// Gives the terminal back; returns when that has happened.
    func close() async
}

extension Screen {
    package func show(_ line: StyledText) { show([line]) }

    package var canAsk: Bool { capabilities.isTerminal }

    package var rows: Int { TerminalLimits.fallbackRows }

    package func show(_ picture: TerminalPicture) {}

    package func illustrate(_ caption: [StyledText], _ picture: TerminalPicture) {}

    package var pictureRoom: PictureRoom? { nil }

    package func copy(_ text: String) -> Bool { false }

    package func invite() {}

    package func endHold() {}

    /// Where Ctrl-C is a key, the signal comes from somebody else.
    package func interrupt() -> Bool { false }
}

/// Opens the screen that fits what standard input and output are: the line editor on a terminal, plain lines everywhere
/// else.
///
/// - Parameters:
///   - help: the menu and the completions of lines.
///   - hasLine: whether lines are read, or only questions are answered.
///   - holds: whether a line begins a dialogue that may ask for a key (`LineEditor.Settings`).
///   - remembers: what of an entered line may stay.
///   - edit: the person's own editor (`LineEditor.Settings`).
///   - suspend: stops this process (`LineEditor.Settings`).
/// - Throws: `InputOwner.Taken`, if something in this process reads standard input already.
package func openScreen(
    plainFlag: Bool = false, prompt: StyledText = "› ", hasLine: Bool = true, historyPath: String? = nil,
    help: any LineHelp = NoLineHelp(),
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
    settings.help = help
    settings.holds = holds
    settings.remembers = remembers
    settings.edit = edit
    settings.suspend = suspend
    return LineEditor(input, settings)
}
