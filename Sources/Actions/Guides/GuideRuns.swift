import Services
import Storage
package import Vocabulary
import Workflows

extension Limits {
    /// The newest active workflows among which a run of a guide is searched.
    fileprivate static let openGuides = 100
}

/// The use cases of guides: their files, their runs, and the packages of their runs.
package struct GuideRuns: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases for what this process has open.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// The files of guides.
    package var shelf: GuideShelf { GuideShelf(shared) }
    /// The store of the person's answers.
    package var answers: GuideAnswers { GuideAnswers(shared) }
    /// The camera, the clipboard and the voice.
    package var devices: GuideDevices { GuideDevices(shared) }

    /// Returns the run of a guide that a workflow is.
    ///
    /// - Throws: `unknownWorkflow`, or `badUsage` if the workflow was not made from a guide.
    package func run(_ id: WorkflowID) throws(Failure) -> GuideRun {
        let records = WorkflowRecords(shared)
        guard try records.summary(id) != nil else { throw GuideRun.unknown(id) }
        guard let text = try records.template(id)?.guide,
            let guide = shelf.read(text, file: "\(id)").guide
        else {
            throw Failure(.badUsage, "\(id) was not made from a guide.", remedy: "See 'assent guide list'.")
        }
        return GuideRun(shared, of: guide, text: text, workflow: id)
    }

    /// Returns the newest unfinished workflow of a guide in this folder, or `nil` if there is none.
    package func newestOpen(of guide: Guide) throws(Failure) -> WorkflowSummary? {
        let active = WorkflowQuery(
            filter: .active, order: .number, words: nil, workspace: shared.workspace, limit: Limits.openGuides)
        // A workflow that was not made from a guide is another one.
        return try shared.archive.get().listed(active).shown.first { (try? run($0.record.id))?.guide.id == guide.id }
    }
}
