/// The verbs that only the chat has. They act on the chat itself.
package enum ChatVerb: String, CaseIterable, Sendable {
    case new, now, help, quit

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
        case .new, .now: []
        case .help: ["?"]
        case .quit: ["exit", "q"]
        }
    }

    package var group: HelpGroup { .conversation }

    package var example: CommandDescription.Example {
        switch self {
        case .new: "new"
        case .now: "now use tabs"
        case .help: "help show"
        case .quit: "quit"
        }
    }

    package var summary: String {
        switch self {
        case .new: "Begin another conversation."
        case .now: "Send a line into the turn that runs, without waiting for its end."
        case .help: "Show all verbs, or explain one."
        case .quit: "Leave; Ctrl-D does too. What is under way pauses until the next start."
        }
    }

    /// The reason why the program has no command of this name.
    package var reason: String {
        switch self {
        case .new: "In a shell, 'assent' begins another conversation each time."
        case .now: "A command runs one turn, whose line is its argument."
        case .help: "ArgumentParser adds the command 'help' to the program."
        case .quit: "A command ends by itself."
        }
    }
}
