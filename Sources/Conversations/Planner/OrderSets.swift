import JSON
import Vocabulary

/// The part of the reader that finds the files of a set, "all jpgs" or "everything", and notes what the set leaves out.
extension OrderReader {
    /// Returns the files that a phrase with a set means, and the folders, if the order takes folders.
    mutating func chosen(_ number: Int, in clause: Clause, _ folder: Folder?) throws(Refusal) -> [Intent.Source] {
        let set = set(number, in: clause, folder: folder)
        let folders = set.isEverything && keepsFolders(clause) ? foldersTaken(by: set) : []
        if set.isEverything { intent.everything.append(set) }
        let isDefinite = isDefinite(number)
        intent.leftHidden += hidden(leftBy: set, withFolders: set.isEverything && keepsFolders(clause))
        if !folders.isEmpty, !set.entries(of: listing).contains(where: set.contains) { return folders }
        let found = try files(of: set, definite: isDefinite, called: parts[number].text)
        intent.leftResults += set.leftResults(of: listing).filter { !intent.leftResults.contains($0) }
        let below = isDefinite || keepsFolders(clause) && set.isEverything ? 0 : set.countBelow(in: listing)
        if below > 0 { intent.leftBelow.append((set, below)) }
        return found + folders
    }

    /// Returns the hidden files that a set leaves out, and the hidden folders, if the order takes folders.
    private func hidden(leftBy set: FileSet, withFolders: Bool) -> [String] {
        let place = set.top
        let folders = listing.hidden.filter { $0.isFolder && FileName.parent(of: $0.name) == place }.map(\.name)
        let left = set.leftHidden(of: listing) + (withFolders && !set.takesHidden && !set.isDeep ? folders : [])
        return left.filter { !intent.leftHidden.contains($0) }.sorted()
    }

    /// Returns the folders directly in the folder of a set. A folder in which excluded files lie is left out, which the
    /// plan says.
    private mutating func foldersTaken(by set: FileSet) -> [Intent.Source] {
        guard !set.isDeep else { return [] }
        let place = set.top
        var taken: [Intent.Source] = []
        for entry in set.entries(of: listing) where entry.isFolder {
            guard FileName.parent(of: entry.name) == place else { continue }
            let holdsExcluded = set.entries(of: listing).contains { file in
                file.name.hasPrefix(entry.name + "/")
                    && set.excluded.contains { FileSet(what: $0).isKind(of: file.name) }
            }
            if holdsExcluded {
                intent.leftFolders.append(entry.name)
            } else {
                taken.append(Intent.Source(name: entry.name, isFolder: true))
            }
        }
        return taken.sorted { $0.name < $1.name }
    }

    /// Whether the order of a clause takes folders as a whole: it copies, moves or packs them.
    func keepsFolders(_ clause: Clause) -> Bool {
        guard !clause.parts.contains(where: isPictureOnly) else { return false }
        let isPlain = clause.parts.allSatisfy { meaning($0).tools.isEmpty }
        return clause.parts.contains { number in
            let tools = meaning(number).tools.compactMap { catalogue[$0] }
            return meaning(number).kind == .copy || tools.contains { $0.movesFolders || $0.packsFolders != nil }
                || isPlain && meaning(number).gives.contains { $0.name == "places" }
        }
    }

    /// Whether the words of a clause leave no doubt that it packs.
    private func isPacking(_ clause: Clause) -> Bool {
        clause.parts.contains { number in
            let tools = meaning(number).tools.compactMap { catalogue[$0] }
            return !tools.isEmpty && tools.allSatisfy { $0.packsFolders != nil }
        }
    }

    /// Whether a set of this clause is for pictures that are made from pictures, by this clause or by one that goes on
    /// with the same files.
    func makesPictures(_ clause: Clause) -> Bool {
        guard !isPacking(clause) || reach(of: clause).contains(where: isPictureOnly) else { return false }
        return reach(of: clause).contains { number in
            meaning(number).tools.contains { catalogue[$0].map(makesPictures) ?? false }
                || meaning(number).template != nil || isPictureOnly(number)
        }
    }

    private func isPictureOnly(_ number: Int) -> Bool {
        let tools = meaning(number).tools.compactMap { catalogue[$0] }
        if !tools.isEmpty { return tools.allSatisfy(makesPictures) }
        return meaning(number).gives.contains { name, value in
            guard let value = parts[number].value(value),
                let measure = Figures.measure(name, value, of: parts[number])
            else { return false }
            return Filling.tool(for: measure, catalogue).map(makesPictures) ?? false
        }
    }

    private func makesPictures(_ tool: ToolManifest) -> Bool {
        tool.inputs.contains { $0.type == .image } && tool.outputs.contains { $0.type == .image }
    }

    /// Returns the parts of a clause and of those after it that name no files of their own.
    func reach(of clause: Clause) -> [Int] {
        guard let start = clauses.all.firstIndex(where: { $0.parts.first == clause.parts.first }) else {
            return clause.parts
        }
        var numbers = clause.parts
        for next in clauses.all[(start + 1)...] {
            if next.parts.contains(where: { isSource($0) }) { break }
            numbers += next.parts
        }
        return numbers
    }
}

extension ToolManifest {
    /// Whether the tool makes one thing of several files.
    var gathers: Bool { inputs.contains(where: \.isVariadic) }

    /// The parameter by which the tool takes folders as a whole into an archive, or nil if it takes none.
    var packsFolders: Param? {
        guard inputs.contains(where: { $0.isVariadic && $0.type == .file }), case .paths(let reads, _) = touches else {
            return nil
        }
        return params.first { $0.kind == .list && reads.contains($0.name) }
    }

    /// Whether the tool copies a folder with all in it.
    var copiesFolders: Bool {
        guard !effects.contains(.deletes), case .paths(let reads, let changes) = touches else { return false }
        return reads.contains("from") && changes.contains("to")
    }
}

extension Catalogue {
    /// Whether a phrase means a tool that makes one thing of several files.
    func gathers(_ meaning: Meaning) -> Bool { meaning.tools.contains { self[$0]?.gathers ?? false } }
}
