/// The help for a line while it is typed: a menu, and completions for Tab. The editor calls it on its own thread, so it
/// must be quick.
package protocol LineHelp: Sendable {
    /// Returns the entries of the menu above the prompt, all that fit the typed line. The list is empty if the line
    /// needs no menu.
    func menu(for line: String) -> [LineCandidate]
    /// Returns the completions of the end of a line.
    ///
    /// - Parameter line: the text before the cursor.
    func completions(of line: String) -> LineCompletions
}

/// A word that completes a line, or an entry of its menu.
package struct LineCandidate: Hashable, Sendable {
    package var word: String
    /// A description, such as the title of a workflow, or an empty text. Others may have written it.
    package var about: String

    package init(_ word: String, about: String = "") {
        self.word = word
        self.about = about
    }
}

/// The words that may stand in place of the end of a line.
package struct LineCompletions: Hashable, Sendable {
    /// The end of the line that a candidate replaces.
    package var replaced: String
    package var candidates: [LineCandidate]
    /// Whether these are all candidates that fit. If not, their common beginning must not be inserted.
    package var areAll: Bool

    package init(replaced: String = "", candidates: [LineCandidate] = [], areAll: Bool = true) {
        self.replaced = replaced
        self.candidates = candidates
        self.areAll = areAll
    }
}

/// A help without a menu and completions.
package struct NoLineHelp: LineHelp {
    package init() {}
    package func menu(for line: String) -> [LineCandidate] { [] }
    package func completions(of line: String) -> LineCompletions { LineCompletions() }
}

/// The drawing of candidates: as a menu of a few rows, or as the list that Tab prints.
struct CandidateRows {
    let columns: Int

    /// Returns the rows of a menu, none of them wider than the screen. The last row counts the entries that do not fit.
    func menu(_ entries: [LineCandidate], most: Int) -> [StyledText] {
        guard most > 0, !entries.isEmpty else { return [] }
        let shown = entries.count > most ? entries.prefix(most - 1) : entries[...]
        let rows = self.rows(Array(shown))
        let rest = entries.count - shown.count
        return rest > 0 ? rows + [StyledText("  … and \(rest) more", .dim).truncated(to: columns)] : rows
    }

    /// Returns the list of candidates. Those with words about them have a row each.
    func list(_ candidates: [LineCandidate], areAll: Bool) -> [StyledText] {
        let shown = candidates.prefix(TerminalLimits.completions)
        let rest = candidates.count - shown.count
        let more = areAll ? (rest > 0 ? "… and \(rest) more" : "") : "… and more"
        guard shown.contains(where: { !$0.about.isEmpty }) else {
            let text = (shown.map(\.word) + (more.isEmpty ? [] : [more])).joined(separator: "  ")
            return StyledText(text, .dim).wrapped(to: max(1, columns - 2)).map { StyledText(spaces: 2) + $0 }
        }
        return rows(Array(shown)) + (more.isEmpty ? [] : [StyledText("  " + more, .dim).truncated(to: columns)])
    }

    /// Returns a row for each entry. The words about the entries begin in one column.
    private func rows(_ entries: [LineCandidate]) -> [StyledText] {
        let words = entries.map { StyledText("  " + $0.word, .accent) }
        let width = words.map(\.width).max() ?? 0
        return zip(words, entries).map { word, entry in
            let about = entry.about.isEmpty ? StyledText() : StyledText("  " + entry.about, .dim)
            return ((about.isEmpty ? word : word.padded(to: width)) + about).truncated(to: columns)
        }
    }
}
