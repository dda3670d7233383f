import JSON
package import Services
import Storage
package import Vocabulary

/// Where parameters come in, what is secret in them is sealed before a row is made of it.
extension OpenWorkspace {
    package var sealedValues: SealedValues { SealedValues(folder: folders.data + "/sealed", keys: keyRing) }

    /// A command that changes parameters.
    func sealed(_ verb: Command.Verb, of id: WorkflowID) throws(Failure) -> Command.Verb {
        guard case .rerun(var rerun) = verb, let edits = rerun.edits, let step = rerun.step else { return verb }
        rerun.edits = try sealed(edits, of: StepID(id, step))
        return .rerun(rerun)
    }

    /// What a person made of an entry of the inbox, where they changed parameters.
    func sealed(_ completion: Vocabulary.Completion, of number: Int64) throws(Failure) -> Vocabulary.Completion {
        guard case .agreed(let edits?) = completion, let record = try archive.get().await(numbered: number) else {
            return completion
        }
        return .agreed(edits: try sealed(edits, of: record.step))
    }

    private func sealed(_ params: JSON.Object, of step: StepID) throws(Failure) -> JSON.Object {
        guard let kind = try archive.get().steps(of: step.workflow).first(where: { $0.id == step })?.kind else {
            return params
        }
        return try sealedValues.sealed(params, of: try catalogue.get()[kind], kind: kind)
    }

    /// For the screen, before there is a workflow. Paths stay: they say what is touched.
    package func withoutKeys(_ template: Template) -> Template {
        var template = template
        let filter = keyRing.filter
        template.name = filter.cut(template.name)
        let catalogue = (try? catalogue.get()) ?? Catalogue()
        for index in template.nodes.indices {
            let node = template.nodes[index]
            for member in node.params.members where catalogue[node.kind]?.param(member.key)?.kind != .path {
                template.nodes[index].params[member.key] = filter.cut(member.value)
            }
        }
        return template
    }
}
