package import Files
import Glibc
package import Vocabulary

/// The changes that a command left in its overlay, and the steps that apply them to the workspace.
package struct ChangeList {
    /// The changes that the user is asked about, ordered by path.
    package var targets: [Call.Target] = []
    /// The steps that apply the changes, in the order in which they are done.
    package var steps: [ApplyStep] = []
    /// The reasons why the changes cannot be applied, as sentences. It is empty if they can.
    package var refusals: [String] = []
    /// The permissions of new entries that are read-only, by inode. They are restored after the entry was changed.
    var locked: [UInt64: Int] = [:]

    /// The stamps of all new files and folders in the overlay, by inode.
    package var brought: [UInt64: FileStamp] = [:]

    /// The stamps of all workspace entries that are deleted, replaced or get other permissions, by inode.
    var replaced: [UInt64: FileStamp] = [:]

    /// The deleted pipes, sockets and devices, as paths below the workspace. Undo cannot create them again.
    package var lost: [String] = []

    /// Whether another process changed an entry that the command replaces or deletes. A new rehearsal shows the current
    /// effect.
    package var isStale = false

    /// The changed or deleted files that are an index of git, as paths below the workspace. `repositories` has the
    /// created or deleted folders that contain a repository.
    var indexes: Set<String> = []
    var repositories: Set<String> = []

    /// The links of the workspace.
    var links = WorkspaceLinks()

    /// The git folders in which something changes, in the order of their paths.
    package var git: [GitFolderChange] = []

    /// Whether a refusal concerns an entry that was hidden from the command.
    package var touchesHidden = false

    /// The stamps, after the application, of the files whose content stays, by inode.
    package var set: [UInt64: FileStamp] {
        var set = replaced
        for case .set(_, let inode, let to, _) in steps { if let time = to.modified { set[inode]?.modified = time } }
        return set
    }

    package var isEmpty: Bool { targets.isEmpty && refusals.isEmpty }

    /// Returns the changes at these paths, with all others that they require: a new folder comes with all its entries.
    ///
    /// - Parameters:
    ///   - paths: absolute paths of `targets`.
    ///   - folder: the folder below which the paths of the steps lie.
    package func part(_ paths: [String], of folder: String) -> ChangeList {
        func belongs(_ step: ApplyStep, to target: Call.Target) -> Bool {
            // Bytes are compared: `é` written in two ways is two names.
            guard let path = target.path.map({ Array($0.utf8) }) else { return false }
            let place = Array("\(folder)/\(step.path)".utf8)
            let slash = UInt8(ascii: "/")
            if place == path { return true }
            if case .set = step { return false }
            return path.starts(with: place + [slash])
                || ((target.change?.entries ?? 1) > 1 || target.isGitFolder) && place.starts(with: path + [slash])
        }
        var part = self
        let wanted = Set(paths.map { Array($0.utf8) })
        var chosen = targets.filter { target in target.path.map { wanted.contains(Array($0.utf8)) } ?? false }
        while true {
            // Half a commit is a broken repository.
            let whole = git.map { "\(folder)/\($0.path)" }.filter { git in chosen.contains { $0.isIn(git) } }
            chosen = targets.filter { target in chosen.contains(target) || whole.contains { target.isIn($0) } }
            part.steps = steps.filter { step in chosen.contains { belongs(step, to: $0) } }
            part.targets = targets.filter { target in part.steps.contains { belongs($0, to: target) } }
            part.git = git.filter { git in part.targets.contains { $0.isIn("\(folder)/\(git.path)") } }
            if part.targets.count <= chosen.count { return part }
            chosen = part.targets
        }
    }
}

/// A step that applies one change to the workspace: a rename, or a change of permissions and time. The inodes show
/// whether the step is done.
package enum ApplyStep: Hashable {
    /// Moves an entry of the overlay to a name that is free.
    case bringIn(path: String, inode: UInt64)
    /// Exchanges an entry of the overlay with the one in the workspace.
    case swap(path: String, inode: UInt64, old: UInt64)
    /// Moves an entry out of the workspace.
    case takeOut(path: String, old: UInt64)
    /// Changes permissions or time, and leaves the content.
    case set(path: String, old: UInt64, to: Settings, was: Settings)

    package var setsOnly: Bool { if case .set = self { true } else { false } }

    package var bringsContent: Bool {
        switch self {
        case .bringIn, .swap: true
        case .takeOut, .set: false
        }
    }
}

extension ApplyStep {
    /// The permissions of a file, and its time if that changes.
    package struct Settings: Hashable {
        /// Permissions, such as `0o644`.
        var mode: Int
        /// The time of the last change of the content, in nanoseconds since 1970, or `nil` if it stays as it is.
        var modified: Int64?

        /// Returns the new and the old settings of a file whose content stays, or `nil` if they are the same.
        static func changed(_ now: stat, _ was: stat) -> (new: Settings, old: Settings)? {
            let isOtherTime = now.modifiedNanoseconds != was.modifiedNanoseconds
            // The permissions of a link say nothing.
            guard isOtherTime || now.permissions != was.permissions && now.kind == .file else { return nil }
            return (
                Settings(mode: now.permissions, modified: isOtherTime ? now.modifiedNanoseconds : nil),
                Settings(mode: was.permissions, modified: isOtherTime ? was.modifiedNanoseconds : nil)
            )
        }

        /// Whether a file has these settings. The time is compared only if `modified` is not `nil`.
        func isSame(as status: stat) -> Bool {
            mode == status.permissions && (modified == nil || modified == status.modifiedNanoseconds)
        }
    }
}

extension ChangeList {
    /// Notes an entry that undo cannot bring back: a pipe, a socket, a device, or the file of another user, since only
    /// root can give a file to another user.
    mutating func noteLoss(_ was: stat, _ path: String) {
        let isOthers = was.kind == .file && was.st_uid != geteuid() && geteuid() != 0
        if was.kind == .special || isOthers { lost.append(path) }
    }
}

/// A git folder in which a command changes something.
package struct GitFolderChange: Hashable {
    /// The path below the workspace.
    package var path: String
    /// Whether it did not exist as a git folder before.
    var isNew = false
    /// Whether it does not exist afterwards.
    var isGone = false
    /// The keys of the configuration that have another value.
    var keys: [String] = []
    /// The objects and logs that are deleted or shorter, relative to the folder.
    var removed: Set<String> = []
    /// The first names below it under which something of the history changes.
    var touched: Set<String> = []
    /// The same for folders that come, go or have other permissions.
    var folders: Set<String> = []
    /// Whether any change lies in it.
    var isTouched = false
}

extension Call.Target {
    /// Whether the target is a folder or lies in it. Bytes are compared.
    fileprivate func isIn(_ folder: String) -> Bool {
        path.map { $0.isSameName(as: folder) || $0.path(below: folder) != nil } ?? false
    }

    /// Whether the target stands for the history of a git folder.
    fileprivate var isGitFolder: Bool { change?.kind == .folder && change?.hash != nil }
}
