package import Vocabulary
import Workflows

/// A template without problems, and its graph. Only `CheckOutcome` makes one, so it is not checked again for a start.
package struct CheckedTemplate: Sendable {
    /// The template as it was read.
    package let template: Template
    let graph: Graph
    /// The tools that the template was checked against.
    let tools: Catalogue

    fileprivate init(_ template: Template, _ graph: Graph, _ tools: Catalogue) {
        (self.template, self.graph, self.tools) = (template, graph, tools)
    }

    /// The template with the present defaults of all parameters that it leaves open. A later retry uses the same
    /// values, even if the tools have other defaults then (`semantics.md` 25).
    var frozen: Template {
        var frozen = template
        for index in frozen.nodes.indices { frozen.nodes[index].params = graph.nodes[index].params }
        return frozen
    }
}

/// The result of reading and checking a template.
package struct CheckOutcome: Sendable {
    /// The template, even if it has problems. `nil` if it cannot be read.
    package let template: Template?
    /// The problems of the template, all at once.
    package let problems: [Problem]
    /// The template for a start. `nil` if it has problems, or if inputs are still to be bound.
    package let checked: CheckedTemplate?

    /// Checks a template against tools.
    ///
    /// - Parameter bound: inputs that the caller will bind later, so that they count as fed.
    init(of template: Template, against tools: Catalogue, bound: Set<Template.Endpoint> = []) {
        let (graph, problems) = Workflows.check(template, against: tools, bound: bound)
        (self.template, self.problems) = (template, problems)
        checked = graph.flatMap { bound.isEmpty ? CheckedTemplate(template, $0, tools) : nil }
    }

    private init(_ template: Template?, _ problems: [Problem], _ checked: CheckedTemplate?) {
        (self.template, self.problems, self.checked) = (template, problems, checked)
    }

    /// Creates the outcome of a template that was not checked against tools, because of other problems.
    static func refused(_ template: Template?, _ problems: [Problem]) -> CheckOutcome {
        CheckOutcome(template, problems, nil)
    }

    /// Returns the outcome with problems from an earlier step of the check.
    func after(_ earlier: [Problem]) -> CheckOutcome {
        earlier.isEmpty ? self : CheckOutcome(template, earlier + problems, nil)
    }

    /// Returns the outcome with changed words of its problems.
    func wording(_ cut: (Problem) -> Problem) -> CheckOutcome { CheckOutcome(template, problems.map(cut), checked) }
}
