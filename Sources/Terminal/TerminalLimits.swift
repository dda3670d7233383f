/// The bounds of the module `Terminal`. Sizes are bytes.
package enum TerminalLimits {
    /// The most bytes of a Markdown block that is parsed again while it grows. A longer block is cut at a line or a
    /// space.
    package static let openBlockBytes = 8192
    /// The most levels of quotes and lists that are drawn. Deeper ones are shown as their source.
    package static let markdownDepth = 16
    /// The most combining marks on one base character. Further ones are spelled out, since a stack of marks would cover
    /// other lines.
    package static let combiningMarks = 6
    /// The lines of input history that are kept. The file is rewritten when it has twice as many.
    package static let historyEntries = 1000
    /// The bytes at the end of the history file that are read at start.
    package static let historyBytes = 512 * 1024
    /// The most bytes of a text that is pasted at the prompt. A longer one is left out, with a notice.
    package static let pasteBytes = 64 * 1024
    /// The most bytes of a content that is typed or pasted as an answer.
    package static let entryBytes = 256 * 1024
    /// The most bytes of a typed answer that is no content, such as a word or a reason.
    package static let wordBytes = 1024
    /// The most candidates that Tab lists at once.
    package static let completions = 40
    /// The most rows of the menu above the prompt.
    package static let menuRows = 6
    /// The most bytes of a line that is read from a pipe or a file: as many as a conversation accepts.
    package static let plainLineBytes = 256 * 1024
    /// The most bytes of a line from a terminal without the editor. The kernel keeps 4095 and drops the rest silently,
    /// so a line of 4095 may be the beginning of a longer one.
    package static let terminalLineBytes = 4094
    /// The milliseconds without a key after which a decision or a picker accepts keys. A user who is typing has not
    /// read it yet.
    package static let armingMilliseconds: Int32 = 600
    /// The milliseconds without a key after which a single letter counts as an answer.
    package static let letterMilliseconds: Int32 = 300
    /// The most milliseconds between two checks of the clock while a question waits for a moment. A test moves that
    /// clock.
    package static let clockMilliseconds: Int64 = 50
    /// The most bytes that are typed before a question accepts keys and are kept for the line editor.
    package static let earlyBytes = 64 * 1024
    /// The milliseconds of silence after which a burst of bytes (a paste, an escape sequence) is over.
    package static let burstMilliseconds: Int32 = 40
    /// The milliseconds for which Esc at the prompt may still be the beginning of a key (Meta, an arrow over a slow
    /// line).
    package static let escapeMilliseconds: Int32 = 250
    /// The most bytes of one escape sequence. The rest of a longer one counts as typed.
    package static let sequenceBytes = 8192
    /// The most characters of a text in a notification.
    package static let noticeCharacters = 120
    /// The milliseconds within which a terminal answers that it shows the status of programs.
    static let statusMilliseconds: Int64 = 100
    /// The first version of VTE that draws nothing of a sequence that it does not know (0.54).
    static let quietVTE = 5400
    /// The bytes of a text beyond which only its ends are read when it is shown cut.
    package static let longTextBytes = 256 * 1024
    /// The bytes at each end of a long text that are read when it is shown cut: more than any screen shows.
    package static let longTextEndBytes = 32 * 1024
    /// The most bytes of a picture that is sent to the terminal as a PNG or as sixels.
    package static let pictureBytes = 4 << 20
    /// The most bytes of a picture that is drawn with characters.
    package static let symbolBytes = 1 << 20
    /// The bytes of one piece of a picture in kitty's protocol.
    package static let kittyPieceBytes = 4096
    /// The most bytes of the parameters of one style sequence in a picture.
    package static let styleBytes = 40
    /// The width and height of a cell in pixels, if the terminal does not report them.
    package static let cellWidth = 10
    package static let cellHeight = 20
    /// The columns and rows of a terminal that does not report them.
    package static let fallbackColumns = 80
    package static let fallbackRows = 24
}
