import Actions
package import Terminal
package import Vocabulary

/// The present mode, and the other modes, with their meanings (`consent.md`, "Modes").
package enum ModeView {
    package static func lines(_ mode: ConfirmationMode, columns: Int) -> [StyledText] {
        ConfirmationMode.allCases.flatMap { each in
            let isCurrent = each == mode
            let name = StyledText((isCurrent ? "▸ " : "  ") + each.rawValue, isCurrent ? [.accent, .bold] : [])
            let text =
                name + StyledText(isCurrent ? " (now): " : ": ", .dim) + StyledText(each.words, isCurrent ? [] : .dim)
            return Layout.wrapped(text, columns: columns, indent: 2, hanging: 6)
        }
    }

    /// Returns the mark of a mode in the prompt. It is empty for the default, and a warning for the mode that asks
    /// less.
    static func mark(_ mode: ConfirmationMode) -> StyledText {
        switch mode {
        case .alwaysAsk: StyledText("\(mode.rawValue) ", .dim)
        case .adaptive: StyledText("")
        case .auto: StyledText("\(mode.rawValue) ", .warning)
        }
    }
}
