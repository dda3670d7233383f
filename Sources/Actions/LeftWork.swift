import Services
import Storage
package import Vocabulary

extension Limits {
    /// The most workflows of which leaving says what becomes of them.
    fileprivate static let leftWorkflows = 6
}

/// The workflows of a folder that are under way when a person leaves, and what becomes of each.
package struct LeftWork {
    private let records: WorkflowRecords

    /// Creates a reader of what one process has open.
    package init(_ records: WorkflowRecords) { self.records = records }

    /// Returns a sentence about each of the newest workflows of this folder that are under way, such as `w3 "wait":
    /// pauses until you come back, or until 'assent work' goes on with it`, and the number of the others.
    package func sentences() throws(Failure) -> [String] {
        let query = WorkflowQuery(
            filter: .active, workspace: records.shared.workspace, limit: Limits.leftWorkflows)
        guard let listed = try records.shared.archive.ifMade?.listed(query) else { return [] }
        let rest = listed.count - listed.shown.count
        let sentences = try listed.shown.map { summary throws(Failure) in
            "\(summary.record.id) \"\(summary.record.title.withSignsForControls)\": \(try end(of: summary))"
        }
        return sentences + (rest > 0 ? ["and \(rest) more: 'assent list'"] : [])
    }

    private func end(of summary: WorkflowSummary) throws(Failure) -> String {
        let id = summary.record.id
        if let holder = try records.holder(of: id) { return "goes on in process \(holder.process)" }
        return Self.end(of: try records.steps(id), waits: summary.openAwaits > 0) { kind in
            guard let tool = records.engineCatalogue()[kind], case .job(let action) = tool.action else { return nil }
            return action.provider
        }
    }

    /// Returns what becomes of a workflow without a process.
    ///
    /// - Parameters:
    ///   - waits: whether it has open entries in the inbox.
    ///   - provider: returns the provider of a kind, or nil for a kind of this machine.
    static func end(of steps: [StepRecord], waits: Bool, provider: (String) -> String?) -> String {
        if let remote = steps.first(where: { [.queuedRemote, .runningRemote].contains($0.state) }) {
            return "runs on at \(provider(remote.kind) ?? "its provider"); its result is fetched when you come back"
        }
        if steps.contains(where: { $0.state == .runningLocal && $0.dueAt == nil || $0.reason?.code == .rehearsal }) {
            return "what runs now is ended, and begins again when you come back"
        }
        return waits ? "waits for you" : "pauses until you come back, or until 'assent work' goes on with it"
    }
}
