import Conversations
import JSON
import Vocabulary

/// A workflow that a call of a planner has started and that was followed until it rested, as the result of the call.
struct RestedWorkflow {
    let records: WorkflowRecords
    let id: WorkflowID
    let followed: Followed

    private var answers: PersonAnswers { PersonAnswers(look: records) }

    /// Returns the result of the call for the planner.
    func result() throws(Failure) -> CallResult {
        switch followed.outcome {
        case .succeeded:
            guard try WholeWorkflow(records: records, id: id, followed: followed).isWhole,
                try answers.isOnlyApproved(id)
            else { return .succeeded(json) }
            return .whole(.succeeded(json))
        // An answer of a person is the result of the call, but an approval is not.
        case .waiting: return answers.waits(id) ? .waiting(json) : .succeeded(json)
        case .failed, .cancelled:
            if let refusal = followed.failures.first(where: { ExitStatus(of: $0) == .denied }) {
                return .declined(try naming(refusal).message)
            }
            if followed.outcome == .cancelled, try records.isCancelledByPerson(id) {
                return .ended(Failure(.cancelled, "\(id) was cancelled by the person."), json)
            }
            let failure = followed.failures.first ?? Failure(.workflowFailed, "\(id) \(followed.outcome.rawValue).")
            return .ended(try naming(failure), json)
        }
    }

    /// The result of a question to the person: the answer itself.
    var answer: CallResult {
        switch followed.outcome {
        case .succeeded:
            let answer = answers.json(of: id)?.array?.last?["answer"]
            return .succeeded(answer ?? ["words": "left out: the answer may hold a key"])
        case .waiting:
            return .waiting([
                "answer": "not answered yet: the question waits in the inbox, and its answer comes as news"
            ])
        case .failed, .cancelled:
            let words = followed.failures.first?.message ?? "the question was \(followed.outcome.rawValue)"
            return .declined("The person did not answer: \(words)")
        }
    }

    /// Returns a failure that names its step, if there are several.
    private func naming(_ failure: Failure) throws(Failure) -> Failure {
        let steps = try records.steps(id)
        guard steps.count > 1,
            let step = steps.first(where: { $0.failure == failure })
        else { return failure }
        var failure = failure
        failure.message = "Step \(step.id.index) (\(step.node)): \(failure.message)"
        return failure
    }

    private var json: JSON {
        let told = ToldOutputs(records: records, workflow: id).json(of: followed.outputs)
        return .of([
            "workflow": .string(id.description), "outcome": .string(followed.outcome.rawValue),
            "commands": commands,
            "answers": answers.json(of: id),
            "made": batch.lacking > 0 ? .int(batch.made) : nil, "notMade": notMade,
            "partial": partial, "warnings": sentences(followed.warnings),
            "outputs": told["outputs"], "more": told["more"],
        ])
    }

    /// The commands that ended with another exit code than 0. Of a command that read what may hold keys, the code is left
    /// out.
    private var commands: JSON? {
        guard !followed.commands.isEmpty else { return nil }
        let telling = ToldSteps(records: records, workflow: id)
        let shown = followed.commands.prefix(Limits.outputsTold).map { command in
            JSON.of(["step": .int(command.step), "exit": telling.exit(command.code, of: command.step)])
        }
        let rest = followed.commands.count - shown.count
        return .array(shown + (rest > 0 ? [.string("… \(rest) more of \(followed.commands.count) …")] : []))
    }

    /// Returns the first of some sentences about steps, and the number of the others. Returns nil if there is no
    /// sentence.
    private func sentences(_ all: [String]) -> JSON? {
        let shown = all.prefix(Limits.outputsTold).map { JSON.string($0) }
        let rest = all.count - shown.count
        return shown.isEmpty ? nil : .array(shown + (rest > 0 ? [.string("… \(rest) more of \(all.count) …")] : []))
    }

    /// The results that were made and those that were not.
    private var batch: BatchSummary {
        guard let template = try? records.template(id), let steps = try? records.steps(id) else {
            return BatchSummary()
        }
        return BatchSummary(template, steps, records.catalogue())
    }

    /// The steps because of which results lack. Nil if the workflow has one result, whose failure is told already.
    private var notMade: JSON? {
        let batch = batch
        guard batch.lacking > 0, batch.made > 0 else { return nil }
        return sentences(batch.faults.map { fault in fault.file.map { "\($0): \(fault.words)" } ?? fault.words })
    }

    /// The parts that steps of the workflow left out, each with its step.
    private var partial: JSON? {
        var seen: Set<RunID> = []
        var all: [JSON] = []
        for asset in ((try? records.assets(id)) ?? []).ofLastAttempts
        where !asset.partial.isEmpty && seen.insert(asset.run).inserted {
            all += asset.partial.map { part in
                var object = part.json.object ?? JSON.Object()
                object["step"] = .int(asset.run.step.index)
                return .object(object)
            }
        }
        guard !all.isEmpty else { return nil }
        let rest = all.count - Limits.outputsTold
        return .array(all.prefix(Limits.outputsTold) + (rest > 0 ? [.string("… \(rest) more of \(all.count) …")] : []))
    }
}
