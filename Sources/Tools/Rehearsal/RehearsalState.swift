import Glibc
import Vocabulary

extension RehearsalFolder {
    /// Where rehearsals of a workspace lie: in the data folder where that is on the same file system, else in the
    /// workspace itself, in a folder that no command sees, and under a name that nobody can know before: what came with
    /// a folder from elsewhere is not believed.
    ///
    /// - Parameters:
    ///   - workspace: a real path.
    ///   - trial: the name for what is only tried, and is not looked for again: then nothing is written in the data
    ///     folder, which may be full.
    static func state(for workspace: String, data: String, trial: String? = nil) throws(Failure) -> String {
        try makeFolders(data)
        if try isBeside(workspace, data) { return "\(data)/rehearsals" }
        let name = if let trial { trial } else { try stateName(for: workspace, data: data) }
        // Through no link.
        _ = try OpenFolder(workspace).folderMade(".assent/state/\(name)")
        let ignored = "\(workspace)/.assent/state/.gitignore"
        if try OpenFolder(workspace).folder(".assent/state").status(of: ".gitignore") == nil {
            // Not for the workspace's own history.
            try writeWhole(Array("*\n".utf8), to: ignored)
        }
        return "\(workspace)/.assent/state/\(name)"
    }

    /// All that may hold rehearsals of these workspaces, made already or not.
    static func states(for workspaces: [String], data: String) -> [String] {
        ["\(data)/rehearsals"] + workspaces.flatMap { stateMade(for: realPath($0), data: data) }
    }

    /// Where rehearsals of a workspace lie in itself, if any ever did.
    ///
    /// - Parameter workspace: a real path.
    static func stateMade(for workspace: String, data: String) -> [String] {
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

    /// Made once; no command sees it.
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
