import ArgumentParser

/// A command's description of itself. The lists of verbs, help and completion are computed from it.
package struct CommandDescription: Sendable {
    /// A use of a command, as it is typed after `assent ` in a shell, and after `/` in the chat.
    package struct Example: Hashable, Sendable, ExpressibleByStringLiteral {
        package let words: String
        /// A remark that is shown beside the example, or nil.
        package let note: String?

        package init(_ words: String, note: String? = nil) {
            self.words = words
            self.note = note
        }

        package init(stringLiteral words: String) { self.init(words) }

        /// The use as a line of the help that a shell shows.
        var shellLine: String { "  assent \(words)" + (note.map { "   (\($0))" } ?? "") }
    }

    /// The word that calls the command.
    package let name: String
    package let group: HelpGroup
    /// The sentence that lists of commands show.
    package let summary: String
    /// A paragraph below the summary, which is empty for most commands.
    package let details: String
    /// The uses that help shows. The first stands beside the summary in the list of all commands.
    package let examples: [Example]
    /// Whether help and completion name the command. Names of earlier versions are not listed.
    package let isListed: Bool
    /// The sentence with which the chat refuses the command, or nil if the command is also a verb of the chat.
    package let notInChat: String?
    /// Whether the command begins a dialogue that may ask for a key.
    package let asksForKey: Bool
    /// The meanings of the command's words, position by position. If the last word may be repeated, its position counts
    /// for all further words.
    package let takes: [[WordKind]]
    /// The meanings of the values of its options, by name, such as `--run`.
    package let values: [String: [WordKind]]

    init(
        _ name: String, in group: HelpGroup, summary: String, details: String = "", examples: [Example],
        isListed: Bool = true,
        notInChat: String? = nil, asksForKey: Bool = false, takes: [[WordKind]] = [],
        values: [String: [WordKind]] = [:]
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.details = details
        self.examples = examples
        self.isListed = isListed
        self.notInChat = notInChat
        self.asksForKey = asksForKey
        self.takes = takes
        self.values = values
    }

    /// The description in the form of ArgumentParser.
    var configuration: CommandConfiguration {
        let lines = examples.map(\.shellLine)
        let shown = "\(lines.count == 1 ? "Example" : "Examples"):\n\n" + lines.joined(separator: "\n")
        return CommandConfiguration(
            commandName: name, abstract: summary, discussion: (details.isEmpty ? "" : details + "\n\n") + shown,
            shouldDisplay: isListed)
    }
}

/// The parts of help, in their order. The commands of a group lie in one folder.
package enum HelpGroup: String, CaseIterable, Sendable {
    case conversation, workflow, change, inbox, files, setup

    /// The heading of the group in help.
    package var title: String {
        switch self {
        case .conversation: "Conversation"
        case .workflow: "Workflows"
        case .change: "Changes"
        case .inbox: "Inbox"
        case .files: "Files"
        case .setup: "Setup"
        }
    }
}

/// The effect that a call of a command has for the user, which decides who may call it and when.
package enum CommandRole: String, CaseIterable, Sendable {
    /// The call shows something and changes nothing. It also works while a question stands, with settings that cannot
    /// be used, and for a program that Assent started.
    case looks
    /// The call starts work or makes a file, and decides nothing, so a program that Assent started may make it. The
    /// steps that it starts are decided without a person.
    case starts
    /// The call decides something for the user. It is refused to a program that Assent started.
    case decides
}
