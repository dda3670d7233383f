import CProcess
import Glibc
import Vocabulary

/// One name on both sides of a step: in the workspace, and where what comes lies and what goes is put.
///
/// What comes out of a rename is looked at once more: what somebody saved in the moment before it has its name back.
struct StepPlace: ~Copyable {
    let here: OpenFolder
    let there: OpenFolder
    let name: String
    /// For words: below the workspace, and the folder of the other side.
    let path: String
    let store: String
    /// Whether what was there before comes back.
    let isBack: Bool
    /// Called between the last look and the rename: a test changes something there.
    let beforeRename: () -> Void

    /// What is moved.
    struct Moved {
        let inode: UInt64
        let told: ToldFiles
    }

    /// Comes to a name that is free; or has come.
    func comeIn(_ coming: Moved) throws(Failure) {
        let now = try inodes()
        if now.here == coming.inode, now.there == nil { return }
        guard now.here == nil, now.there == coming.inode else { throw changed }
        beforeRename()
        guard comes() == 0 else { throw refused }
    }

    /// Goes; or has gone.
    func goOut(_ going: Moved) throws(Failure) {
        let now = try inodes()
        // Only this step puts something there.
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

    /// Two change places; or have changed.
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

    /// - Returns: why it was put back.
    private func putBack(_ coming: Moved) throws(Failure) -> Failure {
        // What has come may be somebody's by now, too.
        guard coming.told.isStill(name, in: here, isRenamed: true) else { return left }
        guard exchanges() == 0 else {
            return comes() == 0 ? changed : left
        }
        // Somebody was quicker once more: the newest stays.
        if try there.status(of: name)?.inode != coming.inode { _ = exchanges() }
        return changed
    }

    private func inodes() throws(Failure) -> (here: UInt64?, there: UInt64?) {
        (try here.status(of: name)?.inode, try there.status(of: name)?.inode)
    }

    /// For the `errno` at hand.
    private var refused: Failure { errno == EEXIST || errno == ENOENT ? changed : fileFailure("rename", path) }

    var changed: Failure {
        isBack
            ? Failure("targetChanged", "\(path) has been changed since.")
            : Failure("targetChanged", "\(path) is not what was there when the command was rehearsed.")
    }

    private var left: Failure {
        Failure(
            "targetChanged",
            "\(path) was changed twice meanwhile: the newer is there, and the one before it is \(store)/\(path).")
    }
}
