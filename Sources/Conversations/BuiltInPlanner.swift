package import JSON
package import Vocabulary

/// Plans without a model: no key, no network, the same answer every time. It speaks through the same seam and the same tools as a model.
///
/// It finds tools by the words of their manifests, fills their parameters from the figures and names in the line, chains them by their
/// port types in the order of the text, and adds loaders and savers. What it does not understand it says; it never guesses a step that
/// moves, deletes or overwrites.
package struct BuiltInPlanner: Sendable {
    /// What it makes of one line.
    package enum Answer: Hashable, Sendable {
        /// A workflow, `app.workflow/v2`.
        case workflow(JSON)
        /// One that does only the first part of what was said, and the words that say so.
        case part(JSON, String)
        case words(String)
    }

    private let catalogue: Catalogue
    private let words: ToolWords
    private let templates: [Template]

    package init(catalogue: Catalogue, templates: [Template] = []) {
        self.catalogue = catalogue
        words = ToolWords(catalogue)
        self.templates = templates
    }

    package func answer(_ line: String, listing: Listing) -> Answer {
        switch understood(line, listing: listing) {
        case .success(let answer): answer
        case .failure(let refusal): .words(refusal.words)
        }
    }

    private func understood(_ line: String, listing: Listing) -> Result<Answer, Refusal> {
        guard line.utf8.count <= Limits.lineBytes else { return .failure(Refusal("This line is too long.")) }
        do throws(Refusal) {
            return .success(try plan(line, listing: listing))
        } catch {
            return .failure(Refusal(([error.words] + faults(namedIn: line)).joined(separator: " ")))
        }
    }

    /// Returns the faults of manifests for want of which tools that the line names are not known.
    private func faults(namedIn line: String) -> [String] {
        let said = Set(line.lowercased().split { !$0.isLetter && !$0.isNumber })
        return catalogue.unavailable.filter { catalogue[$0.key] == nil && said.contains($0.key.lowercased()[...]) }
            .sorted { $0.key < $1.key }.map(\.value.words)
    }

    private func plan(_ line: String, listing: Listing) throws(Refusal) -> Answer {
        let questions = Questions(words: words, listing: listing)
        if let talk = questions.smallTalk(line) { return .words(talk) }
        let (opened, isQuestion) = Questions.opened(Phrases.applied(to: LineScanner.tokens(of: line, listing: listing), words: words))
        if !isQuestion, let workflow = try TemplateUse(templates: templates, words: words, listing: listing).workflow(opened) {
            return .workflow(workflow)
        }
        let tokens = isQuestion ? opened : try Frames.applied(to: opened, line: line, catalogue: catalogue)
        try Elsewhere.check(tokens, providers: catalogue.providers.keys)
        if !isQuestion { try Conditions.check(tokens) }
        var clauses: [Clause] = []
        for part in ClauseSplitter.clauses(of: tokens, words: words) {
            clauses.append(try ClauseReader.read(part, words: words, isQuestion: isQuestion))
        }
        if !isQuestion, opened.count <= 5, opened.contains(where: { $0.word == "history" }), !opened.contains(where: \.isName) {
            return .words(Questions.history)
        }
        if !isQuestion, opened.count <= 6, ["list", "show", "display", "what's"].contains(opened.first?.word),
            let place = Questions.place(of: opened.map(\.word))
        {
            return .words(place)
        }
        if Questions.asksAbility(opened, line: line) {
            return .words(
                "Yes, where a tool does it: say it of files, as in “make cat.jpg gray” or “make every jpg gray”. /tools lists what there is."
            )
        }
        if isQuestion {
            switch try questions.answer(opened, clauses) {
            case .words(let words): return .words(words)
            case .intent(let intent): return try built(intent, listing: listing)
            }
        }
        if let looking = try looking(clauses, questions: questions) { return try built(looking, listing: listing) }
        var reader = IntentReader(words: words, listing: listing)
        try reader.read(clauses)
        return try built(reader.intent, listing: listing)
    }

    private func built(_ intent: Intent, listing: Listing) throws(Refusal) -> Answer {
        var builder = PlanBuilder(catalogue: catalogue, listing: listing)
        guard let workflow = try builder.workflow(intent) else {
            throw Refusal(
                "I did not find anything to do in that. Say it as an order about files, such as “convert cat.jpg to webp”; /help tells more."
            )
        }
        return builder.partial.map { .part(workflow, $0) } ?? .workflow(workflow)
    }

    /// "show notes.txt", "list the pngs": orders that only look.
    private func looking(_ clauses: [Clause], questions: Questions) throws(Refusal) -> Intent? {
        guard clauses.count == 1, let clause = clauses.first, clause.looks || clause.head.isEmpty, clause.steps.isEmpty,
            clause.measures.isEmpty, !clause.saves, clause.unknown == nil
        else { return nil }
        var intent = Intent()
        if clause.looks, let (set, folder) = OutsidePath.folder(in: clause), case .intent(let listed) = questions.list(set, in: folder) {
            return listed
        }
        for mention in clause.mentions {
            switch mention.reference {
            case .set(let set), .definite(let set):
                guard clause.looks else { return nil }
                if case .intent(let listed) = questions.list(set, in: nil) { return listed }
            case .file(let entry, _) where entry.isFolder:
                if case .intent(let listed) = questions.list(FileSet(what: "any", folder: entry.name), in: entry) { return listed }
            case .file(let entry, _) where clause.looks && !["find", "search"].contains(clause.head):
                let reader = IntentReader(words: words, listing: questions.listing)
                if FileName.type(of: entry.name) == "json", reader.field(in: clause) != nil { return nil }
                guard let tool = catalogue.loader(for: PortType(FileName.type(of: entry.name))) else { continue }
                var step = Step(tool: tool, word: "show", place: 0)
                step.params["path"] = .string(entry.name)
                intent.alone.append(step)
            case .outside(let path) where clause.looks && !["find", "search"].contains(clause.head):
                let type = FileName.suffix(of: path) == nil ? "text" : FileName.type(of: path)
                guard let tool = catalogue.loader(for: PortType(type)) else { continue }
                var step = Step(tool: tool, word: "show", place: 0)
                step.params["path"] = .string(path)
                intent.alone.append(step)
            case .missing(let name): throw Missing(listing: questions.listing).refusal(of: name)
            case .file, .outside, .url: return nil
            }
        }
        if intent.alone.isEmpty, clause.looks, clause.has("files", "file", "folder", "directory", "contents", "everything", "list"),
            case .intent(let listed) = questions.list(FileSet(what: "any"), in: nil)
        {
            return listed
        }
        return intent.alone.isEmpty ? nil : intent
    }

    // MARK: The seam

    /// - Parameter listing: read when the model is asked, so that new files are known.
    package func model(listing: @escaping @Sendable () async -> Listing) -> ChatModel {
        { request, tell in reply(to: request, listing: await listing()).forEach(tell) }
    }

    private func reply(to request: ChatRequest, listing: Listing) -> [ReplyPart] {
        guard let last = request.messages.last(where: { $0.role == .user }) else { return [.finished(Reply(text: ""))] }
        if let result = request.messages.last, result.role == .tool {
            let remark = Self.remark(on: result.text)
            return text(remark, isRefusal: !remark.isEmpty)
        }
        switch understood(last.text, listing: listing) {
        case .failure(let refusal): return text(refusal.words, isRefusal: true)
        case .success(.words(let words)): return text(words)
        case .success(.workflow(let workflow)): return proposal(workflow, request)
        case .success(.part(let workflow, let words)): return [.text(words)] + proposal(workflow, request, saying: words)
        }
    }

    private func proposal(_ workflow: JSON, _ request: ChatRequest, saying words: String = "") -> [ReplyPart] {
        let number = request.messages.count { $0.role == .user }
        let call = ChatCall(id: "plan-\(number)", name: "propose_workflow", arguments: workflow)
        return [.callStarted(name: call.name), .finished(Reply(text: words, calls: [call]))]
    }

    /// - Parameter isRefusal: whether nothing was done of what was wanted.
    private func text(_ words: String, isRefusal: Bool = false) -> [ReplyPart] {
        words.isEmpty ? [.finished(Reply(text: ""))] : [.text(words), .finished(Reply(text: words, isRefusal: isRefusal))]
    }

    /// The console draws results; only what was not possible needs words.
    private static func remark(on result: String) -> String {
        guard let json = try? JSONReader.read(result), let problems = json["problems"]?.array else { return "" }
        return "That was not possible: " + problems.prefix(3).compactMap(\.string).joined(separator: " ")
    }
}
