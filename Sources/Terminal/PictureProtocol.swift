/// The protocols by which terminals show pictures.
package enum PictureProtocol: String, Hashable, Sendable, CaseIterable {
    /// The protocol of kitty and Ghostty.
    case kitty
    /// The protocol of iTerm2, WezTerm and mintty.
    case iterm
    /// The protocol of foot, mlterm and contour.
    case sixel
    /// Coloured characters, which every terminal with colours shows.
    case symbols

    /// Returns the protocol of the terminal, by the environment. The terminal itself is not asked, since its answer
    /// could be read as typing.
    ///
    /// A multiplexer shows no graphics, although it passes on the variables of the terminal outside.
    package static func detect(_ environment: (String) -> String? = TerminalCapabilities.environmentValue)
        -> PictureProtocol
    {
        func value(_ name: String) -> String { environment(name) ?? "" }
        let term = value("TERM")
        guard value("TMUX").isEmpty, value("STY").isEmpty, !["screen", "tmux"].contains(where: term.hasPrefix) else {
            return .symbols
        }
        let program = value("TERM_PROGRAM")
        if !value("KITTY_WINDOW_ID").isEmpty || ["xterm-kitty", "xterm-ghostty"].contains(term) || program == "ghostty"
        {
            return .kitty
        }
        if ["iTerm.app", "WezTerm", "mintty"].contains(program) || value("LC_TERMINAL") == "iTerm2" { return .iterm }
        if ["foot", "mlterm", "contour"].contains(where: term.hasPrefix) || term.contains("sixel") { return .sixel }
        return .symbols
    }
}

extension PictureProtocol {
    /// Whether the terminal has enough colours for a picture of coloured characters, by the environment.
    package static func hasManyColours(_ environment: (String) -> String? = TerminalCapabilities.environmentValue)
        -> Bool
    {
        let term = environment("TERM") ?? ""
        return ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "")
            || ["256color", "direct", "kitty"].contains(where: term.contains)
    }
}

/// The space for a picture in cells, and the pixels of a cell.
package struct PictureRoom: Hashable, Sendable {
    package var columns: Int
    package var rows: Int
    package var cellWidth: Int
    package var cellHeight: Int

    package init(columns: Int, rows: Int, cellWidth: Int, cellHeight: Int) {
        self.columns = columns
        self.rows = rows
        self.cellWidth = cellWidth
        self.cellHeight = cellHeight
    }

    /// Returns a smaller space on the same screen.
    package func atMost(columns: Int, rows: Int) -> PictureRoom {
        PictureRoom(
            columns: min(self.columns, columns), rows: min(self.rows, rows), cellWidth: cellWidth,
            cellHeight: cellHeight)
    }

    package var width: Int { columns * cellWidth }
    package var height: Int { rows * cellHeight }

    /// Returns the cells of a picture of this many pixels. It is shrunk to fit, but never enlarged.
    func cells(width: Int, height: Int) -> (columns: Int, rows: Int) {
        guard width > 0, height > 0 else { return (1, 1) }
        let scale = min(1, Double(self.width) / Double(width), Double(self.height) / Double(height))
        func count(_ pixels: Int, _ cell: Int, _ most: Int) -> Int {
            max(1, min(most, Int((Double(pixels) * scale / Double(cell)).rounded(.up))))
        }
        return (count(width, cellWidth, columns), count(height, cellHeight, rows))
    }
}
