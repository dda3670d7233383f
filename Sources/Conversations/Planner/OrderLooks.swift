import JSON
import Vocabulary

/// The part of the reader for orders that only look: "show notes.txt", "list the pngs in photos".
extension OrderReader {
    /// Returns whether the clause only looks. If so, its steps were added.
    mutating func readLooking(_ clause: Clause) throws(Refusal) -> Bool {
        if let number = clause.parts.first(where: { number in
            meaning(number).tools.contains { catalogue[$0]?.looksInFolders ?? false }
        }),
            let tool = meaning(number).tools.compactMap({ catalogue[$0] }).first
        {
            use([number])
            return try list(clause, try filled(Step(tool: tool, word: parts[number].text, place: 0), from: number))
        }
        let looks = clause.parts.contains { meaning($0).kind == .look }
        let acts = clause.parts.contains { number in
            !meaning(number).tools.isEmpty || !meaning(number).gives.isEmpty
                || [.save, .copy, .overwrite].contains(meaning(number).kind)
        }
        guard looks, !acts else { return false }
        if hasSet(clause) { return try list(clause, nil) }
        return try show(clause)
    }

    /// Whether a sentence only names a part of a text, without a verb: "the first line of a.txt". It is to be read, and
    /// no file is made of it.
    func namesOnlyParts(_ clause: Clause) -> Bool {
        clauses.all.count == 1 && clause.parts.contains { meaning($0).kind == .part }
            && clause.parts.allSatisfy { number in
                let meaning = meaning(number)
                return meaning.kind == .part || meaning.kind == .idle
                    || meaning.kind == nil && meaning.tools.isEmpty
                        && meaning.gives.isEmpty && ["object", "of", "in"].contains(meaning.role)
            }
    }

    private mutating func show(_ clause: Clause) throws(Refusal) -> Bool {
        var isShown = false
        for number in clause.parts {
            guard let role = role(number), ["object", "of", "in"].contains(role),
                case .reference(let reference)? = parts[number].bound["f"]?.value
            else { continue }
            if reference.isSurelyFolder { return try list(clause, nil) }
            guard case .url = reference else {
                for source in try sources(of: reference) {
                    guard
                        source.type != "file" || FileName.suffix(of: source.name) == nil
                            || OutsidePath.leadsOut(source.name)
                    else {
                        throw Refusal("I show texts and pictures; \(source.name) is neither.")
                    }
                    let type = FileName.suffix(of: source.name) == nil ? "text" : source.type
                    guard let tool = catalogue.loader(for: PortType(type)),
                        let param = tool.params.first(where: { $0.kind == .path })
                    else { continue }
                    var step = Step(tool: tool, word: "show", place: number)
                    step.params[param.name] = .string(source.name)
                    intent.alone.append(step)
                }
                use([number])
                isShown = true
                continue
            }
        }
        return isShown
    }

    private mutating func list(_ clause: Clause, _ named: Step?) throws(Refusal) -> Bool {
        guard
            var step = named
                ?? catalogue.sorted.first(where: { $0.looksInFolders && !$0.params.contains(where: \.isRequired) }).map(
                    {
                        Step(tool: $0, word: "list", place: 0)
                    })
        else { throw Refusal("No tool here lists files.") }
        let folder = try folder(of: clause, hasSet: hasSet(clause), isListing: true)
        if let folder {
            step.params["path"] = .string(FileName.withoutSlash(folder.path))
        }
        var isNarrowed = false
        for number in clause.parts {
            if meaning(number).set != nil {
                // A second kind would replace the first.
                guard !isNarrowed, meaning(number).set != "other" else { continue }
                isNarrowed = true
                let set = set(number, in: clause, folder: folder).withResults
                use([number])
                guard set.hasPlainPattern(listing) else { return answer(set) }
                let below = set.countBelow(in: listing)
                if below > 0, set.what != "any" { intent.leftBelow.append((set, below)) }
                if let pattern = pattern(of: set) { step.params["pattern"] = .string(pattern) }
            } else if let role = role(number), ["object", "of", "in"].contains(role), number != folder?.part,
                meaning(number).kind == nil || meaning(number).kind == .look,
                case .reference(let reference)? = parts[number].bound["f"]?.value
            {
                if case .set(let set) = reference {
                    guard !isNarrowed else { continue }
                    isNarrowed = true
                    step.params["pattern"] = .string(set.what)
                } else if step.params["path"] == nil, let path = reference.plainName,
                    named == nil || step.tool.params.contains(where: \.isRequired)
                        ? reference.isSurelyFolder : reference.isFolder
                {
                    step.params["path"] = .string(FileName.withoutSlash(path))
                } else if let path = reference.plainName, step.tool.params.contains(where: \.isRequired) {
                    if case .missing(let name) = reference { throw Missing(listing: listing).refusal(of: name) }
                    // A search in one file gets its folder, and its name as the pattern.
                    if let slash = path.lastIndex(of: "/") { step.params["path"] = .string(String(path[..<slash])) }
                    step.params["pattern"] = .string(FileName.base(of: path))
                } else {
                    continue
                }
                use([number])
            }
        }
        intent.alone.append(step)
        return true
    }

    /// Answers with the names of the files, since no pattern describes the set.
    private mutating func answer(_ set: FileSet) -> Bool {
        let files = listing.files.filter(set.contains).map(\.name).sorted()
        let shown = files.prefix(Limits.namedFiles).map { PlannerPrompt.quoted($0) }.joined(separator: ", ")
        let rest = files.count - Limits.namedFiles
        let below = set.countBelow(in: listing)
        let further: PlannerText = rest > 0 ? " and \(rest) more" : ""
        let found: PlannerText = files.isEmpty ? "There is no \(set.inWords) \(set.place)." : "\(shown)\(further)"
        intent.words =
            below > 0
            ? found + (files.isEmpty ? "" : ".") + " \(below) more in folders below: “in all folders” names them."
            : found
        return true
    }

    /// Returns the pattern for a set of files, or nil if no pattern fits. A pattern has a single suffix, the one that
    /// most of the files have.
    private func pattern(of set: FileSet) -> String? {
        if set.what.contains("*") { return set.what }
        if let begins = set.begins { return begins + "*" }
        if let ends = set.ends { return "*" + ends }
        if let holds = set.holds { return "*\(holds)*" }
        guard !["any", "image"].contains(set.what) else { return nil }
        let suffixes = listing.files.filter(set.contains).compactMap {
            $0.name.split(separator: ".").last.map(String.init)
        }
        let counts = Dictionary(grouping: suffixes) { $0 }.mapValues(\.count)
        let common = counts.max { $0.value != $1.value ? $0.value < $1.value : $0.key > $1.key }?.key
        return "*." + (common ?? (set.what == "text" ? "txt" : set.what))
    }
}

extension ToolManifest {
    /// Whether the tool reads the files of a folder by a pattern of names.
    var looksInFolders: Bool { param("pattern") != nil && param("path") != nil && inputs.isEmpty }
}

extension FileSet {
    /// Whether a pattern of names describes the whole set.
    fileprivate func hasPlainPattern(_ listing: Listing) -> Bool {
        let names = [begins, ends, holds].compactMap { $0 }
        // A pattern tells capitals from small letters, which the words do not.
        if let name = names.first, listing.files.contains(where: { contains($0) && !$0.name.contains(name) }) {
            return false
        }
        guard !isDeep else { return false }
        return what != "image" && excluded.isEmpty && largerThanBytes == nil && smallerThanBytes == nil
            && (names.isEmpty || names.count == 1 && what == "any")
    }
}
