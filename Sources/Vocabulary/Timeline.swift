/// A piece of time in which one thing was going on. Segments of one line tile its time: each begins where the one
/// before it ends.
package struct Segment: Hashable, Sendable {
    package var kind: Kind
    package var from: Moment
    /// Not before `from`.
    package var to: Moment

    package init(_ kind: Kind, from: Moment, to: Moment) {
        self.kind = kind
        self.from = from
        self.to = to
    }

    package var milliseconds: Int64 { to.milliseconds - from.milliseconds }

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// What it needs is not there yet, or failed.
        case blocked
        case waitingForSlot, waitingForPerson, backoff
        /// A job that is submitted and has not begun at its provider.
        case queued
        case running, downloading
        /// The provider of its job cannot be reached.
        case reconnecting
        /// Its status is not asked for.
        case paused
        case offline
        /// It has succeeded on inputs that have changed since.
        case stale
        case done, failed, cancelled
    }
}

/// What one step, or the whole of a workflow, spent its time on.
package struct Timeline: Hashable, Sendable {
    /// `nil`: the whole, which is at each time what the liveliest of its steps is.
    package var step: Int?
    package var segments: [Segment]

    package init(step: Int?, segments: [Segment]) {
        self.step = step
        self.segments = segments
    }
}
