import JSON
package import Vocabulary

extension Flow {
    /// What earlier attempts were made of. Only re-runs, retries and pins need it, so it is loaded for them alone.
    struct History {
        struct Attempt {
            var attempt: Int
            var frozen: Frozen
            var job: JobRecord?
        }

        /// The newest attempt of each step that ended.
        var runs: [Int: Attempt] = [:]
        /// Every asset of every attempt, by `step.attempt.port`.
        var assets: [String: Asset] = [:]
    }

    /// Whether something may have to be compared with, or repeat, an earlier attempt that is not known.
    package var needsHistory: Bool {
        guard history == nil else { return false }
        return steps.indices.contains { index in
            steps[index].replays != nil || steps[index].staleSince != nil
                || (steps[index].state != .succeeded && graph.consumers[index].contains { steps[$0].attempt > 0 })
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

    /// What an earlier attempt gave. `nil` if nothing, or if history is not known.
    package func pastOutput(of run: RunID, _ port: String) -> Asset? { history?.assets[Self.name(of: run, port)] }

    static func name(of run: RunID, _ port: String) -> String { "\(run.step.index).\(run.attempt).\(port)" }

    /// An attempt has ended: it is history now, if anybody keeps one.
    mutating func archive(_ index: Int, _ job: JobRecord? = nil) {
        guard let ended = frozen.removeValue(forKey: index), history != nil else { return }
        history?.runs[index] = History.Attempt(attempt: steps[index].attempt, frozen: ended, job: job)
        for asset in outputs[index].values { history?.assets[Self.name(of: asset.run, asset.port)] = asset }
    }

    /// Whether a step's finished attempt consumed what it would consume now (`semantics.md` 24). Unknown counts as not.
    func isFresh(_ index: Int) -> Bool {
        // Stale since its own run: its definition has changed, so that equal inputs say nothing.
        guard steps[index].staleSince?.step != steps[index].id else { return false }
        guard pending[index] == 0, let consumed = history?.runs[index]?.frozen.inputs else { return false }
        return Self.haveEqualContent(consumed, inputs(of: index))
    }

    static func haveEqualContent(_ some: [String: Asset], _ others: [String: Asset]) -> Bool {
        some.count == others.count && some.allSatisfy { port, asset in others[port]?.hash == asset.hash }
    }
}
