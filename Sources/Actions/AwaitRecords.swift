import Consent
import Services
import Storage
import Tools
package import Vocabulary

/// The entries of the inbox, with their questions and the commands that they rehearsed.
extension WorkflowRecords {
    /// Returns the entries of the inbox. A claim of a process that has ended counts as released.
    package func awaits(_ includingDone: Bool) throws(Failure) -> [AwaitRecord] {
        try shared.archive.get().awaits(includingDone: includingDone, at: OpenWorkspace.now()).map(shared.awake)
    }

    /// Returns one entry of the inbox, or nil if there is none of this number.
    package func awaitNumbered(_ number: Int64) throws(Failure) -> AwaitRecord? {
        try shared.archive.get().await(numbered: number).map(shared.awake)
    }

    /// Returns the question of an entry about a call.
    ///
    /// - Throws: `digestMismatch` if the call no longer has the digest of the entry.
    package func question(_ record: AwaitRecord) throws(Failure) -> Question {
        guard let stored = record.question else {
            throw Failure(.badUsage, "\(record.number) is no question of a call: it is \(record.type.rawValue).")
        }
        let question = try Question(json: stored)
        guard question.digest == record.digest else {
            throw Failure(.digestMismatch, "The stored question does not belong to this entry.")
        }
        return question
    }

    /// Returns both sides of the texts that the call of a question would change, by the number of the target. Blocks
    /// while it reads them.
    package func texts(_ record: AwaitRecord, _ question: Question) -> [Int: TextChange] {
        // Without the rehearsal the question still stands. It is then shown without texts.
        guard let asking = try? rehearsal(of: record), let toolbox = try? shared.toolbox.get() else { return [:] }
        return toolbox.texts(of: question.call, run: asking.run, workspace: asking.workspace)
    }

    /// Returns what the rehearsed command of a question printed, without keys. It is nil if nothing was printed, or
    /// if it may hold keys.
    package func printed(_ question: Question) -> String? {
        guard case .done(let played) = question.call.rehearsal else { return nil }
        let records = WorkflowRecords(shared)
        let hash = played.outputBytes > 0 ? played.output : played.errors
        guard let hash, !records.isPrivate(hash), let text = records.text(hash) else { return nil }
        return shared.keyRing.filter.cut(text)
    }

    /// Returns the attempt whose rehearsal an entry asks about, and the folder of its workflow.
    func rehearsal(of record: AwaitRecord) throws(Failure) -> (run: RunID, workspace: String)? {
        let archive = try shared.archive.get()
        guard let summary = try archive.summaries(only: record.step.workflow).first,
            let step = try archive.steps(of: record.step.workflow).first(where: { $0.id == record.step })
        else { return nil }
        // The step waits before its next attempt.
        return (RunID(record.step, attempt: step.attempt + 1), summary.record.workspace)
    }
}
