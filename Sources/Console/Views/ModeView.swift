package import Terminal
package import Vocabulary

/// The present mode, and the other modes, with their meanings (`consent.md`, "Modes").
package enum ModeView {
    package static func lines(_ mode: ConfirmationMode, columns: Int) -> [StyledText] {
        ConfirmationMode.allCases.flatMap { each in
            let isCurrent = each == mode
            let name = StyledText((isCurrent ? "▸ " : "  ") + each.rawValue, isCurrent ? [.accent, .bold] : [])
            let text =
                name + StyledText(isCurrent ? " (now): " : ": ", .dim) + StyledText(words(each), isCurrent ? [] : .dim)
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

    /// Returns the meaning of a mode, in words that follow its name.
    static func words(_ mode: ConfirmationMode) -> String {
        switch mode {
        case .alwaysAsk: "asks before every call. A yes to a plan is a yes to exactly the calls in it."
        case .adaptive:
            "asks before everything but reading and creating new files in this folder, and what a rule or a grant covers. "
                + "What cannot be undone, costs, sends or executes is always asked."
        case .auto:
            "asks nothing. What the policy denies stays denied, and what needs your hand or eye still waits for you."
        }
    }
}
