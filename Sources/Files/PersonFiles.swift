import CProcess
package import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes of a file that a tool replaces, moves or deletes. A question names its content by its hash.
    package static let hashedFileBytes = 64 << 30
}

/// Access of a tool to the user's files: below a descriptor of the workspace, and elsewhere along the real path from
/// `/`.
///
/// No link is followed, so a tool touches exactly the checked file, even if other processes rename or link entries
/// meanwhile.
package struct PersonFiles: ~Copyable {
    /// A real path.
    package let workspacePath: String
    private let workspace: OpenFolder
    private let root: OpenFolder

    /// - Parameter path: a real path (`Paths`).
    /// - Throws: `targetChanged` if a part of the path is a link now.
    package init(workspace path: String) throws(Failure) {
        let root = OpenFolder(placing: try OpenFile.placeOfRoot())
        let below = path.path(below: "/") ?? path
        let opened = cfiles_open_below(
            root.descriptor, below.isEmpty ? "." : below, cfiles_place_only() | O_DIRECTORY, 0, 1)
        guard opened >= 0 else { throw failure("open", path) }
        workspace = OpenFolder(placing: opened)
        workspacePath = path
        self.root = root
    }

    /// Returns an entry by its open folder and its name. The entry itself need not exist.
    ///
    /// - Parameters:
    ///   - path: a real path.
    ///   - isMaking: whether missing parent folders are created.
    /// - Throws: `targetChanged` if a part of the path is a link now, `fileNotFound` if a folder is missing.
    package func entry(_ path: String, isMaking: Bool = false) throws(Failure) -> FolderEntry {
        let (above, name) = (parent(of: path), lastName(of: path))
        // The root is its own entry.
        guard name.utf8.first != UInt8(ascii: "/") else {
            return FolderEntry(folder: try folder("/"), name: ".", path: path)
        }
        if isMaking { try make(above) }
        return FolderEntry(folder: try folder(above), name: name, path: path)
    }

    /// Opens a folder as a place.
    ///
    /// - Parameter path: a real path.
    /// - Throws: `targetChanged`, `fileNotFound`.
    package func folder(_ path: String) throws(Failure) -> OpenFolder {
        OpenFolder(placing: try open(path, cfiles_place_only() | O_DIRECTORY))
    }

    /// Returns the status of an entry, or `nil` if it does not exist. A link is not followed.
    package func status(_ path: String) throws(Failure) -> stat? {
        let (folder, below) = place(of: path)
        let opened = cfiles_open_below(folder, below, cfiles_place_only(), 0, 1)
        guard opened >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw failure("look at", path) }
            return nil
        }
        return try OpenFile(adopting: opened).status()
    }

    /// Whether a path in the workspace is on another mount than the workspace, so that its content exists elsewhere,
    /// too. For a missing file, the nearest existing folder is checked.
    package func isOnOtherMount(_ path: String) throws(Failure) -> Bool {
        let (folder, below) = place(of: path)
        guard folder == workspace.descriptor else { return false }
        let opened = cfiles_open_below(folder, below, cfiles_place_only(), 0, 1)
        guard opened >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR, !path.isSameName(as: workspacePath) else {
                throw failure("look at", path)
            }
            return try isOnOtherMount(parent(of: path))
        }
        return isOnOtherMount(OpenFile(adopting: opened))
    }

    /// Returns the highest path above a path in the workspace that is on another mount, or `nil` if the path is on the
    /// mount of the workspace.
    package func otherMount(of path: String) throws(Failure) -> String? {
        guard try isOnOtherMount(path) else { return nil }
        var mount = path
        while mount != workspacePath, try isOnOtherMount(parent(of: mount)) { mount = parent(of: mount) }
        return mount
    }

    /// Whether a file is on another mount than the workspace.
    ///
    /// - Parameter file: a file with a path in the workspace.
    package func isOnOtherMount(_ file: borrowing OpenFile) -> Bool {
        cfiles_mount(file.descriptor, "") != cfiles_mount(workspace.descriptor, "")
    }

    /// Opens the file of a target for reading.
    ///
    /// - Throws: `targetChanged` if the file has another name or is on another mount, unless the call says so.
    ///   `notAFile` if it is not a plain file.
    package func reading(_ target: Call.Target, _ path: String) throws(Failure) -> OpenFile {
        let file = OpenFile(adopting: try open(path, O_RDONLY | O_NONBLOCK))
        let status = try file.status()
        guard status.kind == .file else { throw Failure(.notAFile, "\(path) is not a file.") }
        let isBound = place(of: path).folder == workspace.descriptor && isOnOtherMount(file)
        guard !(status.hasOtherNames || isBound) || target.hasOtherNames else { throw targetChanged(path) }
        return file
    }

    /// Returns the present state of a real path. The result is empty if the entry or its folder does not exist.
    package func look(at path: String) throws(Failure) -> FolderEntry.Look {
        do throws(Failure) { return try entry(path).look() } catch  where error.code == .fileNotFound {
            return FolderEntry.Look()
        }
    }

    /// Returns the number of missing folders above a path, and the first missing path on the way to it.
    package func missing(above path: String) throws(Failure) -> (count: Int, first: String) {
        var (count, first) = (0, path)
        while try status(parent(of: first)) == nil, parent(of: first) != "/" {
            count += 1
            first = parent(of: first)
        }
        return (count, first)
    }

    private func make(_ path: String) throws(Failure) {
        if let status = try status(path) {
            guard status.kind != .file else {
                throw Failure(.fileFailed, "\(path) is in the way: it is not a folder.")
            }
            return
        }
        try make(parent(of: path))
        let entry = try entry(path)
        guard mkdirat(entry.folder.descriptor, entry.name, 0o777) == 0 || errno == EEXIST else {
            throw fileFailure("make", path)
        }
    }

    private func open(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
        try refuseNUL(path)
        let (folder, below) = place(of: path)
        let opened = cfiles_open_below(folder, below, flags, 0, 1)
        guard opened >= 0 else { throw failure("open", path) }
        return opened
    }

    private func place(of path: String) -> (folder: Int32, below: String) {
        if let below = path.path(below: workspacePath) { return (workspace.descriptor, below.isEmpty ? "." : below) }
        let below = path.path(below: "/") ?? path
        return (root.descriptor, below.isEmpty ? "." : below)
    }
}

/// A name in an open folder. Operations apply to the name itself, so a link is not followed.
package struct FolderEntry: ~Copyable {
    package let folder: OpenFolder
    package let name: String
    /// The path for messages.
    package let path: String

    package func status() throws(Failure) -> stat? { try folder.status(of: name) }

    /// Opens the file for reading.
    ///
    /// - Throws: `targetChanged` if it is a link.
    package func file() throws(Failure) -> OpenFile {
        // A named pipe would wait for its writer for ever.
        let opened = cfiles_open_below(folder.descriptor, name, O_RDONLY | O_NONBLOCK, 0, 1)
        guard opened >= 0 else { throw failure("open", path) }
        return OpenFile(adopting: opened)
    }

    package func linkTarget() throws(Failure) -> String { try folder.linkTarget(name) }

    /// Deletes the file only if it is the one that was looked at. A file saved under its name in the meantime is put
    /// back.
    ///
    /// - Parameter hidden: the name of the file between the check and the deletion. The caller stores it first
    ///   (`FileIntent`).
    /// - Throws: `targetChanged`.
    package func remove(_ before: Call.Before, hidden: String) throws(Failure) {
        let place = folder.descriptor
        guard cfiles_rename_new(place, name, place, hidden) == 0 else {
            throw errno == ENOENT ? targetChanged(path) : fileFailure("delete", path)
        }
        guard before.isStill(try folder.status(of: hidden)) else {
            _ = cfiles_rename_new(place, hidden, place, name)
            throw targetChanged(path)
        }
        guard unlinkat(place, hidden, 0) == 0 else { throw fileFailure("delete", path) }
    }

    /// Whether this is the file that was looked at, by its inode, size and time. The check is fast, since it does not
    /// read the file.
    package func isStill(_ before: Call.Before) throws(Failure) -> Bool {
        before.isStill(try status())
    }

    package struct Look {
        package var before = Call.Before.absent
        /// The status, or `nil` if the entry does not exist.
        package var status: stat?
        /// The target of a link, or `nil` if the entry is not a link.
        package var leadsTo: String?
        /// The access list and the attributes of a file, or `nil` if the entry is not a file.
        package var extra: FileState.Extra?
    }

    /// Returns the present state of the entry, with the hash of the content if it is a file.
    ///
    /// - Throws: `tooLarge`, or `targetChanged` if the file grows meanwhile.
    package func look() throws(Failure) -> Look {
        guard var status = try status() else { return Look() }
        var hash: ContentHash?
        var leadsTo: String?
        var extra: FileState.Extra?
        switch status.kind {
        case .file:
            let file = try file()
            status = try file.status()
            // The size is checked first: a sparse file of a terabyte costs nothing to create.
            guard status.st_size <= Limits.hashedFileBytes else {
                throw Failure(
                    .tooLarge,
                    "\(path) has \(status.st_size) bytes; at most \(Limits.hashedFileBytes >> 30) GiB are looked at.",
                    remedy: "Do it by hand, or with a command on the bare machine.")
            }
            var read = 0
            (hash, _) = try file.digest { (piece) throws(Failure) in
                read += piece.count
                // The file grows while it is read.
                guard read <= status.st_size else { throw targetChanged(path) }
            }
            extra = try FileState.Extra(of: file)
        case .link:
            let target = try linkTarget()
            (hash, leadsTo) = (.of(target), target)
        case .folder, .special: break
        }
        let before = Call.Before.file(
            device: UInt64(status.st_dev), inode: status.inode, size: Int64(status.st_size),
            modifiedNanoseconds: status.modifiedNanoseconds, hash: hash)
        return Look(before: before, status: status, leadsTo: leadsTo, extra: extra)
    }
}

/// Returns the failure for the current `errno`. A link in a path that had none when it was checked is reported as
/// `targetChanged`.
private func failure(_ verb: String, _ path: String) -> Failure {
    errno == ELOOP || errno == EXDEV ? targetChanged(path) : fileFailure(verb, path)
}

extension OpenFile {
    fileprivate static func placeOfRoot() throws(Failure) -> Int32 {
        let opened = Glibc.open("/", cfiles_place_only() | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw fileFailure("open", "/") }
        return opened
    }
}

extension Call.Before {
    /// Whether a status is that of the same file, by inode, size and time. The check needs no read of the content.
    ///
    /// - Parameter status: `nil` if the entry does not exist.
    package func isStill(_ status: stat?) -> Bool {
        switch (self, status) {
        case (.unlooked, _), (.absent, nil): true
        case (.file(let device, let inode, let size, let modified, _), let status?):
            UInt64(status.st_dev) == device && status.inode == inode && Int64(status.st_size) == size
                && status.modifiedNanoseconds == modified
        case (.absent, _), (.file, nil): false
        }
    }
}
