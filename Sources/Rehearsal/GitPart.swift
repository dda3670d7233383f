import Files
import Vocabulary

/// The use that git makes of a path below a git folder (`gitrepository-layout`).
enum GitPart: Hashable {
    /// Objects, refs, logs and the index, which are described in git's words.
    case history
    /// The configuration, which is compared by key.
    case settings
    /// A file that git runs, follows to another place, or goes on with later. What is not known counts, too.
    case state

    /// A change of a path, as far as it decides.
    enum Change: Hashable { case comes, changes, goes }

    /// Returns the use of a path.
    ///
    /// - Parameters:
    ///   - path: relative to the git folder.
    ///   - isPlain: whether it is a file or a folder, and not a link.
    init(_ path: String, isPlain: Bool, _ change: Change) {
        let names = path.pathNames
        self =
            if change == .goes, Self.goneQuietly.contains(names.first ?? "") || path.hasSuffix(".lock") {
                .history
            } else if !isPlain, change != .goes {
                .state
            } else if path == "config" {
                change == .goes ? .state : .settings
            } else { Self.isHistory(names, change) ? .history : .state }
    }

    /// The operations that are over when their files are removed.
    private static let goneQuietly: Set<String> = [
        "rebase-merge", "rebase-apply", "sequencer", "worktrees", "rr-cache", "BISECT_LOG", "BISECT_START",
        "BISECT_NAMES", "BISECT_TERMS", "BISECT_ANCESTORS_OK", "BISECT_EXPECTED_REV", "BISECT_RUN",
        "BISECT_FIRST_PARENT",
    ]

    private static func isHistory(_ names: [String], _ change: Change) -> Bool {
        guard let first = names.first else { return true }
        let rest = Array(names.dropFirst())
        switch first {
        case "objects": return isObject(rest, change)
        // A replacement shows other content for an object, as grafts do.
        case "refs": return rest.first != "replace"
        case "logs": return rest.isEmpty || rest == ["HEAD"] || rest.first == "refs"
        case "hooks": return rest.isEmpty || rest.count == 1 && rest[0].hasSuffix(".sample")
        case "info": return rest.isEmpty || rest.count == 1 && ["exclude", "refs"].contains(rest[0])
        // Empty folders.
        case "branches", "modules", "worktrees": return rest.isEmpty
        default: return rest.isEmpty && isHistory(first)
        }
    }

    /// Whether a path below `objects` is one that git itself writes. Git never changes the content of an object.
    private static func isObject(_ names: [String], _ change: Change) -> Bool {
        func isHex(_ name: String, _ counts: [Int]) -> Bool {
            counts.contains(name.utf8.count)
                && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        }
        switch names.count {
        case 0: return true
        case 1: return ["pack", "info"].contains(names[0]) || isHex(names[0], [2])
        case 2 where change == .goes: return !["alternates", "http-alternates"].contains(names[1])
        case 2 where names[0] == "info": return names[1] == "packs"
        case 2 where change == .changes: return false
        case 2 where names[0] == "pack":
            let parts = names[1].split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let name = parts[0].split(separator: "-").last else { return false }
            return parts[0].hasPrefix("pack-") && isHex(String(name), [40, 64])
                && ["pack", "idx", "rev", "bitmap", "mtimes", "keep"].contains(String(parts[1]))
        case 2: return isHex(names[0], [2]) && isHex(names[1], [38, 62])
        default: return change == .goes
        }
    }

    private static let historyNames: Set<String> = [
        "index", "HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "SQUASH_MSG", "TAG_EDITMSG",
        "NOTES_EDITMSG", "AUTO_MERGE", "packed-refs", "description", "gc.log", "gc.pid",
    ]

    /// Whether a name in a git folder belongs to the history of the repository.
    private static func isHistory(_ name: String) -> Bool {
        historyNames.contains(name)
            || name.hasSuffix("_HEAD") && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (65...90).contains($0) }
    }
}
