package import JSON
import Services
import Storage
package import Vocabulary

/// A workflow that was made from a guide.
package struct GuideRun: Sendable {
    let shared: OpenWorkspace
    package let guide: Guide
    /// The text of the guide, as it was when the workflow began.
    let text: String
    package let workflow: WorkflowID

    init(_ shared: OpenWorkspace, of guide: Guide, text: String, workflow: WorkflowID) {
        (self.shared, self.guide, self.text, self.workflow) = (shared, guide, text, workflow)
    }

    static func unknown(_ id: WorkflowID) -> Failure {
        Failure(.unknownWorkflow, "There is no workflow \(id).", remedy: "See 'assent list'.")
    }

    // MARK: State

    /// Returns the state of each step.
    package func record() throws(Failure) -> GuideRecord {
        GuideRecord(
            guide: guide, workflow: workflow, steps: try steps(),
            assets: try shared.archive.get().assets(of: workflow))
    }

    /// Returns the failures of the steps.
    package func failures() throws(Failure) -> [Failure] { try steps().compactMap(\.failure) }

    func steps() throws(Failure) -> [StepRecord] { try shared.archive.get().steps(of: workflow) }

    /// Returns the workflow as stored.
    func stored() throws(Failure) -> WorkflowRecord {
        guard let summary = try shared.archive.get().summaries(only: workflow).first else {
            throw Self.unknown(workflow)
        }
        return summary.record
    }

    /// Returns the id of the guide's step that an entry of the inbox asks for, or `nil` if there is no such step.
    func node(of record: AwaitRecord) throws(Failure) -> String? { try steps().first { $0.id == record.step }?.node }

    /// Returns whether an entry of the inbox is the review.
    package func isReview(_ record: AwaitRecord) throws(Failure) -> Bool { try node(of: record) == Guide.reviewID }

    /// Returns the answer that a step had before it was opened again, which is empty if it had none.
    package func earlierAnswer(to step: StepID) throws(Failure) -> [Asset] {
        guard let record = try steps().first(where: { $0.id == step }), record.attempt > 0 else { return [] }
        return try shared.archive.get().assets(of: step).filter { $0.run.attempt == record.attempt }
    }

    /// Returns the draft of a step that was closed because an earlier step was opened again, or `nil` if there is none.
    package func lostDraft(of record: AwaitRecord) throws(Failure) -> JSON? {
        let closed = try shared.archive.get().awaits(includingDone: true, at: OpenWorkspace.now()).filter {
            $0.step == record.step && $0.status == .done
        }
        guard let last = closed.max(by: { $0.number < $1.number }), last.resolution == "superseded" else { return nil }
        return last.draft
    }

    // MARK: Steps

    /// Returns the course of this run, from where it stands now.
    package func course() -> GuideCourse { GuideCourse(of: self) }

    /// Returns the course of this run with answers from a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file, as the person wrote it.
    ///   - replaces: whether stored answers that differ from the file are replaced. They are an error otherwise.
    package func replay(_ answers: AnswersFile, from path: String, replaces: Bool = false) -> GuideReplay {
        GuideReplay(of: self, answers, from: path, replaces: replaces)
    }

    /// Stores a text with the step that is asked. At the review the text belongs to the step, or to the picture of it,
    /// whose number stands before the text.
    ///
    /// - Returns: false if the text names no step at the review.
    package func annotate(_ words: String, at record: AwaitRecord) throws(Failure) -> Bool {
        let answers = GuideAnswers(shared)
        guard try isReview(record) else {
            try answers.annotate(record.step, part: nil, words)
            return true
        }
        guard let place = NotePlace(words), let entry = place.entry(of: try self.record()) else { return false }
        try answers.annotate(entry.record.id, part: place.part(of: entry), place.text)
        return true
    }

    /// Returns the answered or skipped step before the one that is asked.
    ///
    /// - Parameter name: the id or the number of the step. `nil` stands for the last one that is no note.
    /// - Returns: `nil` if there is none.
    package func answeredStep(_ name: String?, before record: AwaitRecord) throws(Failure) -> GuideRecord.Entry? {
        let all = try self.record().entries
        let place = all.firstIndex { $0.record.id == record.step } ?? all.count
        let earlier = all[..<place].filter { $0.state == .answered || $0.state == .skipped }
        guard let name else { return earlier.last { $0.step.kind != .note } }
        return earlier.last { $0.step.id == name || "\($0.number ?? 0)" == name }
    }

    /// Opens a step again. Later answers stay.
    func reopen(_ step: StepID) throws(Failure) {
        try Reruns(shared).command(workflow, .rerun(Rerun(step: step.index)), "person", nil)
    }
}
