import Files
import Pictures
import Services
import Storage
package import Vocabulary

/// The space that is used.
extension AssetRetention {
    /// Measures the folders of Assent. Every file is looked at.
    package func usage() async throws(Failure) -> StorageUsage {
        try await shared.blocking { () throws(Failure) in try measured() }
    }

    private func measured() throws(Failure) -> StorageUsage {
        let (archive, pictures) = (try archive, try pictures)
        let stored = try store.contents()
        let named = try references().contents
        var parts: [StorageUsage.Part: FileAmount] = [
            .contents: FileAmount(files: stored.count, bytes: stored.reduce(0) { $0 + $1.bytes }),
            .thumbnails: FileAmount(pictures.all(.thumbnails)), .previews: FileAmount(pictures.all(.previews)),
            .runs: FileAmount(Keepsake.all(under: folders.runs)),
            .undo: FileAmount(Keepsake.all(under: folders.data + "/undo")),
            .rehearsals: FileAmount(Keepsake.all(under: folders.data + "/rehearsals")),
            .database: FileAmount(["", "-wal", "-shm"].compactMap { Keepsake("\(folders.data)/assent.db\($0)") }),
            .log: FileAmount(Log(folder: folders.data, now: OpenWorkspace.now).files),
        ]
        // The rest is computed, so that the sum is what the file system says.
        let all = FileAmount(Keepsake.all(under: folders.data) + Keepsake.all(under: folders.cache))
        let known = parts.values.reduce(FileAmount(), +)
        parts[.rest] = FileAmount(files: max(0, all.files - known.files), bytes: max(0, all.bytes - known.bytes))
        let unnamed = stored.filter { !named.contains($0.hash) }
        let (most, count) = try users(of: Dictionary(stored.map { ($0.hash, $0.bytes) }) { first, _ in first })
        return StorageUsage(
            parts: parts, unnamed: FileAmount(files: unnamed.count, bytes: unnamed.reduce(0) { $0 + $1.bytes }),
            kept: try archive.keptAssets(), users: most, userCount: count)
    }

    /// Returns the workflows that use the most, and the number of all that use contents.
    ///
    /// - Parameter sizes: the stored contents with their sizes in bytes.
    private func users(of sizes: [ContentHash: Int]) throws(Failure) -> (most: [StorageUsage.User], count: Int) {
        let archive = try archive
        var all: [WorkflowID: FileAmount] = [:]
        var own: [WorkflowID: FileAmount] = [:]
        var (current, holders): (ContentHash?, [WorkflowID]) = (nil, [])
        func end() {
            guard let current, let bytes = sizes[current] else { return }
            let amount = FileAmount(files: 1, bytes: bytes)
            for holder in holders { all[holder, default: FileAmount()] = all[holder, default: FileAmount()] + amount }
            guard let only = holders.first, holders.count == 1 else { return }
            own[only, default: FileAmount()] = own[only, default: FileAmount()] + amount
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
}

extension FileAmount {
    fileprivate init(_ files: [Keepsake]) {
        self.init(files: files.count, bytes: files.reduce(0) { $0 + $1.bytes })
    }
}
