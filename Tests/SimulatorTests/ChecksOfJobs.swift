import JSON
import Vocabulary

/// What may be bought, and what may be asked of providers.
extension Checks {
    /// Our own name for the job of a run.
    func jobKey(of run: RunID) -> String? {
        reader.rows(
            "SELECT job FROM runs WHERE workflow = ? AND step = ? AND attempt = ?", Int(run.step.workflow.number),
            run.step.index,
            run.attempt
        ) { $0.optionalText(0).flatMap { try? JSONReader.read($0) }?["key"]?.string }.first ?? nil
    }

    func jobKey(of step: StepID) -> String? {
        let attempt = reader.rows(
            "SELECT attempt FROM steps WHERE workflow = ? AND step = ?", Int(step.workflow.number), step.index
        ) {
            $0.int(0)
        }
        return attempt.first.flatMap { jobKey(of: RunID(step, attempt: $0)) }
    }

    /// At most one job of a name. More of them are excused where
    /// - a manifest says that it may be risked, with `submitUnknown` on record;
    /// - a person said "submit it again" of it, once for each time;
    /// - a person had a run repeated whose job may exist, of a provider that cannot know (a run of its own under the
    ///   same name);
    /// - the process that sent one of them was stopped, thought dead, and sent it all the same: that cannot be known
    ///   (row 16).
    func bought(_ job: SimulatedProvider.Job, from provider: SimulatedProvider) {
        let terms = provider.script.terms
        let same = provider.jobs.filter { $0.key == job.key && !$0.isFromOverthrown }
        guard same.count > 1 else { return }
        let isUnknown = isUnknown.contains(job.key) && terms.idempotency == .none
        if isUnknown, terms.ambiguity == .retry { return mark("risked by the manifest") }
        let repeats = isUnknown ? Set(same.map(\.run.attempt)).count - 1 : 0
        let said = simulation.people.saidAgain[job.key] ?? 0
        guard same.count > 1 + said + repeats else { return mark("risked by a person") }
        fail(
            "\(same.count) jobs of the name \(job.key) at \(terms.provider) (\(terms.idempotency), \(terms.ambiguity)); \(said) times \"again\""
        )
    }

    /// Before a request leaves: its run is on record, and nobody asks for a status who was told not to.
    func sends(_ request: JobRequest, by engine: SimulatedEngine) {
        let run = request.assignment.run
        acts(run, "asks (\(request.verb)) for", for: engine.owner)
        guard request.verb == .status, request.job.phase == .submitted, owner(of: run.step.workflow) == engine.owner
        else { return }
        let pausedAt = reader.rows(
            "SELECT polling_paused_at FROM workflows WHERE id = ?", Int(run.step.workflow.number)
        ) {
            $0.optionalInt(0)
        }
        // In the commit that pauses it, a check may be on its way already.
        if let pausedAt = pausedAt.first ?? nil, pausedAt != engine.committedAt {
            fail("the status of \(run) was asked for while \(run.step.workflow) is told not to")
        }
    }
}
