import Files
import JSON
import Services
import Storage
import Tools
package import Vocabulary

extension Limits {
    /// The most events of a workflow from which a package is made.
    fileprivate static let packageEvents = 100_000
}

/// The package of a run: the answers, the pictures and a report, as one zip file.
extension GuideRun {
    /// Makes the package of a run that is over.
    ///
    /// - Parameter asItIs: whether the package is made although a file keeps its metadata, or may hold keys.
    /// - Returns: the zip file as a content of the store.
    /// - Throws: `notOver`, `metadataLeft`, `private`.
    package func makePackage(asItIs: Bool) async throws(Failure) -> MadePackage {
        let (workflow, record) = (try stored(), try record())
        try refuseUnfinished(workflow, record)
        let rows = try rows(workflow, record)
        let id = self.workflow
        let made = try await shared.withToolbox { toolbox throws(Failure) in
            let (kept, package) = try toolbox.add(rows)
            let asset = Asset(
                run: RunID(StepID(id, 0), attempt: 0), port: "package", type: .file, hash: kept.hash,
                bytes: kept.bytes, name: package.fileName)
            return MadePackage(
                content: asset, name: package.fileName,
                uncut: package.uncut.map { .init(file: $0.file, reason: $0.reason) })
        }
        if !asItIs { try refuseLeaks(made, record) }
        return made
    }

    private func rows(_ workflow: WorkflowRecord, _ record: GuideRecord) throws(Failure) -> GuidePackage.Rows {
        let events = try shared.archive.get().events(of: self.workflow, limit: Limits.packageEvents)
        let steps = Dictionary(record.entries.map { ($0.record.id.index, $0.step.id) }) { first, _ in first }
        let annotations = events.compactMap { event -> GuidePackage.Annotation? in
            guard event.type == "step.annotated", let id = event.step.flatMap({ steps[$0] }),
                let text = event.body["text"]?.string
            else {
                return nil
            }
            return GuidePackage.Annotation(step: id, part: event.body["part"]?.string, text: text)
        }
        return GuidePackage.Rows(
            workflow: workflow, record: record, guide: text, events: events, annotations: annotations,
            program: "assent \(ProgramVersion.text)")
    }

    private func refuseUnfinished(_ workflow: WorkflowRecord, _ record: GuideRecord) throws(Failure) {
        let id = workflow.id
        if let outcome = workflow.outcome, outcome == .failed || outcome == .cancelled {
            throw Failure(
                .notOver, "\(id) was \(outcome.rawValue), so it has no package.",
                remedy: "'assent retry \(id)' takes it up again.")
        }
        let open = record.entries.filter { [.open, .asked].contains($0.state) }
        if let first = open.first {
            let (count, verb) = (Amounts.count(open.count, "step"), open.count == 1 ? "is" : "are")
            throw Failure(
                .notOver, "\(count) of \(id) \(verb) not answered: \(first.step.title)…",
                remedy: "Go on with 'assent guide run \(id)'.")
        }
        guard workflow.outcome == .succeeded else {
            throw Failure(
                .notOver, "The review of \(id) is not over.", remedy: "Go on with 'assent guide run \(id)'.")
        }
        if GuideReview(of: try steps())?.isOld ?? false {
            throw Failure(
                .notOver, "A step of \(id) was answered again after the review.",
                remedy: "Look it over again with 'assent guide run \(id)'.")
        }
    }

    /// Throws if a file of the package may hold keys, or has metadata that the guide wants removed and that cannot be
    /// removed.
    private func refuseLeaks(_ made: MadePackage, _ record: GuideRecord) throws(Failure) {
        let remedy =
            "Answer that step again with another file ('assent guide run \(workflow)' before the review is over), "
            + "or say --as-it-is."
        if let uncut = made.uncut.first {
            throw Failure(
                .metadataLeft, "The metadata of \(uncut.file) cannot be cut: \(uncut.reason).", remedy: remedy)
        }
        let store = try shared.toolbox.get().store
        for medium in record.answered.flatMap(\.media) where store.isPrivate(medium.asset.hash) {
            throw Failure(.private, "\(medium.asset.name.prefix(60)) may hold keys.", remedy: remedy)
        }
    }
}
