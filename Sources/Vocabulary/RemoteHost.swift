/// The purpose for which a host is used. A yes to one purpose does not cover the other.
package enum HostUse: String, Hashable, Sendable, CaseIterable {
    case model, jobs
}

/// A server as consent identifies it, by its scheme, host and port.
package struct RemoteHost: Hashable, Sendable, CustomStringConvertible {
    /// Whether the server is reached by https.
    package let isEncrypted: Bool
    /// The name in lower case, or an address, which has brackets for IPv6. For jobs `*.example.com` stands for every
    /// name under it.
    package let host: String
    package let port: Int

    package init(isEncrypted: Bool, host: String, port: Int) {
        self.isEncrypted = isEncrypted
        self.host = host
        self.port = port
    }

    /// The form in which the host is stored, always with the port.
    package var description: String { "\(isEncrypted ? "https" : "http")://\(host):\(port)" }

    /// The form for users, without https and without the usual port.
    package var name: String {
        let port = self.port == (isEncrypted ? 443 : 80) ? "" : ":\(self.port)"
        return (isEncrypted ? "" : "http://") + host + port
    }

    package var place: HostPlace { HostPlace(host) }

    /// Whether the host is always refused, because it is public and its connection is not encrypted. A name counts as
    /// public, since it may lead anywhere.
    package var isRefused: Bool { !isEncrypted && place == .elsewhere }
    /// Whether the question about this host has a special warning, because of an open connection or a metadata service.
    package var isGrave: Bool { !isEncrypted || place == .metadata }

    /// Returns whether a yes to this host also covers `other`.
    package func covers(_ other: RemoteHost) -> Bool {
        guard isEncrypted == other.isEncrypted, port == other.port else { return false }
        return host == other.host || host.hasPrefix("*.") && other.host.hasSuffix(host.dropFirst())
    }
}

/// A question whether these hosts may be used. Only the user at the terminal can answer it.
package struct HostQuestion: Hashable, Sendable {
    /// The hosts that are asked about. The list is never empty.
    package var hosts: [RemoteHost]
    package var use: HostUse
    /// The name of the recipient at these hosts, such as a model's name or a provider's title.
    package var whom: String

    package init(_ hosts: [RemoteHost], for use: HostUse, whom: String) {
        self.hosts = hosts
        self.use = use
        self.whom = whom
    }

    /// The command by which the user allows the hosts, in single quotes.
    package var command: String {
        let names = hosts.map { $0.name.contains("*") ? "\"\($0.name)\"" : $0.name }
        return "'assent hosts allow \(names.joined(separator: " ")) --for \(use.rawValue)'"
    }
}

/// A host that the user has allowed.
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
    /// Returns the failure for hosts that the user has not allowed.
    ///
    /// - Parameter question: the question that is not answered yet.
    package static func hostNotAllowed(_ question: HostQuestion) -> Failure {
        let names = question.hosts.map(\.name).joined(separator: ", ")
        return Failure(
            .hostNotAllowed,
            "You have not allowed \(names) for \(question.use.inWords), so nothing was sent to \(question.whom).",
            remedy: "Allow it with: \(question.command)")
    }

    package static func insecureHost(_ host: RemoteHost) -> Failure {
        Failure(
            .insecureHost,
            "\(host.name) would be spoken to in the clear, where everybody on the way can read what is sent.")
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
