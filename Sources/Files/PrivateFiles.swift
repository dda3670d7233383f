import Glibc
package import Vocabulary

/// The files and folders that are hidden from a command in the sandbox: files that may hold keys, and Assent's own
/// folders. They are also hidden from the user's own tools in folders that these read.
package struct PrivateFiles: Hashable {
    /// Real paths.
    package var files: [String] = []
    package var folders: [String] = []
    /// The files and folders among these that may hold keys. Assent's own folders, other mounts and sockets are not in
    /// the list.
    package var keys: [String] = []

    package init(files: [String] = [], folders: [String] = [], keys: [String] = []) {
        self.files = files
        self.folders = folders
        self.keys = keys
    }

    /// Finds the files and folders that are hidden below a folder.
    ///
    /// - Parameters:
    ///   - isElsewhere: whether the folder is outside of the workspace. Pipes, sockets and other file systems in it are
    ///     hidden, too.
    ///   - isGiven: whether the call names the folder as a private one. Files that are only known to result from keys
    ///     (`PrivateNotes`) stay visible then.
    ///   - skipsOddNames: whether entries whose names are not UTF-8 are skipped. Otherwise they are an error.
    ///   - hidesPipes: whether pipes and sockets are hidden in the workspace, too. A program may wait at a pipe.
    /// - Throws: `tooManyFiles` or `badName` if not all private files could be found. The folder must not be shown
    ///   then.
    package static func below(
        _ workspace: String, own: OwnFolders, isElsewhere: Bool = false, isGiven: Bool = false,
        skipsOddNames: Bool = false, hidesPipes: Bool = false
    ) throws(Failure) -> PrivateFiles {
        var stamps: PrivateFileStamps?
        return try below(
            workspace, own: own, isElsewhere: isElsewhere, isGiven: isGiven, skipsOddNames: skipsOddNames,
            hidesPipes: hidesPipes, &stamps)
    }

    /// Finds the files and folders that are hidden below a folder, and by what a change of them would be noticed.
    ///
    /// - Parameter stamps: gets the stamps of all that was looked at, unless it is `nil`.
    static func below(
        _ workspace: String, own: OwnFolders, isElsewhere: Bool, isGiven: Bool, skipsOddNames: Bool,
        hidesPipes: Bool = false, _ stamps: inout PrivateFileStamps?
    ) throws(Failure) -> PrivateFiles {
        var walk = PrivateFileWalk(workspace: workspace, isElsewhere: isElsewhere)
        walk.skipsOddNames = skipsOddNames
        walk.hidesPipes = hidesPipes || isElsewhere
        walk.stamps = stamps
        defer { stamps = walk.stamps }
        if !isGiven { walk.notes = try PrivateNotes(own) }
        defer { walk.notes?.keep() }
        let ours = OwnPaths(own, workspace: workspace)
        try ours.checkAll()
        for path in ours.paths where path.path(below: workspace) != nil { walk.hide(own: path) }
        try walk.lookAtAll()
        // Other names of a file that is hidden under one of its names.
        if !walk.shared.isEmpty {
            walk.isSecond = true
            walk.left = Limits.lookedAtFiles
            try walk.lookAtAll()
        }
        if isElsewhere { walk.found = walk.found.and(try MountPoints.below(workspace)) }
        // The content of a hidden folder is hidden with it.
        let folders = walk.found.folders
        walk.found.files.removeAll { file in folders.contains { file.path(below: $0) != nil } }
        walk.found.keys.removeAll { key in folders.contains { key.path(below: $0).map { !$0.isEmpty } ?? false } }
        try walk.found.check(workspace)
        return walk.found
    }

    /// Throws `tooManyFiles` if there are more than `Limits.hiddenFiles`. Each hidden file is a mount.
    package func check(_ folder: String) throws(Failure) {
        guard files.count + folders.count <= Limits.hiddenFiles else {
            throw Failure(
                .tooManyFiles,
                "\(folder) has more than \(Limits.hiddenFiles) files that may hold keys: a command would see some of them.",
                remedy: "Begin a session in a folder further down, or name one to read.")
        }
    }

    /// Returns the files that are hidden below a folder. If the folder lies in the workspace, its files are included
    /// whose other name elsewhere in the workspace shows that they may hold keys. The workspace is ignored if it cannot
    /// be searched.
    package static func below(
        _ folder: String, of workspace: String, own: OwnFolders, skipsOddNames: Bool = false
    ) throws(Failure) -> PrivateFiles {
        let workspace = try Paths(workspace: workspace).workspace
        let inside = try below(folder, own: own, skipsOddNames: skipsOddNames).and(MountPoints.below(folder))
        guard folder.path(below: workspace) != nil,
            let all = try? below(workspace, own: own, skipsOddNames: skipsOddNames)
        else {
            return inside
        }
        return inside.and(
            PrivateFiles(
                files: all.files.filter { $0.path(below: folder) != nil },
                folders: all.folders.filter { $0.path(below: folder) != nil },
                keys: all.keys.filter { $0.path(below: folder) != nil }))
    }

    /// Returns the union of both lists. Paths are compared by their bytes.
    package func and(_ more: PrivateFiles) -> PrivateFiles {
        var all = self
        func added(_ known: [String], _ more: [String]) -> [String] {
            let bytes = Set(known.map { Array($0.utf8) })
            return known + more.filter { !bytes.contains(Array($0.utf8)) }
        }
        all.files = added(files, more.files)
        all.folders = added(folders, more.folders)
        all.keys = added(keys, more.keys)
        return all
    }

    package var isEmpty: Bool { files.isEmpty && folders.isEmpty }

    /// Whether a real path is one of the hidden files, or lies in a hidden folder.
    package func holds(_ path: String) -> Bool {
        files.contains { $0.isSameName(as: path) } || folders.contains { path.path(below: $0) != nil }
    }
}

private struct PrivateFileWalk {
    let workspace: String
    var found = PrivateFiles()
    /// All hidden paths, as bytes: two names that are equal in Unicode can be two files.
    private var known: Set<[UInt8]> = []
    /// The records of files that result from keys under other names.
    var notes: PrivateNotes?
    /// The inodes of hidden files with more than one name.
    var shared: Set<UInt64> = []
    var isSecond = false
    /// Whether entries whose names are not UTF-8 are skipped.
    var skipsOddNames = false
    var hidesPipes = false
    /// The stamps of the folders and contents that were looked at, or `nil` if they are not needed.
    var stamps: PrivateFileStamps?
    var left = Limits.lookedAtFiles
    /// The number of files with common names that may still be read.
    private var reads = Limits.keySearchFiles

    /// The codes of errors that are ignored. The command cannot see such an entry either, or the entry was deleted
    /// meanwhile, as when git packs its objects.
    private static let unseen: [Code] = [.permissionDenied, .otherMount, .fileNotFound]

    /// Whether the searched folder itself lies in a folder of keys.
    private let isAllSecret: Bool

    private let isElsewhere: Bool

    /// The folders to which a link gives the name of a folder with key files: `.kube` may lead to `kube`.
    private var linked: [(path: String, keys: KeyFolder)] = []

    init(workspace: String, isElsewhere: Bool) {
        self.workspace = workspace
        self.isElsewhere = isElsewhere
        isAllSecret = SecretFiles.holds("\(workspace)/x")
    }

    mutating func lookAtAll() throws(Failure) {
        try look(OpenFolder(workspace), workspace, 0, KeyFolder(of: workspace.pathNames))
        let linked = linked
        self.linked = []
        for (path, keys) in linked {
            do throws(Failure) {
                try look(OpenFolder(workspace).folder(path.path(below: workspace) ?? ""), path, 0, keys)
            } catch  where error.code.isOne(of: Self.unseen) {}
        }
    }

    private mutating func look(
        _ folder: borrowing OpenFolder, _ path: String, _ depth: Int, _ keys: KeyFolder?
    ) throws(Failure) {
        let isWhole = SecretFiles.isWhole(folder: path.pathNames)
        guard depth < Limits.rehearsedDepth else {
            throw Failure(.tooManyFiles, "Folders in \(workspace) lie deeper than \(Limits.rehearsedDepth).")
        }
        if !isSecond { stamps?.note(folder: path, try folder.file.status()) }
        var (folders, secret): ([String], [String]) = ([], [])
        try each(in: folder, path) { (entry) throws(Failure) in
            left -= 1
            guard left >= 0 else { throw tooMany }
            if entry.isOdd { return hide(folder: path, isKey: true) }
            if isSecond {
                if entry.kind == .file, shared.contains(entry.inode) { hide(file: entry.path, isKey: true) }
                if entry.kind == .folder { folders.append(entry.name) }
                return
            }
            // The walk does not descend into folders of keys.
            let isSecret = isAllSecret || isFileOfKeys(entry, isWhole)
            switch entry.kind {
            case .folder:
                // A folder of keys by its name, such as `.ssh`, or ours.
                if entry.name == ".assent" {
                    hide(folder: entry.path)
                } else if isSecret || SecretFiles.isFolder(named: entry.name) {
                    hide(folder: entry.path, isKey: true)
                    secret.append(entry.name)
                } else if try isNoted(entry, folder) {
                    hide(folder: entry.path, isKey: true)
                } else {
                    folders.append(entry.name)
                }
            case .file:
                if !isSecret, keys?.isKeyFile(named: entry.name) != true, try !isNoted(entry, folder) { return }
                hide(file: entry.path, isKey: true)
                if let status = try folder.status(of: entry.name), status.st_nlink > 1 { shared.insert(status.inode) }
            // The file that it leads to, if it is one of the workspace: bubblewrap must not be given a link.
            case .link:
                let partly = KeyFolder(named: entry.name)
                let isFileOfKeys = keys?.isKeyFile(named: entry.name) ?? false
                guard isSecret || isFileOfKeys || partly != nil || SecretFiles.isFolder(named: entry.name),
                    let real = try? Paths(workspace: workspace).existing(entry.path),
                    real.path(below: workspace) != nil, real != workspace
                else { return }
                switch (isFolder(real), partly) {
                case (true, let partly?): linked.append((real, partly))
                case (true, nil): hide(folder: real, isKey: true)
                case (false, _): hide(file: real, isKey: true)
                }
            case .special: if hidesPipes { hide(file: entry.path) }
            }
        }
        for name in secret {
            do throws(Failure) { try share(folder.folder(name), depth + 1) } catch
                where error.code.isOne(of: Self.unseen)
            {}
        }
        for name in folders where !known.contains(Array("\(path)/\(name)".utf8)) {
            do throws(Failure) {
                try look(folder.folder(name), "\(path)/\(name)", depth + 1, KeyFolder(named: name) ?? keys?.below(name))
            } catch  where error.code == .otherMount && isElsewhere {
                hide(folder: "\(path)/\(name)")
            } catch  where error.code.isOne(of: Self.unseen) {}
        }
    }

    /// Whether the name of an entry, or its content if the name is common, says that it may hold keys. A common name is
    /// that of a folder or of a link as often, so that only a file has a content to look at.
    private mutating func isFileOfKeys(_ entry: Entry, _ isWhole: Bool) -> Bool {
        switch SecretFiles.verdict(named: entry.name, isInWholeFolder: isWhole, in: { entry.folder.pathNames }) {
        case .keys: true
        case .byContent: entry.kind == .file && holdsKey(entry.path)
        case .none: false
        }
    }

    private mutating func holdsKey(_ path: String) -> Bool {
        stamps?.note(content: path)
        return KeyContents.holdsKey(path, left: &reads)
    }

    /// Whether an entry is recorded as a result of keys, although its name does not show it.
    private mutating func isNoted(_ entry: Entry, _ folder: borrowing OpenFolder) throws(Failure) -> Bool {
        guard let known = notes, known.mayHold(inode: entry.inode, entry.path),
            let status = try folder.status(of: entry.name)
        else {
            return false
        }
        guard status.kind == .file else { return status.kind == .folder && known.holds(folder: entry.path, status) }
        return notes!.holds(file: entry.path, status) { () throws(Failure) in try folder.file(entry.name) }
    }

    private mutating func hide(file: String, isKey: Bool = false) {
        guard known.insert(Array(file.utf8)).inserted else { return }
        found.files.append(file)
        if isKey { found.keys.append(file) }
    }

    private mutating func hide(folder: String, isKey: Bool = false) {
        guard known.insert(Array(folder.utf8)).inserted else { return }
        found.folders.append(folder)
        if isKey { found.keys.append(folder) }
    }

    /// Hides one of Assent's own files or folders. A missing one is refused later, when a command creates it. A link
    /// stays visible, and its target is hidden.
    mutating func hide(own path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.kind != .link else { return }
        status.kind == .folder ? hide(folder: path) : hide(file: path)
    }

    /// Records the inodes of files in a folder of keys that have another name, since that name may lie outside of the
    /// folder.
    private mutating func share(_ folder: borrowing OpenFolder, _ depth: Int) throws(Failure) {
        guard depth < Limits.rehearsedDepth else { return }
        var folders: [String] = []
        try folder.each { (listed) throws(Failure) in
            left -= 1
            guard left >= 0 else { throw tooMany }
            guard let name = listed.name, let status = try folder.status(of: name) else { return }
            if status.kind == .file, status.st_nlink > 1 { shared.insert(status.inode) }
            if status.kind == .folder { folders.append(name) }
        }
        for name in folders { try share(folder.folder(name), depth + 1) }
    }

    private var tooMany: Failure {
        Failure(
            .tooManyFiles,
            "\(workspace) has more than \(Limits.lookedAtFiles) files: what may hold keys cannot be told from the rest.",
            remedy: "Begin a session in a folder further down, or name one to read.")
    }

    private struct Entry {
        var name: String
        let folder: String
        var path: String { "\(folder)/\(name)" }
        var kind: stat.Kind
        var inode: UInt64
        /// Whether it has no name in UTF-8 and could hold keys, so that its folder is hidden.
        var isOdd = false
    }

    private func each(in folder: borrowing OpenFolder, _ path: String, _ body: (Entry) throws(Failure) -> Void)
        throws(Failure)
    {
        try folder.each { (listed) throws(Failure) in
            guard let name = listed.name else {
                if skipsOddNames { return }
                // Neither this entry nor its contents could be hidden.
                switch listed.kind {
                case .file?, .link?:
                    let name = String(decoding: listed.bytes, as: UTF8.self)
                    let isSecret =
                        isAllSecret || SecretFiles.verdict(named: name, in: { path.pathNames }) != .none
                        || KeyFolder(of: path.pathNames)?.isKeyFile(named: name) ?? false
                    guard isSecret || isSecond && shared.contains(listed.inode) else { return }
                default: break
                }
                if stamps != nil, !path.isSameName(as: workspace) {
                    return try body(Entry(name: "", folder: path, kind: .special, inode: listed.inode, isOdd: true))
                }
                throw Failure(
                    .badName,
                    "An entry of \(path) has a name that is no text in UTF-8: what may hold keys there cannot be hidden.",
                    remedy: "Rename it.")
            }
            var kind = listed.kind
            if kind == nil { kind = try folder.status(of: name)?.kind }
            try body(Entry(name: name, folder: path, kind: kind ?? .special, inode: listed.inode))
        }
    }
}
