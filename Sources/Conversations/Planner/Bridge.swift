import Vocabulary

extension Limits {
    /// The most words of a sentence for which a nearest order is looked for.
    fileprivate static let bridgedWords = 30

    /// The most words that are put into quotes together, to find a text.
    fileprivate static let quotedWords = 6
}

/// The way from a refused sentence to one that works. It is offered, and done only if the user sends it.
struct Bridge {
    let planner: BuiltInPlanner
    let listing: Listing

    /// Returns the line that is offered in place of a refused one, or nil if none is known.
    func way(out refusal: Refusal, of line: String, _ messages: [ChatMessage]) -> String? {
        if let way = refusal.way { return way }
        if let missing = refusal.missing { return named(missing, in: line) }
        if let way = deletion(line, messages) { return way }
        guard refusal.notUnderstood.count == 1, !refusal.isReasoned else { return nil }
        return quoted(line) ?? without(refusal.notUnderstood[0], line)
    }

    /// Returns the line with the name of a file that is here, if exactly one is meant.
    private func named(_ missing: String, in line: String) -> String? {
        let near = Missing(listing: listing).near(missing)
        guard near.count == 1, let place = line.firstRange(of: missing) else { return nil }
        var way = line
        way.replaceSubrange(place, with: near[0])
        return planner.isPlan(way, listing: listing) ? way : nil
    }

    /// Returns the deletion of the file that "it" means, which must be named.
    private func deletion(_ line: String, _ messages: [ChatMessage]) -> String? {
        let parts = planner.parts(of: line, listing: listing)
        guard let verb = parts.first(where: { $0.meaning.map(planner.destroys) ?? false })?.verb,
            parts.contains(where: { $0.meaning?.kind == .pronoun }),
            let last = messages.lastIndex(where: { $0.role == .user }),
            let thread = OrderThread(
                messages[..<last], listing: listing, catalogue: planner.catalogue, order: { $0.last?.text ?? "" }),
            thread.subjects.count == 1
        else { return nil }
        let way = "\(verb) \(thread.subjects[0])"
        return planner.isPlan(way, listing: listing) ? way : nil
    }

    /// Returns the line with words in quotes that are a text only there: `write "hello world" to a.txt`.
    private func quoted(_ line: String) -> String? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count <= Limits.bridgedWords, !line.contains("\"") else { return nil }
        for start in words.indices {
            for end in (start + 1)..<min(words.count, start + Limits.quotedWords) where end > start {
                let text = words[start...end]
                guard text.allSatisfy({ $0.contains(where: \.isLetter) && !$0.contains("/") }) else { break }
                let way =
                    (words[..<start] + ["\"\(text.joined(separator: " "))\""] + words[(end + 1)...]).joined(
                        separator: " ")
                if planner.isPlan(way, listing: listing) { return way }
            }
        }
        return nil
    }

    /// Returns the line without the words that stand in the way.
    private func without(_ words: String, _ line: String) -> String? {
        guard let place = line.firstRange(of: words) else { return nil }
        var way = line
        way.removeSubrange(place)
        way = way.split(separator: " ").joined(separator: " ").replacing(" ,", with: ",")
        return planner.isPlan(way, listing: listing) ? way : nil
    }
}
