import CProcess
import Files
import Glibc
import Vocabulary

/// The two entries of a step with the same name: one in the workspace (`here`), one in the overlay or the folder of
/// replaced entries (`there`).
///
/// An entry is checked again after it was moved out of the workspace. If another process saved a file just before the
/// rename, the file gets its name back.
struct StepPlace: ~Copyable {
    let here: OpenFolder
    let there: OpenFolder
    let name: String
    /// The path below the workspace, for messages. `store` is the folder of the other side.
    let path: String
    let store: String
    /// Whether the step is reversed.
    let isBack: Bool
    /// Called between the last check and the rename. A test changes a file at that point.
    let beforeRename: () -> Void

    /// An entry that a step moves.
    struct Moved {
        let inode: UInt64
        let told: ToldFiles
    }

    /// Moves an entry into the workspace, to a name that is free. If it is there already, nothing happens.
    func comeIn(_ coming: Moved) throws(Failure) {
        let now = try inodes()
        if now.here == coming.inode, now.there == nil { return }
        guard now.here == nil, now.there == coming.inode else { throw changed }
        beforeRename()
        guard comes() == 0 else { throw refused }
    }

    /// Moves an entry out of the workspace, or completes an interrupted move.
    func goOut(_ going: Moved) throws(Failure) {
        let now = try inodes()
        // Only this step moves an entry there.
        let isCut = now.here == nil && now.there != nil
        if !isCut {
            guard now.here == going.inode, now.there == nil, going.told.isStill(name, in: here, isRenamed: isBack)
            else { throw changed }
            beforeRename()
            guard goes() == 0 else { throw refused }
        }
        guard try isThere(going) else {
            throw comes() == 0 ? changed : left
        }
    }

    /// Exchanges the entries of both sides, or completes an interrupted exchange.
    func exchange(_ coming: Moved, for going: Moved) throws(Failure) {
        let now = try inodes()
        let isCut = now.here == coming.inode && now.there != nil && now.there != coming.inode
        if !isCut {
            guard now.here == going.inode, now.there == coming.inode,
                going.told.isStill(name, in: here, isRenamed: isBack)
            else {
                throw changed
            }
            beforeRename()
            guard exchanges() == 0 else { throw refused }
        }
        guard try isThere(going) else { throw try putBack(coming) }
    }

    // MARK: The renames

    private func comes() -> Int32 { unlocking { cfiles_rename_new(there.descriptor, name, here.descriptor, name) } }

    private func goes() -> Int32 { unlocking { cfiles_rename_new(here.descriptor, name, there.descriptor, name) } }

    private func exchanges() -> Int32 { unlocking { cfiles_exchange(here.descriptor, name, there.descriptor, name) } }

    private func unlocking(_ call: () -> Int32) -> Int32 {
        LockedFolders.unlocking([here.descriptor, there.descriptor], name, call)
    }

    private func isThere(_ going: Moved) throws(Failure) -> Bool {
        try there.status(of: name)?.inode == going.inode && going.told.isStill(name, in: there, isRenamed: true)
    }

    /// Reverses an exchange that moved out an entry which another process had changed.
    ///
    /// - Returns: the failure to report. It says whether the exchange was reversed.
    private func putBack(_ coming: Moved) throws(Failure) -> Failure {
        // Another process may have changed the new entry, too.
        guard coming.told.isStill(name, in: here, isRenamed: true) else { return left }
        guard exchanges() == 0 else {
            return comes() == 0 ? changed : left
        }
        // Another process has replaced the entry once more. The newest entry stays.
        if try there.status(of: name)?.inode != coming.inode { _ = exchanges() }
        return changed
    }

    private func inodes() throws(Failure) -> (here: UInt64?, there: UInt64?) {
        (try here.status(of: name)?.inode, try there.status(of: name)?.inode)
    }

    /// The failure that belongs to the current `errno`.
    private var refused: Failure { errno == EEXIST || errno == ENOENT ? changed : fileFailure("rename", path) }

    var changed: Failure {
        isBack
            ? Failure(.targetChanged, "\(path) has been changed since.")
            : Failure(.targetChanged, "\(path) is not what was there when the command was rehearsed.")
    }

    private var left: Failure {
        Failure(
            .targetChanged,
            "\(path) was changed twice meanwhile: the newer is there, and the one before it is \(store)/\(path).")
    }
}
