import Synchronization
package import Vocabulary

extension Limits {
    /// The most templates that are kept as they were read.
    fileprivate static let keptTemplates = 8

    /// The most nodes and edges of the kept templates together. The newest template is always kept.
    fileprivate static let keptTemplateParts = 400_000
}

/// The stored templates that were read last, so that the text of a large one is not read again for its engine and for
/// each view. A number of a workflow is never given twice, and a graph never changes under its revision.
///
/// A template is kept only as its stored text gives it: `1.0` is written as `1`, and a later revision of the graph is
/// compared with what was read.
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

    private func keep(_ template: Template, of workflow: WorkflowID, revision: Int) {
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
