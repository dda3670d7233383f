import JSON
package import Services
import Storage
import Vocabulary

/// The parameters that a person changes in a workflow. Their secret values are sealed before they are stored.
struct SealedParameters: Sendable {
    let shared: OpenWorkspace

    init(_ shared: OpenWorkspace) { self.shared = shared }

    /// Returns a command with the secrets of its changed parameters sealed.
    func sealed(_ verb: Command.Verb, of id: WorkflowID) throws(Failure) -> Command.Verb {
        guard case .rerun(var rerun) = verb, let edits = rerun.edits, let step = rerun.step else { return verb }
        rerun.edits = try sealed(edits, of: StepID(id, step))
        return .rerun(rerun)
    }

    /// Returns a completion of an inbox entry with the secrets of its changed parameters sealed.
    func sealed(_ completion: Vocabulary.Completion, of number: Int64) throws(Failure) -> Vocabulary.Completion {
        guard case .agreed(let edits?) = completion,
            let record = try shared.archive.get().await(numbered: number)
        else { return completion }
        return .agreed(edits: try sealed(edits, of: record.step))
    }

    private func sealed(_ params: JSON.Object, of step: StepID) throws(Failure) -> JSON.Object {
        let steps = try shared.archive.get().steps(of: step.workflow)
        guard let kind = steps.first(where: { $0.id == step })?.kind else { return params }
        return try shared.sealedValues.sealed(params, of: try shared.catalogue.get()[kind], kind: kind)
    }
}

extension OpenWorkspace {
    /// The store of sealed values.
    package var sealedValues: SealedValues { SealedValues(folder: folders.data + "/sealed", keys: keyRing) }
}
