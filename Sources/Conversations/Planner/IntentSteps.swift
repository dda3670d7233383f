import JSON
import Vocabulary

/// Gives every figure of a clause its tool, and every tool its figures and texts.
extension IntentReader {
    /// Gives every figure of the clause its tool, and every tool its texts.
    mutating func complete(_ clause: inout Clause) throws(Refusal) {
        addQuery(to: &clause)
        // A quality waits for the format that it is for.
        func isQuality(_ measure: Measure) -> Bool { if case .quality = measure { true } else { false } }
        for (measure, place) in clause.measures.filter({ !isQuality($0.measure) }) + clause.measures.filter({ isQuality($0.measure) }) {
            if case .percent(let value) = measure, !clause.steps.contains(where: { $0.tool.params.count { $0.unit == "%" } == 1 }) {
                throw relative("\(Filling.number(value).text) %")
            }
            if case .relative(let word) = measure { throw relative("“\(word)”") }
            try give(measure, at: place, to: &clause)
        }
        clause.steps = clause.steps.filter { !isIdle($0, in: clause) }.sorted { $0.place < $1.place }
        for index in clause.steps.indices { fillTexts(&clause.steps[index], from: clause) }
    }

    func relative(_ words: String) -> Refusal {
        Refusal(
            "\(words) of what? I do not know the size of a picture before it is loaded. Say it in pixels, such as “800 px wide”, or ask “how big is …?” first."
        )
    }

    mutating func give(_ measure: Measure, at place: Int, to clause: inout Clause) throws(Refusal) {
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

    mutating func replaceLastStep(by step: Step) {
        guard let current, let index = intent.groups[current].actions.lastIndex(where: { if case .step = $0 { true } else { false } }),
            case .step(_, let second) = intent.groups[current].actions[index]
        else { return }
        intent.groups[current].actions[index] = .step(step, second: second)
    }

    /// A weak word ("turn", "shrink") that got no figure gives way to the other tools of its clause.
    func isIdle(_ step: Step, in clause: Clause) -> Bool {
        guard step.isWeak, step.params.isEmpty, clause.steps.count > 1 else { return false }
        return step.word == "turn"
            || clause.steps.contains { other in
                other.tool.kind != step.tool.kind && other.tool.params.contains { $0.unit == "KB" } && !other.params.isEmpty
            }
    }

    func addQuery(to clause: inout Clause) {
        let type = current.flatMap { intent.groups[$0].sources.first?.type }
        let isJSON = type == "json" || current.map { intent.groups[$0].sources.contains(where: \.isURL) } ?? false
        guard isJSON, !clause.steps.contains(where: { $0.tool.inputs.contains { $0.type == .json } }) else { return }
        let asks =
            clause.has("field", "fields", "key", "value", "property", "entry", "path")
            || clause.literals.contains { $0.text.contains(".") && !$0.text.contains(" ") }
            || (["get", "extract", "take", "query", "pick", "read", "show", "print", "find"].contains(clause.head)
                && field(in: clause) != nil)
        guard asks,
            let tool = words.tool(
                saying: "field query json path", where: { $0.inputs.map(\.type) == [.json] && $0.param("path")?.isRequired == true })
        else { return }
        clause.steps.append(Step(tool: tool, word: "field", place: clause.literals.first?.place ?? 0))
    }

    func fillTexts(_ step: inout Step, from clause: Clause) {
        for param in step.tool.params where param.isRequired && param.kind == .text && step.params[param.name] == nil && !param.isLiteral {
            var text = clause.literals.first?.text
            if text == nil, param.name == "path" { text = field(in: clause) }
            guard var text else { continue }
            if param.name == "path" { text = text.replacing("[", with: ".").replacing("]", with: "") }
            if text.hasPrefix("$.") { text = String(text.dropFirst(2)) }
            step.params[param.name] = .string(text)
        }
    }

    private static let contents: Set<String> = ["content", "contents", "text", "texts", "json", "document", "words", "lines", "lot"]

    /// "the field version", "the version field", "extract version from".
    func field(in clause: Clause) -> String? {
        let tokens = clause.tokens
        func plain(_ place: Int) -> String? {
            guard tokens.indices.contains(place), tokens[place].isWord else { return nil }
            let word = tokens[place].word
            return Lexicon.prepositions.contains(word) || Lexicon.politeness.contains(word) || Self.contents.contains(word)
                || Lexicon.determiners.contains(word)
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
        if let at = tokens.firstIndex(where: {
            ["extract", "query", "get", "take", "pick", "read", "show", "print", "find"].contains($0.word)
        }) {
            var next = at + 1
            while tokens.indices.contains(next), Lexicon.determiners.contains(tokens[next].word) || tokens[next].word == "out" { next += 1 }
            if let text = plain(next) { return text }
            if let joint = tokens.firstIndex(where: { $0.word == "for" }) { return plain(joint + 1) }
        }
        return nil
    }
}
