import JSON
import Vocabulary

extension Limits {
    /// The most words of a sentence that is planned again without each of them, to find the word that is not
    /// understood.
    fileprivate static let explainedTokens = 40

    /// The words at the end of a sentence that are left out, one after the other, to find the words that are not
    /// understood.
    fileprivate static let explainedTail = 8
}

/// The part of the planner that finds the words which stand in the way of a plan.
extension BuiltInPlanner {
    /// Returns the word, or the words at the end, without which a sentence would be understood. Returns nil if there
    /// are none, or if the planner does not know the words that were not understood.
    func obstacle(in tokens: [Token], _ line: String, listing: Listing, _ refusal: Refusal) -> String? {
        let strange = Set(tokens.filter { $0.isWord && !isOrdinary($0.word) }.map(\.word))
        let words = refusal.notUnderstood.flatMap { $0.lowercased().split(separator: " ").map(String.init) }
        let asksPlace = [.name, .folder, .value].contains(refusal.asks)
        guard !words.isEmpty || refusal.missing != nil || asksPlace, !refusal.isReasoned,
            tokens.count <= Limits.explainedTokens,
            strange.isDisjoint(with: words)
        else { return nil }
        // Words that were refused for a reason of their own are not the obstacle.
        let refused = refusal.words.hasPrefix("I do not understand: ") ? [] : Set(words)
        func isPlan(_ rest: [Token]) -> Bool { outcome(rest, line, listing: listing).isPlan }
        // The nearest word to those that were not understood is most likely the one that does not belong there.
        let near = tokens.firstIndex { words.contains($0.word) } ?? 0
        let places = tokens.indices.sorted { (abs($0 - near), $0) < (abs($1 - near), $1) }
        let single = places.first { place in
            guard !grammar.isIdle(tokens[place]), !tokens[place].isBreak, tokens[place].text != refusal.missing,
                !refused.contains(tokens[place].word)
            else { return false }
            return isPlan(Array(tokens[..<place] + tokens[(place + 1)...]))
        }
        if let single { return tokens.text(single..<(single + 1), in: line) }
        guard refused.isEmpty, refusal.asks == nil || refusal.missing != nil else { return nil }
        // The words that were added at the end: "… in 3 parts".
        let end = (max(1, tokens.count - Limits.explainedTail)..<tokens.count).last { isPlan(Array(tokens[..<$0])) }
        return end.map { tokens.text($0..<tokens.count, in: line) }
    }

    /// Whether the planner knows a word, so that the word is only in a strange place.
    private func isOrdinary(_ word: String) -> Bool {
        grammar.isKnown(word) || word.contains { !$0.isLetter } || language.units[word] != nil
            || language.nouns[word] != nil
    }
}
