import JSON
package import Vocabulary

extension Flow {
    /// The inputs and outputs of earlier attempts. They are loaded only for re-runs, retries and pins.
    struct History {
        struct Attempt {
            var attempt: Int
            var frozen: Frozen
            var job: JobRecord?
        }

        /// The newest attempt that has ended, by the index of the step.
        var runs: [Int: Attempt] = [:]
        /// The assets of all attempts, by `step.attempt.port`.
        var assets: [String: Asset] = [:]
    }

    /// Whether the history must be loaded, since a step repeats or is compared with an earlier attempt.
    package var needsHistory: Bool {
        guard history == nil else { return false }
        return steps.indices.contains { index in
            steps[index].replays != nil || steps[index].staleSince != nil
                || (steps[index].state != .succeeded && graph.successors(of: index).contains { steps[$0].attempt > 0 })
        }
    }

    package mutating func remember(_ known: WorkflowHistory) {
        var history = History()
        for run in known.runs where run.finishedAt != nil && steps.indices.contains(run.id.step.index - 1) {
            history.runs[run.id.step.index - 1] = History.Attempt(
                attempt: run.id.attempt,
                frozen: Frozen(inputs: run.inputs, params: run.params, toolVersion: run.toolVersion),
                job: run.job)
        }
        for asset in known.assets { history.assets[Self.name(of: asset.run, asset.port)] = asset }
        self.history = history
    }

    /// Returns the asset of a port of an earlier attempt. `nil` if the attempt gave none, or if the history is not
    /// loaded.
    package func pastOutput(of run: RunID, _ port: String) -> Asset? { history?.assets[Self.name(of: run, port)] }

    static func name(of run: RunID, _ port: String) -> String { "\(run.step.index).\(run.attempt).\(port)" }

    /// Moves an attempt that has ended to the history, if the history is loaded.
    mutating func archive(_ index: Int, _ job: JobRecord? = nil) {
        guard let ended = frozen.removeValue(forKey: index), history != nil else { return }
        history?.runs[index] = History.Attempt(attempt: steps[index].attempt, frozen: ended, job: job)
        for asset in outputs[index].values { history?.assets[Self.name(of: asset.run, asset.port)] = asset }
    }

    /// Returns whether the last finished attempt of a step used the same inputs as the step would use now
    /// (`semantics.md` 24). False if that is not known.
    func isFresh(_ index: Int) -> Bool {
        // Stale since its own run: its definition has changed, so that equal inputs say nothing.
        guard steps[index].staleSince?.step != steps[index].id, isInOrder(index) else { return false }
        guard pending[index] == 0, let consumed = history?.runs[index]?.frozen.inputs else { return false }
        return Self.haveEqualContent(consumed, inputs(of: index))
    }

    static func haveEqualContent(_ some: [String: Asset], _ others: [String: Asset]) -> Bool {
        some.count == others.count && some.allSatisfy { port, asset in others[port]?.hash == asset.hash }
    }
}
