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
        if let unknown = clause.unknown { throw cannot(unknown) }
        if try Destruction(clause: clause, words: words, listing: listing, hasResults: current != nil).read(into: &intent.alone) { return }
        var clause = clause
        for measure in clause.measures {
            if case .foreign(let text) = measure.measure {
                throw Refusal("I work in pixels; \(text) is a length that depends on the print. Say it in px.")
            }
        }
        var (sources, target) = try split(clause)
        if sources.isEmpty, clause.usesPronoun, current == nil, spared.count == 1 { sources = spared.map { Intent.Source(name: $0.name) } }
        if !clause.spared.isEmpty { spared = clause.spared }
        let pair = try pair(&clause, sources)
        let main = pair.map { [$0.base] } ?? [sources]
        try begin(main.flatMap { $0 }, in: clause)
        try complete(&clause)
        for step in clause.steps { try add(step, second: pair?.second, in: clause) }
        try save(clause, target: target)
    }

    func cannot(_ word: String) -> Refusal {
        Refusal(
            "I cannot “\(word)”: no tool here does that, or I do not know the word. /tools lists what there is; a connected model (/connect) understands more."
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
        for token in clause.tokens where token.isWord {
            let found = words.saying(token.word).filter { tool in tool.params.contains { $0.kind == .url } }
            if let tool = found.first, !["link", "url", "web", "picture", "into", "http", "https"].contains(token.word) { return tool }
        }
        return nil
    }
}
