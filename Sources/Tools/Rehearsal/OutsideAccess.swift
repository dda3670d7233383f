import Glibc
import JSON
import Vocabulary

extension Limits {
    /// The most hosts that a command may name. A question shows all of them.
    fileprivate static let namedHosts = 16

    /// The most files and folders that a command may name to read. A question shows all of them.
    fileprivate static let namedReads = 16
}

/// The resources outside of the rehearsal that a call names for its command: hosts to contact, and files and folders to
/// read besides the workspace.
struct OutsideAccess {
    struct Reading: Hashable {
        /// A real path.
        var path: String
        var isFolder: Bool
        /// Whether it may hold keys.
        var isPrivate: Bool
    }

    var hosts: [NamedHost] = []
    var readings: [Reading] = []
    private(set) var targets: [Call.Target] = []

    /// Whether a file that may hold keys is read. The results of the command stay on this machine then.
    var isPrivate: Bool { readings.contains(where: \.isPrivate) }

    /// - Throws: `badHost`, `badParam`, `badPath`, `fileNotFound`, `ownFolder`, or `secretFile` if a file of keys and a
    ///   host are named together.
    init(_ assignment: Assignment, _ preparation: borrowing Preparation) throws(Failure) {
        for written in try assignment.texts("network", atMost: Limits.namedHosts) {
            let host = try NamedHost(written)
            if !hosts.contains(host) { hosts.append(host) }
        }
        targets = hosts.flatMap(\.targets)
        for written in try assignment.texts("reads", atMost: Limits.namedReads) { try add(written, preparation) }
        guard let secret = readings.first(where: \.isPrivate), let host = hosts.first else { return }
        throw Failure(
            .secretFile, "\(secret.path) may hold keys, and is not read by a command that speaks to \(host.host).",
            remedy: "Leave out one of network and reads. A command on the bare machine (bare) is not bound by this.")
    }

    private mutating func add(_ written: String, _ preparation: borrowing Preparation) throws(Failure) {
        let (target, reading) = try preparation.reading(written, by: "command")
        guard !Self.isOfSystem(reading.path) else { throw .noPlace(reading.path, toReadFor: "command") }
        guard !readings.contains(reading) else { return }
        readings.append(reading)
        targets.append(target)
    }

    /// Whether a path is in a system folder that commands may not read: `/tmp`, or below `/run`, which holds sockets.
    ///
    /// - Parameter path: a real path.
    private static func isOfSystem(_ path: String) -> Bool { path == "/tmp" || path.path(below: "/run") != nil }
}

extension Assignment {
    /// Returns a parameter that is a list of texts, or an empty list if it is missing.
    ///
    /// - Throws: `badParam` if the value is not a list of texts, or has more than `limit` entries.
    func texts(_ name: String, atMost limit: Int) throws(Failure) -> [String] {
        guard let value = params[name], !value.isNull else { return [] }
        let texts = (value.array ?? []).compactMap(\.string)
        guard let array = value.array, texts.count == array.count, !texts.contains("") else {
            throw Failure(.badParam, "\(name) is a list of texts.")
        }
        guard texts.count <= limit else {
            throw Failure(.badParam, "\(name) has \(texts.count) entries; at most \(limit) are shown and asked for.")
        }
        return texts
    }
}

extension String {
    fileprivate func isStrictly(below folder: String) -> Bool { path(below: folder).map { !$0.isEmpty } ?? false }
}

extension Command {
    /// Gives a command access to the hosts, files and folders that its call names.
    mutating func allow(_ outside: OutsideAccess, resolve: @escaping HostProxy.Resolve) {
        if !outside.hosts.isEmpty { network = .hosts(outside.hosts, resolve: resolve) }
        seesOthersFiles = outside.readings.contains { !$0.isPrivate || $0.path.path(below: folder) == nil }
        // The command sees the entries of its folder anyway.
        readable += outside.readings.filter { !$0.isPrivate && $0.path.path(below: folder) == nil }.map(\.path)
        unhidden += outside.readings.filter(\.isPrivate).map(\.path)
        guard let home = getenv("HOME").map({ realPath(String(cString: $0)) }) else { return }
        // Programs look for these paths below their home folder.
        for path in outside.readings.map(\.path)
        where !outside.readings.contains(where: { path.isStrictly(below: $0.path) }) {
            if path.isStrictly(below: home), let name = path.path(below: home) { homeLinks[name] = path }
        }
    }
}
