import Actions
import ArgumentParser
import JSON
import Terminal
import Vocabulary

extension WorkflowSpan: ExpressibleByArgument {
    package init?(argument: String) { self.init(parsing: argument) }
}

extension Limits {
    /// The most workflows that a question about several lists.
    fileprivate static let listedWorkflows = 10
}

/// A command about several workflows, which are changed one by one. The reason is shown for each that could not be
/// changed.
struct SeveralRuns {
    let context: CommandContext
    let output: Output

    func fail(_ failure: Failure) { output.fail(failure, at: context.now()) }

    /// Returns the named workflows, and shows which of them are left alone.
    func named(_ spans: [WorkflowSpan]) throws(Failure) -> SeveralWorkflows {
        let several = try context.again.several(spans)
        guard !several.found.isEmpty || several.failures.count != 1 else { throw several.failures[0] }
        guard !several.found.isEmpty || !several.failures.isEmpty else {
            throw Failure(
                .badUsage, "No workflow of that span is of this folder.",
                remedy: "Name those of other folders one by one.")
        }
        for failure in several.failures { fail(failure) }
        if !several.elsewhere.isEmpty {
            let names = NameList.words(several.elsewhere.map(\.description))
            output.tell(notice: "Of other folders, so left alone: \(names)")
        }
        return several
    }

    /// Changes each workflow on its own, and shows each that could not be changed with its reason.
    ///
    /// - Returns: the gravest status of all, with those of `failures`. If some were changed and some were not, it is
    ///   not `badUsage`, which means that nothing was done.
    func each(
        _ workflows: [WorkflowSummary], _ failures: [Failure],
        _ change: (WorkflowRecord) throws(Failure) -> Void
    ) -> ExitStatus {
        var statuses = failures.map(ExitStatus.init(of:))
        for summary in workflows {
            do throws(Failure) { try change(summary.record) } catch {
                fail(error)
                statuses.append(ExitStatus(of: error))
            }
        }
        let isPartlyDone = statuses.count - failures.count < workflows.count
        return .gravest(statuses.map { isPartlyDone && $0 == .badUsage ? .failed : $0 })
    }

    /// Archives workflows, or takes them out of the archive.
    func archive(_ spans: [WorkflowSpan], _ isArchived: Bool) throws(Failure) -> ExitStatus {
        let several = try named(spans)
        return each(several.found, several.failures) { record throws(Failure) in
            try Shelf.put(record, isArchived, in: context, output)
        }
    }

    /// Returns the rows of a list, such as `w1  cat.png: resize`, and the number of those that are not listed.
    func rows(_ workflows: [WorkflowSummary]) -> [StyledText] {
        let rest = workflows.count - Limits.listedWorkflows
        let rows = workflows.prefix(Limits.listedWorkflows).map { summary in
            (StyledText("   \(summary.record.id)  ", .dim) + StyledText(VisibleText.line(summary.record.title)))
                .truncated(to: output.columns)
        }
        return rows + (rest > 0 ? [StyledText("   +\(rest) more", .dim)] : [])
    }
}
