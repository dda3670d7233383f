import JSON
package import Vocabulary

extension Limits {
    /// The steps of a workflow from which on its summary counts all of them, since reading its graph takes too long.
    fileprivate static let countedSteps = 2_000
}

/// The steps that a view folds into another one's row, found by their file (`semantics.md` 80).
extension WorkflowRecords {
    /// Returns the numbers of the steps without a row of their own that load or save a file, by its path or its name.
    package func steps(of id: WorkflowID, at file: String) throws(Failure) -> [Int] {
        guard let template = try template(id) else { return [] }
        let saved = Dictionary(
            try assets(id).compactMap { asset in asset.meta["path"]?.string.map { (asset.run.step.index, $0) } }
        ) { _, newer in newer }
        return template.nodes.indices.filter { index in
            guard template.nodes[index].folded != nil else { return false }
            let paths = [template.nodes[index].params["path"]?.string, saved[index + 1]].compactMap(\.self)
            return paths.contains { $0 == file || $0.hasSuffix("/" + file) }
        }
        .map { $0 + 1 }
    }

    /// Returns a summary that counts the steps with a row of their own, as the plan does.
    package func counted(_ summary: WorkflowSummary) -> WorkflowSummary {
        guard summary.stepCount <= Limits.countedSteps, let steps = try? steps(summary.record.id) else {
            return summary
        }
        let rows = rows(of: summary.record.id)
        let shown = steps.filter { !rows.isFolded($0.id.index) }
        var counted = summary
        (counted.stepCount, counted.doneCount) = (shown.count, shown.count { $0.state == .succeeded })
        return counted
    }
}
