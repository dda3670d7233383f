import Vocabulary

/// Which files a clause means, which of them is where a result goes, and which picture lies on which.
extension IntentReader {
    func isTarget(_ mention: Clause.Mention, in clause: Clause, hasSubject: Bool) -> Bool {
        let isThere: Bool
        switch mention.reference {
        case .missing, .outside: isThere = false
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
            if ["find", "search", "look"].contains(clause.head) { return false }
            let isPlacing =
                clause.saves || clause.copies
                || ["convert", "download", "fetch", "zip", "extract", "pack", "rename", "move", "put", "merge", "combine"].contains(
                    clause.head)
            return !isThere || isPlacing || isFolder(mention.reference)
        default: return false
        }
    }

    func isFolder(_ reference: Reference) -> Bool {
        if case .file(let entry, _) = reference { return entry.isFolder }
        switch reference {
        case .missing(let name), .outside(let name): return name.hasSuffix("/")
        case .file, .url, .set, .definite: return false
        }
    }

    /// "every jpg in ../photos": which files these are, only a look outside would tell.
    func checkSets(of clause: Clause) throws(Refusal) {
        for (set, folder) in zip(clause.mentions, clause.mentions.dropFirst()) where folder.place - set.place <= 4 {
            switch (set.reference, folder.reference) {
            case (.set, .outside(let path)), (.set, .missing(let path)), (.definite, .outside(let path)), (.definite, .missing(let path)):
                let isSource = ["in", "from", "inside", "under"].contains(folder.role) && (folder.role != "in" || !clause.isPlacing)
                guard isSource, OutsidePath.isFolder(path) else { continue }
                throw unseen(path)
            default: continue
            }
        }
    }

    func unseen(_ folder: String) -> Refusal {
        Refusal("I know only what is in this folder and in the folders in it. Name the files of \(folder) one by one.")
    }

    func split(_ clause: Clause) throws(Refusal) -> (sources: [Intent.Source], target: String?) {
        var sources: [Intent.Source] = []
        var target: String?
        var excluded: Set<String> = []
        var known: Set<Intent.Source> = []
        try checkSets(of: clause)
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
                case .missing(let name), .outside(let name): target = name
                case .url, .set, .definite: break
                }
            } else if mention.role == "except" || isExcluded(mention, in: clause) {
                if case .file(let entry, _) = mention.reference { excluded.insert(entry.name) }
            } else {
                for source in try self.sources(of: mention.reference) where known.insert(source).inserted { sources.append(source) }
            }
        }
        sources.removeAll { excluded.contains($0.name) }
        // "append b to a": a comes first.
        if ["append", "add", "attach"].contains(clause.head), clause.mentions.count == 2,
            ["to", "after"].contains(clause.mentions[1].role),
            sources.count == 2, clause.steps.contains(where: { $0.tool.inputs.contains(where: \.isVariadic) })
        {
            sources.reverse()
        }
        return (sources, target)
    }

    /// "overwrite A with B": what comes from B goes to A; B itself stays as it is.
    func overwritten(_ clause: Clause) throws(Refusal) -> (target: String, source: Intent.Source)? {
        guard clause.overwrites, ["overwrite", "replace", "overwriting", "replacing"].contains(clause.head), clause.mentions.count > 1,
            clause.mentions[1].role != ""
        else { return nil }
        let (target, isPlain): (String, Bool)
        switch clause.mentions[0].reference {
        case .file(let entry, let isExact): (target, isPlain) = (entry.name, isExact && !entry.isFolder)
        case .outside(let path): (target, isPlain) = (path, !path.hasSuffix("/"))
        case .missing, .url, .set, .definite: return nil
        }
        let sources = try self.sources(of: clause.mentions[1].reference)
        guard clause.mentions.count == 2, sources.count == 1, isPlain else {
            throw Refusal("Overwrite one file with one other: “overwrite cat.jpg with dog.jpg”.")
        }
        return (target, sources[0])
    }

    func isExcluded(_ mention: Clause.Mention, in clause: Clause) -> Bool {
        clause.tokens[..<min(mention.place, clause.tokens.count)].suffix(4).contains { $0.word == "except" }
    }

    func sources(of reference: Reference) throws(Refusal) -> [Intent.Source] {
        switch reference {
        case .file(let entry, _):
            guard !entry.isFolder else { throw Refusal("\(entry.name) is a folder. Name files, or say “every jpg in \(entry.name)/”.") }
            return [Intent.Source(name: entry.name)]
        case .missing(let name):
            if leaves(name) { throw gone }
            throw Missing(listing: listing).refusal(of: name)
        case .outside(let path):
            guard !path.hasSuffix("/") else { throw unseen(path) }
            return [Intent.Source(name: path)]
        case .url(let url): return [Intent.Source(name: url, isURL: true)]
        case .set(let set):
            let files = listing.files.filter(set.contains).map(\.name).sorted()
            if files.isEmpty, let slash = set.what.lastIndex(of: "/"), !hasFolder(String(set.what[..<slash])) {
                throw unseen(String(set.what[...slash]))
            }
            guard !files.isEmpty else { throw Refusal("There is no \(set.inWords) here.") }
            guard listing.isWhole else {
                throw Refusal(
                    "There are more than \(Limits.knownFiles) files here, and I know only those. Name the files one by one, or go to a smaller folder."
                )
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

    private func hasFolder(_ name: String) -> Bool { listing.files.contains { $0.isFolder && $0.name == name } }

    // MARK: Two inputs

    /// Which picture lies on which: "put A on B", "watermark B with A".
    func pair(_ clause: inout Clause, _ sources: [Intent.Source]) throws(Refusal) -> (base: [Intent.Source], second: Intent.Source)? {
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
