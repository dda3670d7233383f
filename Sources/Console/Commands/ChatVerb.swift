/// The verbs that only the chat has. They act on the chat itself.
package enum ChatVerb: String, CaseIterable, Sendable {
    case new, context, compact, help, quit

    /// - Parameter word: the name of a verb, or another word for it.
    package init?(_ word: String) {
        guard let verb = Self.allCases.first(where: { $0.rawValue == word || $0.otherWords.contains(word) }) else {
            return nil
        }
        self = verb
    }

    /// Other words that are typed for the verb. Help and completion do not name them.
    private var otherWords: [String] {
        switch self {
        case .new, .context, .compact: []
        case .help: ["?"]
        case .quit: ["exit", "q"]
        }
    }

    package var group: HelpGroup { .conversation }

    package var example: CommandDescription.Example {
        switch self {
        case .new: "new"
        case .context: "context"
        case .compact: "compact"
        case .help: "help show"
        case .quit: "quit"
        }
    }

    package var summary: String {
        switch self {
        case .new: "Begin another conversation."
        case .context: "Show what fills the window of the model."
        case .compact: "Shorten older results and turns for the model now; the history keeps all."
        case .help: "Show all verbs, or explain one."
        case .quit: "Leave; Ctrl-D does too. What is under way pauses until the next start."
        }
    }

    /// The reason why the program has no command of this name.
    package var reason: String {
        switch self {
        case .new: "In a shell, 'assent' begins another conversation each time."
        case .context, .compact: "The window belongs to the conversation that is open in the chat."
        case .help: "ArgumentParser adds the command 'help' to the program."
        case .quit: "A command ends by itself."
        }
    }
}
