package import Conversations
package import JSON
package import Vocabulary

extension Limits {
    /// The last lines of a log in the result of a model's call.
    fileprivate static let logLinesTold = 40
}

/// The answer of `show_workflow` to a model: a workflow with its steps, outputs and failures, one step with its log, or
/// one output from a byte on.
package struct WorkflowReading {
    let records: WorkflowRecords
    let reruns: Reruns
    let summary: WorkflowSummary

    /// Creates the reading of one workflow.
    package init(records: WorkflowRecords, reruns: Reruns, summary: WorkflowSummary) {
        (self.records, self.reruns, self.summary) = (records, reruns, summary)
    }

    private var id: WorkflowID { summary.record.id }

    private var telling: ToldSteps { ToldSteps(records: records, workflow: id) }

    /// Returns the part of the workflow that a model asked for.
    ///
    /// - Throws: `unknownStep`, `unknownOutput`, `badArguments`.
    package func json(of part: WorkflowPart) throws(Failure) -> JSON {
        let steps = try records.steps(id)
        if part.output == nil, part.offset == nil {
            guard let name = part.step else { return try whole(steps) }
            return try json(of: try Self.step(name, in: steps, of: id))
        }
        let step = try step(of: part, in: steps)
        return try page(of: part, step)
    }

    /// Returns the step with this number or node id.
    package static func step(_ name: String, in steps: [StepRecord], of id: WorkflowID) throws(Failure) -> StepRecord {
        if let number = Int(name), let step = steps.first(where: { $0.id.index == number }) { return step }
        guard let step = steps.first(where: { $0.node == name }) else {
            throw Failure(.unknownStep, "\(id) has no step \"\(name)\".")
        }
        return step
    }

    /// Returns the step whose output is read. The call need not name it if the workflow has only one step.
    private func step(of part: WorkflowPart, in steps: [StepRecord]) throws(Failure) -> StepRecord {
        if let name = part.step { return try Self.step(name, in: steps, of: id) }
        guard steps.count == 1 else {
            throw Failure(.badArguments, "\(id) has \(steps.count) steps: \"step\" says of which an output is read.")
        }
        return steps[0]
    }

    private func whole(_ steps: [StepRecord]) throws(Failure) -> JSON {
        let told = ToldOutputs(records: records, workflow: id).json(of: outputs(try records.assets(id)))
        let rest = steps.count - Limits.stepsTold
        return .of([
            "workflow": summary.toldJSON,
            "steps": .array(steps.prefix(Limits.stepsTold).map(telling.json)),
            "cut": rest > 0
                ? .string(
                    "\(rest) of \(steps.count) steps are left out: \(ToldOutputs.reading(id, step: Limits.stepsTold + 1)) shows one"
                )
                : nil,
            "outputs": told["outputs"], "more": told["more"],
        ])
    }

    private func json(of step: StepRecord) throws(Failure) -> JSON {
        let made = try records.assets(step.id)
        let told = ToldOutputs(records: records, workflow: id).json(of: outputs(made))
        // The outputs already contain the streams of a command.
        let text = made.contains(where: \.isOfCommand) ? nil : try? log(of: step)
        let lines = text.map { LogTail.lines($0.text) } ?? []
        let shown = lines.suffix(Limits.logLinesTold)
        return .of([
            "step": telling.json(of: step), "outputs": told["outputs"], "more": told["more"],
            "log": lines.isEmpty ? nil : .string(shown.joined(separator: "\n")),
            "cut": lines.count > shown.count
                ? .string(
                    "\(lines.count - shown.count) of \(lines.count) lines of the log are left out. Read on: "
                        + ToldOutputs.reading(id, step: step.id.index, output: "log"))
                : nil,
        ])
    }

    /// Returns the outputs of each step's last attempt that made any.
    private func outputs(_ assets: [Asset]) -> [ToldOutputs.Output] {
        assets.ofLastAttempts.filter { !$0.isEmptyErrors }.map(ToldOutputs.Output.init)
    }

    private func page(of part: WorkflowPart, _ step: StepRecord) throws(Failure) -> JSON {
        let told = ToldOutputs(records: records, workflow: id)
        if part.output == "log" {
            return told.page(of: "log", in: try log(of: step), step: step.id.index, from: part.offset ?? 0)
        }
        let made = outputs(try records.assets(step.id))
        guard let output = part.output.map({ name in made.first { $0.port == name } }) ?? made.first(where: \.isText)
        else {
            let known = made.map(\.port).joined(separator: ", ")
            throw Failure(
                .unknownOutput,
                "Step \(step.id.index) of \(id) has no output \(part.output.map { "\"\($0)\"" } ?? "that is a text").",
                remedy: "It has \(known.isEmpty ? "none" : known), and log.")
        }
        guard output.isText, !records.isPrivate(output.hash), let text = records.heardText(output.hash) else {
            let why =
                records.isPrivate(output.hash)
                ? "it comes of a file that may hold keys" : "it is not a text that is here"
            throw Failure(
                .unknownOutput, "The output \"\(output.port)\" of step \(step.id.index) cannot be read: \(why).")
        }
        return told.page(of: output.port, in: text, step: step.id.index, from: part.offset ?? 0)
    }

    /// Returns the log of the last run of a step, without keys. The log of a command is its standard error.
    ///
    /// - Throws: `unknownOutput` if the run has no log, or if it used a file that may hold keys.
    private func log(of step: StepRecord) throws(Failure) -> HeardText {
        let run = try records.runs(step.id).last
        let made = try records.assets(step.id).filter { $0.run == run?.id }
        let contents = (run?.inputs.values.map(\.hash) ?? []) + made.map(\.hash)
        guard !contents.contains(where: records.isPrivate) else {
            throw Failure(
                .unknownOutput,
                "The log of step \(step.id.index) of \(id) cannot be read: it comes of a file that may hold keys.")
        }
        let errors = made.first { $0.isOfCommand && $0.port == "errors" }
        let text =
            if let errors { records.text(errors.hash) } else { run.flatMap { LogTail.text(of: $0, in: reruns) } }
        guard let text, !text.isEmpty else {
            throw Failure(
                .unknownOutput, "Step \(step.id.index) of \(id) has no log: nothing was logged, or it is not kept.")
        }
        return HeardText(text)
    }
}
