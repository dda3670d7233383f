import Files
import Glibc
package import Vocabulary

/// A file that Assent itself writes into the folder of a rehearsal, as a command would have written it.
package struct LaidFile: Hashable {
    /// The path below the workspace.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}

extension RehearsalFolder {
    /// Writes files into the upper folder. A file that exists in the workspace keeps its owner, permissions and
    /// extended attributes, and so do the folders above it.
    ///
    /// - Throws: `ownerWouldChange`, `attributeLost`, or an error of writing.
    package func lay(_ files: [LaidFile], over workspace: String) throws(Failure) {
        let root = try OpenFolder(workspace)
        guard chmod(upper, try root.file.status().st_mode & 0o7777) == 0 else { throw fileFailure("change", upper) }
        for file in files {
            let folder = try folder(relativeParent(of: file.path), over: root)
            var new = try NewFile(in: folder)
            try new.file.write(file.bytes)
            if try Self.status(of: file.path, in: root)?.kind == .file {
                try new.takeAfter(try root.file(file.path), file.path)
            }
            let name = lastName(of: file.path)
            unlinkat(folder.descriptor, name, 0)
            guard try new.name(name) else { throw targetChanged(file.path) }
        }
    }

    /// Returns the status of an entry, or nil if it or a folder above it does not exist.
    private static func status(of path: String, in root: borrowing OpenFolder) throws(Failure) -> stat? {
        do throws(Failure) { return try root.folder(relativeParent(of: path)).status(of: lastName(of: path)) } catch {
            guard error.code == .fileNotFound else { throw error }
            return nil
        }
    }

    /// Returns a folder below the upper one, made with the permissions of the same folder in the workspace.
    private func folder(_ path: String, over root: borrowing OpenFolder) throws(Failure) -> OpenFolder {
        var folder = try OpenFolder(upper)
        var below = ""
        for name in path.pathNames {
            below = below.isEmpty ? name : "\(below)/\(name)"
            if mkdirat(folder.descriptor, name, 0o777) == 0 {
                if let status = try Self.status(of: below, in: root) {
                    guard status.kind == .folder else { throw Failure(.notAFolder, "\(below) is no folder.") }
                    fchownat(folder.descriptor, name, status.st_uid, status.st_gid, AT_SYMLINK_NOFOLLOW)
                    guard fchmodat(folder.descriptor, name, status.st_mode & 0o7777, 0) == 0 else {
                        throw fileFailure("change", name)
                    }
                }
            } else if errno != EEXIST {
                throw fileFailure("make", below)
            }
            folder = try folder.folder(name)
        }
        return folder
    }
}
