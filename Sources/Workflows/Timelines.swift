import JSON
package import Vocabulary

/// The use of time by a workflow and its steps, computed from stored events.
///
/// The result depends on the events only. If a clock was set back, an event can lie before the one that precedes it.
/// The two then count as simultaneous, so that segments never overlap and leave no gap.
package enum Timelines {
    /// Returns the timeline of a workflow, and then those of its steps in order.
    ///
    /// - Parameters:
    ///   - events: the events of the whole workflow, oldest first.
    ///   - end: the end of the workflow, or now.
    package static func of(_ events: [EventRecord], steps count: Int, from start: Moment, to end: Moment) -> [Timeline]
    {
        var lines = (0...count).map { _ in Line(start) }
        var states = Array(repeating: State(), count: count)
        var tally: [Segment.Kind: Int] = count == 0 ? [:] : [.blocked: count]
        var isPaused = false
        var over: Segment.Kind?
        var clock = start
        func whole() -> Segment.Kind { over ?? liveliest.first { tally[$0, default: 0] > 0 } ?? .done }
        for event in events {
            clock = max(clock, min(event.at, end))
            switch event.type {
            case "step.changed":
                guard let number = event.step, states.indices.contains(number - 1), states[number - 1].take(event.body)
                else { break }
                // A workflow that was over is taken up again by the first of its steps that moves.
                if !states[number - 1].state.isTerminal { over = nil }
                change(number - 1, isPaused, clock, &states, &tally, &lines)
            case "workflow.changed":
                guard let code = event.body["reason"]?.string.map(FailureCode.init), code.isOne(of: .paused, .resumed)
                else { break }
                isPaused = code == .paused
                for index in states.indices { change(index, isPaused, clock, &states, &tally, &lines) }
            case "workflow.finished":
                over = event.body["outcome"]?.string.flatMap(Outcome.init(rawValue:)).flatMap(ending)
            default: break
            }
            lines[0].turn(to: whole(), at: clock)
        }
        return lines.enumerated().map { place, line in
            Timeline(step: place == 0 ? nil : place, segments: line.segments(to: max(clock, end)))
        }
    }

    /// The kinds of segments by rank. If steps do different things at once, the workflow shows the first kind of this
    /// list.
    private static let liveliest: [Segment.Kind] = [
        .running, .downloading, .queued, .reconnecting, .backoff, .waitingForSlot, .waitingForPerson, .paused, .offline,
        .blocked, .stale,
        .failed, .cancelled, .done,
    ]

    private static func ending(_ outcome: Outcome) -> Segment.Kind? {
        switch outcome {
        case .succeeded: .done
        case .failed: .failed
        case .cancelled: .cancelled
        case .waiting: nil
        }
    }

    private static func change(
        _ index: Int, _ isPaused: Bool, _ at: Moment, _ states: inout [State], _ tally: inout [Segment.Kind: Int],
        _ lines: inout [Line]
    ) {
        let kind = states[index].kind(isPaused: isPaused)
        tally[lines[index + 1].kind, default: 0] -= 1
        tally[kind, default: 0] += 1
        lines[index + 1].turn(to: kind, at: at)
    }

    /// The state of a step, as its events tell it.
    private struct State {
        var state = StepState.blocked
        private var reason: FailureCode?
        private var phase: String?

        /// Applies the body of an event.
        ///
        /// - Returns: false if another version of the program wrote a state that this one does not know.
        mutating func take(_ body: JSON) -> Bool {
            guard let next = body["state"]?.string.flatMap(StepState.init(rawValue:)) else { return false }
            // A new reason alone says nothing of the phase.
            phase = body["phase"]?.string ?? (next == state ? phase : nil)
            (state, reason) = (next, body["reason"]?.string.map(FailureCode.init))
            return true
        }

        func kind(isPaused: Bool) -> Segment.Kind {
            switch state {
            case .blocked: reason?.isOne(of: Self.stale) ?? false ? .stale : .blocked
            case .ready: held ?? .waitingForSlot
            case .awaitingUser: .waitingForPerson
            case .runningLocal: .running
            case .queuedRemote: held ?? (isPaused && phase == JobPhase.submitted.rawValue ? .paused : .queued)
            case .runningRemote: held ?? (isPaused && phase == JobPhase.submitted.rawValue ? .paused : .running)
            case .downloading: held ?? .downloading
            case .succeeded: .done
            case .failed: .failed
            case .cancelled: .cancelled
            }
        }

        private static let stale: [Code] = [.inputChanged, .upstreamStale, .definitionChanged, .rerunQueued]

        private var held: Segment.Kind? {
            switch reason?.ours {
            case .backoff: .backoff
            // It is run, though nothing is changed yet.
            case .rehearsal: .running
            case .offline: .offline
            case .reconnecting: .reconnecting
            default: nil
            }
        }
    }

    private struct Line {
        private(set) var kind = Segment.Kind.blocked
        private var since: Moment
        private var done: [Segment] = []

        init(_ start: Moment) { since = start }

        mutating func turn(to next: Segment.Kind, at moment: Moment) {
            guard next != kind else { return }
            if moment > since { add(Segment(kind, from: since, to: moment)) }
            (kind, since) = (next, moment)
        }

        /// Adds a segment. It extends the segment before it if both have the same kind, which happens when a segment of
        /// no length was left out between them.
        private mutating func add(_ segment: Segment) {
            if let last = done.last, last.kind == segment.kind {
                done[done.count - 1].to = segment.to
            } else {
                done.append(segment)
            }
        }

        func segments(to end: Moment) -> [Segment] {
            var line = self
            if end > since || line.done.isEmpty { line.add(Segment(kind, from: since, to: max(end, since))) }
            return line.done
        }
    }
}
