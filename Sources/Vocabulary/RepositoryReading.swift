package import JSON

extension Call {
    /// The call without the repository around its folder, or `nil` if the command reads none or reaches for more.
    package var withoutRepository: Call? {
        guard rehearsal == .wanted, repository != nil, params["reads"]?.array?.isEmpty ?? true else { return nil }
        var plain = self
        plain.targets.removeAll { $0.effect == .reads }
        plain.effects.remove(.reads)
        plain.environment["repository"] = nil
        return plain.reachesOut ? nil : plain
    }

    /// The top folder of the repository around the workspace that the command reads, or `nil` if it reads none.
    package var repository: String? { environment["repository"]?.string }

    /// The targets that a command reads outside of its folder.
    package var readings: [JSON] { targets.filter { $0.effect == .reads }.map(\.json) }
}
