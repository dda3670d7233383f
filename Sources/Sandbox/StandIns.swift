import CProcess
package import Files
import Glibc
package import Vocabulary

/// The empty files and folders that a command sees in place of files that may hold keys.
///
/// They are a layer of the overlay between the workspace and the changes of the command. So the command may change them
/// like any file, and its changes in the overlay are seen and refused (`ChangeWalk`). If the layer is impossible, a
/// mount hides a file or a folder instead, and the command cannot change it.
package struct StandIns {
    /// The layer: an absolute path outside the workspace.
    let folder: String
    /// The files and folders that have a stand-in in the layer.
    private(set) var covered = PrivateFiles()
    /// The files of keys that the command may read, and that it sees as they are.
    private(set) var given: [String] = []

    /// The time of a stand-in, in nanoseconds since 1970. It identifies copies that keep their times.
    package static let moment: Int64 = 1_000_000_000_123_456_789
    /// The permissions of a file and of a folder.
    package static let modes = (file: 0o600 as UInt32, folder: 0o700 as UInt32)

    /// Creates the layer.
    ///
    /// - Parameters:
    ///   - hidden: the files to hide from the command.
    ///   - given: files of keys that the call names in `reads`.
    /// - Returns: `nil` if no stand-in is needed, or if the layer would lie in the workspace, since no overlay has one
    ///   layer below another.
    package init?(of hidden: PrivateFiles, given: [String], in workspace: String, at folder: String) throws(Failure) {
        let keys = hidden.keys.filter { $0.path(below: workspace).map { !$0.isEmpty } ?? false }
        guard !keys.isEmpty, folder.path(below: workspace) == nil else { return nil }
        self.folder = folder
        removeFolder(folder)
        try makeFolders(folder)
        let lower = try OpenFolder(workspace)
        let layer = try OpenFolder(folder)
        var made: Set<[UInt8]> = []
        for path in keys {
            let names = (path.path(below: workspace) ?? "").pathNames
            if given.contains(where: { $0.isSameName(as: path) }) {
                self.given.append(path)
            } else if !given.contains(where: { $0.path(below: path) != nil }),
                Self.makeWay(names.dropLast(), lower, layer, &made)
            {
                try stand(for: path, names, layer)
            }
        }
        try Self.keepTimes(of: made, lower, layer)
    }

    /// Returns whether a path has a stand-in, or lies below one.
    func covers(_ path: String) -> Bool { covered.holds(path) }

    /// Returns whether the command sees a file of keys as it is.
    func shows(_ path: String) -> Bool { given.contains { $0.isSameName(as: path) } }

    package func remove() { removeFolder(folder) }

    private mutating func stand(for path: String, _ names: [String], _ layer: borrowing OpenFolder) throws(Failure) {
        guard let name = names.last else { return }
        let parent = try layer.folder(names.dropLast().joined(separator: "/"))
        var times = [timespec(nanoseconds: Self.moment), timespec(nanoseconds: Self.moment)]
        if isFolder(path) {
            guard mkdirat(parent.descriptor, name, Self.modes.folder) == 0 else { throw fileFailure("make", path) }
            // With this mark, the kernel does not show the folder below.
            let inner = try parent.folder(name)
            guard cfiles_set_attribute(inner.descriptor, "user.overlay.opaque", "y", 1) == 0 else {
                unlinkat(parent.descriptor, name, Int32(AT_REMOVEDIR))
                return
            }
            covered.folders.append(path)
        } else {
            let file = OpenFile(adopting: try parent.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: Self.modes.file))
            guard fchmod(file.descriptor, Self.modes.file) == 0 else { throw fileFailure("make", path) }
            covered.files.append(path)
        }
        guard utimensat(parent.descriptor, name, &times, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw fileFailure("make", path)
        }
    }

    /// Creates the folders that lead to a stand-in, with owners and permissions as in the workspace, since the upper
    /// layer determines them.
    ///
    /// - Returns: whether they could be created like this.
    private static func makeWay(
        _ names: ArraySlice<String>, _ lower: borrowing OpenFolder, _ layer: borrowing OpenFolder,
        _ made: inout Set<[UInt8]>
    ) -> Bool {
        var way = ""
        for name in names {
            way += way.isEmpty ? name : "/\(name)"
            if made.contains(Array(way.utf8)) { continue }
            guard let like = try? lower.folder(way).file.status(), mkdirat(layer.descriptor, way, 0o700) == 0,
                let folder = try? layer.folder(way)
            else { return false }
            _ = fchown(folder.descriptor, like.st_uid, like.st_gid)
            _ = fchmod(folder.descriptor, like.st_mode & 0o7777)
            guard let now = try? folder.file.status(), now.st_uid == like.st_uid, now.st_gid == like.st_gid,
                now.st_mode == like.st_mode
            else {
                unlinkat(layer.descriptor, way, Int32(AT_REMOVEDIR))
                return false
            }
            made.insert(Array(way.utf8))
        }
        return true
    }

    /// Gives the folders of the layer the times of those in the workspace. It comes last, since a new file changes
    /// the time of its folder.
    private static func keepTimes(
        of folders: Set<[UInt8]>, _ lower: borrowing OpenFolder, _ layer: borrowing OpenFolder
    ) throws(Failure) {
        for path in folders.map({ String(decoding: $0, as: UTF8.self) }) {
            let status = try lower.folder(path).file.status()
            var times = [status.st_atim, status.st_mtim]
            utimensat(layer.descriptor, path, &times, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Returns an empty file that a mount puts in place of a hidden one. It is made once in a data folder.
    package static func emptyFile(in data: String) throws(Failure) -> String {
        let path = "\(data)/rehearsals/empty"
        var status = stat()
        if lstat(path, &status) == 0, status.kind == .file, status.st_size == 0 { return path }
        unlink(path)
        try makeFolders(parent(of: path))
        let file = try OpenFile(path, O_WRONLY | O_CREAT)
        var times = [timespec(nanoseconds: moment), timespec(nanoseconds: moment)]
        guard fchmod(file.descriptor, 0o400) == 0, futimens(file.descriptor, &times) == 0 else {
            throw fileFailure("make", path)
        }
        return path
    }
}

extension timespec {
    fileprivate init(nanoseconds: Int64) {
        self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}

extension PrivateFiles {
    /// Returns the files and folders that `standIns` neither covers nor shows.
    func without(_ standIns: StandIns) -> PrivateFiles {
        func isLeft(_ path: String) -> Bool { !standIns.covers(path) && !standIns.shows(path) }
        return PrivateFiles(files: files.filter(isLeft), folders: folders.filter(isLeft), keys: keys)
    }
}
