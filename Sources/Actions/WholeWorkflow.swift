import JSON
import Services
import Storage
import Vocabulary

/// A workflow that has succeeded, as far as it did all of what its planner foresaw: each command ended with 0, the
/// person refused and changed nothing, and nothing was left out, warned of or saved under another name.
struct WholeWorkflow {
    let records: WorkflowRecords
    let id: WorkflowID
    let followed: Followed

    /// The kinds whose success is all that was asked for. Others may find nothing, do a part, or choose something by
    /// themselves, such as a size or a folder, which only their results say.
    private static let kinds: Set = [
        "Shell", "Edit", "Approve", "Text", "ReadFile", "ImageLoader", "FileLoader",
        "WriteFile", "SaveFile", "MoveFile", "DeleteFile", "Resize", "Crop", "Grayscale", "ConvertImage", "Zip",
    ]

    /// The words in the errors of a command that ended with 0 which say that the sandbox or a missing file kept it from
    /// something.
    private static let complaints = [
        "read-only file system", "permission denied", "not permitted", "cannot create", "no such file",
        "command not found", "could not resolve", "network is unreachable", "connection refused", "fatal:",
    ]

    /// The things that a command did not get, by their key in the metadata of the output.
    private static let lacking = ["refused", "notSeen", "programNotAllowed", "notReached", "thrownAway", "ended"]

    var isWhole: Bool {
        get throws(Failure) {
            guard followed.outcome == .succeeded, followed.warnings.isEmpty, followed.failures.isEmpty,
                let summary = try records.summary(id), summary.record.graphRevision == 1,
                UndoActions(records.shared).standings(id).allSatisfy({ $0.undoneBy.isEmpty })
            else { return false }
            let assets = Dictionary(grouping: try records.assets(id).ofLastAttempts, by: \.run.step)
            let history = try records.shared.archive.get().history(of: id)
            let runs = Dictionary(history.runs.map { ($0.id.step, $0) }) { _, newer in newer }
            for step in try records.steps(id) {
                guard step.state == .succeeded, step.edits == nil, Self.kinds.contains(step.kind),
                    let run = runs[step.id], run.kind != .person
                else { return false }
                let made = assets[step.id] ?? []
                // A moved folder has no output that says where it is.
                guard !made.isEmpty || step.kind != "MoveFile" else { return false }
                // A taken name becomes another one.
                let paths = run.params.members.compactMap { $0.value.string?.pathNames.filter { $0 != "." } }
                let folder = summary.record.workspace.pathNames
                let named = Set(paths + paths.map { folder + $0 })
                guard made.allSatisfy({ isWhole($0, in: named) }) else { return false }
            }
            return true
        }
    }

    private func isWhole(_ asset: Asset, in named: Set<[String]>) -> Bool {
        asset.partial.isEmpty && asset.warning == nil && asset.meta["exit"]?.int ?? 0 == 0
            && Self.lacking.allSatisfy { asset.meta[$0]?.isNull ?? true } && !complains(asset)
            && asset.meta["resized"] == nil
            && (asset.meta["path"]?.string.map { named.contains($0.pathNames) } ?? true)
    }

    /// Whether a command that ended with 0 printed an error that says that something failed.
    private func complains(_ asset: Asset) -> Bool {
        guard asset.isOfCommand, asset.port == "errors", asset.bytes > 0 else { return false }
        guard let text = records.heardText(asset.hash)?.text.lowercased() else { return true }
        return Self.complaints.contains { text.contains($0) }
    }
}
