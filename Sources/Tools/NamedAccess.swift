import JSON
import Rehearsal
import Sandbox
import Vocabulary

extension Limits {
    /// The most hosts that a command may name. A question shows all of them.
    fileprivate static let namedHosts = 16

    /// The most files and folders that a command may name to read. A question shows all of them.
    fileprivate static let namedReads = 16
}

extension OutsideAccess {
    /// Collects what the call names, and the repository around the workspace if the command uses git.
    ///
    /// - Throws: `badHost`, `badParam`, `badPath`, `fileNotFound`, `ownFolder`, or `secretFile` if a file of keys and a
    ///   host are named together.
    init(_ assignment: Assignment, _ preparation: borrowing Preparation) throws(Failure) {
        self.init()
        for written in try assignment.texts("network", atMost: Limits.namedHosts) {
            let host = try NamedHost(written)
            if !hosts.contains(host) { hosts.append(host) }
        }
        targets = hosts.flatMap(\.targets)
        for written in try assignment.texts("reads", atMost: Limits.namedReads) { try add(written, preparation) }
        for path in preparation.repository()?.readings ?? [] { try add(path, preparation) }
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
