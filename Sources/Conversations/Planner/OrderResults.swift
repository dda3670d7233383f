import JSON
import Vocabulary

/// The part of the reader that saves results, and decides questions that only the whole line answers.
extension OrderReader {
    mutating func save(_ clause: Clause, _ sources: [Intent.Source], target: String?, isCopy: Bool) throws(Refusal) {
        let kinds = clause.parts.compactMap { meaning($0).kind }
        let overwrites = kinds.contains(.overwrite)
        // "overwrite a.txt with hello" names its file already.
        if overwrites, let current, overwritingAlone.isDisjoint(with: clause.parts) {
            intent.groups[current].overwritesOriginals = true
            let asking = clause.parts.filter { meaning($0).kind == .overwrite }
            intent.groups[current].overwriting += asking
            intent.groups[current].overwritten += asking.compactMap { number in
                guard case .reference(let reference)? = parts[number].bound["f"]?.value else { return nil }
                return reference.plainName
            }
        }
        // A clause that copies does nothing else with the file.
        use(
            clause.parts.filter {
                current != nil
                    && (meaning($0).kind == .save && (target != nil || meaning($0).gives.isEmpty)
                        || meaning($0).kind == .copy && isCopy)
            })
        let downloads = clause.parts.contains { meaning($0).gives.contains { $0.name == "keeps" } }
        if downloads, target == nil, let current { intent.groups[current].savesWhatIsLoaded = true }
        guard target != nil || kinds.contains(.save) || kinds.contains(.copy) else {
            if overwrites, current == nil, intent.alone.isEmpty {
                throw Refusal("Overwrite what? Name the file, and say what becomes of it.")
            }
            return
        }
        guard current != nil else {
            if intent.alone.isEmpty { throw Refusal("Save what? Name a file, and say what becomes of it.") }
            // A clause without a result saves nothing.
            used.subtract(clause.parts.filter { ["as", "to", "name", "folder", "in"].contains(role($0) ?? "") })
            return
        }
        if target == nil, overwrites { return }
        try refuseNameOfAnswer(clause, kinds)
        if let target { try packed(into: target, clause) }
        if let target, let current, clause.parts.contains(where: { isPutting(meaning($0)) }),
            intent.groups[current].actions.isEmpty,
            let first = sources.first
        {
            if target.hasSuffix("/"), !kinds.contains(.save) { return try putAway(sources, into: target, clause) }
            let name = sources.count == 1 ? first.name : "…"
            throw Refusal("Move or copy? Say “move \(name) to \(target)” or “copy \(name) to \(target)”.").asking(.verb)
        }
        guard let group = current else { return }
        let said = clause.parts.first { [.save, .copy].contains(meaning($0).kind) }
        if let said, intent.groups[group].actions.isEmpty { intent.groups[group].verb = parts[said].verb }
        let isExisting = target.map { names.contains($0) || (overwrites && OutsidePath.leadsOut($0)) } ?? false
        if isExisting, !intent.groups[group].overwritesOriginals, let target { throw Self.isThere(target) }
        // "make a copy of a.txt and call it b.txt" is one copy.
        if target != nil, sources.isEmpty, case .save(nil, false)? = intent.groups[group].actions.last {
            intent.groups[group].actions.removeLast()
        }
        intent.groups[group].actions.append(.save(path: target, overwrite: isExisting))
    }

    /// Refuses a name for what only tells something: "make a git branch called summer" must not save a list of branches.
    private func refuseNameOfAnswer(_ clause: Clause, _ kinds: [Meaning.Kind]) throws(Refusal) {
        guard !kinds.contains(.save), !kinds.contains(.copy), let current, let step = intent.groups[current].lastStep,
            !step.tool.makesFiles, !step.tool.outputs.isEmpty,
            let number = clause.parts.first(where: { role($0) == "name" })
        else { return }
        throw .notUnderstood([parts[number].text])
    }

    /// Moves files into a folder, as "put" means if nothing is made of them.
    private mutating func putAway(_ sources: [Intent.Source], into target: String, _ clause: Clause) throws(Refusal) {
        guard let tool = catalogue.sorted.first(where: \.movesFolders), let current,
            let verb = clause.parts.first(where: { isPutting(meaning($0)) })
        else { throw Refusal("No tool here moves files.") }
        if let url = sources.first(where: \.isURL) { throw Refusal("I cannot move \(url.name).") }
        intent.groups.remove(at: current)
        self.current = nil
        intent.alone += try moves(of: sources.map(\.name), to: target, tool, verb)
        hasJustMoved = true
    }

    private func isPutting(_ meaning: Meaning) -> Bool { meaning.gives.contains { $0.name == "places" } }

    static func isThere(_ target: String) -> Refusal {
        Refusal("\(target) is there already. Say “overwrite \(target)”, or give another name.")
    }

    /// Packs the results into an archive if the target has the suffix of one.
    private mutating func packed(into target: String, _ clause: Clause) throws(Refusal) {
        guard let current, !intent.groups[current].actions.contains(where: \.isGathering),
            let tool = catalogue.sorted.first(where: { tool in
                guard tool.inputs.contains(where: { $0.isVariadic && $0.type == .file }),
                    let name = tool.param("name")?.defaultValue?.string
                else { return false }
                return name.firstIndex(of: ".").map { target.hasSuffix(String(name[$0...])) } ?? false
            })
        else { return }
        try add(Step(tool: tool, word: "zip", place: 0), second: nil, in: clause)
    }

    mutating func settle() throws(Refusal) {
        intent.alone = (intent.alone + waits).map(\.ordered)
        for step in intent.alone where step.params["overwrite"] == nil {
            if let path = step.params["path"]?.string, step.tool.param("overwrite") != nil, names.contains(path) {
                throw Refusal("\(path) is there already. Say “overwrite \(path) with …”, or give another name.")
            }
        }
        for group in intent.groups.indices {
            if intent.groups[group].isSquare { try makeSquare(group) }
            try requireSizes(of: group)
            settleOverwriting(group)
            limitLast(group)
            intent.groups[group].actions = intent.groups[group].actions.map { action in
                if case .step(let step, let second) = action { .step(step.ordered, second: second) } else { action }
            }
        }
    }

    /// Moves a limit in bytes after the other steps. It applies to the final file, so only packing and saving may
    /// follow it.
    private mutating func limitLast(_ index: Int) {
        var actions = intent.groups[index].actions
        guard let place = actions.lastIndex(where: { $0.limitsBytes }) else { return }
        let end =
            actions[place...].firstIndex { action in if case .save = action { true } else { action.isGathering } }
            ?? actions.count
        guard end > place + 1 else { return }
        let limit = actions.remove(at: place)
        actions.insert(limit, at: end - 1)
        intent.groups[index].actions = actions
    }

    /// Refuses a tool without a size that it needs: "shrink cat.jpg". A word that only repeats a limit ("make it
    /// smaller, under 60 KB") is left out.
    private mutating func requireSizes(of index: Int) throws(Refusal) {
        var actions = intent.groups[index].actions
        for place in actions.indices.reversed() {
            guard case .step(let step, _) = actions[place],
                step.tool.param("width") != nil || actions[place].takesBytes,
                !step.tool.params.contains(where: \.isRequired),
                step.params.keys.allSatisfy({ ["enlarge", "fill"].contains($0) })
            else { continue }
            guard actions.contains(where: { $0.limitsBytes }) else {
                if actions[place].takesBytes {
                    throw Refusal("How small is it to be? Say it in KB or MB, such as “under 200 KB”.").asking(
                        .size)
                }
                throw Refusal(
                    "How large is it to be? Say it in pixels, such as “800 px wide” or “fit into 1024x768”, or in KB, such as “under 200 KB”."
                ).asking(.size)
            }
            if step.params["enlarge"] == true {
                throw Refusal("\(step.called) makes it no smaller. Say how large it is to be, or how small.")
            }
            actions.remove(at: place)
        }
        intent.groups[index].actions = actions.map { action in
            // `enlarge` is left out, since a step enlarges without it, too.
            guard case .step(var step, let second) = action, step.params["enlarge"] == true else { return action }
            step.params["enlarge"] = nil
            return .step(step, second: second)
        }
    }

    /// Marks the words about overwriting as used, if a file is overwritten.
    private mutating func settleOverwriting(_ index: Int) {
        let group = intent.groups[index]
        let isGathered =
            intent.groups.contains { $0.parents.contains(index) } || group.actions.contains(where: \.isGathering)
        let saves = group.actions.compactMap { action in
            if case .save(_, let overwrite) = action { overwrite } else { nil }
        }
        if saves.contains(true) || saves.isEmpty && !isGathered && !group.isShown { use(group.overwriting) }
    }

    /// Makes the last step with a width and a height produce a square. A crop cuts it out. A resize fills it, and cuts
    /// off the rest.
    private mutating func makeSquare(_ index: Int) throws(Refusal) {
        /// Whether a step only says that there is to be a square, whatever its size.
        func isOnlySquare(_ action: Intent.Action) -> Bool {
            guard case .step(let step, _) = action, parts.indices.contains(step.place) else { return false }
            return meaning(step.place).gives.contains { $0.name == "square" } && step.tool.param("height") == nil
        }
        for place in intent.groups[index].actions.indices.reversed() {
            guard case .step(var step, let second) = intent.groups[index].actions[place],
                step.tool.param("height")?.unit == "px",
                let side = step.params["width"] ?? step.params["height"]
            else { continue }
            if let height = step.params["height"], height != side {
                throw Refusal(
                    "A square is as wide as it is high; \(side.text)×\(height.text) is none. Say one of the two.")
            }
            step.params["width"] = side
            step.params["height"] = side
            if step.tool.param("fill")?.kind == .flag {
                // A picture that is too small is enlarged, so that the square has its size.
                step.params["enlarge"] = nil
                step.params["fill"] = true
            }
            intent.groups[index].actions[place] = .step(step, second: second)
            intent.groups[index].actions = intent.groups[index].actions.filter { !isOnlySquare($0) }
            return
        }
        guard !intent.groups[index].actions.contains(where: isOnlySquare) else { return }
        throw Refusal(
            "How large is the square? Its width and height are needed in pixels, as in “make cat.jpg a 400 px square”."
        )
        .asking(.size)
    }
}

extension Intent.Action {
    /// Whether the action limits the size of files, with a figure.
    fileprivate var limitsBytes: Bool {
        if case .step(let step, _) = self {
            takesBytes && step.params.keys.contains { $0.hasPrefix("target") }
        } else {
            false
        }
    }

    fileprivate var takesBytes: Bool {
        if case .step(let step, _) = self { step.tool.params.contains { $0.unit == "KB" } } else { false }
    }
}
