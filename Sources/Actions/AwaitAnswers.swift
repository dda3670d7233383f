import Consent
import Services
import Storage
import Tools
package import Vocabulary

/// The answers to questions about calls.
extension WorkflowActions {
    /// Stores the answer to an entry of the inbox, with the approvals that a yes gives.
    ///
    /// - Parameter isExplained: whether the reason of a no is still being typed. The no holds at once, and the engine
    ///   acts on it once `explain` is called, or after `Limits.reasonSeconds`.
    /// - Throws: `workflowHeld` for a workflow that is set aside.
    package func answer(
        _ record: AwaitRecord, _ answer: Answer, _ by: String, isExplained: Bool = false
    ) throws(Failure) -> AnswerOutcome {
        let (archive, now) = (try shared.archive.get(), OpenWorkspace.now())
        // The questions of an imported workflow were asked elsewhere, until the user releases it here.
        if let held = try archive.quarantined().first(where: { $0.workflow == record.step.workflow }) {
            throw Failure(
                .workflowHeld, "\(held.workflow) is set aside: \(held.reason)",
                remedy: held.cause == .imported
                    ? "Run 'assent release \(held.workflow)'." : "Run 'assent doctor --repair'.")
        }
        InboxActions(shared).know(record.number)
        if case .part(let paths) = answer { try narrow(record, to: paths) }
        let outcome = try archive.answer(
            record.number, answer, approvals: try approvals(for: record, answer, by, now), by: by, at: now,
            heldUntil: isExplained ? now + Limits.reasonSeconds : nil)
        shared.lookAgain()
        switch outcome {
        case .taken:
            if case .no = answer { forgetRehearsal(of: record) }
            return .taken
        case .alreadyAnswered(let resolution, let by, let at):
            return .alreadyAnswered(resolution: resolution, by: by, at: at)
        case .unknown: throw Failure(.unknownAwait, "There is no \(record.number) in the inbox.")
        }
    }

    /// Adds the reason to a no that was stored with `isExplained`.
    package func explain(_ record: AwaitRecord, _ reason: String) throws(Failure) {
        _ = try shared.archive.get().explain(record, reason)
        shared.lookAgain()
    }

    /// Returns what a yes authorises: the call of the question, and for a yes to the plan each call of the plan.
    private func approvals(
        for record: AwaitRecord, _ answer: Answer, _ by: String, _ now: Moment
    ) throws(Failure) -> [Approval] {
        guard answer == .yes || answer == .yesToPlan else { return [] }
        let records = WorkflowRecords(shared)
        // The answer may come from any folder. The policy is that of the workflow's own folder.
        guard let asking = try records.summary(record.step.workflow)?.record.workspace else {
            throw Failure(.unknownWorkflow, "There is no workflow \(record.step.workflow).")
        }
        let epoch = shared.policies.policy(of: asking).epoch
        func approval(_ digest: ContentHash, _ step: Int, isPlanned: Bool) -> Approval {
            Approval(
                digest: digest, isPlanned: isPlanned, step: StepID(record.step.workflow, step),
                awaitNumber: record.number, by: by, at: now,
                expiresAt: now + Limits.approvalSeconds, policyEpoch: epoch)
        }
        // A gate of the template asks about no call.
        guard record.type == .confirmCall else { return [approval(.ofNothing, record.step.index, isPlanned: false)] }
        let question = try records.question(record)
        var approvals = [approval(question.digest, record.step.index, isPlanned: false)]
        if answer == .yesToPlan { approvals += question.plan.map { approval($0.digest, $0.step, isPlanned: true) } }
        return approvals
    }

    // MARK: Rehearsals

    /// Removes the changes that the user did not choose from the rehearsal of a question.
    ///
    /// They are removed before the answer is stored. After a crash between the two, the question lists changes that do
    /// not exist any more, and a yes to it authorises nothing.
    private func narrow(_ record: AwaitRecord, to paths: [String]) throws(Failure) {
        guard let asking = try WorkflowRecords(shared).rehearsal(of: record), record.status != .done else { return }
        try shared.toolbox.get().narrowRehearsal(of: asking.run, workspace: asking.workspace, to: paths)
    }

    /// Removes the rehearsal of a question that was answered with no.
    private func forgetRehearsal(of record: AwaitRecord) {
        // The answer is stored already. A rehearsal that stays is removed with the other old ones.
        guard let asking = try? WorkflowRecords(shared).rehearsal(of: record), let toolbox = try? shared.toolbox.get()
        else { return }
        toolbox.forgetRehearsal(of: asking.run, workspace: asking.workspace)
    }
}
