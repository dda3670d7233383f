/// The rule for the first word of a doc comment: it names the thing, or says with a verb what a function does.
enum Openings {
    /// Words that refer to something the reader of hover help does not see, or that begin half a sentence.
    ///
    /// "How" is allowed: "How long to wait, in milliseconds" reads well. So are "If" and "Whether".
    static let forbidden: Set<String> = Set(
        """
        What Who Whom Whose Which Where When Why Whatever Whoever Whichever Whenever Wherever
        I You We He She It They Them Us This That These Those Such There One Its Their Our Your My His Her
        Nothing Nobody None Something Somebody Someone Everything Everybody Everyone Anything Anybody Anyone
        About Above Across After Against Along Among Around As At Because Before Behind Below Beneath Beside Besides Between Beyond By
        Despite During Except For From In Inside Into Like Near Of Off On Onto Out Outside Over Per Since So Than Through Throughout To
        Toward Towards Under Until Unto Up Upon Via With Within Without
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Words in the form of a verb in the third person that are no verbs: plural nouns and adverbs.
    private static let noVerbs: Set<String> = Set(
        """
        Always Sometimes Perhaps Besides Less Others Yes
        Approvals Assets Bytes Cells Chunks Colours Columns Commands Contents Days Descendants Digits Edges Effects Entries Events Fallbacks
        Faults Fields Files Findings Folders Halves Hosts Hours Https Inputs Items Jobs Joiners Keys Kinds Letters Lines Loaders Messages
        Milliseconds Minutes Models Names Nodes Numbers Outputs Parameters Pairs Parts Paths Patterns Pieces Ports Programs Providers
        Questions Rehearsals Rows Rules Savers Seconds Servers Shapes Sizes Spaces Statuses Steps Texts Tokens Tools Values Verbs Wishes
        Words Workflows
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Words after a plural noun, never after a verb in the third person.
    private static let afterNouns: Set<String> = [
        "are", "were", "is", "was", "have", "may", "can", "cannot", "must", "will", "do", "and", "of", "that", "which",
        "who", "whose",
    ]

    /// Verbs after which "of", "that", "which" or "who" may follow.
    private static let verbsWithClause: Set<String> = [
        "Asserts", "Checks", "Confirms", "Consists", "Demands", "Disposes", "Ensures", "Expects", "Finds", "Guarantees",
        "Proves",
        "Records", "Remembers", "Reports", "Requires", "Says", "Shows", "States", "Tells", "Verifies",
    ]

    /// Returns the first word of a text, or nil if the text begins with code.
    static func firstWord(of text: String) -> String? { words(of: text[...]).first }

    /// Returns whether a text opens with a verb in the third person, such as "Returns".
    ///
    /// A verb has a capital letter and ends with "s", but not with "ss", "us" or "is". A plural noun is told from a
    /// verb by a list, and by the word that follows.
    static func beginsWithVerb(_ text: String) -> Bool {
        let words = words(of: text[...])
        guard let verb = words.first, verb.count > 2, verb.first?.isUppercase ?? false, !noVerbs.contains(verb) else {
            return false
        }
        guard verb.hasSuffix("s"), !["ss", "us", "is", "'s", "’s"].contains(where: verb.hasSuffix) else { return false }
        guard words.count > 1, afterNouns.contains(words[1]) else { return !forbidden.contains(verb) }
        return verbsWithClause.contains(verb)
    }

    /// Returns the first two words, without the quotation marks, brackets and signs of emphasis before them. A word of
    /// code ends the list.
    private static func words(of text: Substring) -> [String] {
        var words: [String] = []
        var rest = text
        while words.count < 2 {
            rest = rest.drop { " \"“([*_".contains($0) }
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "'" || $0 == "’" }
            guard word.first?.isLetter ?? false else { break }
            words.append(String(word))
            rest = rest.dropFirst(word.count)
            guard rest.first == " " else { break }
        }
        return words
    }
}
