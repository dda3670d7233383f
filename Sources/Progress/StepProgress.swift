import Actions
package import Vocabulary

/// The way of one step from its start to its end: its clock, its share and its words.
///
/// The clock runs from the first start after a user started the step. A trial run and the run that follows it are one
/// time. The clock stands still while the step waits for a person.
package struct StepProgress: Hashable, Sendable {
    package private(set) var state: StepState
    private(set) var phase: String?
    private(set) var reason: Reason?
    /// The progress from 0 to 1 that a provider or program has reported last.
    private(set) var share: Double?
    /// The moment from which the clock runs, or nil while it stands still.
    private var runsSince: Moment?
    /// The moment of its present state.
    private var changedAt: Moment?
    /// The seconds before that moment.
    private var spent = 0.0

    /// Creates the progress of a step that has not begun.
    init(_ state: StepState = .blocked) { self.state = state }

    /// Whether the step works now. A command that is rehearsed counts, although it is `ready` in the store.
    package var isRunning: Bool { state.isRunning || isRehearsed }
    /// Whether its command runs over an overlay.
    package var isRehearsed: Bool { state == .ready && reason?.code == .rehearsal }
    package var hasBegun: Bool { runsSince != nil || spent > 0 }
    /// Whether it waits for a person.
    var isAsking: Bool { state == .awaitingUser }

    /// Records a new state of the step.
    mutating func take(_ state: StepState, phase: String?, reason: Reason?, share: Double?, at moment: Moment) {
        // While the provider cannot be reached, its last progress is shown.
        if share != nil || state != self.state { self.share = share }
        if state != self.state || reason?.code != self.reason?.code { changedAt = moment }
        (self.state, self.phase, self.reason) = (state, phase, reason)
        if isRunning {
            runsSince = runsSince ?? moment
        } else if state == .awaitingUser || state.isTerminal || state == .blocked {
            spent = seconds(at: moment)
            runsSince = nil
        }
    }

    /// Returns whether it has been in its state for a second, so that one may wonder.
    func isOld(at now: Moment) -> Bool { changedAt.map { now.seconds(since: $0) >= 1 } ?? true }

    /// Returns the seconds on the clock.
    package func seconds(at now: Moment) -> Double { spent + max(0, runsSince.map { now.seconds(since: $0) } ?? 0) }
}
