package import Vocabulary

extension ConfirmationMode {
    /// The meaning of the mode, in words that follow its name.
    package var words: String {
        switch self {
        case .alwaysAsk: "asks before every call. A yes to a plan is a yes to exactly the calls in it."
        case .adaptive:
            "asks before everything but reading and creating new files in this folder, and what a rule or a grant covers. "
                + "What cannot be undone, costs, sends or executes is always asked."
        case .auto:
            "asks nothing. What the policy denies stays denied, and what needs your hand or eye still waits for you."
        }
    }
}
