import JSON
import Vocabulary

/// What each attempt must be when it begins: one that may begin, made of what stands above it.
final class RunChecks {
    unowned let simulation: Simulation
    /// What persons had allowed when the newest attempt of a step began, of steps that must not be repeated by
    /// themselves.
    private var allowed: [StepID: Int] = [:]
    private var reader: RowReader { simulation.checks.reader }
    private func fail(_ words: String) { simulation.checks.fail(words) }

    init(_ simulation: Simulation) { self.simulation = simulation }

    private struct Row {
        var kind: String
        var inputs: [String: String]
        var value: Int?
        var key: String?
    }

    /// - Parameter before: what persons had allowed before this commit.
    func began(_ batch: Batch, before: [StepID: Int], wasCancelled: Bool) {
        if wasCancelled, let run = batch.runsStarted.first?.id, simulation.wishes.isCancelled.contains(batch.workflow) {
            fail("\(run) began after \(batch.workflow) had been cancelled")
        }
        for run in batch.runsStarted.map(\.id) {
            guard let row = row(run) else {
                fail("\(run) was begun, and is not on record")
                continue
            }
            let node = simulation.node(run.step)
            checkAllowed(run, node, before: before)
            if !batch.isOver(run) || node.kind.isHuman { checkMaterial(run, row, node, in: batch) }
            let kind = node.kind.isHuman ? "person" : node.kind == .load ? "import" : "tool"
            if row.kind != kind { fail("\(run) is on record as \(row.kind); it is \(kind)") }
        }
    }

    /// What a run gave is made of what it was begun with: of nothing newer, and of no other run's.
    func ended(_ batch: Batch) {
        for end in batch.runsEnded {
            guard case .succeeded = end.ending, let row = row(end.run) else { continue }
            let node = simulation.node(end.run.step)
            guard !node.kind.isHuman, !node.isRemoved else { continue }
            let inputs = row.inputs.map { port, name -> (String, ContentHash) in
                (port, hash(of: name, in: end.run.step.workflow))
            }
            let wanted = Content.made(by: node, value: row.value ?? 0, inputs: inputs)
            // Its one output is called otherwise where its tool has changed meanwhile.
            let got = hash(of: "\(end.run.step.index).\(end.run.attempt).*", in: end.run.step.workflow)
            if got != wanted {
                fail("\(end.run) gave \(got.hex.prefix(8)); what it was begun with makes \(wanted.hex.prefix(8))")
            }
        }
    }

    /// - Parameter name: step, attempt and port; `*` for whichever port.
    private func hash(of name: String, in workflow: WorkflowID) -> ContentHash {
        let parts = name.split(separator: ".")
        return reader.rows(
            "SELECT sha256 FROM assets WHERE workflow = ? AND step = ? AND attempt = ? AND port GLOB '\(parts[2])'",
            Int(workflow.number),
            Int(parts[0])!, Int(parts[1])!
        ) { ContentHash(hex: $0.text(0)) }.first ?? .ofNothing
    }

    /// What is not idempotent begins again only where a person wants it.
    private func checkAllowed(_ run: RunID, _ node: Plan.Node, before: [StepID: Int]) {
        let wishes = simulation.wishes!
        guard node.kind == .once || node.kind.provider != nil else { return }
        if let last = allowed[run.step], wishes.allowances[run.step, default: 0] <= last {
            fail("\(run) repeats what may not be repeated, and nobody wanted it")
        }
        // A wish in the same commit may have come before or after.
        allowed[run.step] = before[run.step, default: 0]
    }

    /// Each edge is in it, with the newest that came out above, or what was pinned; of a retry, what it had.
    private func checkMaterial(_ run: RunID, _ row: Row, _ node: Plan.Node, in batch: Batch) {
        let last = self.row(RunID(run.step, attempt: run.attempt - 1))
        let wishes = simulation.wishes!
        let strangers = Set(row.inputs.keys).subtracting(node.inputs.map(\.port))
        if !strangers.isEmpty { fail("\(run) consumed \(strangers.sorted()), which it has no edges for") }
        for input in node.inputs {
            let newest = newest(run.step.workflow, input.producer + 1)
            let pinned = wishes.pins[run.step]?[input.port].map { "\(input.producer + 1).\($0).out" }
            var wanted: Set<String?> = [pinned ?? newest]
            if pinned == nil {
                for end in batch.runsEnded where end.run.step.index == input.producer + 1 {
                    wanted.insert("\(end.run.step.index).\(end.run.attempt - 1).out")
                }
            }
            if let last { wanted.insert(last.inputs[input.port]) }
            let got = row.inputs[input.port]
            if got == nil, !input.isOptional { fail("\(run) began without \(input.port), which it requires") }
            if !wanted.contains(got) {
                fail(
                    "\(run) consumed \(got ?? "nothing") as \(input.port); it should be \(wanted.map { $0 ?? "nothing" }.sorted())"
                )
            }
        }
        guard ![.ghost, .delay].contains(node.kind) else { return }
        let value = wishes.values[run.step] ?? node.value
        if row.value != value, last == nil || row.value != last?.value {
            fail("\(run) began with \(row.value ?? -1); it should be \(value)")
        }
    }

    /// The name of what a step gave last.
    private func newest(_ workflow: WorkflowID, _ step: Int) -> String? {
        reader.rows(
            """
            SELECT assets.step || '.' || assets.attempt || '.' || port FROM assets WHERE workflow = ?1 AND step = ?2 AND attempt =
            (SELECT max(attempt) FROM runs WHERE workflow = ?1 AND step = ?2 AND ending = 'succeeded')
            """, Int(workflow.number), step
        ) { $0.text(0) }.first
    }

    private func row(_ run: RunID) -> Row? {
        reader.rows(
            "SELECT kind, inputs, params, job FROM runs WHERE workflow = ? AND step = ? AND attempt = ?",
            Int(run.step.workflow.number),
            run.step.index, run.attempt
        ) { row in
            let inputs = (try? JSONReader.read(row.text(1)))?.object?.members ?? []
            return Row(
                kind: row.text(0),
                inputs: Dictionary(inputs.map { ($0.key, $0.value.string ?? "") }) { first, _ in first },
                value: (try? JSONReader.read(row.text(2)))?["v"]?.int,
                key: row.optionalText(3).flatMap { try? JSONReader.read($0) }?["key"]?.string)
        }.first
    }

    // MARK: Before anything happens outside

    /// What acts is on record, and goes on: whoever acts has committed that it will.
    func acts(_ run: RunID, _ what: String, for engine: String) {
        let isOpen =
            reader.rows(
                "SELECT ending IS NULL FROM runs WHERE workflow = ? AND step = ? AND attempt = ?",
                Int(run.step.workflow.number),
                run.step.index, run.attempt
            ) { $0.int(0) == 1 }.first
        guard isOpen == nil else { return }
        fail("\(engine) \(what) \(run), which is not on record")
    }

    /// A step that succeeded has done what it does: once, where it may not be done twice.
    func checkEffects() {
        for (workflow, plan) in simulation.plans {
            for (index, node) in plan.nodes.enumerated() where node.kind.isLocal || node.kind == .fetch {
                let step = StepID(workflow, index + 1)
                let succeeded = reader.rows(
                    "SELECT attempt FROM runs WHERE workflow = ? AND step = ? AND ending = 'succeeded'",
                    Int(workflow.number), step.index
                ) { RunID(step, attempt: $0.int(0)) }
                for run in succeeded where simulation.tools.effects[run, default: 0] == 0 {
                    fail("\(run) succeeded, and nothing was done")
                }
            }
        }
    }
}

extension Batch {
    fileprivate func isOver(_ run: RunID) -> Bool { runsEnded.contains { $0.run == run } }
}
