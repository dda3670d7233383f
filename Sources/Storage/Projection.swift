import JSON
package import Vocabulary

/// The state of one workflow as its events show it: a fold, from which `steps` and `workflows.outcome` can be made
/// again. It is pure.
///
/// Events may lack details. `tries` and `due` come from an event's body if it has them. Otherwise tries are counted as
/// the flow counts them, and the due time is unknown.
package struct Projection: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package var state: StepState = .blocked
        package var reason: Reason?
        package var failure: Failure?
        package var attempt = 0
        package var tries = 0
        package var dueAt: Moment?
        /// Whether the events contain the due time, or that there is none.
        package var tellsDue = false
        package var updatedAt: Moment
        /// Whether the step has outputs that may differ from those that it would make now. It then runs again, or
        /// proves to be fresh.
        fileprivate var isStale = false

        fileprivate init(updatedAt: Moment) { self.updatedAt = updatedAt }

        /// Returns the state of a step that has no events.
        package static func untouched(since moment: Moment) -> Step { Step(updatedAt: moment) }
    }

    /// The steps by number. A step without events is missing.
    package private(set) var steps: [Int: Step] = [:]
    package private(set) var outcome: Outcome?
    /// Whether an event could not be read. The rest of the projection is then unreliable.
    package private(set) var isGarbled = false

    package init() {}

    package init(_ events: some Sequence<EventRecord>) {
        for event in events { take(event) }
    }

    package mutating func take(_ event: EventRecord) {
        switch event.type {
        case "step.changed": change(event)
        case "workflow.finished":
            guard let reached = event.body["outcome"]?.string.flatMap(Outcome.init(rawValue:)) else {
                return isGarbled = true
            }
            // The outcome "waiting" is derived, and never stored.
            if reached != .waiting { outcome = reached }
        default: break
        }
    }

    private mutating func change(_ event: EventRecord) {
        guard let number = event.step, number > 0,
            let next = event.body["state"]?.string.flatMap(StepState.init(rawValue:))
        else {
            return isGarbled = true
        }
        var step = steps[number] ?? Step(updatedAt: event.at)
        let (before, reasonBefore) = (step.state, step.reason?.code)
        let code = event.body["reason"]?.string.map(FailureCode.init)
        step.state = next
        step.reason = code.map { Reason($0, event.body["words"]?.string ?? "") }
        step.failure = event.body["failure"].flatMap { Failure(told: $0) }
        step.attempt = max(step.attempt, event.attempt ?? 0)
        step.updatedAt = event.at
        if let told = event.body["tries"]?.int {
            step.tries = told
        } else if (next == .runningLocal || next == .queuedRemote) && !before.isRunning {
            step.tries += 1
        } else if next == .ready, before.isRunning, code == .processLost {
            step.tries = max(0, step.tries - 1)
        } else if before.isTerminal && next == .ready || (before == .failed || before == .cancelled) && next == .blocked
        {
            // A person has taken up the step again.
            step.tries = 0
        } else if before == .blocked, next == .ready, step.isStale {
            step.tries = 0
        } else if before == .ready, next == .ready, reasonBefore == .backoff, code == .waitingForSlot {
            // The step waited for its next try, and a person asked for it to be run again.
            step.tries = 0
        } else if before == .ready || before == .awaitingUser, next == .blocked, code == nil {
            step.tries = 0
        }
        step.isStale = next == .blocked && (before == .succeeded || step.isStale)
        step.tellsDue = event.body["due"] != nil
        step.dueAt = event.body["due"]?.int.map { Moment(milliseconds: Int64($0)) }
        steps[number] = step
        // A workflow that was over is under way again as soon as one of its steps is. A step that is only blocked was
        // made stale by an edit or a pin, and waits until a person asks for it. Then another step becomes ready, or the
        // workflow ends.
        switch next {
        case .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading:
            if next != before { outcome = nil }
        case .blocked, .succeeded, .failed, .cancelled: break
        }
    }

    /// Returns how a stored step differs from the events, in words, or nil if they agree. A due time is compared only
    /// if the events contain it.
    package func difference(from record: StepRecord) -> String? {
        guard let told = steps[record.id.index] else {
            return record.state == .blocked && record.attempt == 0
                ? nil : "step \(record.id.index) is \(record.state.rawValue), and no event says so"
        }
        if told.state != record.state {
            return "step \(record.id.index) is \(record.state.rawValue), its events say \(told.state.rawValue)"
        }
        if told.attempt != record.attempt {
            return "step \(record.id.index) has had \(record.attempt) attempts, its events say \(told.attempt)"
        }
        if told.reason != record.reason || told.failure?.json != record.failure?.json {
            return "step \(record.id.index) gives another reason than its events"
        }
        return told.tellsDue && told.dueAt != record.dueAt
            ? "step \(record.id.index) is due at another time than its events say" : nil
    }
}

extension Failure {
    /// Reads a failure from the body of an event. Events do not hold its cause.
    fileprivate init?(told json: JSON) {
        guard let code = json["code"]?.string else { return nil }
        self.init(FailureCode(code), json["message"]?.string ?? "", remedy: json["remedy"]?.string)
    }
}
