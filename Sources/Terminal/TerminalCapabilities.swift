import Glibc

/// The capabilities of a terminal, a file or a pipe to which text is written.
package struct TerminalCapabilities: Hashable, Sendable {
    /// Whether the descriptor is a terminal, not a file or a pipe.
    package var isTerminal: Bool
    /// Whether styles become SGR sequences.
    package var hasColour: Bool
    /// Whether no escape sequences are written: lines in, lines out.
    package var isPlain: Bool

    package init(isTerminal: Bool, hasColour: Bool, isPlain: Bool) {
        self.isTerminal = isTerminal
        self.isPlain = isPlain
        self.hasColour = hasColour && !isPlain
    }

    /// Reads the capabilities. `--plain`, a `NO_COLOR` that is not empty (no-color.org), `TERM=dumb`, and anything but
    /// a terminal mean plain text.
    package static func detect(
        output: Int32 = STDOUT_FILENO, plainFlag: Bool = false, environment: (String) -> String? = environmentValue
    ) -> TerminalCapabilities {
        let isTerminal = isatty(output) == 1
        let term = environment("TERM") ?? ""
        let wantsNoColour = !(environment("NO_COLOR") ?? "").isEmpty
        let isPlain = plainFlag || wantsNoColour || !isTerminal || term == "dumb" || term.isEmpty
        return TerminalCapabilities(isTerminal: isTerminal, hasColour: !isPlain, isPlain: isPlain)
    }

    /// Returns a variable of this process's environment, or nil if it is not set.
    package static func environmentValue(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// The columns and rows of the terminal behind a descriptor, or 80 × 24 if it does not report them.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The pixels of a cell, or a default if the terminal does not report them.
    private var cellWidth = TerminalLimits.cellWidth
    private var cellHeight = TerminalLimits.cellHeight

    package init(of descriptor: Int32) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : TerminalLimits.fallbackColumns
        rows = isKnown && size.ws_row > 0 ? Int(size.ws_row) : TerminalLimits.fallbackRows
        guard isKnown, size.ws_xpixel > 0, size.ws_ypixel > 0 else { return }
        (cellWidth, cellHeight) = (max(1, Int(size.ws_xpixel) / columns), max(1, Int(size.ws_ypixel) / rows))
    }

    /// The space for a picture: the screen without the line above it, the prompt, and a spare row. It is nil on a
    /// screen that is too small.
    var pictureRoom: PictureRoom? {
        guard columns >= 8, rows >= 8 else { return nil }
        return PictureRoom(columns: columns - 1, rows: rows - 4, cellWidth: cellWidth, cellHeight: cellHeight)
    }
}
