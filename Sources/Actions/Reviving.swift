package import Vocabulary

extension Limits {
    /// The first pause before a failed engine is started again, in seconds (ticks of the chat). Each further one is
    /// twice as long.
    fileprivate static let reviveTicks = 1

    /// The longest pause before a failed engine is started again, in seconds.
    fileprivate static let reviveMostTicks = 60

    /// The seconds after which an engine that was started again counts as working.
    fileprivate static let reviveTrialTicks = 3
}

/// The schedule for starting an engine again whose store has failed: soon at first, then less and less often. It
/// reports only news.
package struct Reviving {
    package enum Step: Hashable, Sendable {
        case nothing, start
        /// The engine has worked for a while.
        case isBack
    }

    /// The code of the failure that was last reported.
    private var told: FailureCode?
    /// The ticks until the engine is started again, or nil while it works or is on trial.
    private var wait: Int?
    private var pause = Limits.reviveTicks
    /// The ticks until an engine that was started again counts as working.
    private var trial: Int?

    package init() {}

    /// Records that the engine ended with a failure, and schedules its start.
    ///
    /// - Returns: whether the failure is news to the person.
    package mutating func ended(_ failure: Failure) -> Bool {
        (wait, trial) = (pause, nil)
        pause = min(pause * 2, Limits.reviveMostTicks)
        // `engineEnding` means that some work of a failed engine is not done yet, and is not news.
        guard failure.code != .engineEnding, failure.code != told else { return false }
        told = failure.code
        return true
    }

    /// Returns the step that is due. Call it once a second.
    package mutating func tick() -> Step {
        if let left = wait {
            wait = left > 1 ? left - 1 : nil
            if wait == nil { trial = Limits.reviveTrialTicks }
            return wait == nil ? .start : .nothing
        }
        guard let left = trial else { return .nothing }
        trial = left > 1 ? left - 1 : nil
        guard trial == nil else { return .nothing }
        (told, pause) = (nil, Limits.reviveTicks)
        return .isBack
    }
}
