import JSON
import Storage
import Vocabulary

/// A workflow that has succeeded, as far as it did all of what its planner foresaw: each command ended with 0, the
/// person refused and changed nothing, and nothing was left out, warned of or saved under another name.
struct WholeWorkflow {
    let records: WorkflowRecords
    let id: WorkflowID
    let followed: Followed

    /// The things that a command did not get, by their key in the metadata of the output.
    private static let lacking = ["refused", "notSeen", "programNotAllowed", "thrownAway", "ended"]

    var isWhole: Bool {
        get throws(Failure) {
            guard followed.outcome == .succeeded, followed.warnings.isEmpty, followed.failures.isEmpty,
                let summary = try records.summary(id), summary.record.graphRevision == 1
            else { return false }
            let assets = try records.assets(id).ofLastAttempts
            for step in try records.steps(id) {
                guard step.state == .succeeded, step.edits == nil, let run = try records.runs(step.id).last,
                    run.kind != .person
                else { return false }
                // A taken name becomes another one.
                let paths = run.params.members.compactMap { $0.value.string }.flatMap { path in
                    [path, "\(summary.record.workspace)/\(path)"]
                }
                let made = assets.filter { $0.run.step == step.id }
                guard made.allSatisfy({ Self.isWhole($0, namedBy: paths) }) else { return false }
            }
            return true
        }
    }

    private static func isWhole(_ asset: Asset, namedBy paths: [String]) -> Bool {
        asset.partial.isEmpty && asset.warning == nil && asset.meta["exit"]?.int ?? 0 == 0
            && lacking.allSatisfy { asset.meta[$0]?.isNull ?? true }
            && (asset.meta["path"]?.string.map(paths.contains) ?? true)
    }
}
