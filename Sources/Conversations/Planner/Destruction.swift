import JSON
import Vocabulary

/// Steps that move or delete. They are read by the letter: the plain verb first, right behind it files that are there under exactly this
/// name, and nothing else that would have to be guessed.
struct Destruction {
    let clause: Clause
    let words: ToolWords
    let listing: Listing
    /// Whether "it" could be a result rather than a file.
    let hasResults: Bool

    /// - Returns: whether the clause is one of these. Its steps have been appended then.
    func read(into steps: inout [Step]) throws(Refusal) -> Bool {
        let head = clause.head
        if Lexicon.literalDeletes.contains(head) || isForm(of: Lexicon.literalDeletes, head) {
            steps += try deletions()
            return true
        }
        let isPut =
            head == "put" && clause.steps.isEmpty && clause.measures.isEmpty && !clause.has("copy", "copies", "version")
            && clause.mentions.count > 1
            && isFolder(clause.mentions.last)
        guard Lexicon.literalMoves.contains(head) || isForm(of: Lexicon.literalMoves, head) || isPut else { return false }
        if hasResults, clause.mentions.allSatisfy({ $0.role != "" }), !clause.mentions.isEmpty { return false }
        steps += try moves(isPut: isPut)
        return true
    }

    /// Other words for deleting are no order to delete; they say how to give one.
    static let hints: Set<String> = ["rid", "throw", "wipe", "clear", "empty", "dump", "bin", "discard", "purge", "shred", "unlink", "del"]

    /// "put notes.txt in the trash": there is none, and moving it to a file called "trash" is not what is meant.
    static func checkTrash(_ clause: Clause) throws(Refusal) {
        let bins: Set<String> = ["trash", "bin", "rubbish", "garbage", "wastebasket", "dustbin"]
        guard let place = clause.tokens.lastIndex(where: { $0.isWord && bins.contains($0.word) }), place > 0,
            let mention = clause.mentions.first, !clause.has("folder", "directory"),
            clause.tokens[..<place].suffix(3).contains(where: { ["in", "into", "to"].contains($0.word) })
        else { return }
        var name = "notes.txt"
        if case .file(let entry, _) = mention.reference { name = entry.name }
        throw Refusal("There is no trash here: I delete for good, and only where that is said plainly, as in “delete \(name)”.")
    }

    private func isForm(of verbs: Set<String>, _ head: String) -> Bool { !head.isEmpty && verbs.contains { Stem.of($0) == Stem.of(head) } }

    private func isFolder(_ mention: Clause.Mention?) -> Bool {
        guard let mention, ["to", "into", "in"].contains(mention.role) else { return false }
        if case .file(let entry, _) = mention.reference { return entry.isFolder }
        return false
    }

    private var start: Int { (clause.tokens.firstIndex { $0.word == clause.head && $0.isWord } ?? 0) + 1 }

    private func exact(_ mention: Clause.Mention, verb: String) throws(Refusal) -> FileEntry {
        switch mention.reference {
        case .file(let entry, true):
            guard !entry.isFolder else { throw Refusal("\(entry.name) is a folder; I \(verb) only files.") }
            return entry
        case .file(let entry, false): throw Refusal("There is no file of exactly that name. If you mean \(entry.name), write it so.")
        case .missing(let name): throw Missing(listing: listing).refusal(of: name)
        case .outside(let path):
            guard !path.hasSuffix("/") else { throw Refusal("\(path) is a folder; I \(verb) only files.") }
            return FileEntry(name: path)
        case .url(let url): throw Refusal("I cannot \(verb) \(url).")
        case .set, .definite: throw Refusal("I \(verb) only files that you name one by one.")
        }
    }

    // MARK: Delete

    private func deletions() throws(Refusal) -> [Step] {
        guard Lexicon.literalDeletes.contains(clause.head), let tool = words.saying("delete").first(where: { $0.effects == [.deletes] }),
            let param = tool.params.first(where: { $0.kind == .path })
        else { throw Refusal("I do not delete on a hint. Say it plainly: “delete notes.txt”.") }
        var steps: [Step] = []
        for mention in clause.mentions {
            var step = Step(tool: tool, word: clause.head, place: mention.place)
            step.params[param.name] = .string(try exact(mention, verb: "delete").name)
            steps.append(step)
        }
        guard !steps.isEmpty, isDirectObject() else {
            throw Refusal("I am not sure what to \(clause.head). I delete whole files, and only those that you name: “delete notes.txt”.")
        }
        return steps
    }

    /// Between the verb and the end there are only names and small words.
    private func isDirectObject() -> Bool {
        let small: Set<String> = [
            "the", "file", "files", "my", "a", "called", "named", "please", "now", "both", "and", "for", "me", "old", "thanks", "too",
            "also", "permanently", "forever", "good", "just", "picture", "image", "photo",
        ]
        return clause.steps.isEmpty && clause.measures.isEmpty
            && clause.tokens[start...].allSatisfy { $0.isName || $0.isBreak || small.contains($0.word) }
            && clause.mentions.allSatisfy { $0.role == "" || $0.role == "as" }
    }

    // MARK: Move

    private func moves(isPut: Bool) throws(Refusal) -> [Step] {
        guard Lexicon.literalMoves.contains(clause.head) || isPut,
            let tool = words.saying("move").first(where: { $0.effects.contains(.deletes) }),
            tool.param("from") != nil, tool.param("to") != nil
        else { throw Refusal("I do not move files on a hint. Say it plainly: “rename notes.txt to old.txt”.") }
        var sources: [FileEntry] = []
        var target: String?
        for mention in clause.mentions {
            if ["to", "as", "into", "in"].contains(mention.role)
                || (mention.place == clause.mentions.last?.place && clause.mentions.count > 1 && isMissing(mention))
            {
                target = try self.target(mention)
            } else if case .set(let set) = mention.reference {
                sources += listing.files.filter(set.contains).sorted { $0.name < $1.name }
                if sources.isEmpty { throw Refusal("There is no \(set.inWords) here.") }
            } else {
                sources.append(try exact(mention, verb: clause.head))
            }
        }
        target = target ?? plainTarget()
        guard !sources.isEmpty, let target else {
            throw Refusal("\(sources.isEmpty ? "Which file" : "Where to")? Say both: “rename notes.txt to old.txt”.")
        }
        guard sources.count == 1 || target.hasSuffix("/") else {
            throw Refusal("\(sources.count) files cannot all become \(target). Name a folder, with a / at its end.")
        }
        var steps: [Step] = []
        for source in sources {
            let to = target.hasSuffix("/") ? target + FileName.base(of: source.name) : target
            guard !listing.files.contains(where: { $0.name == to }) else {
                throw Refusal("\(to) is there already, and moving would replace it. Give another name.")
            }
            var step = Step(tool: tool, word: clause.head, place: 0)
            step.params["from"] = .string(source.name)
            step.params["to"] = .string(to)
            steps.append(step)
        }
        return steps
    }

    /// Not known to be there, so it may be where something goes.
    private func isMissing(_ mention: Clause.Mention) -> Bool {
        switch mention.reference {
        case .missing, .outside: true
        case .file, .url, .set, .definite: false
        }
    }

    private func target(_ mention: Clause.Mention) throws(Refusal) -> String {
        switch mention.reference {
        case .file(let entry, _): return entry.isFolder ? entry.name + "/" : entry.name
        case .missing(let name), .outside(let name): return name
        case .url(let url): throw Refusal("I cannot move a file to \(url).")
        case .set, .definite: throw Refusal("Where to? Name a file or a folder.")
        }
    }

    /// "rename notes.txt to old", "to \"my notes\"": the last thing behind "to", literally.
    private func plainTarget() -> String? {
        guard let joint = clause.tokens.lastIndex(where: { ["to", "as", "into"].contains($0.word) }), joint + 1 < clause.tokens.count else {
            return nil
        }
        let rest = clause.tokens[(joint + 1)...].filter {
            !["the", "folder", "directory", "a", "please", "new", "name"].contains($0.word) && !$0.isBreak
        }
        guard rest.count == 1 else { return nil }
        let isFolder = clause.tokens[(joint + 1)...].contains { ["folder", "directory"].contains($0.word) }
        switch rest[0].kind {
        case .quoted(let text), .dotted(let text): return text
        case .word where !Lexicon.pronouns.contains(rest[0].word): return isFolder ? rest[0].text + "/" : rest[0].text
        default: return nil
        }
    }
}
