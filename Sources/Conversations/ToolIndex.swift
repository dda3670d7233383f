import Glibc
package import Vocabulary

/// An index that finds tools by the words of their manifests: BM25 in memory (k1 = 1.2, b = 0.5). The words that a tool
/// `says` first count most.
package struct ToolIndex: Sendable {
    private let tools: [ToolManifest]
    /// The weight of a stem in each tool: stem → tool number → weight.
    private var postings: [String: [Int: Double]] = [:]
    private var lengths: [Double] = []

    package init(_ catalogue: Catalogue) {
        tools = catalogue.sorted
        for (number, tool) in tools.enumerated() {
            var length = 0.0
            func add(_ word: String, _ weight: Double) {
                postings[Stem.of(word), default: [:]][number, default: 0] += weight
                length += weight
            }
            for (place, word) in tool.says.enumerated() { add(word.lowercased(), place == 0 ? 3 : 2) }
            for word in Stem.words(of: tool.title) { add(word, 1) }
            for word in Stem.words(of: tool.summary) where word.count > 3 { add(word, 0.25) }
            lengths.append(length)
        }
    }

    /// Returns the tools that share a word with the query, the best first. Ties are ordered by kind.
    package func ranked(by query: String) -> [(tool: ToolManifest, score: Double)] {
        ranked(byStems: Stem.words(of: query).map(Stem.of))
    }

    func ranked(byStems stems: [String]) -> [(tool: ToolManifest, score: Double)] {
        var scores: [Int: Double] = [:]
        let average = lengths.reduce(0, +) / Double(max(1, lengths.count))
        for stem in stems {
            guard let found = postings[stem] else { continue }
            let rarity = log(1 + (Double(tools.count - found.count) + 0.5) / (Double(found.count) + 0.5))
            for (number, weight) in found {
                let norm = 1.2 * (0.5 + 0.5 * lengths[number] / average)
                scores[number, default: 0] += rarity * weight * 2.2 / (weight + norm)
            }
        }
        return scores.map { (tools[$0.key], $0.value) }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0.kind < $1.0.kind }
    }
}
