import Services
import Storage
import Vocabulary
import Workflows

/// The repair of damaged workflows, and of the other rows of the database. All of it blocks.
struct DatabaseRepair {
    let shared: OpenWorkspace

    private var archive: Archive { get throws(Failure) { try shared.archive.get() } }

    // MARK: Workflows that are set aside

    /// Releases a workflow that is set aside, so that an engine runs it.
    ///
    /// - Parameter asItIs: whether rows that were changed from outside are accepted.
    /// - Throws: `notHeld`, `workflowDamaged`.
    func release(_ id: WorkflowID, asItIs: Bool) throws(Failure) {
        guard try archive.quarantined().contains(where: { $0.workflow == id }) else {
            throw Failure(.notHeld, "\(id) is not set aside.", remedy: "See 'assent list'.")
        }
        if let fault = try contradiction(in: id) {
            throw Failure(
                .workflowDamaged, "\(id) cannot go on: \(fault)",
                remedy: "Run 'assent doctor --repair', or make it anew.")
        }
        if let fault = try archive.fault(of: id) {
            guard asItIs else {
                throw Failure(
                    .workflowDamaged, "\(id) cannot go on: \(fault)",
                    remedy: "Look at it ('assent show \(id)'). 'assent release \(id) --as-it-is' takes it as it is now."
                )
            }
            try archive.accept(id)
        }
        _ = try archive.release(id)
        shared.lookAgain()
    }

    /// Releases the damaged workflows that are sound again. A workflow that is not is first rebuilt from its events.
    func repair() throws(Failure) -> [Finding] {
        let aside = try archive.quarantined().filter { $0.cause == .damaged }
        guard !aside.isEmpty else {
            return [Finding(isFine: true, name: "repair", words: "nothing is set aside as damaged")]
        }
        var findings: [Finding] = []
        for entry in aside {
            if try fault(of: entry.workflow) != nil {
                do throws(Failure) {
                    _ = try archive.rebuild(entry.workflow, nodes: nodes(of: entry.workflow), at: OpenWorkspace.now())
                } catch  where error.code == .workflowDamaged {
                    // If its events cannot be read either, the fault is reported below.
                }
            }
            if let fault = try fault(of: entry.workflow) {
                let remedy = try remedy(for: entry.workflow)
                findings.append(
                    Finding(
                        isFine: false, name: "\(entry.workflow)", words: "stays set aside: \(fault) · \(remedy)"))
            } else {
                _ = try archive.release(entry.workflow)
                findings.append(Finding(isFine: true, name: "\(entry.workflow)", words: "is sound and goes on"))
            }
        }
        shared.lookAgain()
        return findings
    }

    /// Returns what a person can do about a workflow that its events cannot repair.
    private func remedy(for id: WorkflowID) throws(Failure) -> String {
        guard try contradiction(in: id) == nil else { return "'assent doctor --rebuild', or 'assent delete \(id)'" }
        return "look at it with 'assent show \(id)', then 'assent release \(id) --as-it-is', or 'assent delete \(id)'"
    }

    /// Returns the reason why no engine could run a workflow, by its rows and its template, or nil if one could.
    private func fault(of id: WorkflowID) throws(Failure) -> String? {
        if let fault = try contradiction(in: id) { return fault }
        return try archive.fault(of: id)
    }

    /// Returns the contradiction between the rows, the template and the tools of a workflow, or nil if there is none.
    private func contradiction(in id: WorkflowID) throws(Failure) -> String? {
        if let fault = try archive.contradiction(in: id) { return fault }
        guard let template = try WorkflowRecords(shared).template(id) else {
            return "Its template cannot be read."
        }
        guard try archive.steps(of: id).map(\.node) == template.nodes.map(\.id) else {
            return "Its steps are not those of its template."
        }
        let (graph, problems) = Workflows.check(template, against: shared.knownEngineTools, isStored: true)
        return graph == nil
            ? "It no longer fits the tools that are installed: \(problems.first?.description ?? "")" : nil
    }

    /// Returns the nodes of a workflow. The list is empty if its template cannot be read.
    private func nodes(of id: WorkflowID) throws(Failure) -> [(id: String, kind: String)] {
        guard let template = try? WorkflowRecords(shared).template(id) else {
            return []
        }
        return template.nodes.map { ($0.id, $0.kind) }
    }

    // MARK: The whole database

    /// Rebuilds the states of all workflows from their events.
    ///
    /// - Throws: `engineRuns`, since an engine has the old states in memory.
    func rebuild() throws(Failure) -> [Finding] {
        guard !WorkflowRecords(shared).hasEngine() else {
            throw Failure(.engineRuns, "An Assent is at work.")
        }
        try archive.mendSums()
        var (count, changed) = (0, [String]())
        for id in try archive.workflowsToExamine(limit: Int(Int32.max)) {
            count += 1
            // A workflow whose events are damaged too must not stop the others.
            do throws(Failure) {
                let changes = try archive.rebuild(id, nodes: nodes(of: id), at: OpenWorkspace.now())
                if changes > 0 { changed.append("\(id) (\(changes))") }
            } catch  where error.code == .workflowDamaged { continue }
        }
        let words =
            changed.isEmpty
            ? "every row was as its events tell it" : "rows made anew: \(changed.joined(separator: ", "))"
        var findings = [Finding(isFine: true, name: "rebuild", words: "\(count) workflows looked at; \(words)")]
        let orphans = try archive.dropOrphans()
        if orphans > 0 {
            findings.append(
                Finding(
                    isFine: true, name: "rows",
                    words: "\(Amounts.count(orphans, "row")) of what is not there any more went"))
        }
        if try archive.hasDamagedIndex() {
            try archive.rebuildIndex()
            findings.append(
                Finding(isFine: true, name: "search", words: "the index of words was made anew from the messages")
            )
        }
        if try archive.alteredRows().others {
            try archive.accept(nil)
            let words = "taken as they are: nothing tells what they were"
            findings.append(Finding(isFine: true, name: "conversations", words: words))
        }
        return findings + (try setAsideWhatStaysDamaged())
    }

    /// Sets the workflows aside that their events cannot repair. They may be deleted.
    private func setAsideWhatStaysDamaged() throws(Failure) -> [Finding] {
        let aside = Set(try archive.quarantined().map(\.workflow))
        let altered = Set(try archive.alteredRows().workflows)
        var findings: [Finding] = []
        for id in try archive.workflowsToExamine(limit: Int(Int32.max)) {
            var fault = try archive.contradiction(in: id)
            if fault == nil, altered.contains(id) { fault = try archive.fault(of: id) }
            guard let fault else { continue }
            if !aside.contains(id) { try archive.quarantine(id, reason: fault, at: OpenWorkspace.now()) }
            let words = "set aside: \(fault) · \(try remedy(for: id))"
            findings.append(Finding(isFine: false, name: "\(id)", words: words))
        }
        return findings
    }
}
