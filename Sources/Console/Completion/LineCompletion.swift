package import Terminal
import Vocabulary

extension Limits {
    /// The most names of files that Tab offers at once.
    package static let completedFiles = 100
}

/// The completion of a line in the chat. The verbs, and the meanings of their words, come from their descriptions.
package struct LineCompletion {
    let world: any CompletionWorld

    package init(_ world: any CompletionWorld) { self.world = world }

    /// Returns the verbs that complete a line, each with its summary. The list is empty if the line is not the
    /// beginning of a verb.
    package static func menu(for line: String) -> [LineCandidate] {
        guard line.hasPrefix("/"), !line.contains(where: \.isWhitespace) else { return [] }
        return SlashVerb.all.filter { "/\($0.name)".hasPrefix(line) }.map {
            LineCandidate("/" + $0.name, about: $0.summary)
        }
    }

    /// Returns the completions of the end of a line.
    ///
    /// - Parameter line: the text before the cursor.
    package func completions(of line: String) -> LineCompletions {
        let menu = Self.menu(for: line)
        guard menu.isEmpty else {
            return LineCompletions(replaced: line, candidates: menu.map { LineCandidate($0.word) })
        }
        let typed = TypedWords(line)
        guard line.hasPrefix("/"), let called = typed.finished.first?.dropFirst() else {
            // An order can only name files, and an empty word has no completions.
            return order(typed)
        }
        if ChatVerb(String(called)) == .help {
            guard typed.finished.count == 1 else { return LineCompletions() }
            return fitting(SlashVerb.all.map { LineCandidate($0.name, about: $0.summary) }, typed)
        }
        if ChatVerb(String(called)) == .now { return order(typed) }
        guard let verb = Root.verb(named: String(called)), verb.description.notInChat == nil else {
            return LineCompletions()
        }
        return words(of: verb, typed)
    }

    /// Returns the files for a word of an order, which may stand behind `@`.
    private func order(_ typed: TypedWords) -> LineCompletions {
        guard typed.raw.hasPrefix("@") else { return typed.raw.isEmpty ? LineCompletions() : files(typed) }
        var name = typed
        name.raw.removeFirst()
        name.word.removeFirst()
        var found = files(name)
        found.replaced = typed.raw
        found.candidates = found.candidates.map { LineCandidate("@" + $0.word, about: $0.about) }
        return found
    }

    // MARK: The word of a verb

    private func words(of verb: any Verb.Type, _ typed: TypedWords) -> LineCompletions {
        let call = CalledWords(typed.finished.dropFirst().map { $0 }, description: verb.description)
        if let option = call.openOption { return complete(verb.description.values[option] ?? [], call, typed) }
        if typed.raw.hasPrefix("-") { return fitting(Self.options(of: verb), typed) }
        let takes = verb.description.takes
        let isRepeated = CommandHelp(of: verb).usage.contains {
            $0.contains("...") && ($0.hasPrefix("<") || $0.hasPrefix("[<"))
        }
        let place = call.words.count < takes.count ? call.words.count : isRepeated ? takes.count - 1 : nil
        let found = place.map { complete(takes[$0], call, typed) } ?? LineCompletions()
        // If nothing else can be named, the options are offered.
        return found.candidates.isEmpty && typed.raw.isEmpty ? fitting(Self.options(of: verb), typed) : found
    }

    private static func options(of verb: any Verb.Type) -> [LineCandidate] {
        CommandHelp(of: verb).options.compactMap { row in
            let names = row.label.split { $0 == " " || $0 == "," }.filter { $0.hasPrefix("--") }
            return names.first.map { LineCandidate(String($0), about: row.words) }
        }
    }

    private func complete(_ kinds: [WordKind], _ call: CalledWords, _ typed: TypedWords) -> LineCompletions {
        var all = LineCompletions(replaced: typed.raw)
        for kind in kinds {
            let found = complete(kind, call, typed)
            // Files come after candidates with numbers, and only if a file was begun or is the only possible meaning.
            all.candidates += found.candidates
            all.areAll = all.areAll && found.areAll
            if !found.candidates.isEmpty { all.replaced = found.replaced }
        }
        return all
    }

    private func complete(_ kind: WordKind, _ call: CalledWords, _ typed: TypedWords) -> LineCompletions {
        switch kind {
        case .workflow: fitting(world.workflows(), typed)
        case .step: fitting(call.workflow.map { world.steps(of: $0) } ?? [], typed)
        case .result: fitting(results(typed), typed)
        case .entry: fitting(world.entries(), typed)
        case .conversation: fitting(world.conversations(), typed)
        case .template: fitting(world.templates(), typed)
        case .tool: fitting(world.tools(), typed)
        case .preset: fitting(world.presets(), typed)
        case .connection: fitting(world.connections(), typed)
        case .provider: fitting(world.providers(), typed)
        case .host: fitting(world.hosts(), typed)
        case .settingName: fitting(world.settings(), typed)
        case .choice(let words): fitting(words.map { LineCandidate($0) }, typed)
        case .input: input(call, typed)
        case .setting:
            fitting(
                call.workflow.map { world.steps(of: $0) }?.map { LineCandidate($0.word + ".", about: $0.about) } ?? [],
                typed)
        case .file: files(typed)
        case .free: LineCompletions(replaced: typed.raw)
        }
    }

    /// Returns workflows, or after `w3.` its steps.
    private func results(_ typed: TypedWords) -> [LineCandidate] {
        guard let dot = typed.word.firstIndex(of: "."), let workflow = WorkflowID(parsing: String(typed.word[..<dot]))
        else {
            return world.workflows()
        }
        return world.steps(of: workflow).map { LineCandidate("\(workflow).\($0.word)", about: $0.about) }
    }

    /// Returns the inputs of the named template, or after `NAME=` the files.
    private func input(_ call: CalledWords, _ typed: TypedWords) -> LineCompletions {
        guard let equals = typed.raw.firstIndex(of: "=") else {
            let inputs = call.words.first.map { world.inputs(ofTemplate: $0) } ?? []
            return fitting(inputs.map { LineCandidate($0.word + "=", about: $0.about) }, typed)
        }
        return files(TypedWords(String(typed.raw[typed.raw.index(after: equals)...])))
    }

    /// Returns the candidates that begin with the typed word.
    private func fitting(_ candidates: [LineCandidate], _ typed: TypedWords) -> LineCompletions {
        LineCompletions(replaced: typed.raw, candidates: candidates.filter { $0.word.hasPrefix(typed.word) })
    }

    // MARK: Files

    private func files(_ typed: TypedWords) -> LineCompletions {
        var word = typed.word
        // `~` has no meaning in quotes, so the path of the folder replaces it in a name that needs quotes.
        let home = typed.isOfHome ? world.folders.home : nil
        if let home { word = home + word.dropFirst() }
        let slash = word.lastIndex(of: "/")
        let folder = slash.map { String(word[...$0]) } ?? ""
        let stem = slash.map { String(word[word.index(after: $0)...]) } ?? word
        let found = world.folders.names(
            in: folder.isEmpty ? "." : folder, startingWith: stem, most: Limits.completedFiles)
        let names = found.names.filter { !$0.name.hasPrefix(".") || stem.hasPrefix(".") }
        let candidates: [LineCandidate] = names.compactMap { name in
            let path = folder + name.name + (name.isFolder ? "/" : "")
            if let home, TypedName(name: path).typed(quote: nil, isClosed: true) == path {
                return LineCandidate("~" + path.dropFirst(home.count))
            }
            let first = typed.raw.first { $0 == "\"" || $0 == "'" }
            return TypedName(name: path).typed(quote: typed.openQuote ?? first, isClosed: !name.isFolder).map {
                LineCandidate($0)
            }
        }
        return LineCompletions(replaced: typed.raw, candidates: candidates, areAll: found.areAll)
    }
}

/// The finished words of a call, separated from its options.
struct CalledWords: Hashable {
    var words: [String] = []
    /// The option whose value is being typed.
    var openOption: String?

    init(_ finished: [String], description: CommandDescription) {
        for word in finished {
            if openOption != nil {
                openOption = nil
            } else if word.hasPrefix("--") {
                openOption = description.values[word] == nil ? nil : word
            } else if !word.hasPrefix("-") {
                words.append(word)
            }
        }
    }

    /// The first named workflow.
    var workflow: WorkflowID? { words.first.flatMap(WorkflowID.init(parsing:)) }
}
