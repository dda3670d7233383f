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
    /// Inodes of what came without permission to write, and their permissions: these must be given back after it was changed.
    var locked: [UInt64: Int] = [:]

    /// All that comes, by inode: what it is like in the overlay.
    var brought: [UInt64: Stamp] = [:]

    /// All that goes, is replaced or gets other permissions, by inode: what it is like in the workspace.
    var replaced: [UInt64: Stamp] = [:]

    /// Whether others have changed what it would replace: another rehearsal tells what it does now.
    var isStale = false

    /// Files among the changes that are, or were, an index of git, and folders that come or go with what a repository
    /// has in it: paths below the workspace.
    var indexes: Set<String> = []
    var repositories: Set<String> = []

    /// Whether a refusal is for something that the command was not shown.
    var touchesHidden = false

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
            return path.starts(with: place + [slash]) || (target.change?.entries ?? 1) > 1 && place.starts(with: path + [slash])
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

/// One rename, or one setting of permissions, by which a change gets into the workspace. Inode numbers say whether it has been
/// done.
enum ApplyStep: Hashable {
    /// Comes to a name that is free.
    case bringIn(path: String, inode: UInt64)
    /// Changes places with what is there.
    case swap(path: String, inode: UInt64, old: UInt64)
    /// Goes.
    case takeOut(path: String, old: UInt64)
    /// Content and time stay; the permissions are others (`0o644`).
    case set(path: String, old: UInt64, mode: Int, was: Int)

    var setsOnly: Bool { if case .set = self { true } else { false } }

    var bringsContent: Bool {
        switch self {
        case .bringIn, .swap: true
        case .takeOut, .set: false
        }
    }
}
