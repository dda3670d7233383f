import Glibc
package import Vocabulary

/// The folders in which the rehearsals of a workspace are stored.
package enum RehearsalState {
    /// Returns the folder for the rehearsals of a workspace, on the same file system. That is the data folder, or else
    /// a folder in the workspace.
    ///
    /// A folder in the workspace is hidden from commands, and its name is derived from a secret. A folder of state that
    /// was copied with a workspace from elsewhere is therefore not trusted.
    ///
    /// - Parameters:
    ///   - workspace: a real path.
    ///   - trial: a name for a rehearsal that only tests whether rehearsals work. Nothing is written to the data folder
    ///     then, which may be full.
    package static func folder(for workspace: String, data: String, trial: String? = nil) throws(Failure) -> String {
        try makeFolders(data)
        if try isBeside(workspace, data) { return "\(data)/rehearsals" }
        let name = if let trial { trial } else { try stateName(for: workspace, data: data) }
        // Links are not followed.
        _ = try OpenFolder(workspace).folderMade(".assent/state/\(name)")
        let ignored = "\(workspace)/.assent/state/.gitignore"
        if try OpenFolder(workspace).folder(".assent/state").status(of: ".gitignore") == nil {
            // The folder is left out of the workspace's own history.
            try writeWhole(Array("*\n".utf8), to: ignored)
        }
        return "\(workspace)/.assent/state/\(name)"
    }

    /// Returns all folders that may contain rehearsals of these workspaces, including folders that do not exist.
    package static func folders(for workspaces: [String], data: String) -> [String] {
        ["\(data)/rehearsals"] + workspaces.flatMap { made(for: realPath($0), data: data) }
    }

    /// Returns the folder for rehearsals in the workspace itself, or an empty list if no workspace on this machine ever
    /// had one.
    ///
    /// - Parameter workspace: a real path.
    static func made(for workspace: String, data: String) -> [String] {
        guard access(secretFile(in: data), F_OK) == 0, let name = try? stateName(for: workspace, data: data) else {
            return []
        }
        return ["\(workspace)/.assent/state/\(name)"]
    }

    private static func isBeside(_ workspace: String, _ data: String) throws(Failure) -> Bool {
        try OpenFolder(workspace).file.status().st_dev == OpenFolder(data).file.status().st_dev
    }

    private static func stateName(for workspace: String, data: String) throws(Failure) -> String {
        ContentHash.of(try secret(in: data) + Array(workspace.utf8)).hex
    }

    private static func secretFile(in data: String) -> String { "\(data)/rehearsals/secret" }

    /// Returns the secret from which names of folders are derived. It is created once, and hidden from commands.
    private static func secret(in data: String) throws(Failure) -> [UInt8] {
        let path = secretFile(in: data)
        if access(path, F_OK) != 0 {
            try makeFolders(parent(of: path))
            let new = "\(path).\(UInt64.random(in: .min ... .max)).new"
            defer { unlink(new) }
            let file = try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL)
            try file.write((0..<32).map { _ in UInt8.random(in: .min ... .max) })
            try file.sync()
            // Another engine may have been first.
            guard link(new, path) == 0 || errno == EEXIST else { throw fileFailure("make", path) }
        }
        return try readWhole(path, limit: Limits.noteBytes)
    }
}
