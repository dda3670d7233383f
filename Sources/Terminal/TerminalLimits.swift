/// The bounds of this room, in one place.
package enum TerminalLimits {
    /// Source bytes of one Markdown block that are parsed again while it grows; a longer block is cut at a line or a
    /// space.
    package static let openBlockBytes = 8192
    /// Levels of quotes and lists that are drawn as such; deeper ones are shown as their source.
    package static let markdownDepth = 16
    /// Combining marks on one base before they are written out: stacked marks would paint over other lines.
    package static let combiningMarks = 6
    /// Lines of history that are kept; the file may grow to twice that before it is rewritten.
    package static let historyEntries = 1000
    /// Bytes at the end of the history file that are read at start.
    package static let historyBytes = 512 * 1024
    /// Bytes of one text that is pasted at the prompt; a longer one is left out with a word about it.
    package static let pasteBytes = 64 * 1024
    /// Bytes of content that is typed or pasted as an answer.
    package static let entryBytes = 256 * 1024
    /// Bytes of a word or a reason that is typed as an answer.
    package static let wordBytes = 1024
    /// Candidates that Tab lists at once.
    package static let completions = 40
    /// Rows of the menu above the prompt.
    package static let menuRows = 6
    /// Bytes of one line that is read from a pipe or a file; as many as a conversation takes.
    package static let plainLineBytes = 256 * 1024
    /// Bytes of one line that a terminal gives without an editor. The kernel keeps 4095 and drops the rest silently, so
    /// that a line of 4095 may be the beginning of a longer one.
    package static let terminalLineBytes = 4094
    /// The milliseconds without a key after which a decision or a picker takes keys. A person who is typing has not
    /// read it yet.
    package static let armingMilliseconds: Int32 = 600
    /// The milliseconds without a key after which a letter by itself is an answer.
    package static let letterMilliseconds: Int32 = 300
    /// The milliseconds between two looks at the clock while a question waits for a moment. A test moves that clock.
    package static let clockMilliseconds: Int64 = 50
    /// Bytes of what was typed before a question counted that are kept for the line that is edited.
    package static let earlyBytes = 64 * 1024
    /// Silence after which a burst of bytes (a paste, an escape sequence) is over, in milliseconds.
    package static let burstMilliseconds: Int32 = 40
    /// How long Esc at the prompt may still be the first half of a key (Meta, an arrow over a slow line), in
    /// milliseconds.
    package static let escapeMilliseconds: Int32 = 250
    /// Bytes of one escape sequence; of a longer one the rest is typed.
    package static let sequenceBytes = 8192
    /// Bytes of a text from which on only its ends are looked at where it is shown cut, and bytes of each end: more
    /// than any screen takes.
    package static let longTextBytes = 256 * 1024
    package static let longTextEndBytes = 32 * 1024
    /// Bytes of a picture for a terminal, and of one that is drawn with characters. Bytes of one piece by kitty's
    /// protocol, and of the parameters of one style.
    package static let pictureBytes = 4 << 20
    package static let symbolBytes = 1 << 20
    package static let kittyPieceBytes = 4096
    package static let styleBytes = 40
    /// The pixels of a cell where the terminal does not say.
    package static let cellWidth = 10
    package static let cellHeight = 20
    /// Columns where nobody says how many there are.
    package static let fallbackColumns = 80
    package static let fallbackRows = 24
}
