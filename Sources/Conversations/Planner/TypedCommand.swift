import Vocabulary

/// A command that a line gives as it is typed: "run git log -3", "!ls ..", "make cat.jpg gray, then run ls". It goes from
/// its first sign to the last one of the line, so that no sign of the shell is read as one of the sentence.
package struct TypedCommand {
    /// The line before the command, without the word that runs it.
    let head: String
    let command: String
    /// The place of the command in the line, by character.
    let range: Range<Int>

    /// Finds the command of a line. Fails if the line gives none.
    ///
    /// A line gives one if it begins with `!`, or if `run` is its first word or follows "then". The word after `run` must
    /// not be a template, a workflow, or a word that says which one is meant, such as "it" or "the". A command in
    /// backticks or quotes is left to the phrases, since more words may follow it.
    init?(_ line: String, language: PlannerLanguage, templates: Set<String>) {
        let signs = Array(line)
        let words = Self.words(signs)
        guard let first = words.first else { return nil }
        if signs[first.lowerBound] == "!" {
            self.init(signs, from: first.lowerBound + 1, before: first.lowerBound, language)
            return
        }
        func word(_ place: Int) -> String {
            words.indices.contains(place) ? String(signs[words[place]]).lowercased() : ""
        }
        func isIn(_ group: String, _ word: String) -> Bool { language.groups[group]?.contains(word) ?? false }
        for place in words.indices where isIn("run", word(place).trimming(":")) {
            let isJoined = place > 0 && isIn("then", word(place - 1).trimming(","))
            guard place == 0 || isJoined else { continue }
            let next = word(place + 1).trimming(",.!?")
            let isCalled =
                isIn("notCommands", next) || templates.contains(next)
                || next.wholeMatch(of: /w\d+/) != nil
            guard !isCalled, !next.isEmpty, !"`\"“„'".contains(next.prefix(1)) else { return nil }
            let before = isJoined ? words[place - 1].lowerBound : words[place].lowerBound
            self.init(signs, from: words[place].upperBound, before: before, language)
            return
        }
        return nil
    }

    /// Whether a line is a command for the shell, whatever model is connected: it begins with `!`.
    package static func isMarked(_ line: String) -> Bool { line.first { !$0.isWhitespace } == "!" }

    private init?(_ signs: [Character], from start: Int, before head: Int, _ language: PlannerLanguage) {
        var (start, end) = (start, signs.count)
        while start < end, signs[start].isWhitespace || signs[start] == ":" && signs[start...].dropFirst().first == " "
        {
            start += 1
        }
        while end > start, signs[end - 1].isWhitespace { end -= 1 }
        // "führe ls aus": the verb has a second part at the end.
        if let last = language.groups["runEnd"]?.first(where: { String(signs[start..<end]).hasSuffix(" " + $0) }) {
            end -= last.count + 1
            while end > start, signs[end - 1].isWhitespace { end -= 1 }
        }
        guard start < end else { return nil }
        self.head = String(signs[..<head])
        command = String(signs[start..<end])
        range = start..<end
    }

    private static func words(_ signs: [Character]) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        for place in 0...signs.count {
            let isGap = place == signs.count || signs[place].isWhitespace
            if isGap, let begin = start {
                words.append(begin..<place)
                start = nil
            } else if !isGap, start == nil {
                start = place
            }
        }
        return words
    }
}

extension String {
    /// Returns the text without some signs at its end. A text of such signs alone stays.
    fileprivate func trimming(_ signs: String) -> String {
        var rest = self[...]
        while let last = rest.last, signs.contains(last) { rest = rest.dropLast() }
        return rest.isEmpty ? self : String(rest)
    }
}

extension BuiltInPlanner {
    /// Returns the command that a line gives as it is typed, or nil if it gives none.
    func typedCommand(in line: String) -> TypedCommand? {
        TypedCommand(line, language: language, templates: Set(templates.map(\.name)))
    }

    /// Whether a line is a command as it was typed.
    func runsCommand(_ line: String) -> Bool {
        typedCommand(in: line) != nil
            || parts(of: line, listing: Listing(workspace: "/", files: [])).contains { part in
                part.meaning?.with["command"] != nil
            }
    }

    /// Refuses a command that begins with the name of a file here, which no shell would find.
    func refuseScript(_ tokens: [Token], listing: Listing) throws(Refusal) {
        guard let command = tokens.last, case .code(let text) = command.kind,
            let name = text.split(separator: " ").first.map(String.init), !name.contains("/"),
            listing.files.contains(where: { $0.name == name && !$0.isFolder })
        else { return }
        var refusal = Refusal("\(name) is a file here and no program, so a shell would not find it. Nothing was done.")
        let runner = FileName.suffix(of: name).flatMap { language.runners[$0] }
        refusal.way = runner.map { "run \($0) \(text)" } ?? "run ./\(text)"
        refusal.isReasoned = true
        throw refusal
    }
}
