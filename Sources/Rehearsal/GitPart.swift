import Files
import Vocabulary

/// The use that git makes of a path below a git folder (`gitrepository-layout`).
enum GitPart: Hashable {
    /// Objects, refs, logs and the index, which are told in git's words.
    case history
    /// The configuration, which is compared by key.
    case settings
    /// A file that git runs, follows to another place, or goes on with later. What is not known counts, too.
    case state

    /// Returns the use of a path.
    ///
    /// - Parameters:
    ///   - path: relative to the git folder.
    ///   - isPlain: whether it is a file or a folder, and not a link.
    ///   - isGone: whether it does not exist afterwards.
    init(_ path: String, isPlain: Bool, isGone: Bool) {
        let names = path.pathNames
        self =
            if !isPlain, !isGone {
                .state
            } else if path == "config" {
                isGone ? .state : .settings
            } else if isGone, Self.goneQuietly.contains(names.first ?? "") || names.last?.hasSuffix(".lock") == true {
                .history
            } else { Self.isHistory(names) ? .history : .state }
    }

    /// The operations that are over when their files are removed.
    private static let goneQuietly: Set<String> = [
        "rebase-merge", "rebase-apply", "sequencer", "worktrees", "rr-cache", "BISECT_LOG", "BISECT_START",
        "BISECT_NAMES", "BISECT_TERMS", "BISECT_ANCESTORS_OK", "BISECT_EXPECTED_REV", "BISECT_RUN",
        "BISECT_FIRST_PARENT",
    ]

    private static func isHistory(_ names: [String]) -> Bool {
        guard let first = names.first else { return true }
        let rest = names.dropFirst()
        switch first {
        case "objects": return !["alternates", "http-alternates"].contains(rest.last ?? "") || rest.count != 2
        case "refs", "logs": return true
        case "hooks": return rest.isEmpty || rest.count == 1 && rest.last?.hasSuffix(".sample") == true
        case "info": return rest.isEmpty || rest.count == 1 && ["exclude", "refs"].contains(rest.last ?? "")
        // Empty folders.
        case "branches", "modules", "worktrees": return rest.isEmpty
        default: return rest.isEmpty && isHistory(first)
        }
    }

    private static let historyNames: Set<String> = [
        "index", "HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "SQUASH_MSG", "TAG_EDITMSG",
        "NOTES_EDITMSG", "AUTO_MERGE", "packed-refs", "description", "gc.log", "gc.pid",
    ]

    /// Whether a name in a git folder belongs to the history of the repository.
    static func isHistory(_ name: String) -> Bool {
        historyNames.contains(name) || name.hasPrefix("sharedindex.")
            || name.hasSuffix("_HEAD") && name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (65...90).contains($0) }
    }
}
