import Synchronization
package import Vocabulary

extension Limits {
    /// How many templates are kept as they were read, and how many nodes and edges they may have together. The newest
    /// one is always kept.
    fileprivate static let keptTemplates = 8
    fileprivate static let keptTemplateParts = 400_000
}

/// The templates that were stored or read last, so that the text of a large one is read once, and not again for its
/// engine and for each view. A number of a workflow is never given twice, and a graph never changes under its revision.
package final class StoredTemplates: Sendable {
    private struct Entry {
        let workflow: WorkflowID
        let revision: Int
        let template: Template

        var parts: Int { template.nodes.count + template.edges.count }
    }

    /// The oldest first.
    private let entries = Mutex<[Entry]>([])

    package init() {}

    /// Returns the template of a revision of a graph, or `nil` if it is not kept.
    package func template(of workflow: WorkflowID, revision: Int) -> Template? {
        entries.withLock { entries in
            entries.last { $0.workflow == workflow && $0.revision == revision }?.template
        }
    }

    /// Returns the template of a revision of a graph, and keeps it. Its stored text is read only if it is not kept.
    ///
    /// - Returns: `nil` if the text cannot be read.
    package func read(_ text: String, of workflow: WorkflowID, revision: Int) -> Template? {
        if let kept = template(of: workflow, revision: revision) { return kept }
        guard let read = TemplateReader.read(Array(text.utf8), isStored: true).0 else { return nil }
        keep(read, of: workflow, revision: revision)
        return read
    }

    /// Keeps a template that was stored, or read from its stored text.
    package func keep(_ template: Template, of workflow: WorkflowID, revision: Int) {
        entries.withLock { entries in
            entries.append(Entry(workflow: workflow, revision: revision, template: template))
            while entries.count > Limits.keptTemplates
                || entries.count > 1 && entries.reduce(0, { $0 + $1.parts }) > Limits.keptTemplateParts
            {
                entries.removeFirst()
            }
        }
    }
}
