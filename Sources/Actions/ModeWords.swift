package import Vocabulary

/// The meaning of each mode, as the table of the README says it. `/mode`, `/status`, the question before a mode that
/// asks less, and the planner's answer say the same words.
extension ConfirmationMode {
    /// The calls that run without a question.
    package var runsUnasked: String {
        switch self {
        case .alwaysAsk: "nothing"
        case .adaptive:
            "reading and making new files in the workspace, replacing its own unchanged results, renaming to free names"
        case .auto: "nearly everything, including deleting and web requests"
        }
    }

    /// The calls that are asked about first.
    package var asksFirst: String {
        switch self {
        case .alwaysAsk:
            "every call; one yes to a plan covers the calls that it shows, except those that cannot be undone"
        case .adaptive:
            "overwriting, deleting, web requests, hosts that you have not allowed, spending over the budget, "
                + "programs outside the sandbox, changes of git, and all that leaves the workspace or cannot be undone"
        case .auto:
            "commands that use the network or other folders or leave the sandbox, files that a program will run later "
                + "(such as `Makefile`), files that may hold keys, jobs over the budget"
        }
    }

    /// Both in one sentence, which follows the name of the mode.
    package var words: String {
        "runs without a question: \(runsUnasked). Asks first: \(asksFirst)."
    }
}
