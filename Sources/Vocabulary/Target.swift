extension Call.Target {
    /// The file or folder, where it is named as it is: not a new name that is still to be found.
    package var path: String? { if case .path(let path) = place { path } else { nil } }

    /// Whether a command sets the time of the file and changes nothing else of it.
    package var setsTimeOnly: Bool {
        guard effect == .overwrites, let change else { return false }
        return change.modified != nil && change.modeBefore == change.mode && change.attributes == nil
    }

    /// A server on this machine: another program than ours, but nothing leaves for elsewhere. It changes what is said,
    /// never what is decided.
    package var isOnThisMachine: Bool { hostPlace == .thisMachine }

    /// Of a host, as far as it can be said without asking anybody.
    package var hostPlace: HostPlace? {
        guard case .host(let host) = place else { return nil }
        return HostPlace.ofTarget(host)
    }
}
