import JSON
import Vocabulary

/// New graphs of workflows that the engine has not applied yet.
enum Graphs {
    /// The number of checks for a new graph. A running engine reads commands of another process within a fraction of a
    /// second.
    private static let looks = 20
    private static let pause = Duration.milliseconds(100)

    static func planned(of workflow: WorkflowID, in house: House) throws(Failure) -> House.Revision {
        guard let planned = try house.again.planned(workflow) else {
            throw Failure(
                .workflowUnreadable, "The graph of \(workflow) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        return planned
    }

    /// Returns whether the engine has applied a new graph. If an engine runs, it waits for a while, since the engine
    /// may also refuse the graph.
    ///
    /// - Throws: `revisionRefused`.
    static func isMade(_ number: Int, of workflow: WorkflowID, in house: House) async throws(Failure) -> Bool {
        for look in 0..<looks where look == 0 || house.look.hasEngine() {
            if look > 0 { try? await Task.sleep(for: pause) }
            let waits = try house.again.asked(workflow).contains { command in
                if case .revise(_, number - 1) = command.verb { true } else { false }
            }
            // The command is read first: it is removed in the commit that makes the revision.
            if try Find.workflow(workflow, in: house).record.graphRevision >= number { return true }
            guard waits else {
                let refusal = try house.look.history(workflow, nil).last {
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
