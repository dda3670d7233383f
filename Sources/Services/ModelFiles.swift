import Embedded
import Glibc
import Manifests
import Synchronization
package import Vocabulary

/// `models.yaml`, as shipped and as the person has it, and `connections.yaml`, both of the config folder. They are read anew when they are
/// no longer what they were.
package final class ModelFiles: Sendable {
    private let folder: String
    private let known = Mutex<(mark: FileMark, shelf: ModelShelf)?>(nil)
    /// What `connections.yaml` held before and after the last connection of this process was put into it.
    private let lastPut = Mutex<(before: [UInt8]?, after: [UInt8])?>(nil)

    /// Creates the reader of both files; nothing is read yet.
    ///
    /// - Parameter folder: the config folder.
    package init(folder: String) { self.folder = folder }

    /// The path of `connections.yaml`.
    package var connectionsPath: String { folder + "/connections.yaml" }
    var modelsPath: String { folder + "/models.yaml" }

    /// The servers that are known by name.
    package func shelf() -> ModelShelf {
        // Looked at before it is read: what changes in between is seen the next time.
        let mark = FileMark(of: modelsPath)
        return known.withLock { known in
            if let known, known.mark == mark { return known.shelf }
            var shelf = ModelShelf()
            readModels(Embedded.text(at: "Config/models.yaml")!, file: "models.yaml", into: &shelf) { RemoteHost(of: $0) }
            do throws(Problem) {
                if let text = try text(modelsPath, mark, limit: Limits.templateBytes) {
                    readModels(text, file: modelsPath, into: &shelf) { RemoteHost(of: $0) }
                }
            } catch {
                shelf.report([error])
            }
            known = (mark, shelf)
            return shelf
        }
    }

    /// Returns the connections, with what is wrong with their file.
    ///
    /// - Parameter keyRing: what knows a key where one stands in the place of its name.
    package func connections(_ keyRing: KeyRing) -> ModelConnections { connections { Self.holdsKey($0, keyRing) } }

    private static func holdsKey(_ text: String, _ keyRing: KeyRing) -> Bool { !keyRing.filter.keys(in: text).isEmpty }

    /// The names of the keys that models have, by connection or by profile, whatever else is wrong with the files.
    package func keyNames() -> Set<String> {
        // Whoever looks for keys in the file needs these first.
        Set(connections { _ in false }.all.compactMap(\.keyName) + shelf().servers.compactMap(\.keyName))
    }

    private func connections(_ holdsKey: (String) -> Bool) -> ModelConnections {
        do throws(Problem) {
            guard let text = try text(connectionsPath, FileMark(of: connectionsPath), limit: Limits.connectionsBytes) else {
                return ModelConnections()
            }
            return read(text, holdsKey)
        } catch {
            return ModelConnections(problems: [error])
        }
    }

    private func read(_ text: String, _ holdsKey: (String) -> Bool) -> ModelConnections {
        readConnections(text, file: connectionsPath, shelf: shelf(), holdsKey: holdsKey) { RemoteHost(of: $0) }
    }

    /// - Returns: `nil` if it is not there.
    /// - Throws: what is wrong with a file that says where keys go.
    private func text(_ path: String, _ mark: FileMark, limit: Int) throws(Problem) -> String? {
        if case .missing = mark { return nil }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Problem("unknownFile", at: path, "The file cannot be read.")
        }
        guard status.st_mode & 0o022 == 0, status.st_uid == getuid() else {
            throw Problem("badRights", at: path, "Others can write this file, which says where keys are sent: chmod 600, and look at it.")
        }
        do throws(Failure) {
            let bytes = try Files.bytes(path, limit: limit)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure("badYAML", "The file is no text in UTF-8.")
            }
            return text
        } catch {
            throw Problem(error.code, at: path, error.message)
        }
    }

    // MARK: Changes

    /// Makes a connection the default.
    ///
    /// - Parameter name: a connection, or `built-in`.
    package func setDefault(_ name: String, _ keyRing: KeyRing) throws(Failure) {
        try change("default: \(name)", keyRing) { text in
            ConnectionWriter.settingDefault(name, in: text)
        } expecting: {
            $0.defaultName = name
        }
    }

    /// Puts a connection in the place of the one of its name, and makes it the default.
    package func connect(_ connection: ModelConnection, _ keyRing: KeyRing) throws(Failure) {
        let before = try? Files.bytes(connectionsPath, limit: Limits.connectionsBytes)
        try put(connection, keyRing)
        try setDefault(connection.name, keyRing)
        let after = try Files.bytes(connectionsPath, limit: Limits.connectionsBytes)
        lastPut.withLock { $0 = (before, after) }
    }

    /// Takes the last `connect` back, where nobody has changed the file since.
    package func takeBack() throws(Failure) {
        guard let (before, after) = lastPut.withLock({ $0 }) else { return }
        lastPut.withLock { $0 = nil }
        guard try Files.bytes(connectionsPath, limit: Limits.connectionsBytes) == after else { return }
        if let before { try Files.replace(connectionsPath, with: before) } else { unlink(connectionsPath) }
    }

    /// Puts a connection in the place of the one of its name.
    func put(_ connection: ModelConnection, _ keyRing: KeyRing) throws(Failure) {
        try change("the connection \(connection.name)", keyRing) { text in
            ConnectionWriter.putting(connection, in: text)
        } expecting: { found in
            found.all.removeAll { $0.name == connection.name }
            found.all.append(connection)
        }
    }

    /// Forgets a connection, and the default if that is it.
    func remove(_ name: String, _ keyRing: KeyRing) throws(Failure) {
        try change("nothing of \(name)", keyRing) { text in
            ConnectionWriter.removing(name, in: text)
        } expecting: { found in
            found.all.removeAll { $0.name == name }
            if found.defaultName == name { found.defaultName = nil }
        }
    }

    /// One process after the other, and only what reads as it was meant.
    private func change(
        _ what: String, _ keyRing: KeyRing, _ edit: (String) -> String, expecting: (inout ModelConnections) -> Void
    ) throws(Failure) {
        try Folders.make(folder)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("storageReadOnly", "The folder \(folder) cannot be opened.") }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure("storageReadOnly", "The folder \(folder) cannot be locked.") }
        }
        var wanted = connections(keyRing)
        if let problem = wanted.problems.first(where: { $0.manifests.isEmpty && $0.code != "unknownConnection" }) {
            throw Failure("badSettings", problem.description, remedy: "Mend it first.")
        }
        let before: String
        do throws(Problem) {
            before = try text(connectionsPath, FileMark(of: connectionsPath), limit: Limits.connectionsBytes) ?? ""
        } catch { throw Failure("badSettings", error.description, remedy: "Mend it first.") }
        let after = edit(before)
        expecting(&wanted)
        let found = read(after) { Self.holdsKey($0, keyRing) }
        guard found.defaultName == wanted.defaultName, Set(found.all) == Set(wanted.all), found.problems.count <= wanted.problems.count
        else {
            throw Failure(
                "badSettings", "\(connectionsPath) is not changed: as it is written, only you can do that.",
                remedy: "Write into it: \(what)")
        }
        try Files.replace(connectionsPath, with: Array(after.utf8))
        _ = fsync(descriptor)
    }
}
