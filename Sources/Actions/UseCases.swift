package import Vocabulary

/// The use cases that lookups by typed names work with.
package protocol UseCases: Sendable {
    var look: WorkflowRecords { get }
    var act: WorkflowActions { get }
    var again: Reruns { get }
    var presets: Presets { get }

    /// Returns the tools that plans and files may name.
    func catalogue() -> Catalogue

    /// Returns the templates that can be run by name.
    func templates() -> [TemplateEntry]
}
