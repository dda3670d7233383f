import Glibc
import Vocabulary

/// What lies in an overlay after a command: its effect, and how that is brought about.
struct ChangeList {
    /// What is asked about, in the order of paths.
    var targets: [Call.Target] = []
    /// What is done to apply it, in that order.
    var steps: [ApplyStep] = []
    /// Why none of it can be applied, in words; empty where it can.
    var refusals: [String] = []
    /// Inodes of what came without permission to write, and their permissions: these must be given back after it was
    /// changed.
    var locked: [UInt64: Int] = [:]

    /// All that comes, by inode: what it is like in the overlay.
    var brought: [UInt64: Stamp] = [:]

    /// All that goes, is replaced or gets other permissions, by inode: what it is like in the workspace.
    var replaced: [UInt64: Stamp] = [:]

    /// The pipes, sockets and devices that go: paths below the workspace. Undo cannot make them again.
    var lost: [String] = []

    /// Whether others have changed what it would replace: another rehearsal tells what it does now.
    var isStale = false

    /// Files among the changes that are, or were, an index of git, and folders that come or go with what a repository
    /// has in it: paths below the workspace.
    var indexes: Set<String> = []
    var repositories: Set<String> = []

    /// Whether a refusal is for something that the command was not shown.
    var touchesHidden = false

    /// The files of which only permissions and times are set, by inode: what they are like afterwards.
    var set: [UInt64: Stamp] {
        var set = replaced
        for case .set(_, let inode, let to, _) in steps { if let time = to.modified { set[inode]?.modified = time } }
        return set
    }

    var isEmpty: Bool { targets.isEmpty && refusals.isEmpty }

    /// Only these paths, with what cannot come or go without them: a new folder comes with all that lies in it.
    ///
    /// - Parameter folder: below which the steps' paths lie.
    func part(_ paths: [String], of folder: String) -> ChangeList {
        func belongs(_ step: ApplyStep, to target: Call.Target) -> Bool {
            // Bytes are compared: `é` written in two ways is two names.
            guard let path = target.path.map({ Array($0.utf8) }) else { return false }
            let place = Array("\(folder)/\(step.path)".utf8)
            let slash = UInt8(ascii: "/")
            if place == path { return true }
            if case .set = step { return false }
            return path.starts(with: place + [slash])
                || (target.change?.entries ?? 1) > 1 && place.starts(with: path + [slash])
        }
        var part = self
        let wanted = Set(paths.map { Array($0.utf8) })
        var chosen = targets.filter { target in target.path.map { wanted.contains(Array($0.utf8)) } ?? false }
        while true {
            part.steps = steps.filter { step in chosen.contains { belongs(step, to: $0) } }
            part.targets = targets.filter { target in part.steps.contains { belongs($0, to: target) } }
            if part.targets.count <= chosen.count { return part }
            chosen = part.targets
        }
    }
}

/// A step by which a change gets into the workspace: a rename, or a setting of permissions and time. Inode numbers say
/// whether it has been done.
enum ApplyStep: Hashable {
    /// Comes to a name that is free.
    case bringIn(path: String, inode: UInt64)
    /// Changes places with what is there.
    case swap(path: String, inode: UInt64, old: UInt64)
    /// Goes.
    case takeOut(path: String, old: UInt64)
    /// Content stays. The permissions are others, or the time is.
    case set(path: String, old: UInt64, to: Settings, was: Settings)

    var setsOnly: Bool { if case .set = self { true } else { false } }

    var bringsContent: Bool {
        switch self {
        case .bringIn, .swap: true
        case .takeOut, .set: false
        }
    }
}

extension ApplyStep {
    /// The permissions of a file, and its time if that changes.
    struct Settings: Hashable {
        /// Permissions, such as `0o644`.
        var mode: Int
        /// The time of the last change of the content, in nanoseconds since 1970; `nil` if it stays as it is.
        var modified: Int64?

        /// Returns the settings of a file whose content stays: the new and the old. `nil` if they are the same.
        static func changed(_ now: stat, _ was: stat) -> (new: Settings, old: Settings)? {
            let isOtherTime = now.modifiedNanoseconds != was.modifiedNanoseconds
            // The permissions of a link say nothing.
            guard isOtherTime || now.permissions != was.permissions && now.kind == .file else { return nil }
            return (
                Settings(mode: now.permissions, modified: isOtherTime ? now.modifiedNanoseconds : nil),
                Settings(mode: was.permissions, modified: isOtherTime ? was.modifiedNanoseconds : nil)
            )
        }

        /// Whether a file has these settings. A time that is not known is not compared.
        func isSame(as status: stat) -> Bool {
            mode == status.permissions && (modified == nil || modified == status.modifiedNanoseconds)
        }
    }
}
