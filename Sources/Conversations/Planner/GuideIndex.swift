/// The guides that a sentence may be about. The planner offers the best match.
package struct GuideIndex: Sendable {
    /// A guide with the words by which it is found.
    private struct Entry: Sendable {
        let name: String
        let title: String
        let names: Set<String>
        let words: Set<String>
    }

    private let entries: [Entry]

    /// Creates an index.
    package init(_ guides: [(name: String, title: String, about: String)] = []) {
        entries = guides.map { guide in
            let names = Self.words(of: "\(guide.name) \(guide.title)")
            return Entry(
                name: guide.name, title: guide.title, names: names, words: names.union(Self.words(of: guide.about)))
        }
    }

    /// Returns words that offer the guide which fits a sentence, or nil if none does.
    func offer(for line: String) -> String? {
        let said = Self.words(of: line)
        let scores = entries.map { entry in
            (
                entry, said.count { word in entry.names.contains { Self.isSame($0, word) } },
                said.count { word in entry.words.contains { Self.isSame($0, word) } }
            )
        }
        // One word of the title may occur by chance, two are enough.
        let fitting = scores.filter { _, names, words in names >= 1 && words >= Self.leastWords }
        guard let (entry, _, _) = fitting.max(by: { ($0.2, $0.1) < ($1.2, $1.1) }) else { return nil }
        return "A guide leads through this, \"\(entry.title)\": /guide run \(entry.name)"
    }

    private static let leastWords = 2
    private static let leastLetters = 4
    private static let idle: Set<String> = [
        "with", "from", "that", "this", "what", "needs", "need", "into", "have", "your", "make", "after",
    ]

    private static func words(of text: String) -> Set<String> {
        Set(
            text.lowercased().split { !$0.isLetter }.map { String($0) }.filter {
                $0.count >= leastLetters && !idle.contains($0)
            })
    }

    /// Whether two words are forms of the same word, such as `read` and `reading`. A word as short as `car` has no
    /// forms.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one == other
            || min(one.count, other.count) >= leastLetters && (one.hasPrefix(other) || other.hasPrefix(one))
                && abs(one.count - other.count) <= 3
    }
}
