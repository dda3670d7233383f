import Glibc
import JSON
import Services
import Storage
import Tools
import Vocabulary
import Workflows

/// What `doctor` does beside looking, and what is set aside.
struct Mending: Sendable {
    let wiring: OpenWorkspace

    private var archive: Archive { get throws(Failure) { try wiring.archive.get() } }

    // MARK: What is set aside

    /// - Parameter asItIs: what was altered of it is taken for what was written.
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
        wiring.lookAgain()
    }

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
                    // Not even its events can be read: what is wrong is said below.
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
        wiring.lookAgain()
        return findings
    }

    /// What a person can do about what no event mends.
    private func remedy(for id: WorkflowID) throws(Failure) -> String {
        guard try contradiction(in: id) == nil else { return "assent doctor --rebuild, or assent delete \(id)" }
        return "look at it with assent show \(id), then assent release \(id) --as-it-is, or assent delete \(id)"
    }

    /// Whether an engine could carry it: its rows, its template, and both together.
    func fault(of id: WorkflowID) throws(Failure) -> String? {
        if let fault = try contradiction(in: id) { return fault }
        return try archive.fault(of: id)
    }

    private func contradiction(in id: WorkflowID) throws(Failure) -> String? {
        if let fault = try archive.contradiction(in: id) { return fault }
        guard let text = try archive.template(of: id), let template = TemplateReader.read(Array(text.utf8)).0 else {
            return "Its template cannot be read."
        }
        guard try archive.steps(of: id).map(\.node) == template.nodes.map(\.id) else {
            return "Its steps are not those of its template."
        }
        let (graph, problems) = Workflows.check(template, against: (try? wiring.engineCatalogue.get()) ?? Catalogue())
        return graph == nil
            ? "It no longer fits the tools that are installed: \(problems.first?.description ?? "")" : nil
    }

    private func nodes(of id: WorkflowID) throws(Failure) -> [(id: String, kind: String)] {
        guard let text = try? archive.template(of: id), let template = TemplateReader.read(Array(text.utf8)).0 else {
            return []
        }
        return template.nodes.map { ($0.id, $0.kind) }
    }

    // MARK: Rebuilding, salvaging

    /// - Throws: `engineRuns`: whoever carries workflows has them in memory as they were.
    func rebuild() throws(Failure) -> [Finding] {
        guard !EngineLock.anyEngineLives(in: wiring.folders.engines) else {
            throw Failure(.engineRuns, "An Assent is at work.")
        }
        try archive.mendSums()
        var (count, changed) = (0, [String]())
        for id in try archive.workflowsToExamine(limit: Int(Int32.max)) {
            count += 1
            // One whose events are damaged, too, holds no other up.
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

    /// What no event mends is nobody's to carry, and may be deleted.
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

    func salvage(into folder: String) throws(Failure) -> [Finding] {
        let target = folder.hasPrefix("/") ? folder : "\(wiring.workspace)/\(folder)"
        try Folders.make(target)
        guard Files.names(in: target).isEmpty else {
            throw Failure(.targetExists, "\(target) is not empty.", remedy: "Name a new folder.")
        }
        let salvage = try Salvage(of: wiring.folders.data, into: target)
        var findings = salvage.tables.map { table in
            Finding(
                isFine: table.isComplete, name: table.name,
                words: "\(table.saved) rows" + (table.isComplete ? "" : ", and some could not be read"))
        }
        if salvage.orphans > 0 {
            findings.append(
                Finding(isFine: false, name: "left out", words: "\(salvage.orphans) rows whose workflow is gone"))
        }
        let remedy =
            "the new database is in \(target): put its assent.db into \(wiring.folders.data) in place of the damaged one, with no other Assent running"
        return findings + [Finding(isFine: true, name: "salvage", words: remedy)]
    }
}

extension OpenWorkspace {
    var mend: Diagnostics {
        let mending = Mending(wiring: self)
        return Diagnostics(
            examine: { [self] isThorough in await Examination(wiring: self).findings(isThorough: isThorough) },
            repair: { [self] () throws(Failure) in try await blocking { () throws(Failure) in try mending.repair() } },
            rebuild: { [self] () throws(Failure) in try await blocking { () throws(Failure) in try mending.rebuild() }
            },
            salvage: { [self] folder throws(Failure) in
                try await blocking { () throws(Failure) in try mending.salvage(into: folder) }
            },
            support: { [self] path throws(Failure) in
                let findings = await Examination(wiring: self).findings(isThorough: false)
                return try await blocking { () throws(Failure) in try Support(wiring: self).write(path, findings) }
            })
    }
}
