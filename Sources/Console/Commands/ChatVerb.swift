/// The verbs that only the chat has. They act on the chat itself.
package enum ChatVerb: String, CaseIterable, Sendable {
    case new, now, context, compact, help, quit

    /// - Parameter word: the name of a verb, or another word for it.
    package init?(_ word: String) {
        guard let verb = Self.allCases.first(where: { $0.rawValue == word || $0.facts.otherWords.contains(word) })
        else { return nil }
        self = verb
    }

    package var group: HelpGroup { .conversation }

    package var example: CommandDescription.Example { facts.example }

    package var summary: String { facts.summary }

    /// The reason why the program has no command of this name.
    package var reason: String { facts.reason }

    private struct Facts {
        let example: CommandDescription.Example
        let summary: String
        let reason: String
        /// Other words that are typed for the verb. Help and completion do not name them.
        var otherWords: [String] = []
    }

    private var facts: Facts {
        let window = "The window belongs to the conversation that is open in the chat."
        return switch self {
        case .new:
            Facts(
                example: "new", summary: "Begin another conversation.",
                reason: "In a shell, 'assent' begins another conversation each time.")
        case .now:
            Facts(
                example: "now use tabs", summary: "Send a line into the turn that runs, without waiting for its end.",
                reason: "A command runs one turn, whose line is its argument.")
        case .context:
            Facts(example: "context", summary: "Show what fills the window of the model.", reason: window)
        case .compact:
            Facts(
                example: "compact",
                summary: "Shorten older results and turns for the model now; the history keeps all.", reason: window)
        case .help:
            Facts(
                example: "help show", summary: "Show all verbs, or explain one.",
                reason: "ArgumentParser adds the command 'help' to the program.", otherWords: ["?"])
        case .quit:
            Facts(
                example: "quit",
                summary:
                    "Leave; Ctrl-D does too. What is under way pauses until you come back, or goes on in another process.",
                reason: "A command ends by itself.", otherWords: ["exit", "q"])
        }
    }
}
