package import Terminal
package import Vocabulary

/// Help in the chat: all verbs in their groups, or one verb with its usage.
package enum HelpView {
    private static let gap = 2
    /// The least number of cells in which an explanation can be read beside its term.
    private static let readable = 30

    /// Returns the help for the words that were typed after `/help`.
    ///
    /// - Throws: `badUsage`, if the first word is no verb. The failure names the nearest verb.
    package static func lines(for words: [String], columns: Int) throws(Failure) -> [StyledText] {
        guard let word = words.first else { return lines(columns: columns) }
        let name = String(word.drop { $0 == "/" })
        if let verb = ChatVerb(name) { return lines(of: verb, columns: columns) }
        guard let verb = Root.verb(named: name) else { throw Root.noCommand(name, remedy: "/help lists them.") }
        return lines(of: verb, columns: columns)
    }

    // MARK: All verbs

    package static func lines(columns: Int) -> [StyledText] {
        let width = SlashVerb.all.map { StyledText("/" + $0.example.words).width }.max() ?? 0
        var lines = Layout.wrapped(StyledText("Say what you want, or use a verb:"), columns: columns, indent: 2)
        for group in HelpGroup.allCases {
            lines += [StyledText()] + heading(group.title, columns)
            for verb in SlashVerb.all where verb.group == group {
                lines += row(
                    StyledText("/" + verb.example.words, .accent), verb.summary, width: width, columns: columns)
            }
        }
        let keys =
            "/help VERB explains one. Ctrl-C stops the turn, and at a command it asks first. What is typed during a "
            + "turn waits; /now LINE sends it into the turn. "
            + "In a shell the same verbs follow \"assent\": 'assent list'."
        return lines + [StyledText()] + Layout.wrapped(StyledText(keys, .dim), columns: columns, indent: 2)
    }

    // MARK: One verb

    private static func lines(of verb: ChatVerb, columns: Int) -> [StyledText] {
        Layout.wrapped(StyledText(verb.summary), columns: columns, indent: 2)
            + section("Example", [StyledText("/" + verb.example.words, .accent)], columns)
    }

    private static func lines(of verb: any Verb.Type, columns: Int) -> [StyledText] {
        let (description, help) = (verb.description, CommandHelp(of: verb))
        let caller = description.notInChat == nil ? "/" : "assent "
        var lines = Layout.wrapped(StyledText(description.summary), columns: columns, indent: 2)
        if !description.details.isEmpty {
            lines += [StyledText()] + Layout.wrapped(StyledText(description.details), columns: columns, indent: 2)
        }
        let usage = [StyledText(caller + description.name, .accent)] + help.usage.map { StyledText($0) }
        lines += [StyledText()] + heading("Usage", columns) + Layout.packed(usage, columns: columns, indent: 4, gap: 1)
        lines += section("Arguments", help.arguments, columns) + section("Options", help.options, columns)
        let examples = description.examples.map { CommandHelp.Row(label: caller + $0.words, words: $0.note ?? "") }
        return lines + section(examples.count == 1 ? "Example" : "Examples", examples, columns)
    }

    private static func section(_ title: String, _ rows: [CommandHelp.Row], _ columns: Int) -> [StyledText] {
        guard !rows.isEmpty else { return [] }
        let width = rows.map { StyledText($0.label).width }.max() ?? 0
        return [StyledText()] + heading(title, columns)
            + rows.flatMap { row(StyledText($0.label, .accent), $0.words, width: width, columns: columns) }
    }

    private static func section(_ title: String, _ lines: [StyledText], _ columns: Int) -> [StyledText] {
        [StyledText()] + heading(title, columns)
            + lines.flatMap { Layout.wrapped($0, columns: columns, indent: 4, hanging: 6) }
    }

    // MARK: Parts

    private static func heading(_ title: String, _ columns: Int) -> [StyledText] {
        Layout.wrapped(StyledText(title, .bold), columns: columns, indent: 2)
    }

    /// Returns a term with its explanation beside it, or below it if there is too little room.
    ///
    /// - Parameter width: the cells of the widest term.
    private static func row(_ term: StyledText, _ words: String, width: Int, columns: Int) -> [StyledText] {
        let margin = 4 + width + gap
        guard columns - margin >= readable else {
            let below = words.isEmpty ? [] : Layout.wrapped(StyledText(words), columns: columns, indent: 6)
            return Layout.wrapped(term, columns: columns, indent: 4, hanging: 6) + below
        }
        let explained = words.isEmpty ? [StyledText()] : StyledText(words).wrapped(to: columns - margin)
        return explained.enumerated().map { index, line in
            let left = index == 0 ? StyledText(Layout.spaces(4)) + term : StyledText()
            return line.isEmpty ? left : left.padded(to: margin) + line
        }
    }
}
