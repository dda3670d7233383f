import Glibc
import Vocabulary

/// What a command in the sandbox does not see of the workspace: files that may hold keys, and our own folders.
struct PrivateFiles: Hashable {
    /// Absolute paths, in the order of their names.
    var files: [String] = []
    var folders: [String] = []

    /// - Throws: `tooManyFiles` where there are too many to look at: none of them could be shown.
    static func below(_ workspace: String, own: OwnFolders) throws(Failure) -> PrivateFiles {
        var found = PrivateFiles()
        for folder in [own.config, own.data, own.cache] where isFolder(folder) {
            if folder == workspace || folder.hasPrefix(workspace + "/") { found.folders.append(folder) }
        }
        var left = Limits.lookedAtFiles
        try look(OpenFolder(workspace), workspace, &found, &left, 0)
        // Each is a mount.
        guard found.files.count + found.folders.count <= Limits.hiddenFiles else {
            throw Failure(
                "tooManyFiles",
                "The workspace has more than \(Limits.hiddenFiles) files that may hold keys: a command would see some of them.",
                remedy: "Begin a session in a folder further down.")
        }
        return found
    }

    private static func look(
        _ folder: borrowing OpenFolder, _ path: String, _ found: inout PrivateFiles, _ left: inout Int, _ depth: Int
    ) throws(Failure) {
        guard depth < Limits.rehearsedDepth else { return }
        let copy = dup(folder.descriptor)
        guard copy >= 0, let stream = fdopendir(copy) else {
            if copy >= 0 { close(copy) }
            throw fileFailure("read", path)
        }
        defer { closedir(stream) }
        var folders: [String] = []
        while let entry = readdir(stream) {
            // One that is no text cannot be said; it is none of those that are looked for.
            guard let name = withUnsafeBytes(of: entry.pointee.d_name, { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }),
                name != ".", name != ".."
            else { continue }
            left -= 1
            guard left >= 0 else {
                throw Failure(
                    "tooManyFiles",
                    "The workspace has more than \(Limits.lookedAtFiles) files: what may hold keys cannot be told from the rest.",
                    remedy: "Begin a session in a folder further down.")
            }
            let at = "\(path)/\(name)"
            let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
            if name == ".assent", isFolder {
                found.folders.append(at)
            } else if SecretFiles.holds(at) {
                isFolder ? found.folders.append(at) : found.files.append(at)
            } else if isFolder {
                folders.append(name)
            }
        }
        for name in folders where !found.folders.contains("\(path)/\(name)") {
            let isSecret = SecretFiles.holds("\(path)/\(name)/x")
            if isSecret {
                found.folders.append("\(path)/\(name)")
            } else {
                try look(folder.folder(name), "\(path)/\(name)", &found, &left, depth + 1)
            }
        }
    }
}
