extension Command {
    /// Returns whether the engine does not act on the command yet.
    ///
    /// - Parameter wall: the wall time. If it was set back since, so that the hold is longer than a hold can be, the
    ///   hold is over.
    package func isHeld(at wall: Moment) -> Bool {
        guard let heldUntil else { return false }
        return wall < heldUntil && heldUntil <= wall + Limits.reasonSeconds
    }
}

extension Limits {
    /// The time for which the engine waits for the reason of a no before it acts on the no without it, in seconds.
    package static let reasonSeconds = 300.0
}
