import JSON
import Vocabulary

extension Limits {
    /// Of a folder that is told in one, new names that are told all the same because they are asked about.
    fileprivate static let rehearsedOddNames = 20
}

/// The changes in a folder: told one by one where they are few, else in one, by their number, their bytes and the
/// hashes of their lines.
struct ChangeSum {
    private(set) var entries = 0
    private(set) var bytes = 0
    /// Of each, in their order, the hash of its canonical text.
    private(set) var lines: [ContentHash] = []
    /// As long as there are few: they are told one by one after all.
    private(set) var targets: [Call.Target] = []
    /// New names that are told one by one in any case: whoever judges must see them.
    private(set) var odd: [Call.Target] = []
    let isAlwaysOne: Bool
    /// Whether nothing but times of files is set.
    private var setsTimesOnly = true
    private var newestTime: Int64?

    /// The newest of the times that are set, if nothing else is changed; `nil` otherwise.
    var onlyTime: Int64? { setsTimesOnly ? newestTime : nil }

    init(isAlwaysOne: Bool) { self.isAlwaysOne = isAlwaysOne }

    mutating func note(_ target: Call.Target) {
        entries += target.change?.entries ?? 1
        bytes += target.change?.bytes ?? 0
        lines.append(.of(target.json.canonical))
        if targets.count <= Limits.rehearsedFolderTargets { targets.append(target) }
        if target.hasOddName { noteOdd(target) }
        note(onlyTime: target.setsTimeOnly ? target.change?.modified : nil)
    }

    private mutating func note(onlyTime time: Int64?) {
        setsTimesOnly = setsTimesOnly && time != nil
        newestTime = time.map { max($0, newestTime ?? $0) } ?? newestTime
    }

    mutating func noteOdd(_ target: Call.Target) { if odd.count < Limits.rehearsedOddNames { odd.append(target) } }

    /// As if all that was noted in the other were noted here. No line is hashed once more: folders may lie deep in
    /// folders.
    mutating func note(_ inner: ChangeSum) {
        if inner.entries > 0 { note(onlyTime: inner.onlyTime) }
        entries += inner.entries
        bytes += inner.bytes
        lines += inner.lines
        targets += inner.targets.prefix(Limits.rehearsedFolderTargets + 1 - targets.count)
        odd += inner.odd.prefix(Limits.rehearsedOddNames - odd.count)
    }
}

extension Call.Target {
    /// Of a new name: one that is asked about by itself (`Consent`).
    fileprivate var hasOddName: Bool {
        guard effect == .creates, case .path(let path) = place else { return false }
        let name = lastName(of: path)
        return resembles != nil || name.isLikeOption || name.hasUnseenCharacter
    }
}
