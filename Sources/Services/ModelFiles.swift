import Glibc
import Manifests
import Synchronization
package import Vocabulary

extension Limits {
    /// The most bytes of `connections.yaml`.
    fileprivate static let connectionsBytes = 256 << 10
}

/// The readers of `models.yaml`, shipped and the user's own, and of `connections.yaml` in the config folder. A file is
/// read again after it has changed.
package final class ModelFiles: Sendable {
    private let folder: String
    private let known = Mutex<(marks: [FileMark], shelf: ModelShelf)?>(nil)
    /// The text of `connections.yaml` before and after this process stored its last connection.
    private let lastPut = Mutex<(before: String?, after: String)?>(nil)

    /// Creates the reader of both files. They are not read yet.
    ///
    /// - Parameter folder: the config folder.
    package init(folder: String) { self.folder = folder }

    /// The path of `connections.yaml`.
    package var connectionsPath: String { folder + "/connections.yaml" }
    var modelsPath: String { folder + "/models.yaml" }
    private var connectionsFile: ConfigFile {
        ConfigFile(connectionsPath, limit: Limits.connectionsBytes)
    }

    /// Returns the servers that have a name.
    package func shelf() -> ModelShelf {
        // The mark is taken before the file is read, so a change in between is noticed at the next call.
        let marks = [FileMark(ofFolder: folder), FileMark(of: modelsPath)]
        return known.withLock { known in
            if let known, known.marks == marks { return known.shelf }
            var shelf = ModelShelf()
            readModels(PlacedJSON(shipped: "Config/models.yaml"), file: "models.yaml", into: &shelf) {
                RemoteHost(of: $0)
            }
            do throws(Problem) {
                if let text = try ConfigFile(modelsPath).text() {
                    readModels(text, file: modelsPath, into: &shelf) { RemoteHost(of: $0) }
                }
            } catch {
                shelf.report([error])
            }
            known = (marks, shelf)
            return shelf
        }
    }

    /// Returns all problems of the user's `models.yaml`. The list is empty if the file is absent.
    package func ownModelProblems() -> [Problem] {
        // The shipped servers are not read here, since that would delay the first prompt.
        if case .missing = FileMark(of: modelsPath) { return [] }
        return shelf().problems
    }

    /// Returns the connections, with the problems of their file.
    ///
    /// - Parameter keyRing: recognises a key that stands in the place of a key's name.
    package func connections(_ keyRing: KeyRing) -> ModelConnections { connections { Self.holdsKey($0, keyRing) } }

    private static func holdsKey(_ text: String, _ keyRing: KeyRing) -> Bool { !keyRing.filter.keys(in: text).isEmpty }

    /// Returns the names of the keys of all models, by connection or by profile, even if the files have problems.
    package func keyNames() -> Set<String> {
        // To find keys in the file, these names must be known first.
        Set(connections { _ in false }.all.compactMap(\.keyName) + shelf().servers.compactMap(\.keyName))
    }

    private func connections(_ holdsKey: (String) -> Bool) -> ModelConnections {
        do throws(Problem) {
            guard let text = try connectionsFile.text() else { return ModelConnections() }
            return read(text, holdsKey)
        } catch {
            return ModelConnections(problems: [error])
        }
    }

    private func read(_ text: String, _ holdsKey: (String) -> Bool) -> ModelConnections {
        readConnections(text, file: connectionsPath, shelf: shelf(), holdsKey: holdsKey) { RemoteHost(of: $0) }
    }

    // MARK: Changes

    /// Makes a connection the default.
    ///
    /// - Parameter name: a connection, or `built-in`.
    package func setDefault(_ name: String, _ keyRing: KeyRing) throws(Failure) {
        let edit = { (text: String, _: ModelConnections) in ConnectionWriter.settingDefault(name, in: text) }
        try change("default: \(name)", keyRing, [edit]) { $0.defaultName = name }
    }

    /// Stores a connection, in place of the one of the same name, and makes it the default.
    package func connect(_ connection: ModelConnection, _ keyRing: KeyRing) throws(Failure) {
        let before = try connectionsText()
        try put(connection, keyRing)
        try setDefault(connection.name, keyRing)
        let after = try connectionsText()
        lastPut.withLock { $0 = after.map { (before, $0) } }
    }

    /// Undoes the last `connect` of this process, unless the file has changed since.
    package func takeBack() throws(Failure) {
        let last = lastPut.withLock { last in
            defer { last = nil }
            return last
        }
        guard let (before, after) = last else { return }
        func isUnchanged(_ text: String) -> Bool { text.utf8.elementsEqual(after.utf8) }
        if let before { return try connectionsFile.change("the old connections") { isUnchanged($0) ? before : nil } }
        if let text = try connectionsText(), isUnchanged(text) { unlink(connectionsPath) }
    }

    private func connectionsText() throws(Failure) -> String? {
        do throws(Problem) { return try connectionsFile.text() } catch { throw .badSettings([error]) }
    }

    /// Stores a connection, in place of the one of the same name. Fields that do not change stay as they are written.
    func put(_ connection: ModelConnection, _ keyRing: KeyRing) throws(Failure) {
        let edits = [
            { (text: String, old: ModelConnections) in
                ConnectionWriter.putting(connection, over: old[connection.name], in: text)
            },
            { text, _ in ConnectionWriter.putting(connection, in: text) },
        ]
        try change("the connection \(connection.name)", keyRing, edits) { found in
            found.all.removeAll { $0.name == connection.name }
            found.all.append(connection)
        }
    }

    /// Removes a connection, and the default if that is it.
    func remove(_ name: String, _ keyRing: KeyRing) throws(Failure) {
        try change("nothing of \(name)", keyRing, [{ text, _ in ConnectionWriter.removing(name, in: text) }]) { found in
            found.all.removeAll { $0.name == name }
            if found.defaultName == name { found.defaultName = nil }
        }
    }

    /// Changes `connections.yaml` by the first edit whose result has the intended meaning. Other processes wait.
    ///
    /// - Parameters:
    ///   - what: the line that the user is asked to write if no edit is possible.
    ///   - edits: return the new text for the old one and the connections in it. The edit that changes least comes
    ///     first.
    private func change(
        _ what: String, _ keyRing: KeyRing, _ edits: [(String, ModelConnections) -> String],
        expecting: (inout ModelConnections) -> Void
    ) throws(Failure) {
        try connectionsFile.change(what) { before throws(Failure) in
            let old = read(before) { Self.holdsKey($0, keyRing) }
            let problems = old.problems.filter { $0.manifests.isEmpty && $0.code != .unknownConnection }
            guard problems.isEmpty else { throw .badSettings(problems) }
            var wanted = old
            expecting(&wanted)
            // If the file says this already, it stays as the user wrote it.
            if old.problems.isEmpty, old.defaultName == wanted.defaultName, Set(old.all) == Set(wanted.all) {
                return nil
            }
            for edit in edits {
                let after = edit(before, old)
                let found = read(after) { Self.holdsKey($0, keyRing) }
                let isMeant =
                    found.defaultName == wanted.defaultName && Set(found.all) == Set(wanted.all)
                    && found.problems.count <= old.problems.count
                if isMeant { return after }
            }
            throw Failure(
                .badSettings, "\(connectionsPath) is not changed: as it is written, only you can do that.",
                remedy: "Write into it: \(what)")
        }
    }
}
