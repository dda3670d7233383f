package import Terminal
package import Vocabulary

/// How much is asked, and what the other modes would ask (`consent.md`, "Modes").
package enum ModeView {
    package static func lines(_ mode: ConfirmationMode, columns: Int) -> [StyledText] {
        ConfirmationMode.allCases.flatMap { each in
            let isCurrent = each == mode
            let name = StyledText((isCurrent ? "▸ " : "  ") + each.rawValue, isCurrent ? [.accent, .bold] : [])
            let text = name + StyledText(isCurrent ? " (now): " : ": ", .dim) + StyledText(words(each), isCurrent ? [] : .dim)
            return Layout.wrapped(text, columns: columns, indent: 2, hanging: 6)
        }
    }

    /// Before less is asked than now.
    static func question(_ mode: ConfirmationMode, columns: Int) -> KeyQuestion {
        let head = StyledText(" ? ", [.question, .bold]) + StyledText("be asked less: \(mode.rawValue)", .bold)
        let text = Layout.wrapped(StyledText("\(mode.rawValue) \(words(mode))"), columns: columns, indent: 3)
        let keys = Layout.packed(
            [Layout.key("y", "yes"), Layout.key("n", "no"), Layout.key("/", "look")], columns: columns, indent: 3, gap: 2)
        return KeyQuestion([head] + text + keys, .keys(["y", "n"]))
    }

    /// Returns what a mode does, behind its name.
    static func words(_ mode: ConfirmationMode) -> String {
        switch mode {
        case .alwaysAsk: "asks before every call. A yes to a plan is a yes to exactly the calls in it."
        case .adaptive:
            "asks before everything but reading and creating new files in this folder, and what a rule or a grant covers. "
                + "What cannot be undone, costs, sends or executes is always asked."
        case .auto: "asks nothing. What the policy denies stays denied, and what needs your hand or eye still waits for you."
        }
    }
}
