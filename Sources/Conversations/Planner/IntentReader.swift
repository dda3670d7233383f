import JSON
import Vocabulary

/// Turns clauses into an intent: which files are meant, which tools take them in which order, where results go.
struct IntentReader {
    let words: ToolWords
    let listing: Listing
    private(set) var intent = Intent()
    private var current: Int?
    /// Waits that were said before any file was.
    private var waits: [Step] = []
    private var spared: [FileEntry] = []
    private var names: Set<String> = []

    init(words: ToolWords, listing: Listing) {
        self.words = words
        self.listing = listing
        names = Set(listing.files.map(\.name))
    }

    private var catalogue: Catalogue { words.catalogue }

    mutating func read(_ clauses: [Clause]) throws(Refusal) {
        var clauses = clauses
        borrow(&clauses)
        for clause in clauses { try read(clause) }
        try settle()
    }

    /// "blur and grayscale cat.jpg": steps before any file is named take the first files named later.
    private func borrow(_ clauses: inout [Clause]) {
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

    private mutating func read(_ clause: Clause) throws(Refusal) {
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

    private func cannot(_ word: String) -> Refusal {
        Refusal(
            "I cannot “\(word)”: no tool here does that, or I do not know the word. /tools lists what there is; a connected model (/connect) understands more."
        )
    }

    // MARK: Which files

    private func isTarget(_ mention: Clause.Mention, in clause: Clause, hasSubject: Bool) -> Bool {
        let isThere: Bool
        switch mention.reference {
        case .missing: isThere = false
        case .file(let entry, _): isThere = !entry.isFolder
        case .url, .set, .definite: return false
        }
        guard hasSubject else { return false }
        let isMade =
            ["create", "make", "produce", "generate", "build"].contains(clause.head)
            && clause.mentions.contains { ["from", "of"].contains($0.role) }
        if !isThere, mention.role.isEmpty, isMade { return true }
        switch mention.role {
        case "as": return true
        case "to", "into", "in", "under", "at":
            if ["add", "apply", "use"].contains(clause.head) { return false }
            if clause.steps.contains(where: { $0.tool.inputs.count { !$0.isOptional } > 1 }) { return false }
            let isPlacing =
                clause.saves || clause.copies
                || ["convert", "download", "fetch", "zip", "extract", "pack", "rename", "move", "put", "merge", "combine"].contains(
                    clause.head)
            return !isThere || isPlacing || isFolder(mention.reference)
        default: return false
        }
    }

    private func isFolder(_ reference: Reference) -> Bool {
        if case .file(let entry, _) = reference { return entry.isFolder }
        if case .missing(let name) = reference { return name.hasSuffix("/") }
        return false
    }

    private func split(_ clause: Clause) throws(Refusal) -> (sources: [Intent.Source], target: String?) {
        var sources: [Intent.Source] = []
        var target: String?
        var excluded: Set<String> = []
        if let (place, source) = try overwritten(clause) { return ([source], place) }
        let hasAddress = clause.mentions.contains { if case .url = $0.reference { true } else { false } }
        for mention in clause.mentions {
            if hasAddress, case .definite = mention.reference { continue }
            let hasSubject =
                current != nil || !intent.groups.isEmpty
                || clause.mentions.contains { $0.place != mention.place && !["as", "to", "into"].contains($0.role) }
                || clause.steps.contains { $0.tool.inputs.allSatisfy(\.isOptional) }
            if isTarget(mention, in: clause, hasSubject: hasSubject) {
                switch mention.reference {
                case .file(let entry, _): target = entry.isFolder ? entry.name + "/" : entry.name
                case .missing(let name): target = name
                case .url, .set, .definite: break
                }
            } else if mention.role == "except" || isExcluded(mention, in: clause) {
                if case .file(let entry, _) = mention.reference { excluded.insert(entry.name) }
            } else {
                for source in try self.sources(of: mention.reference) where !sources.contains(source) { sources.append(source) }
            }
        }
        sources.removeAll { excluded.contains($0.name) }
        return (sources, target)
    }

    /// "overwrite A with B": what comes from B goes to A; B itself stays as it is.
    private func overwritten(_ clause: Clause) throws(Refusal) -> (target: String, source: Intent.Source)? {
        guard clause.overwrites, ["overwrite", "replace", "overwriting", "replacing"].contains(clause.head), clause.mentions.count > 1,
            clause.mentions[1].role != "",
            case .file(let target, let isExact) = clause.mentions[0].reference
        else { return nil }
        let sources = try self.sources(of: clause.mentions[1].reference)
        guard clause.mentions.count == 2, sources.count == 1, isExact, !target.isFolder else {
            throw Refusal("Overwrite one file with one other: “overwrite cat.jpg with dog.jpg”.")
        }
        return (target.name, sources[0])
    }

    private func isExcluded(_ mention: Clause.Mention, in clause: Clause) -> Bool {
        clause.tokens[..<min(mention.place, clause.tokens.count)].suffix(4).contains { $0.word == "except" }
    }

    private func sources(of reference: Reference) throws(Refusal) -> [Intent.Source] {
        switch reference {
        case .file(let entry, _):
            guard !entry.isFolder else { throw Refusal("\(entry.name) is a folder. Name files, or say “every jpg in \(entry.name)/”.") }
            return [Intent.Source(name: entry.name)]
        case .missing(let name): throw Missing(listing: listing).refusal(of: name)
        case .url(let url): return [Intent.Source(name: url, isURL: true)]
        case .set(let set):
            let files = listing.files.filter(set.contains).map(\.name).sorted()
            guard !files.isEmpty else { throw Refusal("There is no \(set.inWords) here.") }
            guard files.count <= Limits.plannedFiles else {
                throw Refusal("These are \(files.count) files; at most \(Limits.plannedFiles) go into one workflow.")
            }
            return files.map { Intent.Source(name: $0) }
        case .definite(let set):
            // Said of what is at hand already: "… and save the picture".
            if current != nil { return [] }
            let files = listing.files.filter(set.contains).map(\.name).sorted()
            guard let only = files.first else { throw Refusal("There is no \(set.inWords) here.") }
            guard files.count == 1 else {
                throw Refusal("Which one? There are \(files.prefix(5).joined(separator: ", "))\(files.count > 5 ? " and more" : "").")
            }
            return [Intent.Source(name: only)]
        }
    }

    // MARK: Two inputs

    /// Which picture lies on which: "put A on B", "watermark B with A".
    private func pair(_ clause: inout Clause, _ sources: [Intent.Source]) throws(Refusal) -> (base: [Intent.Source], second: Intent.Source)?
    {
        let mentions = clause.mentions.filter { if case .missing = $0.reference { false } else { true } }
        let isLaying =
            ["put", "add", "place", "lay", "paste", "stick", "set", "draw"].contains(clause.head)
            && mentions.contains { ["on", "onto", "over", "to"].contains($0.role) } && sources.count > 1
            && sources.allSatisfy { $0.type == "image" }
        if clause.steps.isEmpty, isLaying || (isLaying && current != nil),
            let tool = words.tool(saying: "overlay layer over top composite", where: { $0.inputs.count { !$0.isOptional } == 2 })
        {
            clause.steps.append(Step(tool: tool, word: clause.head, place: 0))
        }
        guard clause.steps.contains(where: { $0.tool.inputs.count { !$0.isOptional && !$0.isVariadic } == 2 }) else { return nil }
        func named(_ role: (String) -> Bool) throws(Refusal) -> [Intent.Source] {
            var found: [Intent.Source] = []
            for mention in mentions where role(mention.role) { found += try self.sources(of: mention.reference) }
            return found
        }
        let bases = try named { ["on", "onto", "over", "to", "in", "into", "above", "across"].contains($0) }
        let tops = try named { ["with", "using", "by"].contains($0) }
        if tops.count == 1 { return (sources.filter { $0 != tops[0] }, tops[0]) }
        let rest = sources.filter { !bases.contains($0) }
        if !bases.isEmpty, rest.count == 1 { return (bases, rest[0]) }
        if current != nil, sources.count == 1 { return ([], sources[0]) }
        let marked = sources.filter { source in
            ["logo", "watermark", "mask", "overlay", "stamp"].contains { source.name.lowercased().contains($0) }
        }
        if marked.count == 1, sources.count > 1 { return (sources.filter { $0 != marked[0] }, marked[0]) }
        throw Refusal("Two files are needed there, and which goes on which: say “put logo.png on cat.jpg”.")
    }

    // MARK: Groups

    private mutating func begin(_ sources: [Intent.Source], in clause: Clause) throws(Refusal) {
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

    private func fetcher(in clause: Clause) -> ToolManifest? {
        for token in clause.tokens where token.isWord {
            let found = words.saying(token.word).filter { tool in tool.params.contains { $0.kind == .url } }
            if let tool = found.first, !["link", "url", "web", "picture", "into", "http", "https"].contains(token.word) { return tool }
        }
        return nil
    }

    // MARK: Steps

    /// Gives every figure of the clause its tool, and every tool its texts.
    private mutating func complete(_ clause: inout Clause) throws(Refusal) {
        addQuery(to: &clause)
        for (measure, place) in clause.measures {
            if case .percent(let value) = measure, !clause.steps.contains(where: { $0.tool.params.count { $0.unit == "%" } == 1 }) {
                throw relative("\(Filling.number(value).text) %")
            }
            if case .relative(let word) = measure { throw relative("“\(word)”") }
            try give(measure, at: place, to: &clause)
        }
        clause.steps = clause.steps.filter { !isIdle($0, in: clause) }.sorted { $0.place < $1.place }
        for index in clause.steps.indices { fillTexts(&clause.steps[index], from: clause) }
    }

    private func relative(_ words: String) -> Refusal {
        Refusal(
            "\(words) of what? I do not know the size of a picture before it is loaded. Say it in pixels, such as “800 px wide”, or ask “how big is …?” first."
        )
    }

    private mutating func give(_ measure: Measure, at place: Int, to clause: inout Clause) throws(Refusal) {
        if case .format(let format) = measure,
            let last = clause.measures.last(where: { if case .format = $0.measure { true } else { false } }), last.place != place,
            last.measure == .format(format)
        {
            return
        }
        let before = clause.steps.indices.filter { clause.steps[$0].place <= place }.reversed()
        let after = clause.steps.indices.filter { clause.steps[$0].place > place }
        for index in Array(before) + after {
            if let filled = try Filling.fill(measure, into: clause.steps[index]) {
                clause.steps[index] = filled
                clause.steps[index].isWeak = false
                return
            }
        }
        if let current, clause.steps.isEmpty, clause.mentions.isEmpty, var last = intent.groups[current].lastStep,
            let filled = try Filling.fill(measure, into: last)
        {
            last = filled
            return replaceLastStep(by: last)
        }
        if case .strength = measure { return }
        if case .format(let format) = measure, let other = clause.steps.compactMap({ $0.params["format"]?.string }).first {
            throw Refusal("One format at a time: say \(other) and \(format) in two lines.")
        }
        if case .point = measure { throw Refusal("I do not know what the position is for.") }
        if let tool = Filling.tool(for: measure, words: words) {
            guard let step = try Filling.fill(measure, into: Step(tool: tool, word: tool.verb, place: place)) else { return }
            clause.steps.append(step)
        } else if case .named(let name, let value) = measure {
            throw Refusal("I do not know what “\(name) \(Filling.number(value).text)” is for.")
        } else if case .bare(let value) = measure {
            throw Refusal("I do not know what \(Filling.number(value).text) stands for. Say it with a unit, such as px, KB or seconds.")
        } else if case .quality = measure {
            throw Refusal("A quality goes with a format: say “convert to jpg, quality 80”, or a size such as “under 200 KB”.")
        }
    }

    private mutating func replaceLastStep(by step: Step) {
        guard let current, let index = intent.groups[current].actions.lastIndex(where: { if case .step = $0 { true } else { false } }),
            case .step(_, let second) = intent.groups[current].actions[index]
        else { return }
        intent.groups[current].actions[index] = .step(step, second: second)
    }

    /// A weak word ("turn", "shrink") that got no figure gives way to the other tools of its clause.
    private func isIdle(_ step: Step, in clause: Clause) -> Bool {
        guard step.isWeak, step.params.isEmpty, clause.steps.count > 1 else { return false }
        return step.word == "turn"
            || clause.steps.contains { other in
                other.tool.kind != step.tool.kind && other.tool.params.contains { $0.unit == "KB" } && !other.params.isEmpty
            }
    }

    private func addQuery(to clause: inout Clause) {
        let type = current.flatMap { intent.groups[$0].sources.first?.type }
        let isJSON = type == "json" || current.map { intent.groups[$0].sources.contains(where: \.isURL) } ?? false
        guard isJSON, !clause.steps.contains(where: { $0.tool.inputs.contains { $0.type == .json } }) else { return }
        let asks =
            clause.has("field", "fields", "key", "value", "property", "entry", "path")
            || clause.literals.contains { $0.text.contains(".") && !$0.text.contains(" ") }
            || (["get", "extract", "take", "query", "pick"].contains(clause.head) && field(in: clause) != nil)
        guard asks,
            let tool = words.tool(
                saying: "field query json path", where: { $0.inputs.map(\.type) == [.json] && $0.param("path")?.isRequired == true })
        else { return }
        clause.steps.append(Step(tool: tool, word: "field", place: clause.literals.first?.place ?? 0))
    }

    private func fillTexts(_ step: inout Step, from clause: Clause) {
        for param in step.tool.params where param.isRequired && param.kind == .text && step.params[param.name] == nil && !param.isLiteral {
            var text = clause.literals.first?.text
            if text == nil, param.name == "path" { text = field(in: clause) }
            guard var text else { continue }
            if param.name == "path" { text = text.replacing("[", with: ".").replacing("]", with: "") }
            if text.hasPrefix("$.") { text = String(text.dropFirst(2)) }
            step.params[param.name] = .string(text)
        }
    }

    /// "the field version", "the version field", "extract version from".
    private func field(in clause: Clause) -> String? {
        let tokens = clause.tokens
        func plain(_ place: Int) -> String? {
            guard tokens.indices.contains(place), tokens[place].isWord else { return nil }
            let word = tokens[place].word
            return Lexicon.prepositions.contains(word) || Lexicon.determiners.contains(word)
                || ["field", "key", "value", "property", "json", "save", "picture", "image", "photo", "file", "page", "data"].contains(word)
                || Lexicon.lightVerbs.contains(word)
                ? nil : tokens[place].text
        }
        if let at = tokens.firstIndex(where: { ["field", "key", "property", "value", "entry"].contains($0.word) }) {
            var next = at + 1
            while tokens.indices.contains(next), ["called", "named", "of", "the", "for"].contains(tokens[next].word) { next += 1 }
            if let text = plain(next), tokens[next - 1].word != "from" { return text }
            if let text = plain(at - 1), !words.saying(text.lowercased()).contains(where: { $0.param("path")?.kind == .text }) {
                return text
            }
        }
        if let at = tokens.firstIndex(where: { ["extract", "query", "get", "take", "pick", "read"].contains($0.word) }) {
            var next = at + 1
            while tokens.indices.contains(next), Lexicon.determiners.contains(tokens[next].word) || tokens[next].word == "out" { next += 1 }
            if let text = plain(next) { return text }
            if let joint = tokens.firstIndex(where: { $0.word == "for" }) { return plain(joint + 1) }
        }
        return nil
    }

    private mutating func add(_ step: Step, second: Intent.Source?, in clause: Clause) throws(Refusal) {
        if step.tool.inputs.allSatisfy(\.isOptional), !step.tool.hasOpenPorts { return alone(step, in: clause) }
        if step.tool.hasOpenPorts, current == nil { return waits.append(step) }
        guard let current else { throw Refusal("Which file? Name it, as in “\(step.word) cat.jpg”.") }
        let isVariadic = step.tool.inputs.contains(where: \.isVariadic)
        if let last = intent.groups[current].lastStep, last.tool.kind == step.tool.kind, !isVariadic,
            intent.groups[current].actions.last.map({ if case .step = $0 { true } else { false } }) ?? false,
            Set(last.params.keys).isDisjoint(with: step.params.keys), !step.tool.params.isEmpty,
            last.params.isEmpty || !step.params.isEmpty, clause.mentions.isEmpty
        {
            var merged = last
            for member in step.params.members { merged.params[member.key] = member.value }
            return replaceLastStep(by: merged)
        }
        var step = step
        step = resolved(step, for: current)
        if isVariadic || step.tool.inputs.contains(where: \.isVariadic), intent.groups.count > 1, clause.mentions.isEmpty {
            let parents = intent.groups.indices.filter { index in !intent.groups.contains { $0.parents.contains(index) } }
            intent.groups.append(Intent.Group(parents: Array(parents)))
            self.current = intent.groups.count - 1
        }
        intent.groups[self.current ?? current].actions.append(.step(step, second: second))
    }

    private mutating func alone(_ step: Step, in clause: Clause) {
        var step = step
        if clause.overwrites, step.tool.param("overwrite") != nil { step.params["overwrite"] = true }
        if step.tool.outputs.isEmpty || step.tool.effects.contains(.creates) { return intent.alone.append(step) }
        intent.groups.append(Intent.Group(actions: [.step(step, second: nil)]))
        current = intent.groups.count - 1
    }

    /// A word that several tools say means the one that takes what flows.
    private func resolved(_ step: Step, for group: Int) -> Step {
        guard !step.others.isEmpty else { return step }
        let group = intent.groups[group]
        let type = group.lastStep?.tool.outputs.first?.type ?? PortType(group.sources.first?.type ?? "file")
        func fits(_ tool: ToolManifest) -> Bool { tool.inputs.contains { $0.type == type } }
        let loose = { (tool: ToolManifest) in
            tool.inputs.contains { $0.type.accepts(type) } || (type == .json && tool.inputs.contains { $0.type == .text })
        }
        let all = [step.tool] + step.others
        guard let tool = all.first(where: fits) ?? all.first(where: loose) else { return step }
        var step = step
        if tool.kind != step.tool.kind { step.params = JSON.Object() }
        step.tool = tool
        step.others = []
        return step
    }

    // MARK: Results

    private mutating func save(_ clause: Clause, target: String?) throws(Refusal) {
        if clause.overwrites, let current { intent.groups[current].overwritesOriginals = true }
        if clause.head == "download", target == nil, let current { intent.groups[current].savesWhatIsLoaded = true }
        guard target != nil || clause.saves || clause.copies else {
            if clause.overwrites, current == nil, intent.alone.isEmpty {
                throw Refusal("Overwrite what? Name the file, and say what becomes of it.")
            }
            return
        }
        guard let current else {
            if intent.alone.isEmpty { throw Refusal("Save what? Name a file, and say what becomes of it.") }
            return
        }
        if target == nil, clause.overwrites { return }
        if let target, FileName.suffix(of: target) == "zip",
            intent.groups[current].lastStep?.tool.outputs.first?.type != .file || intent.groups[current].lastStep == nil,
            let zip = words.saying("zip").first
        {
            try add(Step(tool: zip, word: "zip", place: 0), second: nil, in: clause)
        }
        let group = self.current ?? current
        let isExisting = target.map { names.contains($0) } ?? false
        if isExisting, !intent.groups[group].overwritesOriginals, let target {
            throw Refusal("\(target) is there already. Say “overwrite \(target)”, or give another name.")
        }
        intent.groups[group].actions.append(.save(path: target, overwrite: isExisting))
    }

    /// What is only known at the end: tools without a size, formats from names, writes over what is there.
    private mutating func settle() throws(Refusal) {
        intent.alone += waits
        for step in intent.alone where step.params["overwrite"] == nil {
            if let path = step.params["path"]?.string, step.tool.param("overwrite") != nil, names.contains(path) {
                throw Refusal("\(path) is there already. Say “overwrite \(path) with …”, or give another name.")
            }
        }
        for group in intent.groups.indices { try settle(group) }
    }

    private mutating func settle(_ index: Int) throws(Refusal) {
        var actions = intent.groups[index].actions
        for place in actions.indices.reversed() {
            guard case .step(let step, _) = actions[place] else { continue }
            let isVague = ["smaller", "bigger"].contains(step.word)
            let isSizeless =
                step.params.isEmpty && (isVague || step.tool.param("width") != nil) && !step.tool.params.contains(where: \.isRequired)
            guard isSizeless else { continue }
            let hasLimit = actions.contains {
                if case .step(let other, _) = $0 { other.tool.params.contains { $0.unit == "KB" } && !other.params.isEmpty } else { false }
            }
            guard hasLimit else { throw Refusal("How large? Say it in pixels, such as “800 px wide” or “fit into 1024x768”.") }
            actions.remove(at: place)
        }
        intent.groups[index].actions = actions
    }
}

extension FileSet {
    var inWords: String {
        switch what {
        case "image": "picture"
        case "any": "file"
        case "text": "text file"
        default: what.contains("*") ? "file like \(what)" : "\(what)"
        }
    }
}
