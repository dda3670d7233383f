import JSON
import Services
package import Vocabulary

/// The end of a workflow, as its news and its report show it: its title, its results or the reason, and the verb that
/// helps.
package struct WorkflowEnd: Hashable, Sendable {
    package let id: WorkflowID
    package let outcome: Outcome
    /// The title, or an empty text if the workflow cannot be read.
    package let title: String
    /// The exit code of a command that ended with another one than 0, or nil.
    package let exit: Int?
    /// Whether the workflow succeeded with results whose inputs have changed since.
    package let isStale: Bool
    /// The results that were made, and those that were not.
    package let batch: BatchSummary
    package let outputs: [Event.Output]
    /// The reason why it failed, in one sentence, or nil if it did not fail.
    package let reason: String?
    package let offer: Offer
    /// Whether the workflow has an open entry in the inbox.
    package let isForPerson: Bool

    /// Reads the end of a workflow.
    package init(_ id: WorkflowID, _ outcome: Outcome, _ records: WorkflowRecords) throws(Failure) {
        (self.id, self.outcome) = (id, outcome)
        let (summary, steps) = (try records.summary(id), try records.steps(id))
        title = summary?.record.title ?? ""
        exit = outcome == .succeeded ? summary?.exit : nil
        isStale = outcome == .succeeded && summary?.isStale == true
        outputs = records.results(of: id)
        let (template, catalogue) = (try records.template(id), records.engineCatalogue())
        let batch = template.map { BatchSummary($0, steps, catalogue) } ?? BatchSummary()
        self.batch = batch
        let failed = steps.first { $0.failure != nil }
        let open = try records.awaits(false).first { $0.step.workflow == id }
        isForPerson = open != nil
        offer = Self.offer(id, failed, batch, open, catalogue)
        reason = outcome == .failed ? Self.reason(batch.faults.first, failed?.failure) : nil
    }

    private static func offer(
        _ id: WorkflowID, _ failed: StepRecord?, _ batch: BatchSummary, _ open: AwaitRecord?, _ catalogue: Catalogue
    ) -> Offer {
        var circumstances = Offer.Circumstances()
        circumstances.isTransient = failed?.failure?.isTransient ?? false
        if batch.isGatheringHeldUp { circumstances.gatheredFile = batch.faults.lazy.compactMap(\.file).first }
        if let kind = failed?.kind, let tool = catalogue[kind], case .job(let action) = tool.action {
            circumstances.provider = action.provider
        }
        if open?.type == .connect, let provider = open?.question?["provider"]?.string {
            circumstances.provider = provider
            return Offer(.ours(.keyMissing), of: id, circumstances)
        }
        circumstances.waiting = open?.number
        return Offer(batch.faults.first?.code ?? failed?.failure?.code, of: id, circumstances)
    }

    /// Returns the reason of a failure, with the name of the file that it is about.
    private static func reason(_ fault: BatchSummary.Fault?, _ failure: Failure?) -> String? {
        guard let words = fault?.words ?? failure?.message else { return nil }
        guard let file = fault?.file, !words.contains(file) else { return words }
        return "\(file): \(words)"
    }
}
