import JSON
import Vocabulary

/// The part of the reader for steps that move or delete. They are read literally: the plain verb, and existing files of
/// exactly this name. Nothing is guessed.
extension OrderReader {
    /// Returns whether the clause moves or deletes. If so, its steps were added.
    mutating func readMoves(_ clause: Clause) throws(Refusal) -> Bool {
        guard
            let number = clause.parts.first(where: { number in
                meaning(number).tools.contains { catalogue[$0]?.effects.contains(.deletes) ?? false }
            }),
            let tool = meaning(number).tools.compactMap({ catalogue[$0] }).first(where: {
                $0.effects.contains(.deletes)
            })
        else { return false }
        // "compress the image … and rename it small.jpg" names a result.
        let hasObject = clause.parts.contains { ["object", "of"].contains(role($0) ?? "") }
        let isMoving = tool.param("to") != nil
        if isMoving, current != nil, !hasObject {
            use([number])
            return false
        }
        if hasJustMoved, clause.parts.contains(where: { meaning($0).kind == .pronoun }) { throw gone }
        let steps = isMoving ? try moves(clause, tool, number) : try deletions(clause, tool, number)
        use([number])
        intent.alone += steps
        return true
    }

    private func exact(_ reference: Reference, verb: String, by tool: ToolManifest) throws(Refusal) -> FileEntry {
        switch reference {
        case .file(let entry, true):
            guard !entry.isFolder || tool.movesFolders else {
                throw isFolder(entry.name, verb, deletes: tool.param("to") == nil)
            }
            return entry
        case .file(let entry, false):
            throw Refusal("There is no file of exactly that name. If you mean \(entry.name), write it so.")
        case .missing(let name): throw Missing(listing: listing).refusal(of: name)
        case .outside(let path):
            guard !path.hasSuffix("/") else { throw isFolder(path, verb) }
            return FileEntry(name: path)
        case .url(let url): throw Refusal("I cannot \(verb) \(url).")
        case .set, .definite: throw Refusal("I \(verb) only files that you name one by one.")
        }
    }

    /// Returns the refusal of a folder. Where it was to be deleted, the way is the command that does.
    private func isFolder(_ path: String, _ verb: String, deletes: Bool = false) -> Refusal {
        var refusal = Refusal("\(path) is a folder; I \(verb) only files.")
        let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "._/".contains($0) }
        if deletes { refusal.way = "run rm -r " + (isPlain ? path : "'./\(path.replacing("'", with: "'\\''"))'") }
        return refusal
    }

    /// The most files that the way of a refusal names.
    private static let mostNamed = 12

    /// Returns the refusal of files that are to be deleted and are not named. The way names them, if they are few and
    /// the order says nothing else about them.
    private mutating func unnamed(_ number: Int, in clause: Clause, _ verb: Int) throws(Refusal) -> Refusal {
        var refusal = Refusal("I \(parts[verb].text) only files that you name one by one.")
        let folder = try folder(of: clause, hasSet: true)
        guard clauses.all.count == 1, clause.parts.allSatisfy({ [verb, number, folder?.part].contains($0) }) else {
            return refusal
        }
        let set = set(number, in: clause, folder: folder)
        let names = try files(of: set, definite: false).map(\.name)
        guard names.count <= Self.mostNamed, listing.isWhole else { return refusal }
        refusal.way = "\(parts[verb].text) \(names.map(FileName.quoted).joined(separator: ", "))"
        return refusal
    }

    private mutating func deletions(_ clause: Clause, _ tool: ToolManifest, _ verb: Int) throws(Refusal) -> [Step] {
        let word = parts[verb].text
        guard let param = tool.params.first(where: { $0.kind == .path }) else { return [] }
        var steps: [Step] = []
        for number in clause.parts {
            if meaning(number).kind == .originals, number > verb {
                use([number])
                return try originals(word).map { name in
                    var step = Step(tool: tool, word: word, place: number, verb: parts[verb].verb)
                    step.params[param.name] = .string(name)
                    return step
                }
            }
            if meaning(number).set != nil { throw try unnamed(number, in: clause, verb) }
            // Words before the verb are not deleted.
            guard let role = role(number), role == "object", number > verb, isPlainFile(number),
                case .reference(let reference)? = parts[number].bound["f"]?.value
            else { continue }
            var step = Step(tool: tool, word: word, place: number, verb: parts[verb].verb)
            step.params[param.name] = .string(try exact(reference, verb: word, by: tool).name)
            steps.append(step)
            use([number])
        }
        guard !steps.isEmpty else {
            if clause.parts.contains(where: { meaning($0).kind == .pronoun }) || clause.parts.count == 1 {
                throw Refusal("I am not sure what to \(word). Name the file, as in “\(word) notes.txt”.").asking(.file)
            }
            throw Refusal("I am not sure what to \(word): I \(word) only whole files that are named.")
        }
        return steps
    }

    /// Returns the files that the sentence has named so far, which "the originals" means.
    private func originals(_ word: String) throws(Refusal) -> [String] {
        var names: [String] = []
        for source in intent.groups.flatMap(\.sources) where !source.isURL && !names.contains(source.name) {
            names.append(source.name)
        }
        guard !names.isEmpty else {
            throw Refusal("I am not sure what to \(word). Name the file, as in “\(word) notes.txt”.").asking(.file)
        }
        return names
    }

    private mutating func moves(_ clause: Clause, _ tool: ToolManifest, _ verb: Int) throws(Refusal) -> [Step] {
        let word = parts[verb].text
        var sources: [FileEntry] = []
        var target = clause.parts.compactMap { number -> String? in
            guard let value = meaning(number).with["to"].flatMap({ parts[number].value($0) }),
                case .reference(let reference) = value
            else {
                return nil
            }
            return reference.isSurelyFolder ? reference.plainName.map(FileName.folder) : reference.plainName
        }.first
        // Unknown words are reported below.
        let folder = hasSet(clause) ? (try? folder(of: clause, hasSet: true)) ?? nil : nil
        for number in clause.parts where number != folder?.part {
            if meaning(number).set != nil {
                // "to monday pics": words after the place are not moved.
                guard number == verb || target == nil else { continue }
                // If a file is named, a kind beside it names no other file.
                if meaning(number).set == "both", !sources.isEmpty, !isDefinite(number) || number != verb { continue }
                sources += try chosen(number, in: clause, folder).map {
                    FileEntry(name: $0.name, isFolder: $0.isFolder)
                }
                use([number])
                continue
            }
            guard let role = role(number), number == verb || number > verb && isPlainFile(number),
                case .reference(let reference)? = parts[number].bound["f"]?.value
            else { continue }
            if role == "place", !hasSet(clause) { continue }
            if role == "except", let name = reference.plainName {
                let rest = sources.filter { !$0.name.isSameName(as: name) }
                if rest.count < sources.count { use([number]) }
                sources = rest
                continue
            }
            if ["to", "as", "in", "name", "folder", "place"].contains(role)
                || role == "object" && !sources.isEmpty && isMissing(reference)
            {
                guard target == nil, let name = reference.plainName else { continue }
                target = reference.isFolder || role == "folder" || role == "place" ? FileName.folder(name) : name
                use([number])
            } else if role == "of", reference.isFolder, let folder = reference.plainName, sources.count == 1,
                !sources[0].name.contains("/")
            {
                sources[0].name = FileName.folder(folder) + sources[0].name
                use([number])
            } else if ["object", "of"].contains(role) {
                // Words after the place are not moved.
                guard target == nil || sources.isEmpty || number == verb else { continue }
                sources.append(try exact(reference, verb: word, by: tool))
                use([number])
            }
        }
        // Several files can only go into a folder.
        let isPlural = clause.parts.contains { meaning($0).set != nil && !isDefinite($0) }
        if isPlural, let name = target, FileName.suffix(of: name) == nil { target = FileName.folder(name) }
        if isPlural, let target { sources.removeAll { $0.isFolder && FileName.folder($0.name).isSameName(as: target) } }
        guard !sources.isEmpty, let target else {
            let asked: Asked = sources.isEmpty ? .file : sources.count == 1 ? .name : .folder
            throw Refusal("\(sources.isEmpty ? "Which file" : "Where to")? Say both: “rename notes.txt to old.txt”.")
                .asking(asked)
        }
        guard sources.count == 1 || target.hasSuffix("/") else {
            throw Refusal("\(sources.count) files cannot all become \(target). Name a folder, with a / at its end.")
        }
        return try moves(of: sources.map(\.name), to: target, tool, verb)
    }

    /// Returns the steps that move files to a name, or into a folder if the target ends with a slash.
    ///
    /// - Throws: a refusal if a name is taken, or if two files would get the same one.
    func moves(of names: [String], to target: String, _ tool: ToolManifest, _ verb: Int) throws(Refusal) -> [Step] {
        var places: Set<String> = []
        return try names.map { name throws(Refusal) in
            let to = target.hasSuffix("/") ? target + FileName.base(of: name) : target
            guard places.insert(to).inserted else {
                throw Refusal("Two files would become \(to). Move them one by one, under names of their own.")
            }
            guard !self.names.contains(to) else {
                throw Refusal("\(to) is there already, and moving would replace it. Give another name.")
            }
            var step = Step(tool: tool, word: parts[verb].text, place: verb, verb: parts[verb].verb)
            step.params["from"] = .string(name)
            step.params["to"] = .string(to)
            return step
        }
    }

    /// Whether a phrase says nothing about its file except its place.
    private func isPlainFile(_ number: Int) -> Bool { meaning(number).tools.isEmpty && meaning(number).kind == nil }

    /// Returns whether a file is not known to exist, so that it may be a target.
    func isMissing(_ reference: Reference) -> Bool {
        switch reference {
        case .missing, .outside: true
        case .file, .url, .set, .definite: false
        }
    }
}
