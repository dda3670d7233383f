package import JSON
package import Vocabulary

/// A pin of a step's input to a run of its producer (`semantics.md` 20), such as `blur.image=2` or `3.image=latest`.
package struct InputPin {
    let step: StepRecord
    let port: String
    /// The number of the run, or nil for the newest.
    let attempt: Int?

    /// Reads a pin.
    ///
    /// - Throws: `badUsage`, with the possible choices.
    package init(_ place: String, attempt: Int?, latest: Bool, of workflow: WorkflowID, in context: some UseCases)
        throws(Failure)
    {
        let (_, steps, _) = try Find.steps(of: workflow, nil, in: context)
        let remedy = "Write STEP.PORT=RUN or STEP.PORT=latest: 'assent pin \(workflow) 3.image=1'"
        let parts = place.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let dot = parts[0].firstIndex(of: "."), parts.count == 1 || (attempt == nil && !latest),
            attempt == nil || !latest
        else {
            throw Failure(.badUsage, "\"\(place)\" names no input and run.", remedy: remedy)
        }
        step = try Find.step(String(parts[0][..<dot]), in: steps, of: workflow, context)
        port = String(parts[0][parts[0].index(after: dot)...])
        switch (parts.count == 2 ? parts[1] : nil, attempt, latest) {
        case ("latest", _, _), (nil, nil, true): self.attempt = nil
        case (let written?, _, _):
            guard let number = Int(written), number > 0 else {
                throw Failure(.badUsage, "\"\(written)\" is no run.", remedy: remedy)
            }
            self.attempt = number
        case (nil, let number?, _): self.attempt = number
        case (nil, nil, false): throw Failure(.badUsage, "Which run it is to take is not said.", remedy: remedy)
        }
        try check(steps, in: context)
    }

    private func check(_ steps: [StepRecord], in context: some UseCases) throws(Failure) {
        let workflow = step.id.workflow
        let edges = try context.look.template(workflow)?.edges.filter { $0.to.node == step.node } ?? []
        guard let edge = edges.first(where: { $0.to.port == port }),
            let producer = steps.first(where: { $0.node == edge.from.node })
        else {
            let ports = edges.map(\.to.port).sorted().joined(separator: ", ")
            throw Failure(
                .badUsage, "Nothing feeds an input \"\(port)\" of step \(step.id.index) (\(step.node)).",
                remedy: ports.isEmpty ? "See 'assent show \(workflow)'." : "It has \(ports).")
        }
        guard let attempt else { return }
        let made = try context.look.assets(producer.id).filter { $0.port == edge.from.port }.map(\.run.attempt)
        guard made.contains(attempt) else {
            let runs = made.map(String.init).joined(separator: ", ")
            throw Failure(
                .badUsage,
                "Run \(attempt) of step \(producer.id.index) (\(producer.node)) gave no \"\(edge.from.port)\".",
                remedy: runs.isEmpty ? "It has given none yet." : "Runs that did: \(runs).")
        }
    }

    /// The command that pins the input.
    package var verb: Command.Verb { .pin(step: step.id.index, port: port, attempt: attempt) }

    /// The effect in a sentence.
    package var words: String {
        "Input \"\(port)\" of step \(step.id.index) (\(step.node)) takes \(attempt.map { "run \($0) of its producer" } ?? "the newest again")."
    }

    /// Returns the pin for programs.
    package func json(of workflow: WorkflowID) -> JSON {
        .of([
            "workflow": .string(workflow.description), "step": .int(step.id.index), "port": .string(port),
            "attempt": attempt.map { .int($0) }, "pinned": .bool(attempt != nil),
        ])
    }
}
