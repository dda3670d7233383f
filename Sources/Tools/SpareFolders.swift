import Glibc
import Synchronization
import Vocabulary

extension Limits {
    fileprivate static let spareFolders = 16
}

/// Folders that attempts have used and left empty, handed on to the next ones: on ext4 a new folder can cost as much as
/// the start of a small program, the more the more were removed of late. What an engine leaves behind when it ends
/// stays where it is, empty.
final class SpareFolders: Sendable {
    private let spare = Mutex<[String]>([])

    /// Puts a spare folder at a path where nothing is, or an empty folder.
    func take(as path: String) -> Bool {
        guard let folder = spare.withLock({ $0.popLast() }) else { return false }
        return rename(folder, path) == 0
    }

    /// Empties a folder, and keeps it in mind if it is then like a new one.
    func give(_ path: String) {
        guard emptyFolder(path) else { return }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode == S_IFDIR | 0o700 else { return }
        spare.withLock { if $0.count < Limits.spareFolders { $0.append(path) } }
    }
}

/// Removes a folder with all that is in it; links are removed, not followed. What cannot be removed is left.
func removeFolder(_ path: String) {
    emptyFolder(path)
    rmdir(path)
}

/// Removes a folder by its name in another one, with all that is in it. What cannot be removed is left.
func removeFolder(_ name: String, in folder: borrowing OpenFolder) {
    let descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0 { _ = empty(descriptor, depth: 0) }
    unlinkat(folder.descriptor, name, AT_REMOVEDIR)
}

/// Takes away what is in a folder, whatever it is called.
/// - Returns: whether the folder is there and empty now.
@discardableResult
func emptyFolder(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return descriptor >= 0 && empty(descriptor, depth: 0)
}

/// Takes the descriptor. Goes by descriptors, so that nothing can be led elsewhere while it is under way.
private func empty(_ descriptor: Int32, depth: Int) -> Bool {
    guard let stream = fdopendir(descriptor) else {
        close(descriptor)
        return false
    }
    defer { closedir(stream) }
    // One inside may have been shut.
    if depth > 0 { fchmod(descriptor, 0o700) }
    var isEmpty = true
    while let entry = readdir(stream) {
        let isGone = withUnsafePointer(to: &entry.pointee.d_name.0) { name in
            if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(descriptor, name, 0) == 0 { return true }
            guard depth < Limits.emptiedDepth else { return false }
            let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            // It may have shut itself.
            return inner >= 0 && fchmod(inner, 0o700) == 0 && empty(inner, depth: depth + 1)
                && unlinkat(descriptor, name, AT_REMOVEDIR) == 0
        }
        isEmpty = isEmpty && isGone
    }
    return isEmpty
}
