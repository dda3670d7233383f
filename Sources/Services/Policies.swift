package import Consent
import Glibc
import Synchronization
import Vocabulary

/// The policies of workspaces. A policy is read again after one of its files has changed, so that a program that runs
/// for days does not use old rules. A workflow follows the rules of its own workspace, wherever its engine was started.
package final class Policies: Sendable {
    private let shelves: Shelves
    /// The policies that were read, by the bytes of the workspace's path. Two folders may have names that are equal in
    /// Unicode.
    private let known = Mutex<[[UInt8]: (marks: [FileMark], policy: Policy)]>([:])

    /// Creates the policies of the shelves. No file is read yet.
    package init(_ shelves: Shelves) { self.shelves = shelves }

    /// Returns the policy of a workspace, as its files are now.
    package func policy(of workspace: String) -> Policy {
        // The marks are taken before the files are read, so a change in between is noticed at the next call.
        let marks =
            [FileMark(ofFolder: shelves.folders.config)] + shelves.policyFiles(of: workspace).map { FileMark(of: $0) }
        return known.withLock { known in
            if let entry = known[Array(workspace.utf8)], entry.marks == marks { return entry.policy }
            let policy = shelves.policy(of: workspace)
            known[Array(workspace.utf8)] = (marks, policy)
            return policy
        }
    }
}

/// A mark that changes with a file, and is made without reading it.
enum FileMark: Hashable {
    case missing
    /// An entry that exists, but cannot be read: a link to nowhere, a folder in place of a file, a pipe.
    case unreadable(Int32)
    /// A file or a folder.
    case file(device: UInt, inode: UInt, size: Int, modified: [Int], changed: [Int])

    init(of path: String) { self.init(path, kind: S_IFREG) }

    /// The mark of a folder changes with its rights, and with the names in it.
    init(ofFolder path: String) { self.init(path, kind: S_IFDIR) }

    private init(_ path: String, kind: mode_t) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(errno)
            return
        }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == kind else {
            self = .unreadable(errno)
            return
        }
        self = .file(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), size: status.st_size,
            modified: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec],
            changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
    }
}
