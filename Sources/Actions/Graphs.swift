import JSON
package import Vocabulary

/// New graphs of workflows that the engine has not applied yet.
package enum Graphs {
    /// The number of checks for a new graph. A running engine reads commands of another process within a fraction of a
    /// second.
    private static let looks = 100
    private static let pause = Duration.milliseconds(100)

    /// Returns the newest graph of a workflow, even if the engine has not applied it yet.
    package static func planned(of workflow: WorkflowID, in context: some UseCases) throws(Failure) -> WorkflowRevision
    {
        guard let planned = try context.again.planned(workflow) else {
            throw Failure(
                .workflowUnreadable, "The graph of \(workflow) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        return planned
    }

    /// Returns whether the engine has applied a new graph. If an engine runs, it waits for a while, since the engine
    /// may also refuse the graph.
    ///
    /// - Throws: `revisionRefused`.
    package static func isMade(_ number: Int, of workflow: WorkflowID, in context: some UseCases) async throws(Failure)
        -> Bool
    {
        for look in 0..<looks where look == 0 || context.look.hasEngine() {
            if look > 0 { try? await Task.sleep(for: pause) }
            let waits = try context.again.asked(workflow).contains { command in
                if case .revise(_, number - 1) = command.verb { true } else { false }
            }
            // The command is read first: it is removed in the commit that makes the revision.
            if try Find.workflow(workflow, in: context).record.graphRevision >= number { return true }
            guard waits else {
                let refusal = try context.look.history(workflow, nil).last {
                    $0.body["reason"]?.string == Code.revisionRefused.rawValue
                }
                throw Failure(
                    .revisionRefused, refusal?.body["words"]?.string ?? "The graph was not changed.",
                    remedy: "See 'assent why \(workflow)'.")
            }
        }
        return false
    }
}
