import JSON
import Vocabulary

/// The part of the reader that finds the files of a clause, the name of its result, and the order of two pictures on
/// each other.
extension OrderReader {
    /// Returns the files that go through the clause's steps, and the name under which the result is saved.
    mutating func files(of clause: Clause) throws(Refusal) -> (sources: [Intent.Source], target: String?) {
        var sources: [Intent.Source] = []
        var target: String?
        var excluded: [(name: String, part: Int)] = []
        let hasSet = hasSet(clause)
        let folder = try folder(of: clause, hasSet: hasSet)
        let overwritten = overwritten(clause)
        for number in clause.parts {
            guard var role = role(number) else { continue }
            if role == "place" {
                // "copy all texts into backup": several files can only go into a folder.
                guard isPlacing(clause), hasSet || sources.contains(where: \.isFolder) else { continue }
                // "copy photos to backup": the copy is the folder backup.
                role = hasSet ? "folder" : "to"
            }
            if meaning(number).set != nil {
                let found = try files(number, in: clause, folder).filter { !sources.contains($0) }
                if !found.isEmpty { use([number]) }
                sources += found
                continue
            }
            guard case .reference(let reference)? = parts[number].bound["f"]?.value, number != folder?.part else {
                continue
            }
            if number == overwritten {
                target = reference.plainName
                use([number])
            } else if role == "except" {
                if let name = reference.plainName { excluded.append((name, number)) }
            } else if isTarget(reference, role: role, number, in: clause) {
                guard target == nil else { continue }
                if role == "folder", meaning(number).kind == nil, let name = reference.plainName,
                    FileName.suffix(of: name) != nil,
                    !reference.isFolder
                {
                    continue
                }
                target = reference.target
                if role == "folder", let name = target, !name.hasSuffix("/"), FileName.suffix(of: name) == nil,
                    !OutsidePath.leadsOut(name)
                {
                    target = name + "/"
                }
                use([number])
            } else if !["as", "name", "with"].contains(role) || role == "with" && takesMaterial(clause)
                || isMissing(reference)
            {
                if case .missing = reference, ["to", "as", "name", "folder"].contains(role),
                    !hasSubject(number, in: clause)
                {
                    throw Refusal("Which file? Name it, as in “\(parts[clause.parts[0]].text) cat.jpg …”.").asking(
                        .file)
                }
                if reference.isFolder, ["to", "folder"].contains(role) {
                    throw Refusal("Which file? Name it, as in “put cat.jpg into \(reference.plainName ?? "docs")”.")
                        .asking(.file)
                }
                let found: [Intent.Source]
                if case .file(let entry, _) = reference, entry.isFolder, keepsFolders(clause) {
                    found = [Intent.Source(name: entry.name, isFolder: true)]
                } else {
                    found = try self.sources(of: joined(reference, folder))
                    if case .file(let entry, _) = reference, entry.isFolder {
                        intent.everything.append(FileSet(what: "any", folder: entry.name))
                    }
                }
                guard !found.allSatisfy(sources.contains) else { continue }
                // "append b to a": a comes first.
                let new = found.filter { !sources.contains($0) }
                sources = role == "to" && isGathering(clause) ? new + sources : sources + new
                // Whether something is overwritten is known only at the end.
                if meaning(number).kind != .overwrite { use([number]) }
            }
        }
        // A file that was not selected anyway is not an exception.
        for (name, number) in excluded where sources.contains(where: { $0.name.isSameName(as: name) }) {
            sources.removeAll { $0.name.isSameName(as: name) }
            use([number])
        }
        // "copy everything to usb": the folder itself stays.
        if hasSet, let target, target.hasSuffix("/") {
            sources.removeAll { $0.isFolder && FileName.folder($0.name).isSameName(as: target) }
        }
        return (sources, target)
    }

    /// Returns the files that a noun means.
    private mutating func files(_ number: Int, in clause: Clause, _ folder: Folder?) throws(Refusal) -> [Intent.Source]
    {
        if isDefinite(number), let current {
            // The current object is not selected again: "the picture that begins with a".
            let set = FileSet(what: parts[number].bound["k"]?.text ?? "any")
            // This refers to the current object: "… and save the picture".
            let isSaidElse = clause.parts.contains { $0 != number && (isSource($0) || meaning($0).kind == .pronoun) }
            if !isSaidElse, !isBehindFile(number, in: clause), intent.groups[current].isKind(set) {
                leaning.append(number)
            }
            return []
        }
        let found = try chosen(number, in: clause, folder)
        if meaning(number).set == "pair", found.count != 2 {
            throw Refusal("“\(parts[number].text)” are \(found.count) files here, not two. Name them.")
        }
        guard meaning(number).set == "other" else { return found }
        let known = Set(intent.groups.flatMap(\.sources))
        let others = found.filter { !known.contains($0) }
        return others.count < found.count ? others : []
    }

    /// Whether a file or a name stands directly before a part. An "it" after that has no verb.
    func isBehindFile(_ number: Int, in clause: Clause) -> Bool {
        guard let place = clause.parts.firstIndex(of: number), place > 0 else { return false }
        return role(clause.parts[place - 1]) != nil && meaning(clause.parts[place - 1]).tools.isEmpty
    }

    /// Whether a clause uses a second file: "mask cat.jpg with mask.png".
    private func takesMaterial(_ clause: Clause) -> Bool {
        clause.parts.contains { hasTwoInputs(meaning($0)) } || isGathering(clause) || overwritten(clause) != nil
    }

    // MARK: Folders

    struct Folder {
        var path: String
        var part: Int
        var isListed: Bool
    }

    /// Returns the folder of "… in photos/" if the files are in it, and not their results. Returns nil if there is
    /// none.
    mutating func folder(of clause: Clause, hasSet: Bool, isListing: Bool = false) throws(Refusal) -> Folder? {
        let places = clause.parts.filter { ["in", "of"].contains(role($0) ?? "") }
        for number in places {
            guard case .reference(let reference)? = parts[number].bound["f"]?.value, reference.isFolder,
                let path = reference.plainName
            else { continue }
            let before = clause.parts.firstIndex(of: number).map { $0 > 0 ? clause.parts[$0 - 1] : number } ?? number
            // Directly after the files, it says where they are. Elsewhere, it says where the result goes.
            let makes = meaning(before).tools.contains { catalogue[$0]?.makesFiles ?? false }
            let isFile = isSource(before) && (!makes || meaning(before).set != nil)
            let isBehindFiles = before != number && isFile || !meaning(before).filters.isEmpty
            guard isBehindFiles, !isPlacing(clause) || role(number) == "of" else { continue }
            var isListed = false
            if case .file = reference { isListed = true }
            if hasSet, !isListed, !isListing { throw unseen(path) }
            use([number])
            return Folder(path: path, part: number, isListed: isListed)
        }
        return nil
    }

    private func joined(_ reference: Reference, _ folder: Folder?) -> Reference {
        guard let folder, let name = reference.plainName, !name.contains("/") else { return reference }
        let path = FileName.folder(folder.path) + name
        if let entry = listing.files.first(where: { $0.name == path }) { return .file(entry, isExact: true) }
        return folder.isListed ? .missing(path) : .outside(path)
    }

    func unseen(_ folder: String) -> Refusal {
        Refusal("I know only what is in this folder and in the folders in it. Name the files of \(folder) one by one.")
    }

    // MARK: Targets

    /// Whether the clause puts a file somewhere: "save", "copy", "download".
    func isPlacing(_ clause: Clause) -> Bool {
        clause.parts.contains { number in
            let meaning = meaning(number)
            return meaning.kind == .save || meaning.kind == .copy || meaning.gives.contains { $0.name == "places" }
        }
    }

    private func isTarget(_ reference: Reference, role: String, _ number: Int, in clause: Clause) -> Bool {
        let isThere: Bool
        switch reference {
        case .file(let entry, _): isThere = !entry.isFolder
        case .missing, .outside: isThere = false
        case .url, .set, .definite: return false
        }
        let others = clause.parts.filter { $0 != number && isSource($0) }
        let hasSubject = hasSubject(number, in: clause)
        switch role {
        case "as", "name", "folder": return hasSubject
        case "to", "in":
            guard hasSubject, !clause.parts.contains(where: { hasTwoInputs(meaning($0)) }) else { return false }
            if isThere, isGathering(clause), role == "to", FileName.suffix(of: reference.plainName ?? "") != "zip" {
                return isPlacing(clause)
            }
            return !isThere || isPlacing(clause)
                || role == "to"
                    && clause.parts.contains { meaning($0).tools.contains { catalogue[$0]?.makesFormats ?? false } }
        case "object":
            // "create gray.jpg from cat.jpg".
            let isFirst = others.allSatisfy { $0 > number && self.role($0) == "of" }
            return !isThere && !others.isEmpty && isFirst && clause.parts.contains { meaning($0).kind == .light }
        default: return false
        }
    }

    private func hasSubject(_ number: Int, in clause: Clause) -> Bool {
        current != nil || clause.parts.contains { $0 != number && (isSource($0) || isStart(meaning($0))) }
    }

    /// Whether a clause makes one thing of several files.
    func isGathering(_ clause: Clause) -> Bool { clause.parts.contains { catalogue.gathers(meaning($0)) } }

    /// Returns the part of A in "overwrite A with B", if there is a B that replaces it.
    private func overwritten(_ clause: Clause) -> Int? {
        guard
            let number = clause.parts.first(where: { meaning($0).kind == .overwrite && meaning($0).role == "object" }),
            clause.parts.contains(where: { $0 != number && ["object", "of", "with"].contains(role($0) ?? "") })
        else { return nil }
        return number
    }

    /// Whether a tool of the phrase needs no input file: a command, an address.
    private func isStart(_ meaning: Meaning) -> Bool {
        meaning.tools.contains {
            catalogue[$0].map { $0.inputs.allSatisfy(\.isOptional) && !$0.hasOpenPorts && !$0.outputs.isEmpty } ?? false
        }
    }

    func hasTwoInputs(_ meaning: Meaning) -> Bool {
        meaning.tools.contains {
            catalogue[$0].map { $0.inputs.count { !$0.isOptional && !$0.isVariadic } == 2 } ?? false
        }
    }

    // MARK: Sources

    func sources(of reference: Reference) throws(Refusal) -> [Intent.Source] {
        switch reference {
        case .file(let entry, _):
            guard entry.isFolder else { return [Intent.Source(name: entry.name)] }
            if let inner = listing.files.first(where: { $0.isFolder && $0.name.hasPrefix(entry.name + "/") }) {
                throw Refusal(
                    "\(entry.name) has folders in it, such as \(inner.name), and I know only the files of a folder. Say which ones."
                )
            }
            return try files(of: FileSet(what: "any", folder: entry.name), definite: false)
        case .missing(let name):
            if leaves(name) { throw gone }
            throw Missing(listing: listing).refusal(of: name)
        case .outside(let path):
            guard !path.hasSuffix("/") else { throw unseen(path) }
            return [Intent.Source(name: path)]
        case .url(let url): return [Intent.Source(name: url, isURL: true)]
        case .set(let set): return try files(of: set, definite: false)
        case .definite(let set): return try files(of: set, definite: true)
        }
    }

    func files(of set: FileSet, definite: Bool, called words: String = "") throws(Refusal) -> [Intent.Source] {
        let files = set.entries(of: listing).filter(set.contains).map(\.name).sorted()
        if files.isEmpty, let slash = set.what.lastIndex(of: "/"), !names.contains(String(set.what[..<slash])) {
            throw unseen(String(set.what[...slash]))
        }
        guard !files.isEmpty else { throw set.refusal(in: listing) }
        guard listing.isWhole else {
            throw Refusal(
                "There are more than \(Limits.knownFiles) files here, and I know only those. Name the files one by one, or go to a smaller folder."
            )
        }
        guard !definite || files.count == 1 else {
            let shown = files.prefix(5).joined(separator: ", ")
            var refusal = Refusal(
                files.count > 5
                    ? "Which one is “\(words)”? There are \(shown) and more."
                    : "Which one is “\(words)”? There are \(shown)."
            ).asking(.file)
            refusal.choices = Array(files.prefix(5))
            throw refusal
        }
        return files.map { Intent.Source(name: $0) }
    }

    /// Returns the files that a phrase means, with the conditions directly after it.
    mutating func set(_ number: Int, in clause: Clause, folder: Folder? = nil) -> FileSet {
        var set = FileSet(what: parts[number].bound["k"]?.text ?? "any", folder: folder?.path)
        if makesPictures(clause) { set.results = .leftOut }
        for (name, value) in meaning(number).filters {
            if let value = parts[number].value(value) { set.narrow(name, value) }
        }
        var next = clause.parts.firstIndex(of: number).map { $0 + 1 } ?? clause.parts.count
        while next < clause.parts.count {
            let part = clause.parts[next]
            guard !meaning(part).filters.isEmpty || part == folder?.part else { break }
            for (name, value) in meaning(part).filters {
                guard let value = parts[part].value(value) else { continue }
                set.narrow(name, value)
                use([part])
            }
            next += 1
        }
        // "…, also the results" may stand anywhere behind the set.
        for part in reach(of: clause) where part > number && !used.contains(part) {
            guard meaning(part).kind == nil, let filter = meaning(part).filters.first,
                ["results", "below", "hidden"].contains(filter.name), let value = parts[part].value(filter.value)
            else { continue }
            set.narrow(filter.name, value)
            use([part])
        }
        return set
    }

    /// Whether a step of this sentence moves a file to this name.
    func leaves(_ name: String) -> Bool {
        intent.alone.contains { $0.tool.effects.contains(.deletes) && $0.params["to"]?.string == name }
    }

    // MARK: Two inputs

    /// Finds which picture lies on which: "put A on B", "watermark B with A". Returns the upper one, and removes it
    /// from `sources`. Returns nil if no step needs two pictures.
    mutating func pair(_ steps: inout [Step], sources: inout [Intent.Source], in clause: Clause) throws(Refusal)
        -> Intent.Source?
    {
        guard steps.contains(where: { $0.tool.inputs.count { !$0.isOptional && !$0.isVariadic } == 2 }) else {
            return nil
        }
        func named(_ roles: [String]) throws(Refusal) -> [Intent.Source] {
            var found: [Intent.Source] = []
            for number in clause.parts where roles.contains(role(number) ?? "") {
                if case .reference(let reference)? = parts[number].bound["f"]?.value {
                    found += try self.sources(of: reference)
                }
                if meaning(number).set != nil {
                    found += try files(of: FileSet(what: parts[number].bound["k"]?.text ?? "any"), definite: false)
                }
            }
            return found
        }
        let tops = try named(["with"])
        if tops.count == 1 {
            sources.removeAll { $0 == tops[0] }
            return tops[0]
        }
        let bases = try named(["on", "to", "in", "of"])
        let rest = sources.filter { !bases.contains($0) }
        if rest.count == 1, sources.count > 1 {
            sources.removeAll { $0 == rest[0] }
            return rest[0]
        }
        if current != nil, sources.count == 1 { return sources.removeFirst() }
        let marked = sources.filter { source in
            ["logo", "watermark", "mask", "overlay", "stamp"].contains { source.name.lowercased().contains($0) }
        }
        if marked.count == 1, sources.count > 1 {
            sources.removeAll { $0 == marked[0] }
            return marked[0]
        }
        throw Refusal("Two files are needed there, and which goes on which: say “put logo.png on cat.jpg”.")
    }
}

extension Reference {
    var isFolder: Bool {
        switch self {
        case .file(let entry, _): entry.isFolder
        case .missing(let name), .outside(let name): OutsidePath.isFolder(name)
        case .url, .set, .definite: false
        }
    }

    var plainName: String? {
        switch self {
        case .file(let entry, _): entry.name
        case .missing(let name), .outside(let name): name
        case .url, .set, .definite: nil
        }
    }

    /// Whether the reference is certainly a folder, not a file without a suffix.
    var isSurelyFolder: Bool {
        if case .outside(let path) = self { return path.hasSuffix("/") }
        return isFolder
    }

    /// The name under which a result is saved.
    fileprivate var target: String? {
        if case .file(let entry, _) = self { return entry.isFolder ? entry.name + "/" : entry.name }
        return plainName
    }
}
