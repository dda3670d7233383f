@testable import Files
import Harness
import JSON
import Testing
@testable import Tools
@testable import Undo
import Vocabulary

extension Lab {
    /// Undoes what the runs of this lab changed, as the engine would for the step of an undo workflow.
    ///
    /// - Parameters:
    ///   - request: what is undone: all of w3, unless said.
    ///   - workflow: the number of the workflow that undoes.
    func undo(_ request: UndoRequest = UndoRequest(workflow: WorkflowID(3)), by workflow: Int = 9, attempt: Int = 1)
        async throws
        -> RunEnding
    {
        let assignment = try undoAssignment(request, by: workflow, attempt: attempt)
        let toolbox = toolbox
        return await onThread { toolbox.run(assignment, call: nil, cancel: Cancellation()) }
    }

    func undoAssignment(
        _ request: UndoRequest = UndoRequest(workflow: WorkflowID(3)), by workflow: Int = 9, attempt: Int = 1
    ) throws -> Assignment {
        Assignment(
            run: RunID(StepID(WorkflowID(Int64(workflow)), 1), attempt: attempt), manifest: .undo,
            params: JSON.of(["request": .string(try toolbox.undo.add(request))]).object ?? JSON.Object(), inputs: [],
            outputs: nil,
            workspace: workspace, runFolder: "\(own.data)/runs/w\(workflow)/1-\(attempt)")
    }
}
