import CProcess
import Glibc
import Vocabulary

extension Limits {
    /// Of a file that a tool replaces, moves or deletes: a question names its content by hash.
    package static let hashedFileBytes = 64 << 30
}

/// The person's files as a tool reaches them: below a descriptor of the workspace, and what lies elsewhere along its
/// real path from `/`. No link is followed: what is touched is what was asked about, whatever others rename or link
/// meanwhile.
struct PersonFiles: ~Copyable {
    /// A real path.
    let workspacePath: String
    private let workspace: OpenFolder
    private let root: OpenFolder

    /// - Parameter path: a real path (`Paths`).
    /// - Throws: `targetChanged` where it is one no more.
    init(workspace path: String) throws(Failure) {
        let root = OpenFolder(placing: try OpenFile.placeOfRoot())
        let below = path.path(below: "/") ?? path
        let opened = cfiles_open_below(
            root.descriptor, below.isEmpty ? "." : below, cfiles_place_only() | O_DIRECTORY, 0, 1)
        guard opened >= 0 else { throw failure("open", path) }
        workspace = OpenFolder(placing: opened)
        workspacePath = path
        self.root = root
    }

    /// A name in its folder, which need not be there itself.
    ///
    /// - Parameter path: a real path.
    /// - Parameter isMaking: whether folders above that are not there are made.
    /// - Throws: `targetChanged` where something on the way is a link by now; `fileNotFound`.
    func entry(_ path: String, isMaking: Bool = false) throws(Failure) -> FolderEntry {
        let (above, name) = (parent(of: path), lastName(of: path))
        // The root is its own entry.
        guard name.utf8.first != UInt8(ascii: "/") else {
            return FolderEntry(folder: try folder("/"), name: ".", path: path)
        }
        if isMaking { try make(above) }
        return FolderEntry(folder: try folder(above), name: name, path: path)
    }

    /// - Throws: `targetChanged`, `fileNotFound`.
    func folder(_ path: String) throws(Failure) -> OpenFolder {
        OpenFolder(placing: try open(path, cfiles_place_only() | O_DIRECTORY))
    }

    /// What is there; `nil` where nothing is. A link is told as one.
    func status(_ path: String) throws(Failure) -> stat? {
        let (folder, below) = place(of: path)
        let opened = cfiles_open_below(folder, below, cfiles_place_only(), 0, 1)
        guard opened >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw failure("look at", path) }
            return nil
        }
        return try OpenFile(adopting: opened).status()
    }

    /// Whether it lies in the workspace by its path, and yet on another mount than the workspace itself: what is bound
    /// there is somewhere else, too. Of what is not there yet, the folder that it would be in.
    func isOnOtherMount(_ path: String) throws(Failure) -> Bool {
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

    /// - Parameter file: of the workspace by its path.
    func isOnOtherMount(_ file: borrowing OpenFile) -> Bool {
        cfiles_mount(file.descriptor, "") != cfiles_mount(workspace.descriptor, "")
    }

    /// The file of a target that is read, and the same as it was looked at: with this name alone unless the call says
    /// otherwise.
    func reading(_ target: Call.Target, _ path: String) throws(Failure) -> OpenFile {
        let file = OpenFile(adopting: try open(path, O_RDONLY | O_NONBLOCK))
        let status = try file.status()
        guard status.kind == .file else { throw Failure("notAFile", "\(path) is not a file.") }
        let isBound = place(of: path).folder == workspace.descriptor && isOnOtherMount(file)
        guard !(status.hasOtherNames || isBound) || target.hasOtherNames else { throw targetChanged(path) }
        return file
    }

    /// What is at a real path now; nothing where its folder is not there either.
    func look(at path: String) throws(Failure) -> FolderEntry.Look {
        do throws(Failure) { return try entry(path).look() } catch  where error.code == "fileNotFound" {
            return FolderEntry.Look()
        }
    }

    /// How many of the folders above a path are not there, and the first name on the way to it that is not.
    func missing(above path: String) throws(Failure) -> (count: Int, first: String) {
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
                throw Failure("fileFailed", "\(path) is in the way: it is not a folder.")
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

/// A name in an open folder. What is done with it is done there, and to the name itself: a link is not followed.
struct FolderEntry: ~Copyable {
    let folder: OpenFolder
    let name: String
    /// For words.
    let path: String

    func status() throws(Failure) -> stat? { try folder.status(of: name) }

    /// - Throws: `targetChanged` for a link.
    func file() throws(Failure) -> OpenFile {
        // A named pipe would wait for its writer for ever.
        let opened = cfiles_open_below(folder.descriptor, name, O_RDONLY | O_NONBLOCK, 0, 1)
        guard opened >= 0 else { throw failure("open", path) }
        return OpenFile(adopting: opened)
    }

    func linkTarget() throws(Failure) -> String { try folder.linkTarget(name) }

    /// Takes away nothing but what was looked at: what somebody saved under this name meanwhile has it back.
    ///
    /// - Parameter hidden: its name for the moment between; noted before (`Intent`).
    /// - Throws: `targetChanged`.
    func remove(_ before: Call.Before, hidden: String) throws(Failure) {
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

    /// The same file by its number, size and time: what can be asked again just before acting, without reading it.
    func isStill(_ before: Call.Before) throws(Failure) -> Bool {
        before.isStill(try status())
    }

    struct Look {
        var before = Call.Before.absent
        /// `nil` where nothing is.
        var status: stat?
        /// Of a link.
        var leadsTo: String?
    }

    /// What is there now, with its content's hash where it is a file.
    func look() throws(Failure) -> Look {
        guard var status = try status() else { return Look() }
        var hash: ContentHash?
        var leadsTo: String?
        switch status.kind {
        case .file:
            let file = try file()
            status = try file.status()
            // Before it is read: a hole of a terabyte costs nothing to make.
            guard status.st_size <= Limits.hashedFileBytes else {
                throw Failure(
                    "tooLarge",
                    "\(path) has \(status.st_size) bytes; at most \(Limits.hashedFileBytes >> 30) GiB are looked at.",
                    remedy: "Do it by hand, or with a command on the bare machine.")
            }
            var read = 0
            (hash, _) = try file.digest { (piece) throws(Failure) in
                read += piece.count
                // It grows as it is read.
                guard read <= status.st_size else { throw targetChanged(path) }
            }
        case .link:
            let target = try linkTarget()
            (hash, leadsTo) = (.of(target), target)
        case .folder, .special: break
        }
        let before = Call.Before.file(
            device: UInt64(status.st_dev), inode: status.inode, size: Int64(status.st_size),
            modifiedNanoseconds: status.modifiedNanoseconds, hash: hash)
        return Look(before: before, status: status, leadsTo: leadsTo)
    }
}

/// A link on a way that had none is somebody's change.
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
    /// Whether it is what is there now, by its number, size and time: what can be asked without reading it.
    ///
    /// - Parameter status: `nil` where nothing is.
    func isStill(_ status: stat?) -> Bool {
        switch (self, status) {
        case (.unlooked, _), (.absent, nil): true
        case (.file(let device, let inode, let size, let modified, _), let status?):
            UInt64(status.st_dev) == device && status.inode == inode && Int64(status.st_size) == size
                && status.modifiedNanoseconds == modified
        case (.absent, _), (.file, nil): false
        }
    }
}
