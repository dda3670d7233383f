import JSON
import Vocabulary

/// Questions and small talk: what is answered in words, and what becomes a workflow that only looks.
struct Questions {
    let words: ToolWords
    let listing: Listing

    /// The tokens without "could you please", "tell me", "what about"; and whether the rest asks rather than orders.
    static func opened(_ tokens: [Token]) -> (rest: [Token], isQuestion: Bool) {
        var rest = tokens[...]
        func next(_ offset: Int = 0) -> String { rest.dropFirst(offset).first.map { $0.isWord ? $0.word : "" } ?? "" }
        var isPolite = false
        while true {
            if ["hey", "hi", "hello", "ok", "okay", "so", "and", "please", "pls", "now", "well", "then", "just", "also"].contains(next())
                || rest.first?.isBreak == true
            {
                rest = rest.dropFirst()
            } else if ["can", "could", "would", "will", "won't", "can't", "couldn't", "may", "might"].contains(next()),
                ["you", "i", "we"].contains(next(1))
            {
                rest = rest.dropFirst(2)
                isPolite = true
            } else if ["tell", "show", "let"].contains(next()), ["me", "us"].contains(next(1)), rest.count > 3,
                Lexicon.questionWords.contains(next(2)) || next(2) == "know"
            {
                rest = rest.dropFirst(next(2) == "know" ? 3 : 2)
            } else if ["do", "did"].contains(next()), next(1) == "you", ["know", "mind"].contains(next(2)) {
                rest = rest.dropFirst(3)
            } else if ["i", "i'd", "we"].contains(next()), ["want", "need", "like", "would", "wanna", "wonder"].contains(next(1)),
                rest.prefix(6).contains(where: { $0.word == "know" })
            {
                rest = rest.drop { $0.word != "know" }.dropFirst()
            } else if ["what", "how"].contains(next()), next(1) == "about" {
                rest = rest.dropFirst(2)
                isPolite = true
            } else if next() == "why", ["not", "don't"].contains(next(1)) {
                rest = rest.dropFirst(next(2) == "you" || next(2) == "we" ? 3 : 2)
                isPolite = true
            } else {
                break
            }
        }
        // "Can I delete it?" asks for leave; "can you …?" asks for the deed.
        let asksLeave =
            tokens.prefix(4).contains { ["i", "we"].contains($0.word) }
            && ["can", "may", "could", "should"].contains(tokens.first?.word ?? "")
            && (Lexicon.literalDeletes.contains(next()) || Lexicon.literalMoves.contains(next()))
        let first = asksLeave ? "should" : next()
        let isVerb = ["do", "have"].contains(first) && !["you", "i", "we", "they"].contains(next(1))
        // "When a new jpg appears, …" is a condition; "when did …" asks.
        let isCondition = first == "when" && !Lexicon.auxiliaries.contains(next(1))
        return (Array(rest), Lexicon.questionWords.contains(first) && !isVerb && !isCondition && !(isPolite && first == "have"))
    }

    // MARK: In words

    func smallTalk(_ line: String) -> String? {
        let said = Stem.words(of: line).filter {
            ![
                "there", "assent", "you", "so", "much", "very", "all", "again", "everyone", "a", "lot", "that", "s", "is", "it", "this",
                "was",
                "really", "for", "your", "well",
            ].contains($0)
        }
        let hello: Set<String> = ["hi", "hello", "hey", "howdy", "moin", "greetings", "good", "morning", "evening", "afternoon", "yo"]
        let thanks: Set<String> = [
            "thanks", "thank", "thx", "cheers", "great", "nice", "cool", "perfect", "ok", "okay", "bye", "goodbye", "awesome", "well",
            "done",
        ]
        guard !said.isEmpty else { return "Say what you want done with your files, such as “make cat.jpg 800 px wide”." }
        if said.allSatisfy(hello.contains) {
            return "Hello. Say what you want done with your files, such as “make cat.jpg 800 px wide, grayscale, under 60 KB”."
        }
        if said.allSatisfy({ thanks.contains($0) || $0 == "help" }), said != ["help"] { return "You are welcome." }
        let text = said.joined(separator: " ")
        if text == "help" || text == "help me" || text == "me" || text == "can me" || text.hasPrefix("what can do")
            || text.hasPrefix("what can i do")
            || text.hasPrefix("what tools") || text.hasPrefix("which tools") || text.hasPrefix("who are")
            || text.hasPrefix("how does this work") || text.hasPrefix("what are") && said.count <= 2
        {
            return abilities
        }
        return nil
    }

    private var abilities: String {
        let titles = words.catalogue.sorted.filter { words.catalogue.unavailable[$0.kind] == nil && !$0.says.isEmpty }.map(\.title)
        return "I am the built-in planner: I turn plain orders about files into workflows. Tools here: \(titles.joined(separator: ", ")). "
            + "/help tells how to say things; for anything freer, connect a model: ASSENT_MODEL_URL, ASSENT_MODEL and ASSENT_API_KEY name it."
    }

    // MARK: By looking

    enum Answer { case words(String), intent(Intent) }

    func answer(_ tokens: [Token], _ clauses: [Clause]) throws(Refusal) -> Answer {
        let said = Set(tokens.filter(\.isWord).map(\.word))
        func has(_ words: String...) -> Bool { words.contains(where: said.contains) }
        if let place = Self.place(of: tokens.map(\.word)) { return .words(place) }
        if has("yesterday", "earlier", "history", "ago", "previously", "before") || (has("did") && has("i", "we", "you"))
            || (has("have") && has("done", "asked", "run", "made"))
            || (has("last") && has("time", "did", "ran", "week"))
        {
            return .words(Self.history)
        }
        let mentions = clauses.flatMap(\.mentions)
        for mention in mentions { if case .missing(let name) = mention.reference { throw Missing(listing: listing).refusal(of: name) } }
        let files = mentions.compactMap { mention -> FileEntry? in
            switch mention.reference {
            case .file(let entry, _): return entry
            case .outside(let path):
                let isFolder = path.hasSuffix("/") || FileName.suffix(of: path) == nil && has("files", "folder", "directory")
                return OutsidePath.entry(path, isFolder: isFolder)
            case .missing, .url, .set, .definite: return nil
            }
        }
        let sets = mentions.compactMap { mention -> FileSet? in
            switch mention.reference {
            case .set(let set), .definite(let set): set
            default: nil
            }
        }
        let figures: Set<String> = [
            "dimensions", "dimension", "resolution", "size", "sizes", "big", "large", "wide", "tall", "width", "height",
        ]
        if files.isEmpty, let set = sets.first, !said.isDisjoint(with: figures) {
            let pictures = listing.files.filter { set.contains($0) && FileName.type(of: $0.name) == "image" }
            if !pictures.isEmpty {
                return look(
                    pictures, words.tool(saying: "info dimensions resolution") { $0.inputs.map(\.type) == [.image] && !$0.makesFiles })
            }
        }
        if files.isEmpty, !sets.isEmpty || has("files", "folder", "directory", "file", "here"), !has("how") || has("many", "files") {
            return list(sets.first ?? FileSet(what: "any"), in: files.first)
        }
        if let folder = files.first(where: \.isFolder) { return list(sets.first ?? FileSet(what: "any", folder: folder.name), in: folder) }
        if has("many", "count", "long"), has("words", "lines", "characters"), let source = address(in: mentions),
            let tool = words.saying("count").first
        {
            var intent = Intent()
            intent.groups = [Intent.Group(sources: [source], actions: [.step(Step(tool: tool, word: "count", place: 0), second: nil)])]
            return .intent(intent)
        }
        guard let file = files.first ?? only(sets) else {
            if mentions.contains(where: { if case .url = $0.reference { true } else { false } }) {
                throw Refusal("Say it as an order: “fetch …”, then what to do with it.")
            }
            throw Refusal(
                "I cannot answer that: I only turn orders about files into workflows. /help tells how; a model that can talk is connected by ASSENT_MODEL_URL."
            )
        }
        return try about(file, among: files, clauses: clauses, said: said)
    }

    /// "Can you make pictures gray?" names no picture, and no "all" of them.
    static func asksAbility(_ tokens: [Token], line: String) -> Bool {
        let start = Stem.words(of: line).first ?? ""
        guard line.contains("?"), ["can", "could", "are", "do"].contains(start), !tokens.contains(where: \.isName) else { return false }
        return tokens.indices.contains { place in
            let word = tokens[place].word
            guard tokens[place].isWord, word.hasSuffix("s"), place > 0 else { return false }
            let noun = ToolWords.singular(word)
            return (Lexicon.images.contains(noun) || ["picture", "image", "photo", "file", "text"].contains(noun))
                && !Lexicon.determiners.contains(tokens[place - 1].word) && !Lexicon.images.contains(tokens[place - 1].word)
        }
    }

    static let history = "What happened before is in /history: it lists, searches and shows your sessions."

    /// Questions about what the console shows by itself.
    static func place(of said: [String]) -> String? {
        func has(_ words: String...) -> Bool { words.contains(where: said.contains) }
        let step = said.first { $0.first == "w" && $0.count > 1 && $0.dropFirst().allSatisfy(\.isNumber) }
        if has("why"), let step { return "/why \(step) says why." }
        if let step { return "/show \(step) shows it, /why \(step) says why it is as it is." }
        if has("waiting", "approve", "approval", "approvals", "inbox", "pending") { return "What waits for you is in /inbox." }
        if has("running", "workflows", "runs", "jobs", "queue", "progress", "status") {
            return "What runs, waits and has ended is in /list; /inbox holds what waits for you."
        }
        return nil
    }

    private func only(_ sets: [FileSet]) -> FileEntry? {
        let found = sets.first.map { set in listing.files.filter(set.contains) } ?? []
        return found.count == 1 ? found[0] : nil
    }

    private func address(in mentions: [Clause.Mention]) -> Intent.Source? {
        for case .url(let url) in mentions.map(\.reference) { return Intent.Source(name: url, isURL: true) }
        return nil
    }

    private func about(_ file: FileEntry, among files: [FileEntry], clauses: [Clause], said: Set<String>) throws(Refusal) -> Answer {
        let type = FileName.type(of: file.name)
        if said.contains("many") || said.contains("count") || said.contains("long"), type != "image" {
            return look(files, words.tool(saying: "count words lines characters") { $0.inputs.map(\.type) == [.text] && !$0.makesFiles })
        }
        if type == "image",
            !said.isDisjoint(with: [
                "big", "large", "wide", "tall", "high", "dimensions", "dimension", "size", "resolution", "width", "height", "format",
                "megapixels", "pixels", "info", "larger", "bigger", "smaller", "many", "color", "about", "properties", "details", "heavy",
            ])
        {
            return look(files, words.tool(saying: "info dimensions resolution") { $0.inputs.map(\.type) == [.image] && !$0.makesFiles })
        }
        if type == "json", clauses.contains(where: { $0.has("field", "value", "key") || !$0.literals.isEmpty }) {
            var reader = IntentReader(words: words, listing: listing)
            try reader.read(clauses)
            return .intent(reader.intent)
        }
        let isListed = listing.files.contains(file)
        if isListed, !said.isDisjoint(with: ["big", "large", "size", "heavy", "bytes"]) {
            return .words("\(PlannerPrompt.quoted(file.name)) has \(file.bytes) bytes.")
        }
        if type != "image",
            !said.isDisjoint(with: ["in", "inside", "say", "says", "contain", "contains", "content", "contents", "read", "written"])
        {
            return look(files, words.catalogue.loader(for: .text))
        }
        if isListed, !said.isDisjoint(with: ["is", "there", "exist", "exists"]), said.isDisjoint(with: ["what", "how", "why", "should"]) {
            return .words("\(PlannerPrompt.quoted(file.name)) is here, with \(file.bytes) bytes.")
        }
        guard isListed else {
            throw Refusal("I know only what is in this folder and in the folders in it. Say what to do with \(file.name).")
        }
        throw Refusal("I cannot answer that. Say what to do with \(file.name), or ask “how big is \(file.name)?”.")
    }

    private func look(_ files: [FileEntry], _ tool: ToolManifest?) -> Answer {
        guard let tool else { return .words("No tool here can tell that.") }
        var intent = Intent()
        for file in files {
            if tool.isLoader {
                var step = Step(tool: tool, word: "read", place: 0)
                step.params["path"] = .string(file.name)
                intent.alone.append(step)
            } else {
                intent.groups.append(
                    Intent.Group(
                        sources: [Intent.Source(name: file.name)], actions: [.step(Step(tool: tool, word: "", place: 0), second: nil)]))
            }
        }
        return .intent(intent)
    }

    func list(_ set: FileSet, in folder: FileEntry?) -> Answer {
        guard let tool = words.tool(saying: "list files folder directory", where: { $0.param("pattern") != nil && $0.inputs.isEmpty })
        else { return .words("No tool here lists files.") }
        var step = Step(tool: tool, word: "list", place: 0)
        if let path = folder?.name ?? set.folder { step.params["path"] = .string(path) }
        if let pattern = pattern(of: set) { step.params["pattern"] = .string(pattern) }
        var intent = Intent()
        intent.alone = [step]
        return .intent(intent)
    }

    /// A pattern has one spelling: the one most files of the kind have.
    private func pattern(of set: FileSet) -> String? {
        if set.what.contains("*") { return set.what }
        guard !["any", "image"].contains(set.what) else { return nil }
        let suffixes = listing.files.filter(set.contains).compactMap { $0.name.split(separator: ".").last.map(String.init) }
        let counts = Dictionary(grouping: suffixes) { $0 }.mapValues(\.count)
        let common = counts.max { $0.value != $1.value ? $0.value < $1.value : $0.key > $1.key }?.key
        return "*." + (common ?? (set.what == "text" ? "txt" : set.what))
    }
}
