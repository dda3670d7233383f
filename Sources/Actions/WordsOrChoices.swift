import JSON
import Vocabulary

/// The answer to a question of a model: some of the choices, or other words.
struct WordsOrChoices: Hashable {
    var chosen: [String] = []
    var words: String?

    /// Takes words as they are.
    init(words: String) { self.words = words }

    /// Reads what a person typed: a number or the name of a choice, or several with commas between them. Anything else
    /// is words.
    ///
    /// - Returns: nil for a number that no choice has, and for several choices where one is wanted.
    init?(_ typed: String, choices: [String], isSeveral: Bool) {
        let word = typed.trimmedOfBlanks
        // A choice that is itself a number, or holds a comma, is chosen by its name.
        if let named = Self.named(word, choices) {
            chosen = [named]
            return
        }
        let parts = word.split(separator: ",").map { String($0).trimmedOfBlanks }.filter { !$0.isEmpty }
        guard !choices.isEmpty, !parts.isEmpty else {
            words = typed
            return
        }
        let found = parts.map { part -> String? in
            if let named = Self.named(part, choices) { return named }
            guard let number = Int(part), choices.indices.contains(number - 1) else { return nil }
            return choices[number - 1]
        }
        guard found.contains(nil) else {
            for choice in found.compactMap(\.self) where !chosen.contains(choice) { chosen.append(choice) }
            guard chosen.count == 1 || isSeveral else { return nil }
            return
        }
        // A list of numbers means choices, and a wrong one is a slip.
        guard !parts.allSatisfy({ Int($0) != nil }) else { return nil }
        words = typed
    }

    private static func named(_ word: String, _ choices: [String]) -> String? {
        choices.first { $0 == word } ?? choices.first { $0.lowercased() == word.lowercased() }
    }

    /// The answer as `{"chosen": [...], "words": "..."}`.
    var json: JSON { .of(["chosen": .array(chosen.map { .string($0) }), "words": words.map { .string($0) }]) }
}
