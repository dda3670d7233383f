import Conversations
import JSON
import Services
import Storage
import Tools
import Vocabulary

/// A workflow that a call of a planner proposes, before its start: results of earlier workflows are brought in, and all
/// problems are found at once.
struct ProposedWorkflow {
    private let shared: OpenWorkspace
    private let json: JSON
    private let terms: WorkflowTerms
    /// The ids of the steps that bring results in.
    private var brought: Set<String> = []
    private var problems: [Problem]

    /// Reads the steps that bring results in.
    init(_ json: JSON, _ terms: WorkflowTerms, in shared: OpenWorkspace) throws(Failure) {
        (self.shared, self.terms, problems) = (shared, terms, terms.problems)
        guard let nodes = json["nodes"]?.array, nodes.contains(where: { $0["kind"]?.string == StoredResult.kind })
        else {
            self.json = json
            return
        }
        var resolved: [JSON] = []
        for node in nodes {
            guard node["kind"]?.string == StoredResult.kind, let id = node["id"]?.string else {
                resolved.append(node)
                continue
            }
            let result = node["params"]?["result"]?.string ?? ""
            var (request, type) = ("", PortType.any)
            do throws(Failure) {
                let asset = try Self.result(result, in: shared)
                (request, type) = (try shared.toolbox.get().add(LoadRequest(asset)), asset.type)
            } catch {
                // The step stays, so that the other problems of those that it feeds are found, too.
                let place = Self.consumer(of: id, in: json) ?? id
                problems.append(
                    Problem(error.code, at: place, [error.message, error.remedy ?? ""].joined(separator: " ")))
            }
            brought.insert(id)
            resolved.append([
                "id": .string(id), "kind": .string(StoredResult.kind),
                "params": ["result": .string(result), "request": .string(request)],
                "outputs": [StoredResult.port: .string(type.name)],
            ])
        }
        self.json = json.replacing("nodes", with: .array(resolved))
    }

    /// Returns the input that a step feeds, such as `small.image`.
    private static func consumer(of id: String, in json: JSON) -> String? {
        let edge = json["edges"]?.array?.first { $0["from"]?.array?.first?.string == id }
        let end = (edge?["to"]?.array ?? []).compactMap(\.string)
        return end.isEmpty ? nil : end.joined(separator: ".")
    }

    /// Returns a result of a workflow of this workspace by its name.
    private static func result(_ name: String, in shared: OpenWorkspace) throws(Failure) -> Asset {
        guard let parsed = AssetName(parsing: name), case .output = parsed else {
            throw Failure(.badArguments, "A result is named as w3.2.image.")
        }
        return try StoredAssets(shared).one(parsed)
    }

    /// Returns the workflow without problems, or all of its problems.
    func checked() -> (checked: CheckedTemplate?, problems: [Problem]) {
        let actions = WorkflowActions(shared)
        let found = brought.isEmpty ? actions.check(Array(json.text.utf8)) : actions.checkProposed(json)
        var problems = self.problems
        problems += withLines(found.problems.filter { !isDoubtful($0) })
        if let template = found.template { problems += unknownKinds(of: template) }
        return (problems.isEmpty ? found.checked : nil, problems)
    }

    /// Whether a problem may follow from a problem of the form, so that it would only confuse.
    private func isDoubtful(_ problem: Problem) -> Bool {
        terms.doubtful.contains { problem.place == $0 || problem.place.hasPrefix("\($0).") }
            || !terms.problems.isEmpty && problem.place.isEmpty
    }

    /// Returns problems, the first of each step with the line of its kind, which says what the step may hold.
    private func withLines(_ problems: [Problem]) -> [Problem] {
        var shown: Set<String> = []
        return problems.map { problem in
            let id = problem.place.split(separator: ".").first.map(String.init) ?? problem.place
            let node = json["nodes"]?.array?.first { $0["id"]?.string == id }
            guard let kind = node?["kind"]?.string, let line = shared.knownTools.line(of: kind),
                shown.insert(id).inserted
            else { return problem }
            var problem = problem
            problem.message += " The kind: \(line)"
            return problem
        }
    }

    /// Returns a problem for each node of an unknown kind. In a file, such a kind may be a tool that is not installed
    /// yet, and its step waits. A planner has the list of kinds, so for it the kind is an error.
    private func unknownKinds(of template: Template) -> [Problem] {
        let catalogue = shared.knownTools
        let unknown = template.nodes.filter { catalogue[$0.kind] == nil && !brought.contains($0.id) }
        return unknown.map { node in
            let fault = catalogue.unavailable[node.kind].map { "\($0.words) " } ?? ""
            return Problem(.unknownKind, at: node.id, "There is no kind \"\(node.kind)\". \(fault)Use find_tools.")
        }
    }
}

/// The results of the workflows of a workspace by the names that a model uses. It knows no other workspace, so that a
/// model cannot learn what exists there.
struct StoredAssets {
    private let shared: OpenWorkspace

    /// Creates the results of a workspace.
    init(_ shared: OpenWorkspace) { self.shared = shared }

    /// Returns the result of a name, such as `w3.2.text`.
    ///
    /// - Throws: `unknownWorkflow`, `unknownOutput`.
    func one(_ name: AssetName) throws(Failure) -> Asset {
        guard case .output(let step, let attempt, let port) = name else {
            throw Failure(.badArguments, "A result is named as w3.2.text.")
        }
        _ = try WorkflowRecords(shared).summary(visible: step.workflow)
        let made = try WorkflowRecords(shared).assets(step)
        let assets = attempt.map { number in made.filter { $0.run.attempt == number } } ?? made.ofLastAttempts
        guard let asset = assets.first(where: { port == nil || $0.port == port }) else {
            let known = Set(assets.map(\.port)).sorted().joined(separator: ", ")
            throw Failure(
                .unknownOutput, "\(step) has no output \(port.map { "\"\($0)\"" } ?? "yet").",
                remedy: known.isEmpty ? nil : "It has \(known).")
        }
        return asset
    }
}

extension WorkflowRecords {
    /// Returns a workflow that a model may know, which is one of this workspace. Another one is reported as unknown, so
    /// that the model cannot learn that it exists.
    ///
    /// - Throws: `unknownWorkflow`.
    func summary(visible id: WorkflowID) throws(Failure) -> WorkflowSummary {
        guard let summary = try summary(id), summary.record.workspace.isSameName(as: shared.workspace) else {
            throw Failure(.unknownWorkflow, "There is no workflow \(id) in this workspace.")
        }
        return summary
    }
}
