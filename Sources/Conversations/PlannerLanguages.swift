import JSON
package import Vocabulary

/// The planner as a model, which hands a line to the language that understands it.
extension BuiltInPlanner {
    /// Returns the planner as a model.
    ///
    /// - Parameters:
    ///   - others: returns the planners of other languages. They get a line of which this one does not understand a
    ///     word.
    ///   - listing: returns the files, or also those in all folders below. It is called at each request, so
    ///     that new files are known.
    package func model(
        or others: @escaping @Sendable () -> [BuiltInPlanner] = { [] },
        listing: @escaping @Sendable (_ isDeep: Bool) async -> Listing
    ) -> ChatModel {
        { request, tell in
            var files = await listing(false)
            if let line = line(of: request.messages, listing: files), namesSet(line, or: others, listing: files) {
                files = await listing(true)
            }
            reply(to: request, or: others, listing: files).forEach(tell)
        }
    }

    /// Returns the meaning of the last line in the language that finds one.
    func resolved(
        _ messages: [ChatMessage], or others: () -> [BuiltInPlanner], listing: Listing
    ) -> ResolvedLine? {
        let last = messages.last { $0.role == .user }?.text ?? ""
        guard !understands(last, listing: listing) else { return resolved(messages, listing: listing) }
        // What another language understands by itself does not speak of the last order.
        guard !others().contains(where: { $0.understands(last, listing: listing) }) else {
            return ResolvedLine(line: last)
        }
        guard let own = resolved(messages, listing: listing) else { return nil }
        guard own.line == last else { return own }
        for other in others() {
            if let theirs = other.resolved(messages, listing: listing), theirs.line != own.line { return theirs }
        }
        return own
    }

    /// Whether a line names files by their kind, so that those in the folders below must be known.
    private func namesSet(_ line: String, or others: () -> [BuiltInPlanner], listing: Listing) -> Bool {
        func names(_ planner: BuiltInPlanner) -> Bool {
            planner.parts(of: line, listing: listing).contains { $0.meaning?.set != nil }
        }
        if names(self) { return true }
        // The other languages are asked only about a line that this one does not understand.
        guard !understands(line, listing: listing) else { return false }
        return others().contains(where: names)
    }

    /// Returns the answer to a line. Another language answers if this one does not understand a word of the line, and
    /// the other one understands all of it.
    package func answer(_ line: String, or others: () -> [BuiltInPlanner] = { [] }, listing: Listing) -> Answer {
        switch understood(line, or: others, listing: listing) {
        case .success(let answer): answer
        case .failure(let refusal): .words(refusal.words)
        }
    }

    func understood(
        _ line: String, or others: () -> [BuiltInPlanner], listing: Listing
    ) -> Result<Answer, Refusal> {
        let own = understood(line, listing: listing)
        guard case .failure(let refusal) = own, !refusal.notUnderstood.isEmpty else { return own }
        let known = ownWords(in: line)
        for other in others() {
            let theirs = other.understood(line, listing: listing)
            if case .success = theirs { return theirs }
            // The language that knows more words of the sentence says what is wrong with it.
            if other.ownWords(in: line) > known { return theirs }
        }
        return own
    }

    /// Returns the number of words of a line that the language knows.
    func ownWords(in line: String) -> Int {
        line.lowercased().split { !$0.isLetter && $0 != "'" }.count { grammar.isKnown(String($0)) }
    }
}
