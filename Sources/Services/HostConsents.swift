import Glibc
import HTTP
import JSON
package import Vocabulary

/// The hosts that the person has allowed, and for what: `hosts.json` in the config folder. Read whenever it matters, so that a yes that was
/// taken back holds at once in every process.
package struct HostConsents: Sendable {
    /// The config folder.
    let folder: String

    /// Creates the list of a config folder; nothing is read yet.
    package init(folder: String) { self.folder = folder }

    private var path: String { folder + "/hosts.json" }

    /// Those of `hosts` that still need a yes; none for this machine itself.
    ///
    /// - Throws: `insecureHost`; `hostsBroken` where the file says nothing that can be believed, so nothing is allowed.
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
        guard missing.isEmpty else { throw .hostNotAllowed(HostQuestion(missing, for: question.use, whom: question.whom)) }
    }

    // MARK: The file

    /// Returns all hosts that are allowed.
    ///
    /// - Throws: `hostsBroken`.
    package func list() throws(Failure) -> [AllowedHost] {
        guard Files.exists(path) else {
            // A link to nowhere is there, too, and is no "nothing allowed yet".
            if case .missing = FileMark(of: path) { return [] }
            throw broken("it cannot be read")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o022 == 0, status.st_uid == getuid() else {
            throw broken("others can write it")
        }
        guard let bytes = try? Files.bytes(path, limit: Limits.hostsBytes), let json = try? JSONReader.read(bytes) else {
            throw broken("it cannot be read")
        }
        guard json["v"]?.int == 1, let entries = json["hosts"]?.array else { throw broken("its form is not known") }
        var hosts: [AllowedHost] = []
        for entry in entries {
            guard let use = entry["use"]?.string.flatMap(HostUse.init(rawValue:)), let at = entry["at"]?.int,
                let host = entry["host"]?.string, let read = try? Self.read(host), read.description == host
            else { throw broken("an entry of it is not known") }
            hosts.append(AllowedHost(read, for: use, at: Moment(milliseconds: Int64(at))))
        }
        return hosts
    }

    /// Allows a host for a use.
    ///
    /// - Returns: false if that was so already.
    package func allow(_ host: RemoteHost, for use: HostUse, at now: Moment) throws(Failure) -> Bool {
        guard !host.isRefused else { throw .insecureHost(host) }
        return try change { hosts in
            guard !hosts.contains(where: { $0.host == host && $0.use == use }) else { return false }
            hosts.append(AllowedHost(host, for: use, at: now))
            return true
        }
    }

    /// Takes back what was allowed for a host.
    ///
    /// - Parameter use: `nil` for all.
    /// - Returns: what is not allowed any more.
    package func revoke(_ host: RemoteHost, for use: HostUse?) throws(Failure) -> [AllowedHost] {
        var gone: [AllowedHost] = []
        _ = try change { hosts in
            gone = hosts.filter { $0.host == host && (use == nil || $0.use == use) }
            hosts.removeAll { gone.contains($0) }
            return !gone.isEmpty
        }
        return gone
    }

    /// One process after the other, so that no yes and no "no" is lost.
    private func change(_ edit: (inout [AllowedHost]) -> Bool) throws(Failure) -> Bool {
        try Folders.make(folder)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("storageReadOnly", "The folder \(folder) cannot be opened.") }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure("storageReadOnly", "The folder \(folder) cannot be locked.") }
        }
        var hosts = try list()
        guard edit(&hosts) else { return false }
        hosts.sort { ($0.host.description, $0.use.rawValue) < ($1.host.description, $1.use.rawValue) }
        let json: JSON = [
            "v": 1,
            "hosts": .array(
                hosts.map { ["host": .string($0.host.description), "use": .string($0.use.rawValue), "at": .int(Int($0.at.milliseconds))] }),
        ]
        try Files.replace(path, with: Array((json.text + "\n").utf8))
        // The name of the file is durable, too.
        _ = fsync(descriptor)
        return true
    }

    private func broken(_ why: String) -> Failure {
        Failure(
            "hostsBroken", "\(path) says which hosts are allowed, and \(why); so none is.",
            remedy: "Take it away, and allow your hosts again: assent hosts allow HOST --for model")
    }

    // MARK: Words of the person

    /// `api.example.com`, `api.example.com:8443`, `http://10.0.0.5:8080`, a whole address, or `*.example.com`; without a scheme it is https.
    ///
    /// - Throws: `badHost`.
    package static func read(_ written: String) throws(Failure) -> RemoteHost {
        func bad(_ why: String) -> Failure {
            Failure("badHost", "This is no host that could be allowed: \(why).", remedy: "Such as api.example.com or http://10.0.0.5:8080.")
        }
        guard written.utf8.count <= Limits.hostBytes, written.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !written.contains("@") else {
            throw bad("it is too long, or has characters that no host has")
        }
        let scheme = written.firstRange(of: "://").map { written[..<$0.lowerBound].lowercased() }
        let rest = written.firstRange(of: "://").map { written[$0.upperBound...] } ?? written[...]
        let isGlob = rest.hasPrefix("*.")
        guard let origin = Origin(of: "\(scheme ?? "https")://\(isGlob ? rest.dropFirst(2) : rest)") else {
            throw bad("its host or port is missing, or it is spoken to by neither https nor http")
        }
        // `*.com` would be half the world.
        if isGlob {
            guard HostGlob("*.\(origin.host)") != nil, HostPlace(origin.host) == .elsewhere, origin.host.contains(".") else {
                throw bad("* stands for names below one with a dot in it")
            }
        }
        return RemoteHost(isEncrypted: origin.scheme == "https", host: (isGlob ? "*." : "") + origin.host, port: origin.port)
    }
}

extension RemoteHost {
    /// Where a whole address leads, read as the request will read it.
    package init?(of url: String) {
        guard let origin = Origin(of: url) else { return nil }
        self.init(isEncrypted: origin.scheme == "https", host: origin.host, port: origin.port)
    }
}
