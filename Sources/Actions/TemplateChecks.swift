import JSON
import Services
package import Vocabulary
import Workflows

/// The templates that users can run, and the checks of templates that come in. No method changes anything. Keys are
/// cut out of all problems.
extension WorkflowActions {
    // MARK: Files

    /// Returns the templates that can be run by name.
    package func templates() -> [TemplateEntry] {
        shared.shelves.templates().map { entry in
            let name = TemplateReader.read(entry.bytes).0?.name
            // A comment above the template says more than its name, which is the name of the file.
            let title = name.map { Self.comment(above: entry.bytes) ?? $0 } ?? "(cannot be read)"
            return TemplateEntry(name: entry.name, path: entry.path, title: title)
        }
    }

    /// Returns the first line of a JSON file if it is a comment.
    private static func comment(above bytes: [UInt8]) -> String? {
        let line = String(decoding: bytes.prefix { $0 != 0x0A }.prefix(200), as: UTF8.self)
        return line.hasPrefix("// ") ? String(line.dropFirst(3)) : nil
    }

    /// Returns the bytes of a template's file.
    package func readFile(_ path: String) throws(Failure) -> [UInt8] { try shared.shelves.templateFile(path) }

    // MARK: Checks

    /// Checks the bytes of a template that comes in.
    ///
    /// - Parameter bound: inputs that the caller will bind later, so that they count as fed.
    package func check(_ bytes: [UInt8], _ bound: Set<Template.Endpoint> = []) -> CheckOutcome {
        check(bytes, bound: bound, known: [], seals: []).wording(cut)
    }

    /// Checks the bytes of a workflow's graph that the user has changed. The names and the sealed values of the old
    /// graph may stay.
    package func checkChanged(_ bytes: [UInt8], _ old: Template) -> CheckOutcome {
        check(bytes, bound: [], known: old.names, seals: old.seals).wording(cut)
    }

    /// Checks a graph that a model proposes and in which Assent has written the steps of earlier results.
    func checkProposed(_ json: JSON) -> CheckOutcome {
        check(Array(json.text.utf8), bound: [], known: [], seals: [], against: shared.knownEngineTools).wording(cut)
    }

    /// Checks a template that Assent has made or read already.
    package func check(_ template: Template) -> CheckOutcome {
        CheckOutcome(of: template, against: tools).wording(cut)
    }

    /// Returns a problem for each tool that a template names and that is not installed.
    package func missingTools(_ template: Template) -> [Problem] {
        Workflows.missingTools(of: template, in: tools)
    }

    private func check(
        _ bytes: [UInt8], bound: Set<Template.Endpoint>, known: Set<String>, seals: Set<SealedValue>,
        against tools: Catalogue? = nil
    ) -> CheckOutcome {
        var (template, problems) = TemplateReader.read(bytes)
        guard let template else { return .refused(nil, problems) }
        if let problem = shared.sealedValues.problem(withNamesOf: template) { problems.append(problem) }
        // A seal stands in our rows for a secret of the user. A seal in a foreign template would use a secret that
        // does not belong to it.
        for node in template.nodes where !SealedValue.all(in: .object(node.params)).isSubset(of: seals) {
            problems.append(
                Problem(
                    .sealedValue, at: node.id,
                    "A parameter is the seal of a secret. Only the workflow that it was made for has it."))
        }
        let names = nameProblems(in: template, besides: known, cut: shared.keyRing.filter.cut)
        guard names.isEmpty else { return .refused(template, problems + names) }
        return CheckOutcome(of: template, against: tools ?? self.tools, bound: bound).after(problems)
    }

    private var tools: Catalogue { WorkflowRecords(shared).catalogue() }

    private func cut(_ problem: Problem) -> Problem { shared.keyRing.filter.cut(problem) }
}
