import Vocabulary

extension PlannerLanguage {
    /// The words for a place in a list, the longest first: "the second one" is 2, and "the last one" is -1.
    var ordinals: [(word: String, place: Int)] {
        var found: [(word: String, place: Int)] = []
        for (number, group) in (thread["ordinals"] ?? []).enumerated() {
            for word in group.split(separator: "|") { found.append((String(word), number + 1)) }
        }
        for group in thread["last"] ?? [] {
            for word in group.split(separator: "|") { found.append((String(word), -1)) }
        }
        return found.sorted { $0.word.count > $1.word.count }
    }

    /// Returns the place in a list that a line names and nothing else, or nil if it says anything more.
    func ordinal(_ line: String) -> Int? {
        let said = ThreadLine.bare(line).lowercased()
        return ordinals.first { $0.word == said }?.place
    }
}

extension Array {
    /// Returns the element at a place counted from 1, or from the end if it is negative. Returns nil if there is none.
    func element(_ place: Int) -> Element? {
        let index = place < 0 ? count + place : place - 1
        return indices.contains(index) ? self[index] : nil
    }
}
