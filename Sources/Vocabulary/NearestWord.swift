extension Limits {
    /// The known keys that a message names if a key is unknown and similar to none.
    fileprivate static let namedKeys = 12
}

/// Finds the known word that a mistyped word probably meant.
package enum NearestWord {
    /// The longest word that is compared, in characters.
    private static let longest = 64

    /// Returns the known word that differs least from `word`, or `nil` if no known word is near.
    ///
    /// A word is near if at most a third of its characters differ. In words of four to six characters, two may differ.
    /// Upper and lower case, hyphens and underscores count as equal.
    package static func of(_ word: String, among known: some Sequence<String>) -> String? {
        let wanted = plain(word)
        let ranked = known.map { (word: $0, distance: distance(wanted, plain($0))) }
        guard let nearest = ranked.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }) else { return nil }
        return nearest.distance <= max(wanted.count / 3, wanted.count > 3 ? 2 : 1) ? nearest.word : nil
    }

    /// Returns a sentence that names the nearest known key, or a few of the known keys if none is near.
    package static func hint(for word: String, among known: some Collection<String>) -> String {
        if let near = of(word, among: known) { return "Did you mean \"\(near)\"?" }
        guard !known.isEmpty else { return "No key is known here." }
        let names = known.sorted()
        return
            "Known here are \(names.prefix(Limits.namedKeys).joined(separator: ", "))\(names.count > Limits.namedKeys ? " and others" : "")."
    }

    private static func plain(_ word: String) -> [Unicode.Scalar] {
        word.lowercased().unicodeScalars.prefix(longest).map { $0 == "-" ? "_" : $0 }
    }

    /// Returns the number of scalars to insert, remove, replace, or swap with their neighbour (Damerau and
    /// Levenshtein).
    private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var (before, row) = ([Int](), Array(0...other.count))
        for i in one.indices {
            var next = [i + 1]
            for j in other.indices {
                var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (one[i] == other[j] ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
