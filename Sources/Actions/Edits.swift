package import JSON
package import Vocabulary

/// The parameters that are set for a step. They are checked against the manifest of its tool, as in a template.
package enum Edits {
    /// Returns the changed parameters of a step: first those of presets, then those of `sets`.
    ///
    /// - Returns: the parameters, or nil if nothing is set, and their problems.
    package static func read(_ sets: [String], _ presets: [String] = [], of step: StepRecord, in context: some UseCases)
        throws(Failure) -> (
            JSON.Object?, [Problem]
        )
    {
        guard !sets.isEmpty || !presets.isEmpty else { return (nil, []) }
        guard var template = try context.look.template(step.id.workflow),
            template.nodes.indices.contains(step.id.index - 1)
        else {
            throw Failure(
                .workflowUnreadable, "The graph of \(step.id.workflow) cannot be read.", remedy: "Run 'assent doctor'."
            )
        }
        let before = Set(context.act.check(template).problems)
        var edits = JSON.Object()
        for preset in presets {
            let (name, place) = Presets.parts(of: preset)
            guard place == nil || place == step.node || place == "\(step.id.index)" else {
                throw Failure(
                    .badUsage, "--preset names another step than \(step.id.index) (\(step.node)).",
                    remedy: "Leave out what stands behind the @.")
            }
            for member in try context.presets.values(name, for: step.kind).members { edits[member.key] = member.value }
        }
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
