import JSON
import Vocabulary

/// A reader that turns the parts of a sentence into an intent. Each phrase is used by exactly one step, file or target.
/// A phrase that is not used is refused.
struct OrderReader {
    let catalogue: Catalogue
    let listing: Listing
    let parts: [Part]
    let clauses: Clauses
    var intent = Intent()
    var current: Int?
    /// The waiting steps that were named before any file.
    var waits: [Step] = []
    /// The numbers of the parts that have an effect in the plan.
    var used: Set<Int>
    /// Whether the clause before moved or deleted a file. "it" then has no meaning, since the steps of a plan without
    /// edges have no order.
    var hasJustMoved = false
    var hasJustCopied = false
    /// The parts of the clause that have a meaning only beside others: "make", and "it" or "the picture" for the
    /// current object.
    var leaning: [Int] = []
    /// The parts that say that a written text replaces a file.
    var overwritingAlone: Set<Int> = []
    let names: Set<String>

    init(_ parts: [Part], catalogue: Catalogue, listing: Listing) {
        self.parts = parts
        self.catalogue = catalogue
        self.listing = listing
        clauses = Clauses(parts)
        used = clauses.used
        names = Set(listing.files.map(\.name))
    }

    /// Returns the intent of the sentence.
    ///
    /// - Throws: a refusal that names what cannot be done, or the words without an effect.
    mutating func read() throws(Refusal) -> Intent {
        for clause in borrowed(clauses.all) { try read(clause) }
        try settle()
        if destroys { used.subtract(parts.indices.filter { meaning($0).kind == .kept }) }
        let idle = parts.indices.filter { number in parts[number].meaning.map { $0.kind == .idle } ?? false }
        let rest = parts.indices.filter { parts[$0].meaning != nil && !used.contains($0) && !idle.contains($0) }
        guard rest.isEmpty else { throw .notUnderstood(rest.map { parts[$0].text }) }
        return intent
    }

    /// Whether the plan overwrites or deletes an existing file, which contradicts "don't change anything".
    private var destroys: Bool {
        intent.alone.contains { $0.tool.effects.contains(.deletes) || $0.params["overwrite"] == true }
            || intent.groups.contains { group in
                group.overwritesOriginals
                    || group.actions.contains { if case .save(_, true) = $0 { true } else { false } }
            }
    }

    func meaning(_ number: Int) -> Meaning { parts[number].meaning ?? Meaning(tools: []) }

    mutating func use(_ numbers: some Sequence<Int>) { used.formUnion(numbers) }

    /// Returns the clauses of "blur and grayscale cat.jpg", where the orders before any file get the first files that
    /// are named later.
    private func borrowed(_ clauses: [Clause]) -> [Clause] {
        var clauses = clauses
        guard clauses.count > 1, let named = clauses.firstIndex(where: { $0.parts.contains { isSource($0) } }),
            named > 0,
            clauses[...named].allSatisfy({ clause in clause.parts.contains { takesFiles(meaning($0)) } }),
            !clauses[...named].contains(where: { $0.parts.contains { meaning($0).kind == .save } })
        else { return clauses }
        let sources = clauses[named].parts.filter { isSource($0) }
        clauses[named].parts.removeAll { sources.contains($0) }
        clauses[0].parts += sources
        return clauses
    }

    private func takesFiles(_ meaning: Meaning) -> Bool {
        !meaning.gives.isEmpty
            || meaning.tools.contains {
                catalogue[$0].map { $0.inputs.contains { !$0.isOptional } && $0.effects.isDisjoint(with: [.deletes]) }
                    ?? false
            }
    }

    /// Whether a clause continues with the current object.
    private func takesMore(_ clause: Clause) -> Bool {
        clause.parts.contains { !meaning($0).tools.isEmpty || !meaning($0).gives.isEmpty }
            && !clause.parts.contains { isSource($0) }
    }

    /// Whether files are named by their kind: "every jpg", "the pictures".
    func hasSet(_ clause: Clause) -> Bool { clause.parts.contains { meaning($0).set != nil } }

    func isSource(_ number: Int) -> Bool {
        guard let role = role(number) else { return false }
        if role == "in", case .reference(let reference)? = parts[number].bound["f"]?.value {
            return !reference.isFolder
        }
        return role == "object" || role == "of"
    }

    /// Returns the role of a file, or of a set of files, or nil if it has none.
    func role(_ number: Int) -> String? {
        let meaning = meaning(number)
        return clauses.roles[number] ?? meaning.role ?? (meaning.set == nil ? nil : "object")
    }

    /// Whether a set of files means a single known file, such as "the picture".
    func isDefinite(_ number: Int) -> Bool {
        switch meaning(number).set {
        case "definite": return true
        case "both":
            guard case .noun(_, let isPlural)? = parts[number].bound["k"]?.value else { return false }
            return !isPlural
        default: return false
        }
    }

    // MARK: One clause

    private mutating func read(_ clause: Clause) throws(Refusal) {
        use(clause.parts.filter { meaning($0).kind == .kept })
        leaning = []
        try readOrder(clause)
        // "make it": such words need an order, a figure or a file that is used.
        if clause.parts.contains(where: { used.contains($0) && !leaning.contains($0) && meaning($0).kind != .kept }) {
            use(leaning)
        }
    }

    private mutating func readOrder(_ clause: Clause) throws(Refusal) {
        let isMoving = try readMoves(clause)
        if isMoving { return hasJustMoved = true }
        if hasJustMoved, clause.parts.contains(where: { meaning($0).kind == .pronoun }) { throw gone }
        hasJustMoved = false
        let copy = takeCopy(clause)
        if hasJustCopied, copy == nil, takesMore(clause) {
            throw Refusal("I copy a file, or make something new of it. Say the two one after the other.")
        }
        hasJustCopied = clause.parts.contains { meaning($0).kind == .copy }
        let head = head(of: clause)
        if try readLooking(clause) {
            if let head, meaning(head).kind == .look { use([head]) }
            return
        }
        if let head, meaning(head).kind == .light, hasPlace(clause, head),
            !isPlain(head) || !clause.parts.contains(where: { !meaning($0).tools.isEmpty && !meaning($0).joins })
        {
            leaning.append(head)
        }
        var (sources, target) = try files(of: clause)
        var steps = try self.steps(of: clause, sources)
        try order(&steps, in: clause, sources)
        let pair = try pair(&steps, sources: &sources, in: clause)
        if sources.isEmpty { keepResult(before: steps) }
        try begin(sources, in: clause, steps)
        steps = try withFigures(steps, of: clause)
        for step in steps { try add(step, second: pair, in: clause) }
        if let head, meaning(head).kind == .look, let current, target == nil, !isPlacing(clause) {
            intent.groups[current].isShown = true
            leaning.append(head)
        }
        if let current, target == nil, namesOnlyParts(clause) { intent.groups[current].isShown = true }
        try save(clause, sources, target: target, isCopy: steps.isEmpty)
        if let copy, let current { intent.groups[current].actions.append(copy) }
    }

    /// Saves the result before a question about it: "sort a.txt, then count the words".
    private mutating func keepResult(before steps: [Step]) {
        guard let current, let step = steps.first, !step.tool.makesFiles,
            case .step(let last, _)? = intent.groups[current].actions.last,
            last.tool.makesFiles, last.tool.param("drop") == nil, !step.tool.gathers,
            !step.tool.makesFiles
        else { return }
        intent.groups[current].actions.append(.save(path: nil, overwrite: false))
    }

    /// Returns the action that saves a copy, for the end of a clause that changes it: "copy a.txt to b.txt and sort the
    /// copy".
    private mutating func takeCopy(_ clause: Clause) -> Intent.Action? {
        let copied = clause.parts.filter { meaning($0).kind == .copied }
        guard hasJustCopied, !copied.isEmpty, takesMore(clause), let current,
            case .save? = intent.groups[current].actions.last
        else {
            return nil
        }
        use(copied)
        return intent.groups[current].actions.removeLast()
    }

    /// Returns whether a place is named, which "put" and "drop" need.
    private func hasPlace(_ clause: Clause, _ head: Int) -> Bool {
        guard meaning(head).gives.contains(where: { $0.name == "places" }) else { return true }
        return clause.parts.contains { number in
            meaning(number).joins || ["to", "in", "on", "folder", "as", "name"].contains(role(number) ?? "")
                || meaning(number).gives.contains { $0.name == "around" }
        }
    }

    /// Whether a verb itself says what happens with the figures and files after it: "keep cat.jpg under 60 KB". It
    /// cannot be combined with another verb.
    private func isPlain(_ number: Int) -> Bool {
        meaning(number).gives.contains { ["alone", "places"].contains($0.name) }
    }

    /// Returns the verb without a meaning of its own, or the word that shows. It is the first of its clause, or follows
    /// its files.
    private func head(of clause: Clause) -> Int? {
        for number in clause.parts {
            let meaning = meaning(number)
            switch meaning.kind {
            case .light, .look: return number
            case .kept: continue
            case .save, .copy, .overwrite, .pronoun, .originals, .copied, .part, .and, .then, .start, .idle: return nil
            case nil: if role(number) == nil || !meaning.tools.isEmpty { return nil }
            }
        }
        return nil
    }

    // MARK: Groups

    private mutating func begin(_ sources: [Intent.Source], in clause: Clause, _ steps: [Step]) throws(Refusal) {
        guard !sources.isEmpty else {
            // "it" needs an object.
            // A command, or a text that is written, takes no object.
            let takesNone =
                !steps.isEmpty && steps.allSatisfy { $0.tool.inputs.allSatisfy(\.isOptional) && !$0.tool.hasOpenPorts }
            guard current != nil, !takesNone, let pronoun = pronoun(of: clause) else { return }
            leaning.append(pronoun)
            return
        }
        let pronouns = clause.parts.filter { meaning($0).kind == .pronoun && !isBehindFile($0, in: clause) }
        // "zip it with notes.txt".
        if let current, !pronouns.isEmpty, let step = steps.first, step.tool.gathers {
            use(pronouns)
            intent.groups.append(Intent.Group(sources: sources))
            intent.groups.append(Intent.Group(parents: [current, intent.groups.count - 1]))
            return self.current = intent.groups.count - 1
        }
        if let current, intent.groups[current].sources == sources, intent.groups[current].parents.isEmpty { return }
        guard waits.isEmpty || !sources.contains(where: \.isURL) else {
            throw Refusal(
                "I cannot wait before something is fetched, only after. Say the wait first, in a line of its own.")
        }
        intent.groups.append(Intent.Group(sources: sources, actions: waits.map { .step($0, second: nil) }))
        waits = []
        current = intent.groups.count - 1
    }

    /// Returns the part of a clause that means the current object, such as "it", or nil if there is none.
    private func pronoun(of clause: Clause) -> Int? {
        let pronoun = clause.parts.first { number in
            let kind = meaning(number).kind
            return kind == .copied
                || kind == .pronoun && (isBehindVerb(number, in: clause) || !meaning(number).gives.isEmpty)
        }
        guard let pronoun else { return nil }
        // "on it" names a place.
        let isDone = clause.parts.contains {
            $0 != pronoun && (!meaning($0).tools.isEmpty || !meaning($0).gives.isEmpty)
        }
        let names = meaning(pronoun).gives.map(\.name)
        let isPacked = current.map { intent.groups[$0].actions.contains(where: \.isGathering) } ?? false
        guard isPacked || !names.contains("packed") else { return nil }
        guard isDone || !names.contains("around"),
            !names.contains("several")
                || isSeveral(in: clause) && isBehindVerb(pronoun, in: clause) && !isBehindPacking(pronoun, in: clause)
        else { return nil }
        return pronoun
    }

    /// Whether a part follows a verb directly, or is the first one.
    private func isBehindVerb(_ number: Int, in clause: Clause) -> Bool {
        guard let place = clause.parts.firstIndex(of: number), place > 0 else { return true }
        let before = meaning(clause.parts[place - 1])
        return [.light, .save, .copy, .look].contains(before.kind) || !before.tools.isEmpty
    }

    /// Returns whether a part follows words that pack. "a zip each" would make many archives.
    private func isBehindPacking(_ number: Int, in clause: Clause) -> Bool {
        guard let place = clause.parts.firstIndex(of: number), place > 0 else { return false }
        return meaning(clause.parts[place - 1]).joins
    }

    /// Whether a clause has more than one current object, as "both" says. What packs takes the results of all orders
    /// before.
    private func isSeveral(in clause: Clause) -> Bool {
        current.map { intent.groups[$0].sources.count + intent.groups[$0].parents.count > 1 } ?? false
            || isGathering(clause) && intent.groups.count > 1
    }

    var gone: Refusal {
        Refusal(
            "Renaming, moving or deleting cannot be combined with more on the same file. Say the two one after the other."
        )
    }
}
