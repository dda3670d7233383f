package import Vocabulary

extension Limits {
    /// The most answers in a row that the built-in planner joins with one order.
    fileprivate static let joinedAnswers = 4
}

/// The kind of words that a question of the planner asks for. The language has a pattern for each, by which an answer
/// is added to the order.
enum Asked: String, Hashable, CaseIterable {
    case file, name, size, folder
    /// A parameter of a tool, such as a format.
    case value
    /// A verb in the place of "put": "copy" or "move".
    case verb
    /// Whether the files that Assent made are meant, too.
    case results
}

extension Refusal {
    /// Returns the same refusal as a question, which the next line may answer.
    func asking(_ asked: Asked) -> Refusal {
        var refusal = self
        refusal.asks = asked
        return refusal
    }
}

/// An order about which the planner asked a question, and the answer.
struct FollowUp {
    let order: String
    /// The parts of the order.
    let parts: [Part]
    let asked: Asked
    let answer: String

    /// Returns the sentences that may join the order and its answer, the likeliest first.
    ///
    /// - Parameter patterns: how an answer is added to an order, by the kind of the question, such as `to {}` for a
    ///   name.
    func sentences(_ patterns: [String: String]) -> [String] {
        let said = patterns[asked.rawValue].map { [$0.replacing("{}", with: answer)] } ?? []
        let end = order.last.map { ".!?;,".contains($0) } ?? false ? String(order.dropLast()) : order
        let behind = (said + [answer]).map { "\(end) \($0)" }
        let place = asked == .verb ? verb : asked == .file ? gap : nil
        guard let place else { return behind }
        var line = Array(order)
        line.replaceSubrange(place, with: Array(answer))
        return [String(line)] + behind
    }

    /// The place in the order of a verb that needs more words.
    private var verb: Range<Int>? {
        parts.first { $0.meaning?.gives.contains { $0.name == "places" } ?? false }?.spans.first
    }

    /// The place in the order of the words that the answer replaces: "it", "the picture", or a missing file.
    private var gap: Range<Int>? {
        for part in parts {
            guard let meaning = part.meaning else { continue }
            if meaning.kind == .pronoun { return part.spans.last }
            if case .reference(.missing)? = part.bound["f"]?.value { return part.span(of: "f") }
            if meaning.set == "definite" || meaning.set == "both" { return part.span(of: "k") }
        }
        return nil
    }
}

extension Part {
    /// Returns the place in the line of the words in a slot.
    func span(of slot: String) -> Range<Int>? {
        guard let bound = bound[slot] else { return nil }
        let places = bound.range.map { $0 - range.lowerBound }.filter(spans.indices.contains)
        guard let first = places.first, let last = places.last else { return nil }
        return spans[first].lowerBound..<spans[last].upperBound
    }

    /// Whether the part is more than a pause or idle words.
    fileprivate var carries: Bool {
        switch kind {
        case .idle, .pause: false
        case .phrase(let meaning): meaning.kind != .idle
        case .unknown: true
        }
    }

    /// Whether the part makes its line an order or a question of its own.
    fileprivate var isOrder: Bool {
        guard let meaning else { return false }
        switch meaning.kind {
        case .light, .save, .copy, .overwrite, .look, .and, .then, .start: return true
        case .pronoun, .originals, .copied, .part, .kept, .idle, nil: break
        }
        return !meaning.tools.isEmpty && !meaning.joins || meaning.answer != nil || meaning.template != nil
            || meaning.isRefusal
    }
}

/// The last line of a conversation as a sentence that stands by itself.
struct ResolvedLine {
    var line: String
    /// The workflow of the last order, if the line corrects it, and words for the user about that.
    var corrects: String?
    var note: String?
}

extension BuiltInPlanner {
    /// Returns the meaning of the last line of a conversation: the line itself, or, if it answers the planner's own
    /// question, the order with the answer in it.
    ///
    /// A line is an answer only directly after such a question, and only if it is not an order itself.
    package func line(of messages: [ChatMessage], listing: Listing) -> String? {
        resolved(messages, listing: listing)?.line
    }

    /// Returns the meaning of the last line of a conversation, with a note for the user.
    func resolved(_ messages: [ChatMessage], listing: Listing) -> ResolvedLine? {
        guard let last = messages.lastIndex(where: { $0.role == .user }) else { return nil }
        return resolved(messages[...last], listing: listing, depth: Limits.joinedAnswers)
    }

    /// Returns the meaning of the last of some messages.
    ///
    /// - Parameter talk: the messages up to the line.
    private func resolved(_ talk: ArraySlice<ChatMessage>, listing: Listing, depth: Int) -> ResolvedLine {
        guard let answer = talk.last?.text else { return ResolvedLine(line: "") }
        let before = talk.dropLast()
        guard depth > 0, !before.isEmpty else { return ResolvedLine(line: linked(answer, listing)) }
        if let question = before.last, question.role == .assistant, question.calls.isEmpty,
            before.dropLast().last?.role == .user
        {
            let order = resolved(before.dropLast(), listing: listing, depth: depth - 1).line
            if case .failure(let refusal) = understood(order, listing: listing),
                question.text.hasPrefix(refusal.words)
            {
                if let place = language.ordinal(answer) {
                    // Of the names that the question lists. Without them it means nothing, and no earlier result.
                    let name = refusal.choices.element(place).map(FileName.quoted)
                    return ResolvedLine(line: name.flatMap { joined(order, .file, $0, listing: listing) } ?? answer)
                }
                if refusal.missing != nil, isYes(answer) {
                    let way = Bridge(planner: self, listing: listing).way(out: refusal, of: order, Array(before))
                    return ResolvedLine(line: way ?? answer)
                }
                if let asked = refusal.asks, let line = joined(order, asked, answer, listing: listing) {
                    return ResolvedLine(line: line)
                }
            }
        }
        return spoken(of: before, answer, listing: listing, depth: depth) ?? ResolvedLine(line: linked(answer, listing))
    }

    /// Whether a line says yes to "Did you mean".
    private func isYes(_ line: String) -> Bool {
        let plain = line.lowercased().filter { $0.isLetter || $0.isWhitespace }
        return language.thread["yes"]?.contains(plain.split(separator: " ").joined(separator: " ")) ?? false
    }

    /// Returns a line whose second order names what it means, if it is not understood otherwise.
    private func linked(_ line: String, _ listing: Listing) -> String {
        guard !understands(line, listing: listing) else { return line }
        return LinkedLine(self, listing: listing).sentence(for: line) ?? line
    }

    /// Returns the sentence that a line stands for if it speaks of the last order. Returns nil if it stands by itself, or
    /// if no such sentence is understood.
    private func spoken(
        of talk: ArraySlice<ChatMessage>, _ line: String, listing: Listing, depth: Int
    ) -> ResolvedLine? {
        switch understood(line, listing: listing) {
        case .success(.console(let request, _)) where request.repeats: break
        case .success: return nil
        case .failure(let refusal):
            // An order of its own, of which something is missing.
            let asksMore = refusal.asks.map { ![.file, .verb].contains($0) } ?? false
            if refusal.missing != nil || asksMore || isYes(line) { return nil }
        }
        // Whatever deletes needs a name.
        let said = parts(of: line, listing: listing)
        guard !said.contains(where: { $0.meaning.map(destroys) ?? false }),
            let thread = OrderThread(
                talk, listing: listing, catalogue: catalogue,
                order: { resolved($0, listing: listing.without($1), depth: depth - 1).line })
        else { return nil }
        let reading = ThreadLine(line, thread, self, listing: listing)
        for candidate in reading.candidates {
            switch understood(candidate.sentence, listing: listing, explains: false) {
            case .success(.workflow), .success(.part):
                guard candidate.corrects, !thread.workflow.isEmpty else {
                    return ResolvedLine(line: candidate.sentence)
                }
                return ResolvedLine(
                    line: candidate.sentence, corrects: thread.workflow, note: correctionNote(thread.workflow))
            case .success(.words(_)) where !candidate.corrects: return ResolvedLine(line: candidate.sentence)
            case .success, .failure: continue
            }
        }
        return nil
    }

    /// Returns an order with the answer to a question about it. Returns nil if the answer is an order of its own, or
    /// has no meaning.
    func joined(_ order: String, _ asked: Asked, _ answer: String, listing: Listing) -> String? {
        let answer = ThreadLine.withoutNo(answer, language)
        let said = parts(of: answer, listing: listing).filter(\.carries)
        let phrases = said.filter { $0.meaning?.kind != .pronoun }
        // The answer "copy it" is a verb, but not a complete order.
        let verb = asked == .verb && phrases.count == 1 && phrases[0].isOrder ? phrases[0].text : nil
        guard !said.isEmpty, verb != nil || !said.contains(where: \.isOrder) else { return nil }
        let words = verb ?? answer.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let followUp = FollowUp(order: order, parts: parts(of: order, listing: listing), asked: asked, answer: words)
        let sentences = followUp.sentences(answers)
        return sentences.first { understands($0, listing: listing) }
            ?? (said.contains { if case .unknown = $0.kind { true } else { false } } ? nil : sentences.first)
    }
}
