package import Terminal
package import Vocabulary

/// How much is asked, and what the other modes would ask (`consent.md`, "Modes").
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

    /// Returns what stands in the prompt: nothing for the mode that is the default, and a warning for the one that asks
    /// less.
    static func mark(_ mode: ConfirmationMode) -> StyledText {
        switch mode {
        case .alwaysAsk: StyledText("\(mode.rawValue) ", .dim)
        case .adaptive: StyledText("")
        case .auto: StyledText("\(mode.rawValue) ", .warning)
        }
    }

    /// Returns what a mode does, behind its name.
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
