import Engine
import Glibc
import Services
import Storage
import Tools
package import Vocabulary

extension Limits {
    /// The seconds between two searches for previews that are too old.
    fileprivate static let purgeSeconds = 3600.0
}

/// What is kept on disk, and what of it may go.
struct Keeping: Sendable {
    let wiring: OpenWorkspace

    private var folders: Folders { wiring.folders }
    private var archive: Archive { get throws(Failure) { try wiring.archive.get() } }
    private var store: AssetStore { get throws(Failure) { try wiring.toolbox.get().store } }
    private var pictures: PictureCache { get throws(Failure) { PictureCache(folder: folders.cache, store: try store) } }
    private var runs: RunFolders { RunFolders(folder: folders.runs) }

    // MARK: Looking

    func usage() throws(Failure) -> StorageUsage {
        let (archive, store, pictures) = (try archive, try store, try pictures)
        let stored = store.contents()
        let sizes = Dictionary(stored.map { ($0.hash, $0.bytes) }) { first, _ in first }
        let named = try references(archive).contents
        let files = { (found: [Keepsake]) in FileAmount(files: found.count, bytes: found.reduce(0) { $0 + $1.bytes })
        }
        var parts: [StorageUsage.Part: FileAmount] = [
            .contents: FileAmount(files: stored.count, bytes: stored.reduce(0) { $0 + $1.bytes }),
            .thumbnails: files(pictures.all(.thumbnails)), .previews: files(pictures.all(.previews)),
            .runs: files(Keepsake.all(under: folders.runs)), .undo: files(Keepsake.all(under: folders.data + "/undo")),
            .rehearsals: files(Keepsake.all(under: folders.data + "/rehearsals")),
            .database: files(["", "-wal", "-shm"].compactMap { Keepsake("\(folders.data)/assent.db\($0)") }),
            .log: files(Log(folder: folders.data, now: OpenWorkspace.now).files),
        ]
        // Whatever else lies there: the sum is what the file system says.
        let all = files(Keepsake.all(under: folders.data) + Keepsake.all(under: folders.cache))
        let known = parts.values.reduce(FileAmount(), +)
        parts[.rest] = FileAmount(files: max(0, all.files - known.files), bytes: max(0, all.bytes - known.bytes))
        let unnamed = stored.filter { !named.contains($0.hash) }
        let (most, count) = try users(archive, sizes)
        return StorageUsage(
            parts: parts, unnamed: FileAmount(files: unnamed.count, bytes: unnamed.reduce(0) { $0 + $1.bytes }),
            kept: try archive.keptAssets(), users: most, userCount: count)
    }

    private func users(_ archive: Archive, _ sizes: [ContentHash: Int]) throws(Failure) -> (
        most: [StorageUsage.User], count: Int
    ) {
        var all: [WorkflowID: FileAmount] = [:]
        var own: [WorkflowID: FileAmount] = [:]
        var (current, holders): (ContentHash?, [WorkflowID]) = (nil, [])
        func end() {
            guard let current, let bytes = sizes[current] else { return }
            let amount = FileAmount(files: 1, bytes: bytes)
            for holder in holders { all[holder] = (all[holder] ?? FileAmount()) + amount }
            if holders.count == 1 { own[holders[0]] = (own[holders[0]] ?? FileAmount()) + amount }
        }
        try archive.contents { workflow, hash in
            if hash != current {
                end()
                (current, holders) = (hash, [])
            }
            holders.append(workflow)
        }
        end()
        let most = all.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }.prefix(Limits.listedUsers)
        var users: [StorageUsage.User] = []
        for (id, amount) in most {
            let title = try archive.summaries(only: id).first?.record.title ?? ""
            users.append(StorageUsage.User(id: id, title: title, all: amount, own: own[id] ?? FileAmount()))
        }
        return (users, all.count)
    }

    /// What rows name, and what endings name that are noted beside run folders and not committed yet.
    private func references(_ archive: Archive) throws(Failure) -> Archive.References {
        var references = try archive.references()
        for workflow in runs.workflows where try !archive.isOver(workflow) {
            references.contents.formUnion(runs.contentsNoted(by: workflow))
        }
        return references
    }

    // MARK: Freeing

    func free(isDryRun: Bool, now: Moment = OpenWorkspace.now()) throws(Failure) -> FreedSpace {
        let (archive, store, pictures) = (try archive, try store, try pictures)
        var parts: [FreedSpace.Part: FileAmount] = [:]
        func count(_ part: FreedSpace.Part, _ bytes: Int) {
            parts[part] = (parts[part] ?? FileAmount()) + FileAmount(files: 1, bytes: bytes)
        }
        // Looked at before the references are: what comes in meanwhile is not in it.
        let stored = store.contents()
        let references = try references(archive)
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
            let isGone: Bool
            if isDryRun {
                isGone = true
            } else {
                // By now there is room, if anything above made some: to know that nobody takes it up meanwhile is a
                // commit.
                isGone = try archive.withReserve { () throws(Failure) in
                    try archive.ifOver(workflow) { runs.remove(workflow) }
                }
            }
            if isGone { for file in files { count(.runs, file.bytes) } }
        }
        let sealed = try archive.sealedValues()
        for (hash, file) in wiring.sealedValues.files
        where !sealed.contains(hash) && file.modified < cutoff && (isDryRun || file.remove()) {
            count(.leftovers, file.bytes)
        }
        for bytes in try wiring.toolbox.get().purgeRehearsals(
            in: try archive.workspaces(), now: now, isDryRun: isDryRun, isOver: isOver)
        {
            count(.rehearsals, bytes)
        }
        for bytes in try wiring.toolbox.get().purgeChanges(now: now, isDryRun: isDryRun) { count(.undo, bytes) }
        for file in store.leftovers() + pictures.leftovers() where file.modified < cutoff && (isDryRun || file.remove())
        {
            count(.leftovers, file.bytes)
        }
        if !isDryRun { pictures.clearLeftovers(before: cutoff) }
        return FreedSpace(parts: parts, isDryRun: isDryRun)
    }

    /// What goes by itself: previews that are too old, thumbnails beyond their room, rehearsals and what they replaced.
    /// Looked at once an hour at most, whoever starts.
    func purge(now: Moment = OpenWorkspace.now()) throws(Failure) {
        let mark = folders.cache + "/purged"
        // What a crash has cut or a cancelled workflow has left goes at the next start, whenever that is.
        if Files.exists(folders.data + "/rehearsals") {
            try wiring.toolbox.get().purgeLeftRehearsals(in: try archive.workspaces(), isOver: isOver)
        }
        if let last = Keepsake(mark)?.modified, abs(now.seconds(since: last)) < Limits.purgeSeconds { return }
        guard [folders.cache, folders.data + "/rehearsals", folders.data + "/undo"].contains(where: Files.exists) else {
            return
        }
        try Folders.make(folders.cache)
        let pictures = try pictures
        let kept = Set(try archive.keptAssets().map(\.hash))
        let old = pictures.previews(before: now + -Limits.previewSeconds, kept: kept)
        for file in old + pictures.thumbnailsTooMany(kept: kept) { file.remove() }
        pictures.clearLeftovers(before: now + -Limits.contentGraceSeconds)
        try wiring.toolbox.get().purgeRehearsals(in: try archive.workspaces(), now: now, isOver: isOver)
        try wiring.toolbox.get().purgeChanges(now: now)
        // Last: a process that ends before leaves it to the next.
        try Files.replace(mark, with: [])
    }

    /// Returns whether a workflow is over. A workflow of which nothing can be read is not.
    private func isOver(_ workflow: WorkflowID) -> Bool { (try? archive.isOver(workflow)) ?? false }

    // MARK: Keeping offline, looking at

    func pin(_ name: AssetName) throws(Failure) -> PinChange {
        let asset = try one(name)
        _ = try store.path(of: asset)
        let isNew = try archive.keep(asset, at: OpenWorkspace.now())
        guard let kept = try archive.keptAssets().first(where: { $0.hash == asset.hash }) else {
            throw Self.unknown(name)
        }
        return PinChange(asset: kept, isChanged: isNew)
    }

    func unpin(_ name: AssetName) throws(Failure) -> PinChange {
        let kept = try archive.keptAssets()
        // The workflow that it was named by may be gone.
        let named = kept.filter { pin in
            switch name {
            case .content(let prefix): pin.hash.hex.hasPrefix(prefix)
            case .output(let step, let attempt, let port):
                pin.run.step == step && (attempt ?? pin.run.attempt) == pin.run.attempt
                    && (port ?? pin.port) == pin.port
            }
        }
        let asset: KeptAsset
        if let pin = named.first, named.count == 1 {
            asset = pin
        } else {
            let found = try one(name)
            asset =
                kept.first { $0.hash == found.hash }
                ?? KeptAsset(
                    hash: found.hash, bytes: found.bytes, run: found.run, port: found.port, name: found.name,
                    at: OpenWorkspace.now())
        }
        return PinChange(asset: asset, isChanged: try archive.release(content: asset.hash))
    }

    func preview(_ name: AssetName, isSmall: Bool) throws(Failure) -> PreviewFile {
        let asset = try one(name)
        guard isSmall || asset.type == .image || asset.type == .mask else {
            return PreviewFile(asset: asset, path: try store.path(of: asset))
        }
        try Folders.make(folders.cache)
        let path = try pictures.picture(isSmall ? .thumbnails : .previews, of: asset)
        if isSmall { for file in try pictures.thumbnailsTooMany() where file.path != path { file.remove() } }
        return PreviewFile(asset: asset, path: path)
    }

    func thumbnail(_ hash: ContentHash) -> String? { try? pictures.made(.thumbnails, of: hash) }

    /// Several assets with one content are as good as one.
    private func one(_ name: AssetName) throws(Failure) -> Asset {
        let found = try archive.assets(named: name)
        guard let first = found.first else { throw Self.unknown(name) }
        guard Set(found.map(\.hash)).count == 1 else {
            let choices = found.prefix(5).map { "\($0.run).\($0.port)" }.joined(separator: ", ")
            throw Failure(.badUsage, "\(name) may be several assets.", remedy: "Say which: \(choices).")
        }
        return first
    }

    private static func unknown(_ name: AssetName) -> Failure {
        Failure(
            .unknownAsset, "There is no asset \(name).", remedy: "See 'assent show' with the workflow, and --json.")
    }
}

extension OpenWorkspace {
    /// On a thread that may block, for what takes its time.
    package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws(Failure) -> Value)
        async throws(Failure)
        -> Value
    {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            workers.run {
                do throws(Failure) { continuation.resume(returning: .success(try body())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// In the background, at the start of whatever carries workflows out.
    func purgeSoon() {
        workers.run { [self] in
            do throws(Failure) { try Keeping(wiring: self).purge() } catch {
                Log(folder: folders.data, now: Self.now).warn("purge", error)
            }
        }
    }

    package var keep: AssetRetention {
        let (keeping, bundles) = (Keeping(wiring: self), Bundles(wiring: self))
        return AssetRetention(
            usage: { [self] () throws(Failure) in try await blocking { () throws(Failure) in try keeping.usage() } },
            free: { [self] isDryRun throws(Failure) in
                try await blocking { () throws(Failure) in try keeping.free(isDryRun: isDryRun) }
            },
            pins: { [archive] () throws(Failure) in try archive.get().keptAssets() },
            pin: { name throws(Failure) in try keeping.pin(name) },
            unpin: { name throws(Failure) in try keeping.unpin(name) },
            preview: { [self] name, isSmall throws(Failure) in
                try await blocking { () throws(Failure) in try keeping.preview(name, isSmall: isSmall) }
            },
            thumbnail: { keeping.thumbnail($0) },
            quarantined: { [archive] () throws(Failure) in try archive.get().quarantined() },
            release: { id, asItIs throws(Failure) in try Mending(wiring: self).release(id, asItIs: asItIs) },
            exportBundle: { [self] id, path throws(Failure) in
                try refuseMissingFolder(of: path)
                return try await blocking { () throws(Failure) in try bundles.write(id, to: path) }
            },
            importBundle: { [self] path throws(Failure) in
                try await blocking { () throws(Failure) in try bundles.read(path) }
            },
            mend: mend)
    }
}

extension OpenWorkspace {
    /// Said of the folder that the person named, not of the file that is written beside theirs.
    private func refuseMissingFolder(of path: String) throws(Failure) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        var status = stat()
        guard stat(folder, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else { return }
        throw Failure(
            .unknownFile, "There is no folder \(folder).", remedy: "Make it, or name another place for the file.")
    }
}
