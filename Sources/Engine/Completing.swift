import Consent
import Vocabulary
import Workflows

/// The part of the engine's loop that completes a batch before its commit.
extension Loop {
    /// Adds sessions and output paths to the events of a batch, and removes secrets from its runs.
    func complete(_ batch: inout Batch) {
        let session = carried[batch.workflow]?.record.session
        if let carried = carried[batch.workflow] { storeMoments(in: &batch, of: carried) }
        for place in batch.runsStarted.indices {
            let run = batch.runsStarted[place]
            guard let manifest = carried[batch.workflow]?.manifests[run.id.step.index - 1],
                manifest.params.contains(where: \.isSecret)
            else {
                continue
            }
            // Runs are shown and told to models; a secret is only in the template that needs it.
            let call = Call(tool: manifest.kind, toolVersion: manifest.version, params: run.params)
            batch.runsStarted[place].params = redacted(call, manifest).params
        }
        for index in batch.events.indices { batch.events[index].session = session }
        for index in batch.events.indices {
            guard case .workflowFinished(let outcome, var outputs) = batch.events[index].kind else { continue }
            for place in outputs.indices where outputs[place].path == nil {
                outputs[place].path = world.tools.path(outputs[place].hash)
            }
            batch.events[index].kind = .workflowFinished(outcome, outputs: outputs)
        }
    }
}
