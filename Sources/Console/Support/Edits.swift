import Actions
import JSON
import Vocabulary

/// The parameters that are set for a step. They are checked against the manifest of its tool, as in a template.
enum Edits {
    static func read(_ sets: [String], of step: StepRecord, in context: CommandContext) throws(Failure) -> (
        JSON.Object?, [Problem]
    ) {
        guard !sets.isEmpty else { return (nil, []) }
        guard var template = try context.look.template(step.id.workflow),
            template.nodes.indices.contains(step.id.index - 1)
        else {
            throw Failure(
                .workflowUnreadable, "The graph of \(step.id.workflow) cannot be read.", remedy: "Run 'assent doctor'."
            )
        }
        let before = Set(context.act.check(template).problems)
        var edits = JSON.Object()
        for set in sets {
            let (name, value) = try TemplateBinding.split(set, option: "--set", form: "NAME=VALUE")
            edits[name] = TemplateBinding.value(value, as: context.catalogue()[step.kind]?.param(name)?.kind)
        }
        for edit in (step.edits?.members ?? []) + edits.members {
            template.nodes[step.id.index - 1].params[edit.key] = edit.value
        }
        return (edits, context.act.check(template).problems.filter { !before.contains($0) })
    }
}
