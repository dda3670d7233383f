package import Vocabulary

/// Lookups by the names that users type.
package enum Find {
    /// Returns the bytes of a template, which is named, or else read from a file.
    package static func template(_ name: String, in context: some UseCases) throws(Failure) -> [UInt8] {
        let templates = context.templates()
        if let known = templates.first(where: { $0.name == name }) { return try context.act.readFile(known.path) }
        do throws(Failure) {
            return try context.act.readFile(name)
        } catch {
            guard error.code == .unknownFile, !templates.isEmpty, !name.contains("/") else { throw error }
            throw Failure(
                error.code, error.message,
                remedy: "No template is called so either; they are \(templates.map(\.name).joined(separator: ", ")).")
        }
    }

    /// Returns an earlier workflow as the source of a new run. Returns nil if the word is not `w3`, or if a template or
    /// a file has that name.
    package static func earlier(_ word: String, in context: some UseCases) throws(Failure) -> RepeatedRun? {
        guard word.hasPrefix("w"), let id = WorkflowID(parsing: word),
            !context.templates().contains(where: { $0.name == word })
        else { return nil }
        do throws(Failure) {
            _ = try context.act.readFile(word)
            return nil
        } catch {
            guard error.code == .unknownFile else { return nil }
        }
        if let earlier = try context.again.repeated(id) { return earlier }
        throw Failure(
            .badUsage, "\(id) is of another folder, where its files are.",
            remedy: "Change to that folder, or see 'assent show \(id)'.")
    }

    /// Returns the inputs of a template. The list is empty if the template cannot be read.
    package static func inputs(of entry: TemplateEntry, in context: some UseCases) -> [Template.WorkflowInput] {
        (try? context.act.readFile(entry.path)).flatMap { context.act.check($0).template?.inputs } ?? []
    }

    /// Returns a workflow. Throws `unknownWorkflow` if there is none.
    package static func workflow(_ id: WorkflowID, in context: some UseCases) throws(Failure) -> WorkflowSummary {
        guard let summary = try context.look.summary(id) else {
            throw Failure(.unknownWorkflow, "There is no workflow \(id).", remedy: "See 'assent list'.")
        }
        return summary
    }

    /// Returns a workflow with its steps and, if a step was named, its number.
    package static func steps(
        of id: WorkflowID, _ name: String?, in context: some UseCases
    ) throws(Failure) -> (summary: WorkflowSummary, steps: [StepRecord], number: Int?) {
        let summary = try workflow(id, in: context)
        let steps = try context.look.steps(id)
        return (
            summary, steps, try name.map { name throws(Failure) in try step(name, in: steps, of: id, context).id.index }
        )
    }

    /// Returns the failure for an action on a workflow that has ended. Its remedy says what is still possible.
    package static func isOver(_ id: WorkflowID, _ outcome: Outcome) -> Failure {
        let remedy: String =
            switch outcome {
            case .failed, .cancelled: "'assent retry \(id)' takes it up again; 'assent why \(id)' says what happened."
            case .succeeded, .waiting: "'assent rerun \(id) STEP' runs a step of it again."
            }
        return Failure(.badUsage, "\(id) is over: \(outcome.rawValue).", remedy: remedy)
    }

    /// Returns a step by its number, by its id, or, if it has no row of its own, by the file that it loads or saves.
    package static func step(
        _ name: String, in steps: [StepRecord], of workflow: WorkflowID, _ context: some UseCases
    ) throws(Failure) -> StepRecord {
        if let number = Int(name), let step = steps.first(where: { $0.id.index == number }) { return step }
        if let step = steps.first(where: { $0.node == name }) { return step }
        let numbers = try context.look.steps(of: workflow, at: name)
        let named = steps.filter { numbers.contains($0.id.index) }
        guard named.count < 2 else {
            throw Failure(
                .badUsage, "Several steps of \(workflow) have the file \"\(name)\".",
                remedy: "Name one: \(NameList.words(named.map(\.node))).")
        }
        guard let step = named.first else {
            throw Failure(.badUsage, "\(workflow) has no step \"\(name)\".", remedy: "See 'assent show \(workflow)'.")
        }
        return step
    }

    /// Returns a step of a workflow that may be missing.
    package static func step(_ name: String, of workflow: WorkflowID, in context: some UseCases) throws(Failure)
        -> StepRecord
    {
        _ = try self.workflow(workflow, in: context)
        return try step(name, in: context.look.steps(workflow), of: workflow, context)
    }

    /// Returns an entry of the inbox. Throws `unknownAwait` if there is none.
    package static func await(_ number: Int64, in context: some UseCases) throws(Failure) -> AwaitRecord {
        guard let record = try context.look.awaitNumbered(number) else {
            throw Failure(.unknownAwait, "There is no \(number) in the inbox.", remedy: "See 'assent inbox'.")
        }
        return record
    }
}
