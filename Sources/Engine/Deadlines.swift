import Vocabulary
import Workflows

/// Stored deadlines and the engine's clock (`semantics.md` 230).
///
/// A flow counts in the time of its engine's clock, which cannot be set. Rows hold moments that another engine can read:
/// a deadline with its boot, and the origin of the clock beside the moments of a job.
extension Loop {
    /// Moves the moments of a stored workflow to the clock of this engine.
    ///
    /// - Returns: the deadlines of its steps as they are stored, by index.
    func moveToThisClock(_ loaded: inout CarriedWorkflow) -> [Int: Carried.StoredDeadline] {
        let (now, clocks) = (world.now(), world.clocks())
        var deadlines: [Int: Carried.StoredDeadline] = [:]
        for index in loaded.steps.indices {
            guard let dueAt = loaded.steps[index].dueAt else { continue }
            let stored = loaded.steps[index].deadline
            // A row of an earlier version has the wall time only.
            let left = stored?.left(at: clocks) ?? max(0, dueAt.milliseconds - clocks.wall.milliseconds)
            let moved = Moment(milliseconds: now.milliseconds + left)
            (loaded.steps[index].dueAt, loaded.steps[index].deadline) = (moved, nil)
            if let stored { deadlines[index] = Carried.StoredDeadline(dueAt: moved, deadline: stored) }
        }
        for place in loaded.running.indices {
            guard var job = loaded.running[place].job else { continue }
            if let clock = job.clock, clock.boot == clocks.boot {
                job.move(by: clocks.origin(of: now).ahead - clock.ahead)
            }
            job.dropFuture(after: now)
            job.clock = nil
            loaded.running[place].job = job
        }
        return deadlines
    }

    /// Writes the moments of a batch so that another engine can read them.
    func storeMoments(in batch: inout Batch, of carried: Carried) {
        guard batch.steps.contains(where: { $0.dueAt != nil }) || !batch.jobs.isEmpty || !batch.runsStarted.isEmpty
        else { return }
        let (now, clocks) = (world.now(), world.clocks())
        for place in batch.steps.indices {
            guard let dueAt = batch.steps[place].dueAt else { continue }
            let deadline = carried.deadline(of: batch.steps[place].id.index - 1, dueAt, now, clocks)
            (batch.steps[place].dueAt, batch.steps[place].deadline) = (deadline.wall, deadline)
        }
        let origin = clocks.origin(of: now)
        for run in batch.jobs.keys { batch.jobs[run]?.clock = origin }
        for place in batch.runsStarted.indices { batch.runsStarted[place].job?.clock = origin }
    }
}

extension Carried {
    /// A deadline as it is stored, with the moment of this engine's clock that stands for it.
    struct StoredDeadline {
        var dueAt: Moment
        var deadline: Deadline
    }

    /// Returns what is stored for the deadline of a step. As long as the step has the same deadline, the result stays
    /// the same, so that its whole wait is not forgotten.
    func deadline(of index: Int, _ dueAt: Moment, _ now: Moment, _ clocks: ClockReading) -> Deadline {
        if let known = deadlines[index], known.dueAt == dueAt { return known.deadline }
        let deadline = Deadline(after: dueAt.milliseconds - now.milliseconds, at: clocks)
        deadlines[index] = StoredDeadline(dueAt: dueAt, deadline: deadline)
        return deadline
    }
}
