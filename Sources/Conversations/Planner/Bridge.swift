import Vocabulary

extension Limits {
    /// The most words of a sentence in which a text is looked for.
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
        if let missing = refusal.missing, let way = named(missing, in: line) { return way }
        if let way = deletion(line, messages) { return way }
        if let way = LinkedLine(planner, listing: listing).sentence(for: line, deletes: true) { return way }
        if let way = spelled(line, refusal.notUnderstood) { return way }
        // Where something would be deleted or moved, or a condition stands, no word is left out or guessed.
        guard !refusal.isReasoned, !isCareful(line) else { return nil }
        if refusal.notUnderstood.count == 1, let way = without(refusal.notUnderstood[0], line) ?? quoted(line) {
            return way
        }
        guard refusal.asks == nil else { return nil }
        return NearestOrder(planner: planner, listing: listing).sentence(for: line)
    }

    private func isCareful(_ line: String) -> Bool {
        let conditions = Set(planner.language.thread["conditions"] ?? [])
        return planner.parts(of: line, listing: listing).contains { part in
            part.meaning.map { planner.destroys($0) || planner.moves($0) || $0.kind == .overwrite } ?? false
                || part.text.lowercased().split { !$0.isLetter && $0 != "'" }.contains {
                    conditions.contains(String($0))
                }
        }
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
                messages[..<last], listing: listing, catalogue: planner.catalogue,
                order: { talk, _ in talk.last?.text ?? "" }),
            thread.subjects.count == 1
        else { return nil }
        let way = "\(verb) \(thread.subjects[0])"
        return planner.isPlan(way, listing: listing) ? way : nil
    }

    /// Returns the line with a verb that was mistyped: "delte a.txt". A verb that deletes is never corrected without
    /// the user, since the word may have meant another.
    private func spelled(_ line: String, _ unknown: [String]) -> String? {
        for word in unknown.flatMap({ $0.split(separator: " ").map(String.init) }) {
            guard let place = line.firstRange(of: word), word.count > 3 else { continue }
            for verb in Meaning.destroying.sorted() where Slip.isTypo(word.lowercased(), of: verb) {
                var way = line
                way.replaceSubrange(place, with: verb)
                if planner.isPlan(way, listing: listing) { return way }
            }
        }
        return nil
    }

    /// Returns the line with words in quotes that are a text only there: `write "hello world" to a.txt`.
    private func quoted(_ line: String) -> String? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count <= Limits.bridgedWords, !line.contains("\"") else { return nil }
        // A text begins with a word that means nothing here.
        for start in words.indices where !planner.grammar.isKnown(words[start].lowercased()) {
            for end in (start + 1)..<min(words.count, start + Limits.quotedWords) where end > start {
                let text = words[start...end]
                guard text.allSatisfy(isText) else { break }
                let way =
                    (words[..<start] + ["\"\(text.joined(separator: " "))\""] + words[(end + 1)...]).joined(
                        separator: " ")
                if planner.isPlan(way, listing: listing) { return way }
            }
        }
        return nil
    }

    /// Whether a word can be one of a text: it is no name of a file, it ends no part of the sentence, and it does not
    /// join two orders.
    private func isText(_ word: String) -> Bool {
        guard word.contains(where: \.isLetter), !word.contains(where: { "/.,;:".contains($0) }) else { return false }
        let plain = word.lowercased()
        return !planner.grammar.isAnd(plain)
            && !planner.grammar.partsOrders(Token(kind: .word, text: word, word: plain, range: 0..<0))
            && !listing.files.contains { $0.name == word }
    }

    /// Returns the line without the words that stand in the way, if they mean nothing anywhere.
    private func without(_ words: String, _ line: String) -> String? {
        let isStrange = words.lowercased().split { !$0.isLetter && $0 != "'" }.allSatisfy { word in
            let word = String(word)
            let token = Token(kind: .word, text: word, word: word, range: 0..<0)
            return !planner.grammar.isKnown(word) && planner.grammar.noun(of: token) == nil
                && !planner.grammar.isPreposition(token) && planner.grammar.number(of: word) == nil
        }
        guard isStrange, !words.contains(where: \.isNumber), let place = line.firstRange(of: words) else { return nil }
        var way = line
        way.removeSubrange(place)
        way = way.split(separator: " ").joined(separator: " ").replacing(" ,", with: ",")
        while let last = way.last, ",;:".contains(last) || last.isWhitespace { way.removeLast() }
        return planner.isPlan(way, listing: listing) ? way : nil
    }
}
