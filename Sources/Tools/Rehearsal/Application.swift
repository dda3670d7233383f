import CProcess
import Glibc
import JSON
import Vocabulary

/// Brings about what was rehearsed: exactly what lies in the overlay, by renames from one file system to itself.
///
/// The plan names both sides of each step by inode and is on the disk before the first; what has been done is seen from the inodes, so
/// that whoever comes after a crash goes on from there. What was replaced is kept beside the overlay.
struct Application {
    let folder: RehearsalFolder
    let workspace: String
    /// Called before each step, with its place: a test stops there.
    var beforeStep: (Int) throws(Failure) -> Void = { _ in }

    /// All of it, or nothing; after a crash, the rest of it.
    ///
    /// - Throws: `targetChanged` where the workspace is no longer as it was rehearsed; nothing more is touched then.
    func apply() throws(Failure) {
        let target = try OpenFolder(workspace)
        let upper = try OpenFolder(folder.upper)
        guard let plan = try folder.plan() else { throw Failure("rehearsalLost", "What was rehearsed is not there any more.") }
        // Only now that the plan is on the disk: the marks say what a folder replaces, and without them it could not be listed again.
        try Self.clean(upper, plan.locked)
        try makeFolders(folder.kept)
        let kept = try OpenFolder(folder.kept)
        for (place, step) in plan.steps.enumerated() {
            try beforeStep(place)
            try Self.take(step, target, upper, kept)
        }
        try target.syncAll()
        try folder.note(.applied, at: Rehearsal.moment(in: folder))
    }

    /// What was there before, exactly; after a crash, the rest of it.
    ///
    /// - Returns: how many changes were taken back.
    /// - Throws: `targetChanged` where something was changed since; nothing is touched then.
    @discardableResult
    func undo() throws(Failure) -> Int {
        let target = try OpenFolder(workspace)
        let upper = try OpenFolder(folder.upper)
        let kept = try OpenFolder(folder.kept)
        guard let plan = try folder.plan() else { throw Failure("undoLost", "What was there before was not kept.") }
        if let applied = folder.moment(of: .applied) {
            let left = Left(applied: applied, brought: plan.brought, isResumed: folder.has(.undoing))
            for step in plan.steps { try Self.refuseChanged(step, in: target, left) }
        }
        try folder.note(.undoing)
        for (place, step) in plan.steps.reversed().enumerated() {
            try beforeStep(place)
            try Self.take(step, target, upper, kept, isBack: true)
        }
        try target.syncAll()
        try folder.note(.undone)
        return plan.steps.count
    }

    /// How an application left the workspace.
    private struct Left {
        /// By the clock of the file system, in nanoseconds since 1970: when it was over.
        let applied: Int64
        let brought: [UInt64: ChangeList.Stamp]
        /// Whether some of it may have been taken back before.
        let isResumed: Bool
    }

    /// What was brought about must be as it was left: whoever has worked on with it loses nothing.
    private static func refuseChanged(_ step: ApplyStep, in target: borrowing OpenFolder, _ left: Left) throws(Failure) {
        let name = lastName(of: step.path)
        let above = try target.folder(step.folder)
        let status = try above.status(of: name)
        var entries = Limits.rehearsedEntries
        let isSame: Bool
        switch (step, status) {
        case (.takeOut(_, let old), let status): isSame = status == nil || left.isResumed && status?.inode == old
        case (.bringIn, nil): isSame = left.isResumed
        case (_, nil): isSame = false
        case (.swap(_, _, let old), let status?) where left.isResumed && status.inode == old: isSame = true
        case (.bringIn(_, let inode), let status?), (.swap(_, let inode, _), let status?):
            isSame = status.inode == inode ? try isUntouched(above, name, status, left, &entries) : false
        case (.set(_, let inode, let mode, let was), let status?):
            // A folder is touched by whatever comes into it.
            let isItsMode = status.permissions == mode || left.isResumed && status.permissions == was
            isSame =
                status.inode == inode && isItsMode && (status.kind == .folder || left.isResumed || status.changedNanoseconds < left.applied)
        }
        guard !isSame else { return }
        throw Failure(
            "targetChanged", "\(step.path) has been changed since.", remedy: "Nothing was taken back. What was there before is kept.")
    }

    /// Everything in it came with it, and nothing was written to it since.
    private static func isUntouched(
        _ folder: borrowing OpenFolder, _ name: String, _ status: stat, _ left: Left, _ entries: inout Int
    ) throws(Failure) -> Bool {
        entries -= 1
        guard status.changedNanoseconds < left.applied, entries >= 0 else { return false }
        // What somebody wrote while it was applied is told by its number, or by what it says now.
        if !left.brought.isEmpty {
            guard let stamp = left.brought[status.inode], status.kind != .file || stamp == ChangeList.Stamp(status) else { return false }
        }
        guard status.kind == .folder else { return true }
        let inner = try folder.folder(name)
        for each in try inner.names() {
            guard let status = try inner.status(of: each), try isUntouched(inner, each, status, left, &entries) else { return false }
        }
        return true
    }

    /// One step, or nothing where it has been done. Anything else is somebody's change: nothing is touched.
    private static func take(
        _ step: ApplyStep, _ target: borrowing OpenFolder, _ upper: borrowing OpenFolder, _ kept: borrowing OpenFolder, isBack: Bool = false
    ) throws(Failure) {
        let path = step.path
        let above = step.folder
        let name = lastName(of: path)
        let here = try target.folder(above)
        switch step {
        case .set(_, let old, let mode, let was): try set(isBack ? was : mode, of: name, in: here, old, [mode, was], path)
        case .bringIn(_, let inode):
            let there = try upper.folder(above)
            try move(here, there, name, before: isBack ? (inode, nil) : (nil, inode), path)
        case .takeOut(_, let old):
            let there = try kept.folderMade(above)
            try move(here, there, name, before: isBack ? (nil, old) : (old, nil), path)
        case .swap(_, let inode, let old):
            let there = try upper.folder(above)
            try exchange(here, there, name, before: isBack ? (inode, old) : (old, inode), path)
        }
    }

    private static func changed(_ path: String) -> Failure {
        Failure(
            "targetChanged", "\(path) is not what was there when the command was rehearsed.",
            remedy: "Nothing more was changed. Run it anew.")
    }

    private static func inodes(
        _ here: borrowing OpenFolder, _ there: borrowing OpenFolder, _ name: String
    ) throws(Failure) -> (here: UInt64?, there: UInt64?) {
        (try here.status(of: name)?.inode, try there.status(of: name)?.inode)
    }

    private static func move(
        _ here: borrowing OpenFolder, _ there: borrowing OpenFolder, _ name: String, before: (here: UInt64?, there: UInt64?), _ path: String
    ) throws(Failure) {
        let now = try inodes(here, there, name)
        if now.here == before.there, now.there == before.here { return }
        guard now == before else { throw changed(path) }
        let isOut = before.here != nil
        let result =
            isOut
            ? cfiles_rename_new(here.descriptor, name, there.descriptor, name)
            : cfiles_rename_new(there.descriptor, name, here.descriptor, name)
        guard result == 0 else { throw errno == EEXIST || errno == ENOENT ? changed(path) : fileFailure("rename", path) }
        // Somebody was quicker: theirs goes back.
        guard isOut, try there.status(of: name)?.inode != before.here else { return }
        _ = cfiles_rename_new(there.descriptor, name, here.descriptor, name)
        throw changed(path)
    }

    private static func exchange(
        _ here: borrowing OpenFolder, _ there: borrowing OpenFolder, _ name: String, before: (here: UInt64, there: UInt64), _ path: String
    ) throws(Failure) {
        let now = try inodes(here, there, name)
        if now.here == before.there, now.there == before.here { return }
        guard now.here == before.here, now.there == before.there else { throw changed(path) }
        guard cfiles_exchange(here.descriptor, name, there.descriptor, name) == 0 else {
            throw errno == ENOENT ? changed(path) : fileFailure("rename", path)
        }
        guard try there.status(of: name)?.inode != before.here else { return }
        _ = cfiles_exchange(here.descriptor, name, there.descriptor, name)
        throw changed(path)
    }

    private static func set(
        _ mode: Int, of name: String, in folder: borrowing OpenFolder, _ inode: UInt64, _ known: [Int], _ path: String
    ) throws(Failure) {
        let file = OpenFile(adopting: try folder.open(name, cfiles_place_only()))
        let now = try file.status()
        guard now.inode == inode, known.contains(now.permissions) else { throw changed(path) }
        // A descriptor that only says the place has no fchmod of its own.
        guard chmod("/proc/self/fd/\(file.descriptor)", mode_t(mode)) == 0 else { throw fileFailure("change", path) }
    }

    /// The overlay's own marks must not get into the workspace, where a later overlay would read them. A file without permission to write
    /// refuses that even to its owner; what it had stands in the plan.
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
        let mode = locked[try file.status().inode]
        if !marks.isEmpty, let mode { fchmod(file.descriptor, mode_t(mode | 0o200)) }
        for mark in marks {
            guard cfiles_remove_attribute(file.descriptor, mark.name) == 0 else { throw fileFailure("change", "a file of the rehearsal") }
        }
        if let mode { fchmod(file.descriptor, mode_t(mode)) }
    }
}

extension ApplyStep {
    var path: String {
        switch self {
        case .bringIn(let path, _), .swap(let path, _, _), .takeOut(let path, _), .set(let path, _, _, _): path
        }
    }

    /// The folder that it is in, below the workspace; empty for the workspace itself.
    fileprivate var folder: String { path.pathNames.count > 1 ? parent(of: path) : "" }
}
