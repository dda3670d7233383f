/// A period in which a step or a workflow had one kind of activity. The segments of a timeline follow each other
/// without gaps.
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
        /// The inputs of the step are missing or failed.
        case blocked
        case waitingForSlot, waitingForPerson, backoff
        /// The job is submitted and has not started at its provider.
        case queued
        case running, downloading
        /// The provider of the job cannot be reached.
        case reconnecting
        /// The status of the job is not requested.
        case paused
        case offline
        /// The step has succeeded, but its inputs have changed since.
        case stale
        case done, failed, cancelled
    }
}

/// The periods that a step, or the whole workflow, spent on each activity.
package struct Timeline: Hashable, Sendable {
    /// The step, or `nil` for the whole workflow, which has the most active kind of its steps at each time.
    package var step: Int?
    package var segments: [Segment]

    package init(step: Int?, segments: [Segment]) {
        self.step = step
        self.segments = segments
    }
}
