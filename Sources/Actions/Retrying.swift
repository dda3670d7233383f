import Files
import Glibc
import JSON
import Services
import Storage
package import Vocabulary
import Workflows

/// The commands of a retry of a workflow.
package struct RetryOutcome: Hashable, Sendable {
    /// The commands for the engine, in their order.
    package var verbs: [Command.Verb] = []
    /// The damaged files that have not changed since they were read. Their steps are left as they are.
    package var unchanged: [String] = []

    /// Creates an outcome.
    package init(verbs: [Command.Verb] = []) { self.verbs = verbs }
}

extension StepRecord {
    /// Whether the engine can retry the step: it failed or was cancelled, or its tool was missing and may exist now.
    package var canBeRetried: Bool {
        switch state {
        case .failed, .cancelled: reason?.code != .removed
        case .blocked: reason?.isAbsence ?? false
        case .succeeded: reason?.code == .exited
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading: false
        }
    }
}

/// The use case that takes failed steps up again. A step that failed because of a damaged file is repeated from the
/// loader of the file, if the file has changed since.
extension Reruns {
    /// Returns the commands of a retry, without queueing them.
    ///
    /// - Parameter step: the number of one step. `nil` means all that failed.
    /// - Throws: `nothingChanged` if all failures are damaged files that are as they were.
    package func retry(of id: WorkflowID, step: Int?) throws(Failure) -> RetryOutcome {
        let flow = try flow(of: id)
        let tools = try shared.engineCatalogue.get()
        let failed = flow.steps.indices.filter { index in
            flow.steps[index].state == .failed && (step == nil || step == index + 1)
        }
        let damaged = failed.filter { flow.steps[$0].failure?.code == .fileDamaged }
        guard !damaged.isEmpty else { return RetryOutcome(verbs: [.retry(step: step)]) }
        let workspace = try WorkflowRecords(shared).summary(id)?.record.workspace ?? shared.workspace
        let paths = try? Paths(workspace: workspace)
        var outcome = RetryOutcome()
        var loaded: Set<Int> = []
        for index in failed {
            guard damaged.contains(index) else {
                outcome.verbs.append(.retry(step: index + 1))
                continue
            }
            let sources = flow.loadedFiles(above: index, tools)
            guard sources.isEmpty || sources.contains(where: { $0.hasChanged(in: paths) }) else {
                outcome.unchanged += sources.map(\.path)
                continue
            }
            guard !sources.contains(where: { $0.step == index }), !sources.isEmpty else {
                outcome.verbs.append(.retry(step: index + 1))
                continue
            }
            for source in sources where loaded.insert(source.step).inserted {
                outcome.verbs.append(.rerun(Rerun(step: source.step + 1)))
            }
            outcome.verbs.append(.rerun(Rerun(step: index + 1)))
        }
        guard outcome.verbs.isEmpty, let name = outcome.unchanged.first else { return outcome }
        throw Failure(
            .nothingChanged,
            "\(outcome.unchangedInWords) as before, so a retry would end the same way.",
            remedy: "Replace the file, or go on without it: 'assent retry \(id) --without \(name)'.")
    }

    /// Removes the steps of files from the graph of a workflow, so that the rest can go on without them.
    ///
    /// A step that gathers several files loses only what came from these. Steps that name such a file are removed, too:
    /// a file that is in no archive must not be deleted after it.
    ///
    /// - Throws: `unknownFile` if no step reads a file of that name, and `nothingChanged`.
    package func leaveOut(_ names: [String], of id: WorkflowID, by: String) throws(Failure) {
        guard let base = try planned(id) else {
            throw Failure(.workflowUnreadable, "The graph of \(id) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        var new = base.editable
        for name in names {
            guard new.leaveOut(name, try shared.engineCatalogue.get()) else {
                throw Failure(.unknownFile, "No step of \(id) reads \(name).", remedy: "See 'assent show \(id)'.")
            }
        }
        guard !new.nodes.isEmpty else {
            throw Failure(.badUsage, "Without \(names.joined(separator: ", ")) nothing of \(id) is left.")
        }
        let outcome = try revise(id, new, base, by, false)
        if let problem = outcome.problems.first { throw Failure(.badRevision, problem.description) }
    }
}

extension RetryOutcome {
    /// The unchanged files in words, such as `p5.jpg is`.
    package var unchangedInWords: String {
        let shown = unchanged.prefix(3).joined(separator: ", ")
        let rest = unchanged.count > 3 ? " and \(unchanged.count - 3) more" : ""
        return "\(shown)\(rest) \(unchanged.count == 1 ? "is" : "are")"
    }
}

/// A file that a loader of a workflow has read, or has tried to read.
private struct LoadedFile {
    /// The dense index of the loader.
    let step: Int
    /// The path as the template writes it.
    let path: String
    let readAt: Moment

    /// Whether the file was changed or replaced after it was read. The time of the last change of the inode decides,
    /// since a copy can have an old time of modification.
    func hasChanged(in paths: Paths?) -> Bool {
        guard let paths, let real = try? paths.existing(path) else { return false }
        var status = stat()
        guard stat(real, &status) == 0 else { return false }
        let changed = Int64(status.st_ctim.tv_sec) * 1000 + Int64(status.st_ctim.tv_nsec) / 1_000_000
        return Moment(milliseconds: changed) > readAt
    }
}

extension Flow {
    /// Returns the files that the loaders above a step, or the step itself, have read.
    fileprivate func loadedFiles(above index: Int, _ tools: Catalogue) -> [LoadedFile] {
        var (found, seen, queue) = ([LoadedFile](), Set([index]), [index])
        while let next = queue.popLast() {
            let node = graph.nodes[next]
            if let tool = tools[node.kind], tool.isLoader, let param = tool.params.first(where: { $0.kind == .path }),
                let path = params(of: next)[param.name]?.string
            {
                found.append(LoadedFile(step: next, path: path, readAt: steps[next].updatedAt))
            }
            queue += node.inputs.compactMap(\.producer?.node).filter { seen.insert($0).inserted }
        }
        return found.sorted { $0.step < $1.step }
    }
}

extension Template {
    /// Removes the steps of a file.
    ///
    /// - Returns: whether a step names the file.
    fileprivate mutating func leaveOut(_ name: String, _ tools: Catalogue) -> Bool {
        var gone = Set(
            nodes.filter { node in
                let paths = (tools[node.kind]?.params ?? []).filter { $0.kind == .path }
                return paths.contains { node.params[$0.name]?.string.map { Self.isSame($0, name) } ?? false }
            }.map(\.id))
        guard !gone.isEmpty else { return false }
        var queue = Array(gone)
        while let next = queue.popLast() {
            for edge in edges where edge.from.node == next && !gone.contains(edge.to.node) {
                let others = edges.contains { $0.to.node == edge.to.node && !gone.contains($0.from.node) }
                let isGathering = nodes.first { $0.id == edge.to.node }.flatMap { tools[$0.kind] }.map { tool in
                    tool.inputs.contains { $0.isVariadic && edge.to.port.hasPrefix($0.name + ".") }
                }
                guard !(others && isGathering == true) else { continue }
                gone.insert(edge.to.node)
                queue.append(edge.to.node)
            }
        }
        nodes.removeAll { gone.contains($0.id) }
        edges.removeAll { gone.contains($0.from.node) || gone.contains($0.to.node) }
        for index in nodes.indices { nodes[index].after.removeAll(where: gone.contains) }
        return true
    }

    /// Whether a path in a template is the file that a person names, by its path or by its last name.
    private static func isSame(_ path: String, _ name: String) -> Bool {
        path.isSameName(as: name) || path.pathNames.last.map { $0.isSameName(as: name) } ?? false
    }
}
