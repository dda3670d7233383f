import Services
import Storage
import Tools
import Vocabulary

/// The answers to what the console asks about commands that were rehearsed: their texts, and that one is forgotten.
extension OpenWorkspace {
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

    /// What is not chosen is dropped before the answer is stored: a crash between the two leaves a question that asks
    /// for more than there is, and a yes to it authorises nothing.
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
}
