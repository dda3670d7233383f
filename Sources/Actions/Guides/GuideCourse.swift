import Services
import Storage
package import Vocabulary

extension Limits {
    /// How long the engine may take to read an answer or a command before the next open step is asked, in seconds.
    fileprivate static let courseSeconds = 10.0

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
    /// The entries of the inbox whose answers may be on their way to the engine.
    private var answered: Set<Int64> = []
    private var expected: Expected?
    private var reported: WorkflowHolder?

    /// A change that the engine makes before anything else is asked.
    private struct Expected {
        enum Change {
            /// The answer of the step is read, so that its consequences are known.
            case settled(StepID)
            case reopened(StepID)
        }
        let change: Change
        let since = ContinuousClock.now
    }

    init(of run: GuideRun) { self.run = run }

    /// Waits until a step is asked whose answer is not on its way, or the run ends. If several steps are open, the
    /// first is asked.
    package mutating func next() async throws(Failure) -> GuidePlace {
        let archive = try run.shared.archive.get()
        let changes = WorkflowChanges(of: run.workflow, in: run.shared.hub)
        defer { changes.end() }
        var (version, steps, stillSince) = (Int?.none, [StepRecord](), ContinuousClock.now)
        while true {
            let newest = try archive.dataVersion()
            if newest != version || hasWaitedLong {
                version = newest
                let read = try run.steps()
                if read != steps { (steps, stillSince) = (read, .now) }
                if let place = try place(steps) {
                    (expected, reported) = (nil, nil)
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

    /// Records that a step was answered.
    package mutating func recordAnswer(to record: AwaitRecord) {
        answered.insert(record.number)
        expected = Expected(change: .settled(record.step))
    }

    /// Opens an earlier step again, which is then asked next.
    package mutating func goBack(to step: StepID) throws(Failure) {
        try run.reopen(step)
        expected = Expected(change: .reopened(step))
    }

    /// Opens the review again if a step was answered after it.
    ///
    /// - Returns: whether the review was opened.
    package mutating func reopenOldReview() throws(Failure) -> Bool {
        guard let review = GuideReview(of: try run.steps()), review.isOld else { return false }
        try goBack(to: review.step.id)
        return true
    }

    /// Whether the engine took longer than an engine takes.
    private var hasWaitedLong: Bool {
        expected.map { $0.since.duration(to: .now) >= .seconds(Limits.courseSeconds) } ?? false
    }

    /// Returns the place at which the run stands, or `nil` if it is under way.
    private func place(_ steps: [StepRecord]) throws(Failure) -> GuidePlace? {
        let open = try run.shared.archive.get().awaits(at: OpenWorkspace.now()).filter {
            $0.step.workflow == run.workflow && !answered.contains($0.number)
        }
        if let expected, !hasWaitedLong {
            switch expected.change {
            case .settled(let step):
                if steps.first(where: { $0.id == step })?.state == .awaitingUser { return nil }
            case .reopened(let step): if !open.contains(where: { $0.step == step }) { return nil }
            }
        }
        if let first = open.filter({ $0.request != nil }).min(by: { $0.step.index < $1.step.index }) {
            return .asked(first)
        }
        if !open.isEmpty { return .elsewhere }
        guard let outcome = try run.stored().outcome, outcome != .waiting else { return nil }
        return .ended(outcome)
    }
}
