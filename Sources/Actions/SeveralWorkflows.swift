package import Vocabulary

extension Limits {
    /// The most workflows that one span, such as `w5-w9`, may name.
    package static let spannedWorkflows: Int64 = 1_000
}

/// A typed workflow, or several in a row: `w3`, or `w5-w9`.
package struct WorkflowSpan: Hashable, Sendable {
    package let first: WorkflowID
    package let last: WorkflowID

    /// Creates the span of one workflow.
    package init(_ id: WorkflowID) { (first, last) = (id, id) }

    /// Reads `w3`, `3`, `w5-w9` and `w5-9`. The numbers may be in any order. Returns nil for other words, and for a
    /// span of more than `Limits.spannedWorkflows` numbers.
    package init?(parsing text: String) {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let read = ends.compactMap(WorkflowID.init(parsing:)).sorted()
        guard read.count == ends.count, let first = read.first, let last = read.last,
            last.number - first.number < Limits.spannedWorkflows
        else { return nil }
        (self.first, self.last) = (first, last)
    }
}

/// The workflows that a command names.
package struct SeveralWorkflows: Sendable {
    /// The workflows, each once, in the order of their names.
    package fileprivate(set) var found: [WorkflowSummary] = []
    /// The reasons why named workflows are not among them.
    package fileprivate(set) var failures: [Failure] = []
    /// The workflows of other folders within a span. They must be named one by one.
    package fileprivate(set) var elsewhere: [WorkflowID] = []
}

extension Reruns {
    /// Returns the workflows that some words name. A span means the workflows of this folder that exist.
    package func several(_ spans: [WorkflowSpan]) throws(Failure) -> SeveralWorkflows {
        let records = WorkflowRecords(shared)
        var (all, seen) = (SeveralWorkflows(), Set<WorkflowID>())
        for span in spans {
            var isEmpty = true
            for number in span.first.number...span.last.number {
                let id = WorkflowID(number)
                guard let summary = try records.summary(id) else { continue }
                isEmpty = false
                if span.first != span.last, summary.record.workspace != shared.workspace {
                    all.elsewhere.append(id)
                } else if seen.insert(id).inserted {
                    all.found.append(summary)
                }
            }
            guard isEmpty else { continue }
            let name = span.first == span.last ? "\(span.first)" : "from \(span.first) to \(span.last)"
            all.failures.append(
                Failure(.unknownWorkflow, "There is no workflow \(name).", remedy: "See 'assent list --all'."))
        }
        all.elsewhere.removeAll(where: seen.contains)
        return all
    }

    /// Returns the reason why a workflow cannot be deleted, or nil if it can be.
    package func faultOfDeleting(_ record: WorkflowRecord) throws(Failure) -> Failure? {
        guard record.outcome == nil else { return nil }
        guard try !Diagnostics(shared).quarantined().contains(where: { $0.workflow == record.id }) else { return nil }
        return Failure(
            .workflowUnderWay, "\(record.id) is under way.", remedy: "Cancel it first: 'assent cancel \(record.id)'")
    }
}
