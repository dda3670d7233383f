import JSON
import Vocabulary

/// The part of the reader that gives each verb its tool, each figure its step, and each step its place.
extension OrderReader {
    // MARK: Verbs

    /// Returns the steps that a clause names, without figures.
    mutating func steps(of clause: Clause, _ sources: [Intent.Source]) throws(Refusal) -> [Step] {
        var steps: [Step] = []
        for number in clause.parts where !meaning(number).tools.isEmpty {
            let meaning = meaning(number)
            let tools = meaning.tools.compactMap { catalogue[$0] }
            guard let tool = resolved(tools, for: clause, sources) else { throw unavailable(meaning.tools) }
            if let twin = steps.firstIndex(where: { $0.tool.kind == tool.kind }) {
                // "pack … into an archive" names the tool twice. Elsewhere a second word would have no effect.
                guard meaning.joins || self.meaning(steps[twin].place).joins else {
                    throw .notUnderstood([parts[number].text])
                }
                steps[twin] = try filled(steps[twin], from: number)
            } else if steps.isEmpty || tool.makesFiles || tool.inputs.first?.type != .image {
                let step = Step(tool: tool, word: parts[number].text, place: number, verb: parts[number].verb)
                steps.append(try filled(step, from: number))
            }
            if steps.contains(where: { $0.tool.kind == tool.kind }) { use([number]) }
        }
        return steps
    }

    /// Inserts the step that cuts out the named lines before a step about them: "count the words in the first line".
    ///
    /// - Throws: a refusal if no step, or two parts, would use the lines.
    mutating func order(_ steps: inout [Step], in clause: Clause, _ sources: [Intent.Source]) throws(Refusal) {
        guard let part = clause.parts.first(where: { meaning($0).kind == .part }),
            let place = steps.firstIndex(where: { meaning(part).tools.contains($0.tool.kind) })
        else { return }
        let words = parts[part].text
        guard steps.indices.allSatisfy({ $0 == place || !steps[$0].tool.makesFiles }) else {
            throw Refusal("I change whole files, and not “\(words)” of one.").naming([words])
        }
        let hasVerb = clause.parts.contains { [.light, .look, .save, .copy].contains(meaning($0).kind) }
        if sources.isEmpty, !hasVerb, let current, intent.groups[current].lastStep?.tool.kind == steps[place].tool.kind
        {
            throw Refusal(
                "I take or drop one part of the lines at a time, so not “\(words)” too. Say it in a line of its own."
            ).naming([
                words
            ])
        }
        steps[place].place = -1
        steps.sort { $0.place < $1.place }
    }

    func unavailable(_ kinds: [String]) -> Refusal {
        let reason = kinds.compactMap { catalogue.unavailable[$0]?.words }.first
        return reason.map { Refusal(asWritten: $0) }
            ?? Refusal("There is no tool \(kinds.joined(separator: " or ")) here.")
    }

    /// Returns the step with the parameters that a phrase sets.
    func filled(_ step: Step, from number: Int) throws(Refusal) -> Step {
        var step = step
        for (name, value) in meaning(number).with.sorted(by: { $0.key < $1.key }) {
            guard let param = step.tool.param(name), let value = parts[number].value(value) else { continue }
            step.params[name] = try Filling.checked(Self.json(value, for: param), for: param, of: step.tool)
        }
        return step
    }

    static func json(_ value: Bound.Value, for param: ToolManifest.Param) -> JSON {
        switch value {
        case .number(let number): Filling.number(number)
        case .text("true") where param.kind == .flag: true
        case .text("false") where param.kind == .flag: false
        case .text(let text): .string(text)
        case .reference(let reference): .string(reference.plainName ?? "")
        case .noun(let kind, _): .string(kind)
        case .pair(let x, let y): [Filling.number(x), Filling.number(y)]
        case .bytes(let bytes, _): Filling.number(bytes / (param.unit == "MB" ? 1e6 : param.unit == "KB" ? 1e3 : 1))
        }
    }

    /// Returns the tool that a word means: of several, the one that fits the clause's figures, the name of the target
    /// and the type of the current object best.
    private func resolved(_ tools: [ToolManifest], for clause: Clause, _ sources: [Intent.Source]) -> ToolManifest? {
        guard tools.count > 1 else { return tools.first }
        // "zip it as tar.gz": a word with a single meaning decides.
        let sure = clause.parts.compactMap { meaning($0).tools.count == 1 ? meaning($0).tools[0] : nil }
        if let tool = tools.first(where: { sure.contains($0.kind) }) { return tool }
        let measures = clause.parts.flatMap { figures(of: $0) }
        let group = current.map { intent.groups[$0] }
        let type =
            sources.isEmpty
            ? group?.lastStep?.tool.outputs.first?.type ?? PortType(group?.sources.first?.type ?? "file")
            : PortType(sources[0].type)
        // A result that is not yet a file has the type of its step.
        let name = sources.first.flatMap { $0.isURL || $0.isFolder ? nil : $0.name }
        let suffix = clause.parts.compactMap { number -> String? in
            guard case .reference(let reference)? = parts[number].bound["f"]?.value, role(number) != "object" else {
                return nil
            }
            return reference.plainName
        }.last
        func score(_ tool: ToolManifest) -> Int {
            let step = Step(tool: tool, word: "", place: 0)
            let figures = measures.count { ((try? Filling.fill($0, into: step)) ?? nil) != nil }
            let fits =
                name.map { 4 - FileName.distance(of: $0, from: tool) }
                ?? (tool.inputs.contains { $0.type == type }
                    ? 2 : tool.inputs.contains { $0.type.accepts(type) } ? 1 : 0)
            let isNamed = suffix.map { name in
                tool.param("name")?.defaultValue?.string.map { name.hasSuffix(Self.ending($0)) } ?? false
            }
            return figures * 8 + fits + (isNamed == true ? 16 : 0)
        }
        return tools.enumerated().max { (score($0.element), -$0.offset) < (score($1.element), -$1.offset) }?.element
    }

    private static func ending(_ name: String) -> String {
        name.firstIndex(of: ".").map { String(name[$0...]) } ?? name
    }

    // MARK: Figures

    /// Returns the figures of a part that have a measure.
    private func figures(of number: Int) -> [Measure] {
        meaning(number).gives.compactMap { name, value in
            parts[number].value(value).flatMap { Figures.measure(name, $0, of: parts[number]) }
        }
    }

    /// Returns the steps with the clause's figures. A figure that fits none of them makes a step of its own.
    mutating func withFigures(_ steps: [Step], of clause: Clause) throws(Refusal) -> [Step] {
        var steps = steps
        // A quality is applied last, after the format that it belongs to.
        let isQuality = { (measure: Measure) in if case .quality = measure { true } else { false } }
        let figures = clause.parts.flatMap { number in self.figures(of: number).map { (measure: $0, part: number) } }
        for (measure, part) in figures.filter({ !isQuality($0.measure) }) + figures.filter({ isQuality($0.measure) }) {
            if case .foreign(let text) = measure {
                throw Refusal("I work in pixels; \(text) is a length that depends on the print. Say it in px.")
            }
            try give(measure, part, to: &steps, in: clause)
        }
        // "but do not enlarge it" is about a size of an earlier clause.
        for number in clause.parts where meaning(number).gives.map(\.name) == ["atMost"] {
            if let index = steps.lastIndex(where: { $0.tool.param("enlarge") != nil }) {
                steps[index] = limited(steps[index], number)
                use([number])
            } else if let current, let last = intent.groups[current].lastStep, last.tool.param("enlarge") != nil {
                replaceLastStep(by: limited(last, number))
                use([number])
            }
        }
        if let current, let number = clause.parts.first(where: { meaning($0).gives.contains { $0.name == "square" } }) {
            intent.groups[current].isSquare = true
            use([number])
        }
        useNames(clause, steps)
        return steps.sorted { $0.place < $1.place }
    }

    /// Uses words that name a default: "from the center" of a crop without a place, or "a gray version".
    private mutating func useNames(_ clause: Clause, _ steps: [Step]) {
        for (index, number) in clause.parts.enumerated() {
            let names = meaning(number).gives.map(\.name)
            let isCentered = steps.contains { step in
                step.params["left"] == nil && step.params["width"] != nil
                    && step.tool.param("left").map { $0.defaultValue == nil } ?? false
            }
            let isBehindLooks =
                index > 0
                && (!meaning(clause.parts[index - 1]).gives.isEmpty || !meaning(clause.parts[index - 1]).tools.isEmpty)
            if names.contains("centered") && isCentered || names.contains("version") && isBehindLooks { use([number]) }
        }
    }

    private mutating func give(_ measure: Measure, _ part: Int, to steps: inout [Step], in clause: Clause)
        throws(Refusal)
    {
        let before = steps.indices.filter { steps[$0].place <= part }.reversed()
        let after = steps.indices.filter { steps[$0].place > part }
        for index in Array(before) + after {
            if let filled = try Filling.fill(measure, into: steps[index]) {
                steps[index] = limited(filled, part)
                return use([part])
            }
        }
        if steps.isEmpty, !clause.isNext, let current, !clause.parts.contains(where: { isSource($0) }),
            let last = intent.groups[current].lastStep,
            let filled = try Filling.fill(measure, into: last)
        {
            replaceLastStep(by: limited(filled, part))
            return use([part])
        }
        if try Filling.isThere(measure, in: steps) { return use([part]) }
        try Filling.refuseTwice(measure, in: steps)
        guard let tool = Filling.tool(for: measure, catalogue),
            let step = try Filling.fill(measure, into: Step(tool: tool, word: parts[part].text, place: part))
        else { return }
        steps.append(limited(step, part))
        use([part])
    }

    /// Returns the step with the limit "at most", which does not enlarge smaller pictures.
    private func limited(_ step: Step, _ part: Int) -> Step {
        guard meaning(part).gives.contains(where: { $0.name == "atMost" }), step.tool.param("enlarge")?.kind == .flag
        else { return step }
        var step = step
        step.params["enlarge"] = false
        return step
    }

    mutating func replaceLastStep(by step: Step) {
        guard let current,
            let index = intent.groups[current].actions.lastIndex(where: { if case .step = $0 { true } else { false } }),
            case .step(_, let second) = intent.groups[current].actions[index]
        else { return }
        intent.groups[current].actions[index] = .step(step, second: second)
    }

    // MARK: Steps

    mutating func add(_ step: Step, second: Intent.Source?, in clause: Clause) throws(Refusal) {
        if step.tool.inputs.allSatisfy(\.isOptional), !step.tool.hasOpenPorts { return try alone(step, in: clause) }
        if step.tool.hasOpenPorts, current == nil { return waits.append(step) }
        guard let current else {
            if intent.alone.contains(where: { $0.tool.effects.contains(.deletes) }) { throw gone }
            throw Refusal("Which file? Name it, as in “\(step.word) cat.jpg”.").asking(.file)
        }
        try refuseRepacking(step, in: clause)
        let isVariadic = step.tool.gathers
        if isVariadic, intent.groups.count > 1, !clause.parts.contains(where: { isSource($0) }) {
            let parents = intent.groups.indices.filter { index in !intent.groups.contains { $0.parents.contains(index) }
            }
            intent.groups.append(Intent.Group(parents: Array(parents)))
            self.current = intent.groups.count - 1
        }
        intent.groups[self.current ?? current].actions.append(.step(step, second: second))
    }

    /// Refuses "turn old.tar.gz into a zip", which would pack the archive into another one.
    private func refuseRepacking(_ step: Step, in clause: Clause) throws(Refusal) {
        guard let current, step.tool.packsFolders != nil, let source = intent.groups[current].sources.first,
            intent.groups[current].sources.count == 1, intent.groups[current].actions.isEmpty,
            FileName.archives.contains(FileName.suffix(of: source.name) ?? ""),
            clause.parts.contains(where: { meaning($0).gives.contains { $0.name == "repacks" } })
        else { return }
        throw Refusal(
            "\(source.name) is an archive already, and I do not turn one into another. Unpack it first: “unpack \(source.name)”."
        )
    }

    /// Adds a step that needs no file: a command, a text that is written, an address.
    private mutating func alone(_ step: Step, in clause: Clause) throws(Refusal) {
        var step = step
        // A tool that loads from an address gets the address as its file.
        if step.tool.param("url") != nil, let current, intent.groups[current].sources.contains(where: \.isURL) {
            let params = step.params.members.compactMap { member in member.value.string.map { (member.key, $0) } }
            for index in intent.groups[current].sources.indices {
                intent.groups[current].sources[index].params = Dictionary(uniqueKeysWithValues: params)
            }
            return intent.groups[current].fetcher = step.tool
        }
        if let number = clause.parts.first(where: { meaning($0).kind == .overwrite }),
            step.tool.param("overwrite") != nil
        {
            step.params["overwrite"] = true
            overwritingAlone.insert(number)
            use([number])
        }
        if step.tool.param("text") != nil, let path = step.params["path"]?.string, FileName.type(of: path) == "image" {
            throw Refusal("\(path) is a picture; the text of \(step.called) would take its place. Name a text file.")
        }
        if step.tool.outputs.isEmpty || step.tool.effects.contains(.creates) { return intent.alone.append(step) }
        intent.groups.append(Intent.Group(actions: [.step(step, second: nil)]))
        current = intent.groups.count - 1
    }
}
