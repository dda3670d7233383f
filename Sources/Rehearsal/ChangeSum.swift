import Files
import JSON
import Vocabulary

extension Limits {
    /// The most new names that are listed, since they are asked about, although their folder is listed as one change.
    fileprivate static let rehearsedOddNames = 20
}

/// The changes in a folder. A few are listed one by one. Many are one entry with their number, their bytes and the
/// hashes of their lines.
struct ChangeSum {
    private(set) var entries = 0
    private(set) var bytes = 0
    /// The hashes of the canonical texts of all changes, in order.
    private(set) var lines: [ContentHash] = []
    /// The first changes, at most one more than `Limits.rehearsedFolderTargets`. If there are no more, they are listed
    /// one by one.
    private(set) var targets: [Call.Target] = []
    /// New names that are listed one by one in any case, since the user must see them (`hasOddName`).
    private(set) var odd: [Call.Target] = []
    let kind: Kind
    /// Whether something in it is state of git, which git obeys or continues.
    private(set) var holdsGitState = false
    /// Whether nothing but times of files is set.
    private var setsTimesOnly = true
    private var newestTime: Int64?

    /// The newest of the new times, or `nil` if anything else is changed.
    var onlyTime: Int64? { setsTimesOnly ? newestTime : nil }

    /// The kind of the folder.
    enum Kind: Hashable {
        case plain
        /// A git folder, of which the history is one change.
        case git
        /// A folder of state below a git folder, such as `rebase-merge`. It is one change.
        case gitState
    }

    /// - Parameter holdsGitState: whether something in it counts as such although it did not change.
    init(_ kind: Kind, holdsGitState: Bool = false) {
        self.kind = kind
        self.holdsGitState = holdsGitState
    }

    mutating func note(_ target: Call.Target) {
        entries += target.change?.entries ?? 1
        bytes += target.change?.bytes ?? 0
        lines.append(.of(target.json.canonical))
        if targets.count <= Limits.rehearsedFolderTargets { targets.append(target) }
        if target.hasOddName { noteOdd(target) }
        if target.isGitState { holdsGitState = true }
        note(onlyTime: target.setsTimeOnly ? target.change?.modified : nil)
    }

    private mutating func note(onlyTime time: Int64?) {
        setsTimesOnly = setsTimesOnly && time != nil
        newestTime = time.map { max($0, newestTime ?? $0) } ?? newestTime
    }

    mutating func noteOdd(_ target: Call.Target) { if odd.count < Limits.rehearsedOddNames { odd.append(target) } }

    /// Adds all changes of an inner sum to this one. Their lines are not hashed again, since folders may be deeply
    /// nested.
    package mutating func note(_ inner: ChangeSum) {
        if inner.entries > 0 { note(onlyTime: inner.onlyTime) }
        if inner.holdsGitState { holdsGitState = true }
        entries += inner.entries
        bytes += inner.bytes
        lines += inner.lines
        targets += inner.targets.prefix(Limits.rehearsedFolderTargets + 1 - targets.count)
        odd += inner.odd.prefix(Limits.rehearsedOddNames - odd.count)
    }
}

extension Call.Target {
    /// Whether a new file or folder has a name that the user is asked about by itself (`Consent`): similar to another
    /// name, like an option, or with an invisible character.
    fileprivate var hasOddName: Bool {
        guard effect == .creates, case .path(let path) = place else { return false }
        let name = lastName(of: path)
        return resembles != nil || name.isLikeOption || name.hasUnseenCharacter
    }
}
