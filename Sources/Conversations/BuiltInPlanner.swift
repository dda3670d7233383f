package import JSON
package import Vocabulary

extension Limits {
    /// The most words, names and signs of a sentence that the built-in planner reads.
    fileprivate static let plannedTokens = 400
}

/// The planner that works without a model: no key, no network, the same answer every time. It uses the same interface
/// and the same tools as a model.
///
/// It finds tools by the words of their manifests, fills their parameters from the figures and names in the line,
/// chains them by their port types in the order of the text, and adds loaders and savers. It reports the words that it
/// does not understand. It never guesses a step that moves, deletes or overwrites.
package struct BuiltInPlanner: Sendable {
    /// The planner's answer to one line.
    package enum Answer: Hashable, Sendable {
        /// A workflow, in the form `app.workflow/v2`.
        case workflow(JSON)
        /// A workflow that does only the first part of what the line asks, and the words that say so.
        case part(JSON, String)
        case words(String)
        /// A call of the console, and the words for the case that it cannot be made.
        case console(ConsoleRequest, words: String)
    }

    let catalogue: Catalogue
    let templates: [Template]
    let language: PlannerLanguage
    let grammar: Grammar
    let guides: @Sendable () -> GuideIndex
    private let lines = PlannedLines()

    /// Creates a planner for some tools and templates.
    ///
    /// - Parameters:
    ///   - language: the words that it understands.
    ///   - guides: returns the guides that it may offer. It is called only if a sentence is not understood.
    package init(
        catalogue: Catalogue, templates: [Template] = [], language: PlannerLanguage,
        guides: @escaping @Sendable () -> GuideIndex = { GuideIndex() }
    ) {
        self.guides = guides
        self.catalogue = catalogue
        self.templates = templates
        self.language = language
        grammar = Grammar(language, catalogue: catalogue, templates: templates.map(\.name))
    }

    /// The problems of the language, which are phrases that cannot be read. Such phrases are left out.
    package var problems: [Problem] { grammar.problems }

    /// Returns the answer to a line, or why there is none.
    ///
    /// - Parameter explains: whether a refusal is to name the words that stand in the way.
    func understood(_ line: String, listing: Listing, explains: Bool = true) -> Result<Answer, Refusal> {
        lines.answer(to: line, listing: listing, explains: explains) {
            read(line, listing: listing, explains: explains)
        }
    }

    private func read(_ line: String, listing: Listing, explains: Bool) -> Result<Answer, Refusal> {
        guard line.utf8.count <= Limits.lineBytes else { return .failure(Refusal("This line is too long.")) }
        let tokens = tokens(of: line, listing: listing)
        guard tokens.count <= Limits.plannedTokens else {
            return .failure(Refusal("This line is too long for the built-in planner."))
        }
        do throws(Refusal) {
            return .success(try planned(tokens, line, listing: listing))
        } catch {
            guard explains else { return .failure(error) }
            var refusal = (obstacle(in: tokens, line, listing: listing, error).map { .notUnderstood([$0]) } ?? error)
                .said(in: language)
            (refusal.way, refusal.language) = (refusal.way ?? error.way, language.id)
            refusal.words = ([refusal.words] + faults(namedIn: line)).joined(separator: " ")
            return .failure(refusal)
        }
    }

    /// Returns the answer to a sentence in which words may also be names of files.
    private func planned(_ tokens: [Token], _ line: String, listing: Listing) throws(Refusal) -> Answer {
        try refuseScript(tokens, listing: listing)
        let named = NamedWords(tokens, grammar)
        guard let word = named.first else { return try plan(named.asWords, line, listing: listing) }
        let asName = outcome(named.asNames, line, listing: listing)
        guard !takesNames(named.asNames, line) else { return try asName.get() }
        let asWord = outcome(named.asWords, line, listing: listing)
        switch (asName, asWord) {
        case (.success(let one), .success(let other)) where one != other:
            throw Refusal(
                "“\(word)” is a name here, and a word for other files, too: say “the folder \(word)” or “all \(word)”.")
        case (.success(let one), _): return one
        case (.failure, _): return try asWord.get()
        }
    }

    func outcome(_ tokens: [Token], _ line: String, listing: Listing) -> Result<Answer, Refusal> {
        do throws(Refusal) { return .success(try plan(tokens, line, listing: listing)) } catch {
            return .failure(error)
        }
    }

    /// Whether the order of a sentence takes a folder as a whole, so that a word that is a name of one is that name.
    private func takesNames(_ tokens: [Token], _ line: String) -> Bool {
        Cover(tokens, line: line, grammar: grammar).parts().contains { part in
            guard let meaning = part.meaning else { return false }
            return [.copy, .look].contains(meaning.kind)
                || meaning.gives.contains { $0.name == "places" }
                || meaning.tools.contains { kind in
                    catalogue[kind].map {
                        $0.effects.contains(.deletes) || $0.packsFolders != nil || $0.looksInFolders
                    } ?? false
                }
        }
    }

    /// Returns whether a sentence is understood, as a plan or otherwise.
    func understands(_ line: String, listing: Listing) -> Bool {
        if case .success = understood(line, listing: listing, explains: false) { true } else { false }
    }

    /// Returns whether a sentence is understood as a plan.
    func isPlan(_ line: String, listing: Listing) -> Bool {
        understood(line, listing: listing, explains: false).isPlan
    }

    func plan(_ tokens: [Token], _ line: String, listing: Listing) throws(Refusal) -> Answer {
        var parts = Cover(tokens, line: line, grammar: grammar).parts()
        try refuse(parts)
        let talk = Talk(catalogue: catalogue, listing: listing)
        let meanings = parts.filter { $0.meaning.map { $0.kind != .idle } ?? false }
        guard !meanings.isEmpty else {
            let isSilent = parts.allSatisfy { if case .pause = $0.kind { true } else { false } }
            if tokens.contains(where: { grammar.greets($0.word) }) {
                return .words(try talk.answer("hello", parts[0]).text(in: language))
            }
            if tokens.contains(where: { grammar.thanks($0.word) }) {
                return .words(try talk.answer("welcome", parts[0]).text(in: language))
            }
            throw Refusal(
                isSilent
                    ? "Say what you want done with your files, such as “make cat.jpg 800 px wide”. /help say shows examples for every tool."
                    : Self.nothing)
        }
        if let part = meanings.first(where: { $0.isAnswered }), let name = part.meaning?.answer {
            let rest = meanings.filter { $0.meaning?.answer != name }
            guard rest.isEmpty else { throw .notUnderstood([part.text]) }
            let words = try talk.answer(name, part)
            if let request = ConsoleRequest(name, workflow: part.bound["w"]?.text) {
                return .console(request, words: words.text(in: language))
            }
            guard !Talk.pointing.contains(name) else { throw Refusal(words) }
            return .words(words.text(in: language))
        }
        var reader = OrderReader(parts, catalogue: catalogue, listing: listing)
        let uses = TemplateUse(templates: templates, catalogue: catalogue, listing: listing)
        if parts.contains(where: { $0.meaning?.template != nil }) {
            if let workflow = try uses.workflow(reader) { return .workflow(try checked(workflow, parts, tokens)) }
            // "make a 200 px thumbnail" says more than the template does, so its name is read as an ordinary word.
            parts = Cover(tokens, line: line, grammar: grammar, allowsTemplates: false).parts()
            try refuse(parts)
            reader = OrderReader(parts, catalogue: catalogue, listing: listing)
        }
        let intent = try reader.read()
        if let words = intent.words { return .words(words.text(in: language)) }
        switch try built(intent, listing: listing) {
        case .workflow(let workflow): return .workflow(try checked(workflow, parts, tokens))
        case .part(let workflow, let words): return .part(try checked(workflow, parts, tokens), words)
        case let answer: return answer
        }
    }

    /// Returns the words, names and signs of a line. A command that is typed into it is one of them.
    func tokens(of line: String, listing: Listing) -> [Token] {
        func sentence(_ text: String) -> [Token] {
            SentenceTokens(LineScanner.tokens(of: text, listing: listing, language), grammar).tokens
        }
        guard let typed = typedCommand(in: line),
            let verb = language.groups["run"]?.first
        else { return sentence(line) }
        let place = typed.range.lowerBound
        let joint = typed.head.isEmpty ? [] : language.groups["then"]?.prefix(1) ?? []
        let words = (joint + [verb]).map { Token(kind: .word, text: $0, word: $0, range: place..<place) }
        let command = Token(kind: .code(typed.command), text: typed.command, word: "", range: typed.range)
        return sentence(typed.head) + words + [command]
    }

    /// Returns the phrases of a line. The list is empty if the line is too long.
    func parts(of line: String, listing: Listing) -> [Part] {
        guard line.utf8.count <= Limits.lineBytes else { return [] }
        let tokens = tokens(of: line, listing: listing)
        return tokens.count <= Limits.plannedTokens ? Cover(tokens, line: line, grammar: grammar).parts() : []
    }

    /// The patterns that add the answer of a question to an order, by the kind of the question.
    var answers: [String: String] { language.answers }

    /// Whether a phrase means a tool that deletes.
    func destroys(_ meaning: Meaning) -> Bool {
        meaning.tools.contains { kind in
            catalogue[kind].map { $0.effects.contains(.deletes) && !$0.movesFolders } ?? false
        }
    }

    /// Whether a phrase means a tool that gives files other names or places.
    func moves(_ meaning: Meaning) -> Bool { meaning.tools.contains { catalogue[$0]?.movesFolders ?? false } }

    /// Returns the words about an order that is corrected.
    func correctionNote(_ workflow: String) -> String? {
        language.sayings["corrected"]?.replacing("{}", with: workflow)
    }

    private static let nothing: PlannerText =
        "I did not find anything to do in that. Say it as an order about files, such as “convert cat.jpg to webp”; /help tells more."

    /// Throws for phrases that are refused by name, and for unknown words.
    private func refuse(_ parts: [Part]) throws(Refusal) {
        if let part = parts.first(where: { $0.meaning?.isRefusal ?? false }), let words = part.meaning?.refusal {
            var refusal = Refusal(asWritten: words.replacing("{}", with: "“\(part.text)”"))
            refusal.way = part.meaning?.way.map { way in
                part.bound.reduce(way) { $0.replacing("{\($1.key)}", with: $1.value.text ?? $1.value.fileName ?? "") }
            }
            (refusal.notUnderstood, refusal.isReasoned) = ([part.text], !(part.meaning?.isWeak ?? false))
            throw refusal
        }
        var unknown: [String] = []
        var isOpen = false
        for part in parts {
            switch part.kind {
            case .unknown:
                if isOpen, let last = unknown.popLast() {
                    unknown.append("\(last) \(part.text)")
                } else {
                    unknown.append(part.text)
                }
                isOpen = true
            case .idle: break
            case .phrase, .pause: isOpen = false
            }
        }
        guard unknown.isEmpty else { throw .notUnderstood(unknown) }
    }

    private func checked(_ workflow: JSON, _ parts: [Part], _ tokens: [Token]) throws(Refusal) -> JSON {
        if let refusal = PlanCheck(workflow, catalogue: catalogue).refusal(of: parts, tokens) { throw refusal }
        return workflow
    }

    /// Returns why a plan does not do what a sentence says, or nil if it does.
    package func fault(of plan: JSON, for line: String, listing: Listing) -> String? {
        let tokens = tokens(of: line, listing: listing)
        let parts = Cover(tokens, line: line, grammar: grammar).parts()
        return PlanCheck(plan, catalogue: catalogue).refusal(of: parts, tokens)?.words
    }

    private func built(_ intent: Intent, listing: Listing) throws(Refusal) -> Answer {
        var builder = PlanBuilder(catalogue: catalogue, listing: listing)
        guard let workflow = try builder.workflow(intent) else {
            throw Refusal(Self.nothing)
        }
        return builder.partial(in: language).map { .part(workflow, $0) } ?? .workflow(workflow)
    }

    /// Returns why tools that the line names are missing, which are the problems of their manifests.
    func faults(namedIn line: String) -> [String] {
        let said = Set(line.lowercased().split { !$0.isLetter && !$0.isNumber })
        return catalogue.unavailable.filter { catalogue[$0.key] == nil && said.contains($0.key.lowercased()[...]) }
            .sorted { $0.key < $1.key }.map(\.value.words)
    }
}

extension Result where Success == BuiltInPlanner.Answer {
    /// Whether the answer is a plan, so that something would be done.
    var isPlan: Bool {
        switch self {
        case .success(.workflow), .success(.part): true
        case .success(.words), .success(.console), .failure: false
        }
    }
}
