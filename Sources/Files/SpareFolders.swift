import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// The most empty run folders that are kept for reuse.
    fileprivate static let spareFolders = 16
}

/// Empty folders of earlier attempts, which the next ones use again. On ext4, a new folder can take as long as the
/// start of a small program, especially after many were removed. When an engine ends, its spare folders stay where they
/// are.
package final class SpareFolders: Sendable {
    package init() {}

    private let spare = Mutex<[String]>([])

    /// Moves a spare folder to a path that is free or has an empty folder. Returns whether it did.
    func take(as path: String) -> Bool {
        guard let folder = spare.withLock({ $0.popLast() }) else { return false }
        return rename(folder, path) == 0
    }

    /// Empties a folder, and keeps it as a spare folder if that succeeds.
    package func give(_ path: String) {
        guard emptyFolder(path) else { return }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode == S_IFDIR | 0o700 else { return }
        spare.withLock { if $0.count < Limits.spareFolders { $0.append(path) } }
    }
}

/// Removes a folder with its content. Links are not followed, and entries that cannot be removed are left.
package func removeFolder(_ path: String) {
    emptyFolder(path)
    rmdir(path)
}

/// Removes a folder by its name in another one, with its content. Entries that cannot be removed are left.
package func removeFolder(_ name: String, in folder: borrowing OpenFolder) {
    let descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0 { _ = empty(descriptor, depth: 0) }
    unlinkat(folder.descriptor, name, AT_REMOVEDIR)
}

/// Removes the content of a folder, whatever the names are.
///
/// - Returns: whether the folder exists and is empty now.
@discardableResult
func emptyFolder(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return descriptor >= 0 && empty(descriptor, depth: 0)
}

/// Empties a folder, and closes the descriptor. It uses descriptors only, so that no link can lead it elsewhere.
private func empty(_ descriptor: Int32, depth: Int) -> Bool {
    guard let stream = fdopendir(descriptor) else {
        close(descriptor)
        return false
    }
    defer { closedir(stream) }
    // A folder inside may not be accessible.
    if depth > 0 { fchmod(descriptor, 0o700) }
    var isEmpty = true
    while let entry = readdir(stream) {
        let isGone = withUnsafePointer(to: &entry.pointee.d_name.0) { name in
            if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(descriptor, name, 0) == 0 { return true }
            guard depth < Limits.emptiedDepth else { return false }
            let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            // A program may have made its own folder inaccessible.
            return inner >= 0 && fchmod(inner, 0o700) == 0 && empty(inner, depth: depth + 1)
                && unlinkat(descriptor, name, AT_REMOVEDIR) == 0
        }
        isEmpty = isEmpty && isGone
    }
    return isEmpty
}
