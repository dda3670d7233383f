import CProcess
import Files
import Glibc
import JSON
import Undo
package import Vocabulary

/// The application of a rehearsal to the workspace. It moves exactly the entries of the overlay, by renames within one
/// file system.
///
/// The plan is on the disk before the first step. It names both sides of each step by inode, with their stamps. The
/// inodes show which steps are done, so that a later process can resume after a crash. Replaced entries are kept beside
/// the overlay.
package struct Application {
    let folder: RehearsalFolder
    package let workspace: String

    package init(folder: RehearsalFolder, workspace: String) {
        self.folder = folder
        self.workspace = workspace
    }
    /// Called before each step, with its number. A test stops the application there.
    var beforeStep: (Int) throws(Failure) -> Void = { _ in }
    /// Called between the last check of a step and its rename (`StepPlace`), with the number of the step.
    var beforeRename: (Int) -> Void = { _ in }

    /// The folders between which the steps of a plan move entries.
    private struct Sides: ~Copyable {
        let target: OpenFolder
        let upper: OpenFolder
        let kept: OpenFolder
    }

    /// Applies the changes of the plan, in order. After a crash, it applies the remaining ones.
    ///
    /// - Throws: `targetChanged` if the workspace is no longer as it was at the rehearsal. Nothing more is changed
    ///   then, and `undo` can reverse the steps that were done.
    package func apply() throws(Failure) {
        guard let plan = try folder.plan() else {
            throw Failure(.rehearsalLost, "What was rehearsed is not there any more.")
        }
        guard !folder.has(.undoing) else {
            throw Failure(.targetChanged, "What the command had changed was taken back.")
        }
        try makeFolders(folder.kept)
        let sides = try sides()
        // Only now that the plan is on the disk: the marks say what a folder replaces, and without them it could not be
        // listed again.
        try Self.clean(sides.upper, plan.locked)
        for (place, step) in plan.steps.enumerated() {
            try beforeStep(place)
            do throws(Failure) { try take(step, sides, plan, place, isBack: false) } catch {
                throw stopped(error, place, of: plan)
            }
        }
        try relock(plan, sides)
        try sides.target.syncAll()
        try folder.note(.applied, at: OverlayRun.moment(in: folder))
        // It had stopped before its first step, and has come after all.
        folder.forget(.undone)
    }

    /// Restores exactly what the application replaced. After a crash, it restores the rest. Of a partly applied plan,
    /// it reverses the steps that were done.
    ///
    /// - Returns: the number of reversed changes.
    /// - Throws: `targetChanged` if an affected entry was changed since. Nothing more is changed then.
    @discardableResult
    func undo() throws(Failure) -> Int {
        let sides = try sides()
        guard let plan = try folder.plan() else { throw Failure(.undoLost, "What was there before was not kept.") }
        let isWhole = folder.has(.applied) && !folder.has(.undoing)
        if let applied = folder.moment(of: .applied) ?? folder.moment(of: .stopped) {
            let left = Left(applied: applied, brought: plan.brought, isWhole: isWhole, isResumed: folder.has(.undoing))
            for step in plan.steps { try refuseChanged(step, sides, left) }
        }
        try folder.note(.undoing)
        var count = 0
        for (place, step) in plan.steps.reversed().enumerated() {
            try beforeStep(place)
            if !isWhole, try isOut(step, sides, plan) { continue }
            do throws(Failure) { try take(step, sides, plan, place, isBack: true) } catch {
                throw Self.cut(error, after: count)
            }
            count += 1
        }
        try sides.target.syncAll()
        try folder.note(.undone)
        return count
    }

    /// Restores the read-only permissions of new folders, which a crash may have left writable.
    private func relock(_ plan: RehearsalFolder.Plan, _ sides: borrowing Sides) throws(Failure) {
        for step in plan.steps {
            guard case .bringIn(_, let inode) = step, let mode = plan.locked[inode] else { continue }
            let above = try sides.target.folder(step.folder)
            guard let status = try above.status(of: step.name), status.kind == .folder, status.inode == inode,
                status.permissions != mode
            else { continue }
            LockedFolders.set(mode_t(mode), try above.folder(step.name).descriptor)
        }
    }

    /// Returns the paths of the steps that are done now, below the workspace.
    package func donePaths() throws(Failure) -> [String] {
        guard let plan = try folder.plan() else { return [] }
        let sides = try sides()
        var paths: [String] = []
        for step in plan.steps { if try stands(step, sides) { paths.append(step.path) } }
        return paths
    }

    private func sides() throws(Failure) -> Sides {
        try Sides(target: OpenFolder(workspace), upper: OpenFolder(folder.upper), kept: OpenFolder(folder.kept))
    }

    /// Records that the application stopped before step `place`, and returns the failure with a remedy. The steps
    /// before it stay applied, and `undo` can reverse them.
    private func stopped(_ failure: Failure, _ place: Int, of plan: RehearsalFolder.Plan) -> Failure {
        var failure = failure
        try? folder.note(.stopped, at: OverlayRun.moment(in: folder))
        if place == 0, let sides = try? sides(), (try? stands(plan.steps[0], sides)) == false {
            try? folder.note(.undone)
        }
        failure.remedy =
            place == 0
            ? "Nothing was changed. Run it anew."
            : "Of \(plan.steps.count) changes the first \(place) had been made, and stay: undo takes them back. Nothing more was changed."
        return failure
    }

    private static func cut(_ failure: Failure, after count: Int) -> Failure {
        var failure = failure
        failure.remedy =
            "It stays as it is. \(count) changes were taken back before it. Undo goes on where nothing is in its way."
        return failure
    }

    /// The state in which an application left the workspace.
    private struct Left {
        /// The time when the application ended, by the clock of the file system, in nanoseconds since 1970.
        let applied: Int64
        let brought: [UInt64: FileStamp]
        /// Whether the plan was applied to its end, and no undo of it was begun.
        let isWhole: Bool
        /// Whether an undo was interrupted, so that its own renames may have changed some entries.
        let isResumed: Bool
    }

    /// Whether a step was not done, or was reversed without moving a changed file out of the workspace.
    private func isOut(
        _ step: ApplyStep, _ sides: borrowing Sides, _ plan: RehearsalFolder.Plan
    ) throws(Failure) -> Bool {
        guard try !stands(step, sides) else { return false }
        switch step {
        case .takeOut, .set: return true
        case .bringIn, .swap:
            let there = try sides.upper.folder(step.folder)
            guard try there.status(of: step.name) != nil else { return true }
            return ToldFiles(stamps: plan.brought).isStill(step.name, in: there, isRenamed: true)
        }
    }

    /// Whether a step is done now, judged by the inodes in the workspace, the overlay and the folder of replaced
    /// entries.
    private func stands(_ step: ApplyStep, _ sides: borrowing Sides) throws(Failure) -> Bool {
        func inode(_ folder: borrowing OpenFolder) throws(Failure) -> UInt64? {
            try folder.status(of: step.name)?.inode
        }
        switch step {
        case .bringIn(_, let new):
            let (there, here) = (
                try inode(sides.upper.folder(step.folder)), try inode(sides.target.folder(step.folder))
            )
            return there != new && here != nil
        case .swap(_, let new, _): return try inode(sides.upper.folder(step.folder)) != new
        case .takeOut(_, let old): return try inode(sides.kept.folderMade(step.folder)) == old
        case .set(_, let old, let to, _):
            guard let status = try sides.target.folder(step.folder).status(of: step.name) else { return false }
            return status.inode == old && to.isSame(as: status)
        }
    }

    /// Throws `targetChanged` if the result of a step was changed since the application, so that no later work is lost.
    private func refuseChanged(_ step: ApplyStep, _ sides: borrowing Sides, _ left: Left) throws(Failure) {
        if !left.isWhole, try !stands(step, sides) { return }
        let above = try sides.target.folder(step.folder)
        let status = try above.status(of: step.name)
        var entries = Limits.rehearsedEntries
        let isSame: Bool
        switch (step, status) {
        case (.takeOut, let status): isSame = status == nil
        case (_, nil): isSame = false
        // The step was interrupted between its rename and the check, so the entry that came out is checked later.
        case (.swap(_, _, let old), let status?) where !left.isWhole && status.inode == old: isSame = true
        case (.bringIn(_, let inode), let status?), (.swap(_, let inode, _), let status?):
            let told = ToldFiles(stamps: left.brought)
            let wasBack = left.isResumed && told.isStill(step.name, in: above, isRenamed: true)
            let isUntouched = try Self.isUntouched(above, step.name, status, left, &entries)
            isSame = status.inode == inode && (wasBack || isUntouched)
        case (.set(_, let inode, let to, _), let status?):
            // A folder changes with each entry in it, and a file changes when its permissions are restored and set
            // again.
            let isTouched = status.kind != .folder && left.isWhole && status.changedNanoseconds >= left.applied
            isSame = status.inode == inode && to.isSame(as: status) && !isTouched
        }
        guard !isSame else { return }
        throw Failure(
            .targetChanged, "\(step.path) has been changed since.",
            remedy: "Nothing was taken back. What was there before is kept.")
    }

    /// Whether an entry, with everything below it, came from the overlay and has not been changed since.
    private static func isUntouched(
        _ folder: borrowing OpenFolder, _ name: String, _ status: stat, _ left: Left, _ entries: inout Int
    ) throws(Failure) -> Bool {
        entries -= 1
        guard status.changedNanoseconds < left.applied, entries >= 0 else { return false }
        // A write during the application shows in the inode, or in the stamp.
        if !left.brought.isEmpty {
            guard let stamp = left.brought[status.inode], status.kind != .file || stamp == FileStamp(status)
            else { return false }
        }
        guard status.kind == .folder else { return true }
        let inner = try folder.folder(name)
        for each in try inner.names() {
            guard let status = try inner.status(of: each), try isUntouched(inner, each, status, left, &entries) else {
                return false
            }
        }
        return true
    }

    /// Does one step, or reverses it if `isBack`. A step that is done already changes nothing.
    ///
    /// - Throws: `targetChanged` if another process changed an affected entry, which then stays as it is.
    private func take(
        _ step: ApplyStep, _ sides: borrowing Sides, _ plan: RehearsalFolder.Plan, _ number: Int, isBack: Bool
    ) throws(Failure) {
        let (new, old) = (ToldFiles(stamps: plan.brought), ToldFiles(stamps: plan.replaced))
        func place(_ there: consuming OpenFolder, _ store: String) throws(Failure) -> StepPlace {
            StepPlace(
                here: try sides.target.folder(step.folder), there: there, name: step.name, path: step.path,
                store: store, isBack: isBack,
                beforeRename: { beforeRename(number) })
        }
        switch step {
        case .set: try set(step, sides, old, isBack: isBack)
        case .bringIn(_, let inode):
            let place = try place(sides.upper.folder(step.folder), folder.upper)
            let moved = StepPlace.Moved(inode: inode, told: new)
            try isBack ? place.goOut(moved) : place.comeIn(moved)
        case .takeOut(_, let inode):
            let place = try place(sides.kept.folderMade(step.folder), folder.kept)
            let moved = StepPlace.Moved(inode: inode, told: old)
            try isBack ? place.comeIn(moved) : place.goOut(moved)
        case .swap(_, let inode, let oldInode):
            let place = try place(sides.upper.folder(step.folder), folder.upper)
            let (coming, going) = (
                StepPlace.Moved(inode: inode, told: new), StepPlace.Moved(inode: oldInode, told: old)
            )
            try isBack ? place.exchange(going, for: coming) : place.exchange(coming, for: going)
        }
    }

    /// Sets permissions and time. If an interrupted attempt has set only one of them, it sets the other.
    private func set(_ step: ApplyStep, _ sides: borrowing Sides, _ told: ToldFiles, isBack: Bool) throws(Failure) {
        guard case .set(let path, let inode, let to, let was) = step else { return }
        let file = OpenFile(adopting: try sides.target.folder(step.folder).open(step.name, cfiles_place_only()))
        let now = try file.status()
        let changed = Failure(.targetChanged, "\(path) is not what was there when the command was rehearsed.")
        let isEither =
            [to.mode, was.mode].contains(now.permissions)
            && (to.modified == nil || [to.modified, was.modified].contains(now.modifiedNanoseconds))
        guard now.inode == inode, isEither else { throw changed }
        let (wanted, start) = isBack ? (was, to) : (to, was)
        guard !wanted.isSame(as: now) else { return }
        if now.kind != .folder, let stamp = told.stamps[inode] {
            let isBegun = isBack || !start.isSame(as: now)
            let expected = FileStamp(
                modified: to.modified == nil ? stamp.modified : now.modifiedNanoseconds, size: stamp.size,
                changed: stamp.changed)
            guard expected.isStill(now, isRenamed: isBegun) else { throw changed }
        }
        // A descriptor that only says the place has no calls of its own. The time first: permissions are what a second
        // look compares.
        let place = "/proc/self/fd/\(file.descriptor)"
        if let modified = wanted.modified, modified != now.modifiedNanoseconds {
            guard setModified(place, modified) else { throw fileFailure("change", path) }
        }
        guard wanted.mode != now.permissions, now.kind != .link else { return }
        guard chmod(place, mode_t(wanted.mode)) == 0 else { throw fileFailure("change", path) }
    }

    /// Removes the overlay's own marks from an entry and all below it, since a later overlay would read them in the
    /// workspace.
    ///
    /// A read-only file is made writable for this and gets its permissions back. `locked` has the original permissions
    /// by inode.
    private static func clean(_ folder: borrowing OpenFolder, _ locked: [UInt64: Int]) throws(Failure) {
        try clean(folder.file, locked)
        for name in try folder.names() {
            guard let status = try folder.status(of: name) else { continue }
            switch status.kind {
            case .folder: try clean(folder.folder(name), locked)
            case .file: try clean(folder.file(name), locked)
            case .link, .special: break
            }
        }
    }

    private static func clean(_ file: borrowing OpenFile, _ locked: [UInt64: Int]) throws(Failure) {
        let marks = try file.attributes().filter { $0.name.hasPrefix("user.overlay.") }
        let status = try file.status()
        // A folder that is there on both sides only lends its marks.
        let mode = locked[status.inode] ?? (status.permissions & 0o200 == 0 ? status.permissions : nil)
        if !marks.isEmpty, let mode { fchmod(file.descriptor, mode_t(mode | 0o200)) }
        for mark in marks {
            guard cfiles_remove_attribute(file.descriptor, mark.name) == 0 else {
                throw fileFailure("change", "a file of the rehearsal")
            }
        }
        if let mode { fchmod(file.descriptor, mode_t(mode)) }
    }
}

extension ApplyStep {
    package var path: String {
        switch self {
        case .bringIn(let path, _), .swap(let path, _, _), .takeOut(let path, _), .set(let path, _, _, _): path
        }
    }

    /// The folder that contains the entry, below the workspace. It is empty for the workspace itself.
    fileprivate var folder: String { relativeParent(of: path) }
    fileprivate var name: String { lastName(of: path) }
}
