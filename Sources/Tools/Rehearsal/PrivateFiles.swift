import Glibc
import Vocabulary

/// What a command in the sandbox does not see of the workspace: files that may hold keys, and our own folders.
struct PrivateFiles: Hashable {
    /// Real paths.
    var files: [String] = []
    var folders: [String] = []

    /// - Throws: `tooManyFiles`, `badName` where not all of them could be found: then none could be shown.
    static func below(_ workspace: String, own: OwnFolders) throws(Failure) -> PrivateFiles {
        var walk = PrivateFileWalk(workspace: workspace)
        let ours = OwnPaths(own, workspace: workspace).paths.filter { $0.path(below: workspace) != nil }
        for path in ours { walk.hide(own: path) }
        try walk.look(OpenFolder(workspace), workspace, 0)
        // Other names of a file that is hidden under one.
        if !walk.shared.isEmpty {
            walk.isSecond = true
            walk.left = Limits.lookedAtFiles
            try walk.look(OpenFolder(workspace), workspace, 0)
        }
        // What lies in a hidden folder is hidden with it.
        let folders = walk.found.folders
        walk.found.files.removeAll { file in folders.contains { file.path(below: $0) != nil } }
        // Each is a mount.
        guard walk.found.files.count + walk.found.folders.count <= Limits.hiddenFiles else {
            throw Failure(
                "tooManyFiles",
                "The workspace has more than \(Limits.hiddenFiles) files that may hold keys: a command would see some of them.",
                remedy: "Begin a session in a folder further down.")
        }
        return walk.found
    }
}

private struct PrivateFileWalk {
    let workspace: String
    var found = PrivateFiles()
    /// Inodes of those with more than one name.
    var shared: Set<UInt64> = []
    var isSecond = false
    var left = Limits.lookedAtFiles

    /// Whether it lies in a folder of keys itself.
    private let isAllSecret: Bool

    init(workspace: String) {
        self.workspace = workspace
        isAllSecret = SecretFiles.holds("\(workspace)/x")
    }

    mutating func look(_ folder: borrowing OpenFolder, _ path: String, _ depth: Int) throws(Failure) {
        guard depth < Limits.rehearsedDepth else {
            throw Failure("tooManyFiles", "Folders of the workspace lie deeper than \(Limits.rehearsedDepth).")
        }
        var folders: [String] = []
        try each(in: folder, path) { (entry) throws(Failure) in
            left -= 1
            guard left >= 0 else {
                throw Failure(
                    "tooManyFiles",
                    "The workspace has more than \(Limits.lookedAtFiles) files: what may hold keys cannot be told from the rest.",
                    remedy: "Begin a session in a folder further down.")
            }
            if isSecond {
                if entry.kind == .file, shared.contains(entry.inode) { hide(file: entry.path) }
                if entry.kind == .folder { folders.append(entry.name) }
                return
            }
            // What lies in a folder of keys is not come to.
            let isSecret = isAllSecret || SecretFiles.isFile(named: entry.name)
            switch entry.kind {
            case .folder:
                // A folder of keys by its name, such as `.ssh`, or ours.
                if entry.name == ".assent" || isSecret || SecretFiles.isFolder(named: entry.name) {
                    hide(folder: entry.path)
                } else {
                    folders.append(entry.name)
                }
            case .file:
                guard isSecret else { return }
                hide(file: entry.path)
                if let status = try folder.status(of: entry.name), status.st_nlink > 1 { shared.insert(status.inode) }
            // The file that it leads to, if it is one of the workspace: bubblewrap must not be given a link.
            case .link:
                guard isSecret, let real = try? Paths(workspace: workspace).existing(entry.path), real.path(below: workspace) != nil,
                    real != workspace
                else { return }
                isFolder(real) ? hide(folder: real) : hide(file: real)
            case .special: break
            }
        }
        for name in folders where !found.folders.contains("\(path)/\(name)") {
            do throws(Failure) {
                try look(folder.folder(name), "\(path)/\(name)", depth + 1)
            } catch  where ["permissionDenied", "otherMount", "fileNotFound"].contains(error.code) {
                // The command cannot look into it either, or does not see it; or it is gone by now, as where git packs what it keeps.
            }
        }
    }

    /// What is not there cannot be hidden, and is refused when it comes. A link is seen, and leads to what is hidden.
    mutating func hide(own path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.kind != .link else { return }
        status.kind == .folder ? hide(folder: path) : hide(file: path)
    }

    private mutating func hide(file: String) { if !found.files.contains(file) { found.files.append(file) } }
    private mutating func hide(folder: String) { if !found.folders.contains(folder) { found.folders.append(folder) } }

    private struct Entry {
        var name: String
        let folder: String
        var path: String { "\(folder)/\(name)" }
        var kind: stat.Kind
        var inode: UInt64
    }

    private func each(in folder: borrowing OpenFolder, _ path: String, _ body: (Entry) throws(Failure) -> Void) throws(Failure) {
        try folder.each { (listed) throws(Failure) in
            guard let name = listed.name else {
                // What is in such a folder could not be hidden.
                guard listed.kind != .file, listed.kind != .link else { return }
                throw Failure(
                    "badName", "A folder in \(path) has a name that is no text in UTF-8: what may hold keys in it cannot be hidden.",
                    remedy: "Rename it.")
            }
            var kind = listed.kind
            if kind == nil { kind = try folder.status(of: name)?.kind }
            try body(Entry(name: name, folder: path, kind: kind ?? .special, inode: listed.inode))
        }
    }
}
