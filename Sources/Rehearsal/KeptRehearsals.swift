import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The most files and folders of all rehearsals that wait for an answer.
    fileprivate static let rehearsalsKeptEntries = 200_000

    /// The most files and folders in the earlier states of what applied rehearsals changed.
    fileprivate static let preImagesKeptEntries = 500_000

    /// How long a rehearsal waits for an answer, in seconds: a week.
    fileprivate static let rehearsalsKeptSeconds = 604_800.0

    /// The most bytes of all rehearsals that wait for an answer.
    fileprivate static let rehearsalsKeptBytes = 1 << 30
}

/// The stored rehearsals: those that wait for an answer, and those that were applied, with the entries that they
/// replaced.
package struct KeptRehearsals {
    /// The state of a rehearsal: waiting for an answer, applied, or interrupted by a crash.
    private enum Kind { case waiting, applied, cut }

    private struct Kept {
        var folder: RehearsalFolder
        var workspace: String
        var workflow: WorkflowID?
        var kind: Kind
        /// Seconds since 1970.
        var since: Int
        var size: Size
    }

    /// An amount of disk space.
    package struct Size: Hashable {
        package var bytes = 0
        var entries = 0

        fileprivate static func + (one: Size, other: Size) -> Size {
            Size(bytes: one.bytes + other.bytes, entries: one.entries + other.entries)
        }

        fileprivate static func - (one: Size, other: Size) -> Size {
            Size(bytes: one.bytes - other.bytes, entries: one.entries - other.entries)
        }

        fileprivate func isMore(than limit: Size) -> Bool { bytes > limit.bytes || entries > limit.entries }
    }

    /// Folders that hold rehearsals by workflow (`RehearsalState`).
    let states: [String]
    let data: String
    /// Whether a workflow has ended, so that no question of it can be answered.
    var isOver: (WorkflowID) -> Bool = { _ in false }
    /// The workspace that the caller has locked (`WorkspaceTurn`). Its rehearsals may be removed without locking it
    /// again.
    var held: String?

    /// The most disk space for the rehearsals that wait. `mostApplied` is the bound for those that were applied.
    var mostWaiting = Size(bytes: Limits.rehearsalsKeptBytes, entries: Limits.rehearsalsKeptEntries)
    var mostApplied = Size(bytes: Limits.preImagesKeptBytes, entries: Limits.preImagesKeptEntries)

    /// - Parameter isOver: whether a workflow has ended, so that no question of it can be answered.
    package init(states: [String], data: String, isOver: @escaping (WorkflowID) -> Bool = { _ in false }) {
        self.states = states
        self.data = data
        self.isOver = isOver
    }

    /// Removes rehearsals that are too old, that a crash interrupted or that no question needs any more. If the rest is
    /// too large, the oldest of it go, too.
    ///
    /// A rehearsal that is being applied stays, and so does each that was applied less than an hour ago.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - aged: the time up to which ages count, in seconds since 1970. `nil` if nothing may go for its age now.
    /// - Returns: the size of each removed rehearsal.
    @discardableResult package func purge(now: Int, aged: Int?, isDryRun: Bool = false) -> [Size] {
        var (left, gone): ([Kept], [Size]) = ([], [])
        func take(_ kept: Kept) -> Bool {
            guard isDryRun || remove(kept) else { return false }
            gone.append(kept.size)
            return true
        }
        for kept in all() where !isSpent(kept, aged) || !take(kept) { left.append(kept) }
        gone += trim(left.filter { $0.kind == .waiting }, to: mostWaiting, now, isDryRun)
        gone += trim(left.filter { $0.kind == .applied }, to: mostApplied, now, isDryRun)
        if let aged { removeLayers(aged, isDryRun) }
        return gone
    }

    /// Removes the rehearsals that a crash interrupted, and those that wait in a workflow that has ended. It measures
    /// no sizes, so it is fast if few rehearsals are stored.
    package func purgeLeft() {
        for kept in all(sized: false) where kept.kind == .cut || isLeft(kept) { _ = remove(kept) }
    }

    /// Removes the oldest waiting rehearsals while they take too much space. A removed rehearsal is done again if it is
    /// needed.
    ///
    /// - Parameter last: the newest rehearsal. It counts, but stays in any case.
    func trim(but last: RehearsalFolder) {
        _ = trim(all().filter { $0.kind == .waiting }, to: mostWaiting, nil, false, but: last)
    }

    /// Whether a rehearsal waits for an answer in a workflow that has ended.
    private func isLeft(_ kept: Kept) -> Bool { kept.kind == .waiting && (kept.workflow.map(isOver) ?? false) }

    private func isSpent(_ kept: Kept, _ aged: Int?) -> Bool {
        let age = aged.map { Double($0 - kept.since) } ?? 0
        switch kept.kind {
        case .cut: return true
        case .waiting: return age > Limits.rehearsalsKeptSeconds || isLeft(kept)
        case .applied: return age > Limits.preImagesKeptSeconds
        }
    }

    /// Removes the oldest rehearsals until the others fit.
    ///
    /// - Parameters:
    ///   - now: if not `nil`, rehearsals that were applied in the hour before stay.
    ///   - last: a rehearsal that counts, but stays.
    private func trim(_ kept: [Kept], to most: Size, _ now: Int?, _ isDryRun: Bool, but last: RehearsalFolder? = nil)
        -> [Size]
    {
        var (size, gone) = (kept.reduce(Size()) { $0 + $1.size }, [Size]())
        for kept in kept.sorted(by: { $0.since < $1.since }) where size.isMore(than: most) && kept.folder != last {
            if let now, kept.kind == .applied, Double(now - kept.since) <= Limits.contentGraceSeconds { continue }
            guard isDryRun || remove(kept) else { continue }
            size = size - kept.size
            gone.append(kept.size)
        }
        return gone
    }

    private func all(sized: Bool = true) -> [Kept] {
        states.flatMap { state in
            entries(state).filter { $0.hasPrefix("w") }.flatMap { workflow in
                entries("\(state)/\(workflow)").map { "\(state)/\(workflow)/\($0)" }
            }
        }.compactMap { path in
            let folder = RehearsalFolder(path: path)
            let isApplied = folder.isOver
            var status = stat()
            guard !folder.hasPlan || isApplied, stat(path, &status) == 0 else { return nil }
            let about = folder.read()
            guard let workspace = about?.workspace ?? folder.begunIn else { return nil }
            return Kept(
                folder: folder, workspace: workspace, workflow: WorkflowID(parsing: lastName(of: parent(of: path))),
                kind: isApplied ? .applied : about == nil ? .cut : .waiting, since: Int(status.st_mtim.tv_sec),
                size: sized ? Self.size(below: folder.upper) + Self.size(below: folder.kept) : Size())
        }
    }

    private func entries(_ folder: String) -> [String] { (try? namesIn(folder)) ?? [] }

    /// Removes a rehearsal, unless a process holds the turn of its workspace: that process may be rehearsing,
    /// applying or undoing it.
    private func remove(_ kept: Kept) -> Bool {
        if kept.workspace == held { return removeInTurn(kept) }
        guard let turn = WorkspaceTurn.takeIfFree(kept.workspace, in: data) else { return false }
        defer { turn.end() }
        return removeInTurn(kept)
    }

    private func removeInTurn(_ kept: Kept) -> Bool {
        guard !kept.folder.hasPlan || kept.kind == .applied else { return false }
        // The rehearsal has ended meanwhile.
        if kept.kind == .cut, kept.folder.read() != nil { return false }
        kept.folder.remove()
        rmdir(parent(of: kept.folder.path))
        return true
    }

    /// Removes the stand-in files of commands that were interrupted. Those of a running command are younger.
    private func removeLayers(_ aged: Int, _ isDryRun: Bool) {
        let folder = "\(data)/rehearsals/layers"
        for name in entries(folder) where !isDryRun {
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0,
                Double(aged - Int(status.st_mtim.tv_sec)) > Limits.commandSeconds * 2
            else {
                continue
            }
            removeFolder("\(folder)/\(name)")
        }
    }

    private static func size(below folder: String) -> Size {
        ((try? namesIn(folder)) ?? []).reduce(Size()) { sum, name in
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { return sum }
            let own = Size(bytes: status.kind == .folder ? 0 : Int(status.st_blocks) * 512, entries: 1)
            return sum + own + (status.kind == .folder ? size(below: "\(folder)/\(name)") : Size())
        }
    }
}

extension KeptRehearsals {
    /// Removes old rehearsals if a new one needs much space, so that all together stay within their bound.
    ///
    /// - Parameter holdsTurn: whether the caller has locked the workspace.
    package static func makeRoom(after rehearsal: OverlayRun, _ list: ChangeList, in data: String, holdsTurn: Bool) {
        let bytes = list.targets.reduce(0) { $0 + ($1.change?.bytes ?? 0) }
        let entries = list.targets.reduce(0) { $0 + ($1.change?.entries ?? 1) }
        guard bytes > Limits.rehearsalsKeptBytes / 50 || entries > Limits.rehearsalsKeptEntries / 50 else { return }
        var kept = KeptRehearsals(states: [parent(of: parent(of: rehearsal.folder.path))], data: data)
        if holdsTurn { kept.held = rehearsal.workspace }
        kept.trim(but: rehearsal.folder)
    }
}
