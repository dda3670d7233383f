import Engine
import Files
import Pictures
import Services
import Storage
import Tools
import Undo
package import Vocabulary

extension Limits {
    /// The seconds between two searches for previews that are too old.
    fileprivate static let purgeSeconds = 3600.0
}

/// The removal of files that no workflow needs, or that can be made again.
extension AssetRetention {
    /// Removes the contents that no row names, files of workflows that are over, previews, and remains of crashed
    /// processes. Contents of the last hour stay (`Limits.contentGraceSeconds`). A dry run only counts.
    package func free(isDryRun: Bool) async throws(Failure) -> FreedSpace {
        try await shared.blocking { () throws(Failure) in try freed(isDryRun: isDryRun, now: OpenWorkspace.now()) }
    }

    private func freed(isDryRun: Bool, now: Moment) throws(Failure) -> FreedSpace {
        let (archive, store, toolbox, pictures) = (try archive, try store, try toolbox, try pictures)
        var parts: [FreedSpace.Part: FileAmount] = [:]
        func count(_ part: FreedSpace.Part, _ bytes: Int) {
            parts[part] = (parts[part] ?? FileAmount()) + FileAmount(files: 1, bytes: bytes)
        }
        // The contents are listed before the references, so a content that is added meanwhile is not removed.
        let stored = store.contents()
        let references = try references()
        let grace = now + -Limits.contentGraceSeconds
        let cutoff = references.oldestRun.map { min($0, grace) } ?? grace
        let unnamed = stored.filter { !references.contents.contains($0.hash) && $0.added < cutoff }
        for content in isDryRun ? unnamed : try store.free(unnamed, olderThan: cutoff) {
            count(.contents, content.bytes)
        }
        let kept = Set(try archive.keptAssets().map(\.hash))
        for file in pictures.previews(kept: kept) where isDryRun || file.remove() { count(.previews, file.bytes) }
        for file in pictures.thumbnailsTooMany(kept: kept) where isDryRun || file.remove() {
            count(.thumbnails, file.bytes)
        }
        for workflow in runs.workflows where try archive.isOver(workflow) {
            let files = runs.files(of: workflow)
            let isGone = if isDryRun { true } else { try removeRuns(of: workflow) }
            if isGone { for file in files { count(.runs, file.bytes) } }
        }
        let sealed = try archive.sealedValues()
        for (hash, file) in shared.sealedValues.files
        where !sealed.contains(hash) && file.modified < cutoff && (isDryRun || file.remove()) {
            count(.leftovers, file.bytes)
        }
        let (workspaces, aged) = (try archive.workspaces(), looks.first(before: now))
        let rehearsals = toolbox.purgeRehearsals(
            in: workspaces, now: now, aged: aged, isDryRun: isDryRun, isOver: isOver)
        for bytes in rehearsals { count(.rehearsals, bytes) }
        for bytes in toolbox.undo.purge(now: now, aged: aged, isDryRun: isDryRun) { count(.undo, bytes) }
        for file in store.leftovers() + pictures.leftovers() where file.modified < cutoff && (isDryRun || file.remove())
        {
            count(.leftovers, file.bytes)
        }
        if !isDryRun { pictures.clearLeftovers(before: cutoff) }
        return FreedSpace(parts: parts, isDryRun: isDryRun)
    }

    private var looks: AgeLooks { AgeLooks(folder: folders.cache) }

    /// Removes the run folders of a workflow, unless an engine has taken it up again.
    ///
    /// The check is a commit, which needs space. It is made in the reserve, after other files were removed.
    private func removeRuns(of workflow: WorkflowID) throws(Failure) -> Bool {
        let archive = try archive
        return try archive.withReserve { () throws(Failure) in
            try archive.ifOver(workflow) { runs.remove(workflow) }
        }
    }

    /// Removes the files that are removed without an order, on a thread that may block: previews that are too old,
    /// thumbnails beyond their number, rehearsals and replaced files. A failure goes to the log.
    func purgeSoon() {
        shared.workers.run {
            do throws(Failure) { try purge(now: OpenWorkspace.now()) } catch {
                Log(folder: folders.data, now: OpenWorkspace.now).warn("purge", error)
            }
        }
    }

    /// Removes the files that are removed without an order. All processes together look for most of them at most once
    /// an hour. What goes for its age needs two looks a day apart (`AgeLooks`).
    func purge(now: Moment) throws(Failure) {
        let mark = folders.cache + "/purged"
        // What a crash or a cancelled workflow has left is removed at every start.
        if FileSystem.exists(folders.data + "/rehearsals") {
            try toolbox.purgeLeftRehearsals(in: try archive.workspaces(), isOver: isOver)
        }
        if let last = Keepsake(mark)?.modified, abs(now.seconds(since: last)) < Limits.purgeSeconds { return }
        guard [folders.cache, folders.data + "/rehearsals", folders.data + "/undo"].contains(where: FileSystem.exists)
        else {
            return
        }
        try Folders.make(folders.cache)
        let pictures = try pictures
        let kept = Set(try archive.keptAssets().map(\.hash))
        let aged = looks.first(before: now)
        let old = aged.map { pictures.previews(before: $0 + -Limits.previewSeconds, kept: kept) } ?? []
        for file in old + pictures.thumbnailsTooMany(kept: kept) { file.remove() }
        if let aged { pictures.clearLeftovers(before: aged + -Limits.contentGraceSeconds) }
        try toolbox.purgeRehearsals(in: try archive.workspaces(), now: now, aged: aged, isOver: isOver)
        try toolbox.undo.purge(now: now, aged: aged)
        // The marks are written last, so that another process does the work if this one ends early.
        try looks.note(now)
        try FileSystem.replace(mark, with: [])
    }

    /// Returns whether a workflow is over. A workflow that cannot be read is not.
    private func isOver(_ workflow: WorkflowID) -> Bool { (try? archive.isOver(workflow)) ?? false }
}
