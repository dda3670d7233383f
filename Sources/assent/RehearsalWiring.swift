import Console
import Services
import Storage
import Tools
import Vocabulary

/// What the console asks about commands that were rehearsed: their texts, that one is forgotten, that one is taken back.
extension Wiring {
    /// Of the attempt that waits for an answer.
    func texts(of record: AwaitRecord, _ question: Question) -> [Int: TextChange] {
        guard let (run, workspace) = try? asking(record), let toolbox = try? toolbox.get() else { return [:] }
        return toolbox.texts(of: question.call, run: run, workspace: workspace)
    }

    /// After a no nothing is left to be applied.
    func forgetRehearsal(of record: AwaitRecord) {
        guard let (run, workspace) = try? asking(record), let toolbox = try? toolbox.get() else { return }
        toolbox.forgetRehearsal(of: run, workspace: workspace)
    }

    /// What is not chosen is dropped before the answer is stored: a crash between the two leaves a question that asks for more than there
    /// is, and a yes to it authorises nothing.
    func narrow(_ record: AwaitRecord, to paths: [String]) throws(Failure) {
        guard let (run, workspace) = try asking(record), record.status != .done else { return }
        try toolbox.get().narrowRehearsal(of: run, workspace: workspace, to: paths)
    }

    private func asking(_ record: AwaitRecord) throws(Failure) -> (RunID, workspace: String)? {
        let archive = try archive.get()
        guard let summary = try archive.summaries(only: record.step.workflow).first,
            let step = try archive.steps(of: record.step.workflow).first(where: { $0.id == record.step })
        else { return nil }
        // It waits before its next attempt.
        return (RunID(record.step, attempt: step.attempt + 1), summary.record.workspace)
    }

    /// Takes back the newest attempt of a step that changed something.
    ///
    /// - Parameter step: its number; `nil` where only one can be meant.
    /// - Throws: `nothingToUndo`; `badUsage` where several steps can be meant; `targetChanged`.
    func undo(_ workflow: WorkflowID, step: Int?, by: String) throws(Failure) -> House.Undone {
        let (archive, toolbox) = (try archive.get(), try toolbox.get())
        guard let summary = try archive.summaries(only: workflow).first else {
            throw Failure("unknownWorkflow", "There is no workflow \(workflow).", remedy: "See 'assent list'.")
        }
        let workspace = summary.record.workspace
        let candidates = try archive.steps(of: workflow).filter { step == nil || $0.id.index == step }.compactMap { record in
            (1...max(1, record.attempt)).reversed().map { RunID(record.id, attempt: $0) }
                .first { toolbox.canUndo($0, workspace: workspace) }
        }
        guard let run = candidates.first else {
            throw Failure(
                "nothingToUndo", "Nothing that \(step.map { "step \($0) of " } ?? "")\(workflow) did is kept to be taken back.",
                remedy: "See 'assent show \(workflow)'.")
        }
        guard candidates.count == 1 else {
            let steps = candidates.map { String($0.step.index) }.joined(separator: ", ")
            throw Failure("badUsage", "Several steps can be taken back: \(steps).", remedy: "Say which: assent undo \(workflow) STEP")
        }
        let changes = try toolbox.undo(run, workspace: workspace)
        let reason = Reason("undone", "What step \(run.step.index) had changed was taken back.")
        try archive.append(Event(at: Self.now(), workflow: workflow, step: run.step.index, .workflowChanged(reason, by: by)))
        return House.Undone(step: run.step.index, changes: changes)
    }
}
