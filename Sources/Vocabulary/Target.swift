extension Call.Target {
    /// The file or folder of the target, or `nil` if it is a new name that is not chosen yet, or something else than a
    /// path.
    package var path: String? { if case .path(let path) = place { path } else { nil } }

    /// Whether a command sets the time of the file and changes nothing else of it.
    package var setsTimeOnly: Bool {
        guard effect == .overwrites, let change else { return false }
        return change.modified != nil && change.modeBefore == change.mode && change.attributes == nil
    }

    /// Whether the target is a server on this machine, so that nothing leaves it. This changes the words of questions,
    /// but no decision.
    package var isOnThisMachine: Bool { hostPlace == .thisMachine }

    /// The place of the target's host, as far as the name alone shows it, or `nil` if the target is not a host.
    package var hostPlace: HostPlace? {
        guard case .host(let host) = place else { return nil }
        return HostPlace.ofTarget(host)
    }
}
