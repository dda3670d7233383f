import JSON
import Vocabulary

/// The replies of the planner to requests, in the form of a model.
extension BuiltInPlanner {
    func reply(to request: ChatRequest, or others: () -> [BuiltInPlanner], listing: Listing) -> [ReplyPart] {
        guard let resolved = resolved(request.messages, or: others, listing: listing) else {
            return [.finished(Reply(text: ""))]
        }
        let line = resolved.line
        if let result = request.messages.last, result.role == .tool {
            if let call = ConsoleRequest.call(after: result, in: request) {
                return [.callStarted(name: call.name), .finished(Reply(text: "", calls: [call]))]
            }
            if let words = ConsoleRequest.refusal(of: result) { return text(words, isRefusal: true) }
            if let words = ConsoleRequest.words(for: result, in: request) { return text(words) }
            let remark = Self.remark(on: result.text)
            return text(remark, isRefusal: !remark.isEmpty)
        }
        switch understood(line, or: others, listing: listing) {
        case .failure(let refusal):
            let way = way(out: refusal, of: line, or: others, request.messages, listing: listing)
            let speaker = refusal.language == language.id ? nil : others().first { $0.language.id == refusal.language }
            var words = refusal.told(
                understood: (speaker ?? self).known(in: line, listing), hasWay: way != nil,
                in: (speaker ?? self).language)
            if let offer = guides().offer(for: line) { words += " \(offer)" }
            if let way {
                words += " " + ((speaker ?? self).language.sayings["way"] ?? "{}").replacing("{}", with: way)
            }
            return text(words, isRefusal: true, notUnderstood: refusal.notUnderstood, way: way)
        case .success(.words(let words)): return text(words)
        case .success(.console(let console, let words)):
            guard let call = console.call(in: request) else { return text(words, isRefusal: true) }
            return [.callStarted(name: call.name), .finished(Reply(text: "", calls: [call]))]
        case .success(.workflow(let workflow)):
            guard let note = resolved.note else { return proposal(workflow, request) }
            return [.text(note)] + proposal(workflow, request, saying: note, corrects: resolved.corrects)
        case .success(.part(let workflow, var words)):
            if let note = resolved.note { words = "\(note) \(words)" }
            return [.text(words)] + proposal(workflow, request, saying: words, corrects: resolved.corrects)
        }
    }

    /// Returns the words of a line that are understood, with "…" for the others. Returns nil if none of them says what
    /// is to be done, or if all are understood by themselves.
    private func known(in line: String, _ listing: Listing) -> String? {
        let parts = parts(of: line, listing: listing)
        let isOrder = parts.contains { part in
            part.meaning.map { !$0.isRefusal && (!$0.tools.isEmpty || $0.kind == .light || !$0.gives.isEmpty) } ?? false
        }
        guard isOrder else { return nil }
        var words: [String] = []
        for part in parts {
            switch part.kind {
            case .phrase(let meaning) where !meaning.isRefusal: words.append(part.text)
            case .phrase, .unknown: if words.last != "…" { words.append("…") }
            case .idle, .pause: break
            }
        }
        return words.contains("…") ? words.joined(separator: " ") : nil
    }

    private func proposal(
        _ workflow: JSON, _ request: ChatRequest, saying words: String = "", corrects: String? = nil
    ) -> [ReplyPart] {
        let number = request.messages.count { $0.role == .user }
        let call = ChatCall(
            id: "plan-\(number)", name: "propose_workflow",
            arguments: corrects.map { workflow.replacing("corrects", with: .string($0)) } ?? workflow)
        return [.callStarted(name: call.name), .finished(Reply(text: words, calls: [call]))]
    }

    /// Returns the parts of a reply in words.
    ///
    /// - Parameter isRefusal: whether nothing was done for the line.
    private func text(
        _ words: String, isRefusal: Bool = false, notUnderstood: [String] = [], way: String? = nil
    ) -> [ReplyPart] {
        guard !words.isEmpty else { return [.finished(Reply(text: ""))] }
        var reply = Reply(text: words, isRefusal: isRefusal, notUnderstood: notUnderstood)
        reply.way = way
        return [.text(words), .finished(reply)]
    }

    /// Returns the line that the planner offers in place of a refused one, in the language that finds one.
    private func way(
        out refusal: Refusal, of line: String, or others: () -> [BuiltInPlanner], _ messages: [ChatMessage],
        listing: Listing
    ) -> String? {
        let own = Bridge(planner: self, listing: listing)
        if let way = own.way(out: refusal, of: line, messages) { return way }
        for other in others() where other.ownWords(in: line) > ownWords(in: line) {
            guard case .failure(let refusal) = other.understood(line, listing: listing) else { continue }
            return Bridge(planner: other, listing: listing).way(out: refusal, of: line, messages)
        }
        return nil
    }

    /// Returns words about the problems in a result, or an empty text if it has none. The console draws results itself.
    static func remark(on result: String) -> String {
        guard let json = try? JSONReader.read(result), let problems = json["problems"]?.array else { return "" }
        return "That was not possible: " + problems.prefix(3).compactMap(\.string).joined(separator: " ")
    }
}
