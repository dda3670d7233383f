import JSON
import Vocabulary

/// Where steps are appended and results are saved; what is only known at the end.
extension IntentReader {
    mutating func add(_ step: Step, second: Intent.Source?, in clause: Clause) throws(Refusal) {
        if step.tool.inputs.allSatisfy(\.isOptional), !step.tool.hasOpenPorts { return alone(step, in: clause) }
        if step.tool.hasOpenPorts, current == nil { return waits.append(step) }
        guard let current else {
            if intent.alone.contains(where: { $0.tool.effects.contains(.deletes) }) { throw gone }
            throw Refusal("Which file? Name it, as in “\(step.word) cat.jpg”.")
        }
        let isVariadic = step.tool.inputs.contains(where: \.isVariadic)
        if let last = intent.groups[current].lastStep, last.tool.kind == step.tool.kind, !isVariadic,
            intent.groups[current].actions.last.map({ if case .step = $0 { true } else { false } }) ?? false,
            Set(last.params.keys).isDisjoint(with: step.params.keys), !step.tool.params.isEmpty,
            last.params.isEmpty || !step.params.isEmpty, clause.mentions.isEmpty
        {
            var merged = last
            for member in step.params.members { merged.params[member.key] = member.value }
            return replaceLastStep(by: merged)
        }
        if let last = intent.groups[current].lastStep, last.tool.kind == step.tool.kind, clause.mentions.isEmpty,
            !clause.tokens.contains(where: { $0.word == step.word }), case let twice = Set(last.params.keys).intersection(step.params.keys),
            let param = twice.first, last.params[param] != step.params[param]
        {
            throw Refusal(
                "The \(param) cannot be both \(last.params[param]?.text ?? "") and \(step.params[param]?.text ?? ""). Say one of them.")
        }
        var step = step
        step = resolved(step, for: current)
        if isVariadic || step.tool.inputs.contains(where: \.isVariadic), intent.groups.count > 1, clause.mentions.isEmpty {
            let parents = intent.groups.indices.filter { index in !intent.groups.contains { $0.parents.contains(index) } }
            intent.groups.append(Intent.Group(parents: Array(parents)))
            self.current = intent.groups.count - 1
        }
        intent.groups[self.current ?? current].actions.append(.step(step, second: second))
    }

    mutating func alone(_ step: Step, in clause: Clause) {
        var step = step
        if clause.overwrites, step.tool.param("overwrite") != nil { step.params["overwrite"] = true }
        if step.tool.outputs.isEmpty || step.tool.effects.contains(.creates) { return intent.alone.append(step) }
        intent.groups.append(Intent.Group(actions: [.step(step, second: nil)]))
        current = intent.groups.count - 1
    }

    /// A word that several tools say means the one that takes what flows.
    func resolved(_ step: Step, for group: Int) -> Step {
        guard !step.others.isEmpty else { return step }
        let group = intent.groups[group]
        let type = group.lastStep?.tool.outputs.first?.type ?? PortType(group.sources.first?.type ?? "file")
        func fits(_ tool: ToolManifest) -> Bool { tool.inputs.contains { $0.type == type } }
        let loose = { (tool: ToolManifest) in
            tool.inputs.contains { $0.type.accepts(type) } || (type == .json && tool.inputs.contains { $0.type == .text })
        }
        let all = [step.tool] + step.others
        guard let tool = all.first(where: fits) ?? all.first(where: loose) else { return step }
        var step = step
        // "compress notes.txt to 1 KB" is not about an archive.
        if tool.kind != step.tool.kind, !step.params.isEmpty { return step }
        step.tool = tool
        step.others = []
        return step
    }

    mutating func save(_ clause: Clause, target: String?) throws(Refusal) {
        if clause.overwrites, let current { intent.groups[current].overwritesOriginals = true }
        if clause.head == "download", target == nil, let current { intent.groups[current].savesWhatIsLoaded = true }
        guard target != nil || clause.saves || clause.copies else {
            if clause.overwrites, current == nil, intent.alone.isEmpty {
                throw Refusal("Overwrite what? Name the file, and say what becomes of it.")
            }
            return
        }
        guard let current else {
            if intent.alone.isEmpty { throw Refusal("Save what? Name a file, and say what becomes of it.") }
            return
        }
        if target == nil, clause.overwrites { return }
        if let target, FileName.suffix(of: target) == "zip",
            intent.groups[current].lastStep?.tool.outputs.first?.type != .file || intent.groups[current].lastStep == nil,
            let zip = words.saying("zip").first
        {
            try add(Step(tool: zip, word: "zip", place: 0), second: nil, in: clause)
        }
        let group = self.current ?? current
        let isExisting = target.map { names.contains($0) || (clause.overwrites && OutsidePath.leadsOut($0)) } ?? false
        if isExisting, !intent.groups[group].overwritesOriginals, let target {
            throw Refusal("\(target) is there already. Say “overwrite \(target)”, or give another name.")
        }
        intent.groups[group].actions.append(.save(path: target, overwrite: isExisting))
    }

    /// What is only known at the end: tools without a size, formats from names, writes over what is there.
    mutating func settle() throws(Refusal) {
        intent.alone += waits
        for step in intent.alone where step.params["overwrite"] == nil {
            if let path = step.params["path"]?.string, step.tool.param("overwrite") != nil, names.contains(path) {
                throw Refusal("\(path) is there already. Say “overwrite \(path) with …”, or give another name.")
            }
        }
        for group in intent.groups.indices { try settle(group) }
    }

    mutating func settle(_ index: Int) throws(Refusal) {
        if intent.groups[index].isSquare { try square(index) }
        var actions = intent.groups[index].actions
        for place in actions.indices.reversed() {
            guard case .step(let step, _) = actions[place] else { continue }
            let isVague = ["smaller", "bigger"].contains(step.word) || step.tool.params.contains { $0.unit == "KB" }
            let isSizeless =
                step.params.isEmpty && (isVague || step.tool.param("width") != nil) && !step.tool.params.contains(where: \.isRequired)
            guard isSizeless else { continue }
            let hasLimit = actions.contains {
                if case .step(let other, _) = $0 { other.tool.params.contains { $0.unit == "KB" } && !other.params.isEmpty } else { false }
            }
            guard hasLimit || step.tool.param("width") != nil || ["smaller", "bigger"].contains(step.word) else {
                throw Refusal("How small? Say it in KB or MB, such as “under 200 KB”.")
            }
            guard hasLimit else {
                throw Refusal(
                    "How large? Say it in pixels, such as “800 px wide” or “fit into 1024x768”, or in KB, such as “under 200 KB”.")
            }
            actions.remove(at: place)
        }
        intent.groups[index].actions = actions
    }

    /// The last step with a width and a height gives a square: a crop cuts one out, a resize fills it and cuts off what stands over.
    mutating func square(_ index: Int) throws(Refusal) {
        for place in intent.groups[index].actions.indices.reversed() {
            guard case .step(var step, let second) = intent.groups[index].actions[place], step.tool.param("height")?.unit == "px",
                let side = step.params["width"] ?? step.params["height"]
            else { continue }
            if let height = step.params["height"], height != side {
                throw Refusal("A square is as wide as it is high; \(side.text)×\(height.text) is none. Say one of the two.")
            }
            step.params["width"] = side
            step.params["height"] = side
            if step.tool.param("fill")?.kind == .flag {
                // A picture that is too small is made larger, else it would be no square of that size.
                step.params["enlarge"] = nil
                step.params["fill"] = true
            }
            intent.groups[index].actions[place] = .step(step, second: second)
            return
        }
        throw Refusal("How large is the square? Its width and height are needed in pixels, as in “make cat.jpg a 400 px square”.")
    }

    // MARK: What has moved

    /// Steps on names have no order in a plan, so nothing may be built on a name that one of them gives or takes.
    var gone: Refusal {
        Refusal("Renaming, moving or deleting cannot be combined with more on the same file. Say the two one after the other.")
    }

    /// "… and count the words in it", but not "… and that is it".
    func goesOn(_ clause: Clause) -> Bool {
        let isOrder =
            !clause.steps.isEmpty || !clause.measures.isEmpty || clause.saves || clause.looks || clause.isSquare || clause.has("how")
            || Lexicon.literalMoves.contains(clause.head) || Lexicon.literalDeletes.contains(clause.head)
        return isOrder && clause.usesPronoun && clause.mentions.allSatisfy { !$0.role.isEmpty }
    }

    /// Whether a step of this line puts a file under this name.
    func leaves(_ name: String) -> Bool {
        intent.alone.contains { $0.tool.effects.contains(.deletes) && $0.params["to"]?.string == name }
    }
}
