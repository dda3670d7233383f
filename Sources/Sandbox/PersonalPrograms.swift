import Files
import Glibc
package import Vocabulary

/// The user's own programs in the sandbox: where a command looks programs up, and what it sees for them beside the
/// system's folders (`consent.md`, "Programs of the user"). All paths are real paths.
package struct PersonalPrograms: Hashable, Sendable {
    /// A folder of the user's search path.
    package struct SearchFolder: Hashable, Sendable {
        package var path: String
        /// Whether commands see it.
        package var isShown: Bool
        /// The folder by which the user allows it. It is empty for folders that need no yes.
        package var allowedBy: String

        package init(path: String, isShown: Bool, allowedBy: String = "") {
            (self.path, self.isShown, self.allowedBy) = (path, isShown, allowedBy)
        }
    }

    /// A folder that commands see with all that lies in it, but for files that may hold keys.
    package struct Root: Hashable, Sendable {
        package var path: String
        /// The caches in it, as patterns of relative paths. If there are any, commands may write to the folder, and
        /// their writes are thrown away.
        package var caches: [String]
        /// The folders in it that stay read-only all the same, by their paths relative to it.
        package var fixed: [String]
        /// A variable that its programs get, such as `CARGO_HOME=/home/ann/.cargo`.
        package var variable: String?

        package init(path: String, caches: [String] = [], fixed: [String] = []) {
            (self.path, self.caches, self.fixed) = (path, caches, fixed)
        }

        var isScratch: Bool { !caches.isEmpty }
    }

    /// The folders of the search path, in the user's order.
    package var searchFolders: [SearchFolder] = []
    package var roots: [Root] = []
    /// Variables for these programs, such as `CARGO_HOME=/home/ann/.cargo`.
    package var variables: [String] = []
    /// The user's home.
    package var home: String?
    /// The caches in the home of a command, as patterns of relative paths.
    package var homeCaches: [String] = []
    /// The folders that the user could allow, though no program is looked up there.
    package var known: [String] = []

    package init() {}

    /// The folders in which commands look programs up. The usual folders of the system are always there.
    package var path: [String] {
        let shown = searchFolders.filter(\.isShown).map(\.path)
        return shown + Self.usual.filter { !shown.contains($0) }
    }

    private static let usual = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// Returns whether every command sees a path without a yes: it is one of the system's.
    package static func isOfSystem(_ path: String) -> Bool {
        ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"].contains { path.path(below: $0) != nil }
    }

    /// Returns whether a command in a workspace sees a path.
    package func shows(_ path: String, in workspace: String) -> Bool {
        Self.isOfSystem(path) || path.path(below: workspace) != nil
            || roots.contains { path.path(below: $0.path) != nil }
    }

    /// Returns a path with `~` for the home.
    package func shortened(_ path: String) -> String { path.shortened(home: home) }

    /// Returns the program that a command starts by its name, as an absolute path, or `nil` if it sees none.
    func find(_ name: String) -> String? {
        guard !name.contains("/"), !name.isEmpty, !name.utf8.contains(0) else { return nil }
        return path.lazy.map { $0.child(name) }.first { isProgram($0) }
    }
}

extension PersonalPrograms {
    /// Returns the program of the user that a command does not start by this name, or `nil` if it starts the one that
    /// the user would, or if the user has none.
    ///
    /// - Parameter name: a name without a slash.
    package func unseen(_ name: String) -> UnseenProgram? {
        guard !name.isEmpty, !name.contains("/"), !name.utf8.contains(0), name.utf8.count < 256 else { return nil }
        guard let first = searchFolders.first(where: { isProgram($0.path.child(name)) }), !first.isShown else {
            return nil
        }
        return UnseenProgram(
            name: name, place: shortened(first.path), seen: find(name), folder: shortened(first.allowedBy))
    }

    /// Returns the program at a path in the workspace that a command cannot start, since it is a link to a folder that
    /// is not allowed, or a script for a program there.
    ///
    /// - Parameter path: as the command writes it, with a slash.
    package func unseen(at path: String, in workspace: String) -> UnseenProgram? {
        let whole = path.hasPrefix("/") ? path : workspace.child(path)
        for end in [realPath(whole), interpreter(of: whole).map(realPath)].compactMap(\.self)
        where !shows(end, in: workspace) && isProgram(end) {
            guard let home, end.path(below: home) != nil else { return nil }
            let folder = known.first { end.path(below: $0) != nil } ?? parent(of: end)
            return UnseenProgram(name: path, place: shortened(end), seen: nil, folder: shortened(folder))
        }
        return nil
    }

    /// Returns the program that a script names in its first line.
    private func interpreter(of path: String) -> String? {
        let bytes: [UInt8]
        do throws(Failure) { bytes = try OpenFile(path, O_RDONLY | O_NONBLOCK).read(Limits.shebangBytes) } catch {
            return nil
        }
        guard bytes.starts(with: Array("#!".utf8)), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return nil
        }
        let line = String(decoding: bytes[2..<end], as: UTF8.self)
        return line.split(separator: " ").first.map { String($0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}

extension Limits {
    /// The bytes at the beginning of a script in which its program is looked for, as in the kernel.
    fileprivate static let shebangBytes = 256
}

/// Returns whether a path leads to a file that can be executed.
private func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
}

/// A source of what commands see of the user's own programs.
package protocol ProgramSource: Sendable {
    /// Returns what a command in a workspace sees.
    ///
    /// - Parameter workspace: a real path.
    /// - Throws: `programsBroken` if the answers of the user cannot be read.
    func seen(in workspace: String) throws(Failure) -> PersonalPrograms
}

extension PersonalPrograms: ProgramSource {
    package func seen(in workspace: String) throws(Failure) -> PersonalPrograms { self }
}
