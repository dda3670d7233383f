import HTTP
import JSON
package import Vocabulary

/// The hosts that the user has allowed, and for which use: `hosts.json` in the config folder. The file is read at each
/// check, so a revoked host is refused at once in every process.
package struct HostConsents: Sendable {
    /// The config folder.
    let folder: String

    /// Creates the list of a config folder. The file is not read yet.
    package init(folder: String) { self.folder = folder }

    private var file: ConsentFile<AllowedHost> { ConsentFile(folder + "/hosts.json") }

    /// Returns the hosts that still need a yes. This machine never needs one.
    ///
    /// - Throws: `insecureHost`, or `hostsBroken` if the file cannot be read or trusted. Then nothing is allowed.
    package func missing(_ hosts: [RemoteHost], for use: HostUse) throws(Failure) -> [RemoteHost] {
        let remote = hosts.filter { $0.place != .thisMachine }
        if let refused = remote.first(where: \.isRefused) { throw .insecureHost(refused) }
        guard !remote.isEmpty else { return [] }
        let allowed = try list()
        return remote.filter { host in !allowed.contains { $0.use == use && $0.host.covers(host) } }
    }

    /// Throws if a host of the question still needs a yes.
    ///
    /// - Throws: `hostNotAllowed`, `insecureHost`, `hostsBroken`.
    package func require(_ question: HostQuestion) throws(Failure) {
        let missing = try missing(question.hosts, for: question.use)
        guard missing.isEmpty else {
            throw .hostNotAllowed(HostQuestion(missing, for: question.use, whom: question.whom))
        }
    }

    // MARK: The file

    /// Returns all hosts that are allowed.
    ///
    /// - Throws: `hostsBroken`.
    package func list() throws(Failure) -> [AllowedHost] {
        try file.list()
    }

    /// Returns the hosts in the file, and its problems. If there is a problem, no host is allowed.
    package func read() -> (hosts: [AllowedHost], problems: [Problem]) {
        let (entries, problems) = file.read()
        return (entries, problems)
    }

    /// Allows a host for a use.
    ///
    /// - Returns: false if it was allowed already.
    package func allow(_ host: RemoteHost, for use: HostUse, at now: Moment) throws(Failure) -> Bool {
        guard !host.isRefused else { throw .insecureHost(host) }
        return try file.change { hosts in
            guard !hosts.contains(where: { $0.host == host && $0.use == use }) else { return false }
            hosts.append(AllowedHost(host, for: use, at: now))
            return true
        }
    }

    /// Revokes the permissions of a host.
    ///
    /// - Parameter use: the use that is revoked, or nil for all.
    /// - Returns: the permissions that were removed.
    package func revoke(_ host: RemoteHost, for use: HostUse?) throws(Failure) -> [AllowedHost] {
        var gone: [AllowedHost] = []
        _ = try file.change { hosts in
            gone = hosts.filter { $0.host == host && (use == nil || $0.use == use) }
            hosts.removeAll { gone.contains($0) }
            return !gone.isEmpty
        }
        return gone
    }

    // MARK: Words of the person

    /// Reads a host that the user typed: `api.example.com`, `api.example.com:8443`, `http://10.0.0.5:8080`, a whole
    /// address, or `*.example.com`. Without a scheme, it means https.
    ///
    /// - Throws: `badHost`.
    package static func read(_ written: String) throws(Failure) -> RemoteHost {
        func bad(_ why: String) -> Failure {
            Failure(
                .badHost, "This is no host that could be allowed: \(why).",
                remedy: "Such as api.example.com or http://10.0.0.5:8080.")
        }
        guard written.utf8.count <= Limits.hostBytes, written.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !written.contains("@")
        else {
            throw bad("it is too long, or has characters that no host has")
        }
        let scheme = written.firstRange(of: "://").map { written[..<$0.lowerBound].lowercased() }
        let rest = written.firstRange(of: "://").map { written[$0.upperBound...] } ?? written[...]
        let isGlob = rest.hasPrefix("*.")
        guard let origin = Origin(of: "\(scheme ?? "https")://\(isGlob ? rest.dropFirst(2) : rest)") else {
            throw bad("its host or port is missing, or it is spoken to by neither https nor http")
        }
        // `*.com` would allow half of all hosts.
        if isGlob {
            guard HostGlob("*.\(origin.host)") != nil, HostPlace(origin.host) == .elsewhere, origin.host.contains(".")
            else {
                throw bad("* stands for names below one with a dot in it")
            }
        }
        return RemoteHost(
            isEncrypted: origin.scheme == "https", host: (isGlob ? "*." : "") + origin.host, port: origin.port)
    }
}

extension RemoteHost {
    /// Makes the host that a whole address leads to, by the same rules as a request. Fails if the address cannot be
    /// read.
    package init?(of url: String) {
        guard let origin = Origin(of: url) else { return nil }
        self.init(isEncrypted: origin.scheme == "https", host: origin.host, port: origin.port)
    }
}
