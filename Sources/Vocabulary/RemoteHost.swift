/// What a host may be spoken to for. A yes to one is none to the other.
package enum HostUse: String, Hashable, Sendable, CaseIterable {
    case model, jobs
}

/// A server as consent names it: how it is spoken to, which host, which port.
package struct RemoteHost: Hashable, Sendable, CustomStringConvertible {
    /// Whether it is spoken to by https.
    package let isEncrypted: Bool
    /// In lower case, an IPv6 address in brackets. For jobs also `*.example.com`: every name under it.
    package let host: String
    package let port: Int

    package init(isEncrypted: Bool, host: String, port: Int) {
        self.isEncrypted = isEncrypted
        self.host = host
        self.port = port
    }

    /// As it is stored: always with the port.
    package var description: String { "\(isEncrypted ? "https" : "http")://\(host):\(port)" }

    /// As a person says it: what goes without saying is left out.
    package var name: String {
        let port = self.port == (isEncrypted ? 443 : 80) ? "" : ":\(self.port)"
        return (isEncrypted ? "" : "http://") + host + port
    }

    package var place: HostPlace { HostPlace(host) }

    /// What everybody on the way could read goes to no public host, whoever says so. A name may lead anywhere.
    package var isRefused: Bool { !isEncrypted && place == .elsewhere }
    /// What asks in louder words than another host.
    package var isGrave: Bool { !isEncrypted || place == .metadata }

    /// Whether a yes to this one is one to `other`.
    package func covers(_ other: RemoteHost) -> Bool {
        guard isEncrypted == other.isEncrypted, port == other.port else { return false }
        return host == other.host || host.hasPrefix("*.") && other.host.hasSuffix(host.dropFirst())
    }
}

/// May these be spoken to? For the person at the terminal, and for nobody else.
package struct HostQuestion: Hashable, Sendable {
    /// Never empty.
    package var hosts: [RemoteHost]
    package var use: HostUse
    /// Who is reached there: a model's name, a provider's title.
    package var whom: String

    package init(_ hosts: [RemoteHost], for use: HostUse, whom: String) {
        self.hosts = hosts
        self.use = use
        self.whom = whom
    }

    /// The command that says yes.
    package var command: String {
        let names = hosts.map { $0.name.contains("*") ? "'\($0.name)'" : $0.name }
        return "assent hosts allow \(names.joined(separator: " ")) --for \(use.rawValue)"
    }
}

/// A host that the person has allowed.
package struct AllowedHost: Hashable, Sendable {
    package var host: RemoteHost
    package var use: HostUse
    package var at: Moment

    package init(_ host: RemoteHost, for use: HostUse, at: Moment) {
        self.host = host
        self.use = use
        self.at = at
    }
}

extension Failure {
    /// - Parameter question: what nobody has said yes to.
    package static func hostNotAllowed(_ question: HostQuestion) -> Failure {
        let names = question.hosts.map(\.name).joined(separator: ", ")
        return Failure(
            "hostNotAllowed",
            "You have not allowed \(names) for \(question.use.inWords), so nothing was sent to \(question.whom).",
            remedy: "Allow it with: \(question.command)")
    }

    package static func insecureHost(_ host: RemoteHost) -> Failure {
        Failure(
            "insecureHost",
            "\(host.name) would be spoken to in the clear, where everybody on the way can read what is sent.",
            remedy: "Use its https address. Without it only this machine and private addresses are spoken to.")
    }
}

extension HostUse {
    package var inWords: String {
        switch self {
        case .model: "a model"
        case .jobs: "jobs"
        }
    }
}
