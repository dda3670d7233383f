import Services
import Storage
package import Vocabulary

extension Limits {
    /// How long a run stands still before the process that holds it is named, in seconds.
    fileprivate static let standstillSeconds = 2.0
}

/// The place at which the run of a guide stands.
package enum GuidePlace: Hashable, Sendable {
    case asked(AwaitRecord)
    case ended(Outcome)
    /// A wait for something other than an answer, such as a yes to a call.
    case elsewhere
    /// A standstill, since another process holds the run. It is reported once, and the wait can go on.
    case held(WorkflowHolder)
}

/// The course of one run of a guide: which step is asked next, as an engine brings it about in this process or another.
package struct GuideCourse: Sendable {
    private let run: GuideRun
    private var reported: WorkflowHolder?

    init(of run: GuideRun) { self.run = run }

    /// Waits until a step is asked, or the run ends. If several steps are open, the first is asked. While an answer or a
    /// command waits for its engine, the stored states are those of before, and are not returned.
    package mutating func next() async throws(Failure) -> GuidePlace {
        let archive = try run.shared.archive.get()
        let changes = WorkflowChanges(of: run.workflow, in: run.shared.hub)
        defer { changes.end() }
        var (version, steps, stillSince) = (Int?.none, [StepRecord](), ContinuousClock.now)
        while true {
            let newest = try archive.dataVersion()
            if newest != version {
                version = newest
                // The commands are read first: the rows that are read after them are at least as new.
                let isUnderWay = try !archive.waitingCommands(of: run.workflow).isEmpty
                let read = try run.steps()
                if read != steps { (steps, stillSince) = (read, .now) }
                if !isUnderWay, let place = try place() {
                    reported = nil
                    return place
                }
            }
            if stillSince.duration(to: .now) >= .seconds(Limits.standstillSeconds),
                let holder = try run.shared.holder(of: run.workflow), holder != reported
            {
                reported = holder
                return .held(holder)
            }
            guard await changes.next() else { return .elsewhere }
        }
    }

    /// Opens an earlier step again, which is then asked next.
    package func goBack(to step: StepID) throws(Failure) {
        try run.reopen(step)
    }

    /// Opens the review again if a step was answered after it.
    ///
    /// - Returns: whether the review was opened.
    package func reopenOldReview() throws(Failure) -> Bool {
        guard let review = GuideReview(of: try run.steps()), review.isOld else { return false }
        try goBack(to: review.step.id)
        return true
    }

    /// Returns the place at which the run stands, or `nil` if it is under way.
    private func place() throws(Failure) -> GuidePlace? {
        let open = try run.shared.archive.get().awaits(at: OpenWorkspace.now()).filter {
            $0.step.workflow == run.workflow
        }
        let places = WorkflowRecords(run.shared).rows(of: run.workflow)
        let first = open.filter { $0.request != nil }.min {
            places.place($0.step.index) < places.place($1.step.index)
        }
        if let first { return .asked(first) }
        if !open.isEmpty { return .elsewhere }
        guard let outcome = try run.stored().outcome, outcome != .waiting else { return nil }
        return .ended(outcome)
    }
}
