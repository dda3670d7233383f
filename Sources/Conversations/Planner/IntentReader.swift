import JSON
import Vocabulary

/// Turns clauses into an intent: which files are meant, which tools take them in which order, where results go.
struct IntentReader {
    let words: ToolWords
    let listing: Listing
    var intent = Intent()
    var current: Int?
    /// Waits that were said before any file was.
    var waits: [Step] = []
    var spared: [FileEntry] = []
    var names: Set<String> = []
    /// Whether the clause before moved or deleted: what "it" is now, a plan whose steps have no order cannot say.
    var hasJustMoved = false

    init(words: ToolWords, listing: Listing) {
        self.words = words
        self.listing = listing
        names = Set(listing.files.map(\.name))
    }

    var catalogue: Catalogue { words.catalogue }

    mutating func read(_ clauses: [Clause]) throws(Refusal) {
        var clauses = clauses
        borrow(&clauses)
        for clause in clauses { try read(clause) }
        try settle()
    }

    /// "blur and grayscale cat.jpg": steps before any file is named take the first files named later.
    func borrow(_ clauses: inout [Clause]) {
        guard let first = clauses.firstIndex(where: { !$0.steps.isEmpty || !$0.measures.isEmpty }),
            clauses[...first].allSatisfy({ $0.mentions.isEmpty && !$0.isDestructive }),
            !clauses[first].steps.contains(where: { $0.tool.inputs.allSatisfy(\.isOptional) }),
            let named = clauses.firstIndex(where: { !$0.mentions.isEmpty }), !clauses[named].isDestructive, named > first
        else { return }
        let sources = clauses[named].mentions.filter { !["to", "as", "into"].contains($0.role) || clauses[named].mentions.count == 1 }
        guard !sources.isEmpty, !clauses[named].saves else { return }
        clauses[first].mentions = sources
        clauses[named].mentions.removeAll { mention in sources.contains { $0.place == mention.place } }
    }

    mutating func read(_ clause: Clause) throws(Refusal) {
        if let unknown = clause.unknown {
            if Destruction.hints.contains(unknown.lowercased()) {
                throw Refusal(
                    "I delete only where that is said plainly, file by file, as in “delete notes.txt”. “\(unknown)” I do not take for it.")
            }
            throw cannot(unknown)
        }
        if clause.head == "keep", clause.steps.isEmpty, clause.measures.isEmpty, !clause.mentions.isEmpty,
            clause.mentions.allSatisfy({ $0.role.isEmpty })
        {
            return
        }
        try Destruction.checkTrash(clause)
        if hasJustMoved, goesOn(clause) { throw gone }
        hasJustMoved = try Destruction(clause: clause, words: words, listing: listing, hasResults: current != nil).read(into: &intent.alone)
        if hasJustMoved { return }
        var clause = clause
        for measure in clause.measures {
            if case .foreign(let text) = measure.measure {
                throw Refusal("I work in pixels; \(text) is a length that depends on the print. Say it in px.")
            }
        }
        try silence(clause)
        if isStatement(clause) { (clause.steps, clause.measures) = ([], []) }
        var (sources, target) = try split(clause)
        let params = request(in: clause)
        for index in sources.indices where sources[index].isURL { sources[index].params = params?.params ?? [:] }
        if sources.isEmpty, clause.usesPronoun, current == nil, spared.count == 1 { sources = spared.map { Intent.Source(name: $0.name) } }
        if !clause.spared.isEmpty { spared = clause.spared }
        let pair = try pair(&clause, sources)
        let main = pair.map { [$0.base] } ?? [sources]
        try begin(main.flatMap { $0 }, in: clause)
        try complete(&clause)
        for step in clause.steps { try add(step, second: pair?.second, in: clause) }
        if clause.isSquare, let current { intent.groups[current].isSquare = true }
        try save(clause, target: target)
    }

    /// "cat.jpg is too dark", "cat.jpg looks gray": said of a file, nothing to be done.
    private func isStatement(_ clause: Clause) -> Bool {
        guard let name = clause.tokens.firstIndex(where: \.isName), name == 0 || !Lexicon.lightVerbs.contains(clause.head),
            clause.tokens.indices.contains(name + 1)
        else { return false }
        let next = clause.tokens[name + 1]
        let isAuxiliary = ["is", "was", "looks", "seems", "appears", "looked", "became", "has"].contains(next.word)
        return next.isWord && isAuxiliary && !clause.tokens.dropFirst(name + 2).prefix(1).contains { ["to", "supposed"].contains($0.word) }
    }

    /// "and add a red frame": a clause that would have no effect at all is not left out without a word.
    private func silence(_ clause: Clause) throws(Refusal) {
        guard Lexicon.lightVerbs.contains(clause.head), clause.steps.isEmpty, clause.measures.isEmpty, clause.mentions.isEmpty,
            clause.literals.isEmpty, clause.negatedStems.isEmpty, !clause.saves, !clause.copies, !clause.overwrites, !clause.looks,
            let unknown = clause.tokens.first(where: { $0.isWord && !words.isKnown($0.word) }),
            let last = clause.tokens.last
        else { return }
        throw cannot("\(clause.head) … \(unknown.text)\(last.text == unknown.text ? "" : " \(last.text)")")
    }

    /// "send a POST request": a choice of a tool that loads from addresses, written as the manifest writes it.
    private func request(in clause: Clause) -> (tool: ToolManifest, params: [String: String])? {
        for token in clause.tokens where token.isWord && token.text.count > 2 {
            for tool in catalogue.sorted where tool.param("url") != nil {
                for param in tool.params where param.choices.contains(token.text) {
                    return (tool, param.defaultValue?.string == token.text ? [:] : [param.name: token.text])
                }
            }
        }
        return nil
    }

    func cannot(_ word: String) -> Refusal {
        Refusal(
            "I cannot “\(word)”: no tool here does that, or I do not know the word. /tools lists what there is; a connected model (ASSENT_MODEL_URL) understands more."
        )
    }

    // MARK: Groups

    mutating func begin(_ sources: [Intent.Source], in clause: Clause) throws(Refusal) {
        let fetcher = fetcher(in: clause)
        guard !sources.isEmpty else {
            if let fetcher, let current, intent.groups[current].fetcher == nil { intent.groups[current].fetcher = fetcher }
            return
        }
        if let current, intent.groups[current].sources == sources, intent.groups[current].parents.isEmpty { return }
        guard waits.isEmpty || !sources.contains(where: \.isURL) else {
            throw Refusal("I cannot wait before something is fetched, only after. Say the wait first, in a line of its own.")
        }
        intent.groups.append(Intent.Group(sources: sources, actions: waits.map { .step($0, second: nil) }, fetcher: fetcher))
        waits = []
        current = intent.groups.count - 1
    }

    func fetcher(in clause: Clause) -> ToolManifest? {
        if let request = request(in: clause) { return request.tool }
        for token in clause.tokens where token.isWord {
            let found = words.saying(token.word).filter { tool in tool.params.contains { $0.kind == .url } }
            if let tool = found.first, !["link", "url", "web", "picture", "into", "http", "https"].contains(token.word) { return tool }
        }
        return nil
    }
}
