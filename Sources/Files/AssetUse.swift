import Glibc
package import Vocabulary

extension Limits {
    /// The contents that are freed under one lock of the asset store.
    fileprivate static let freedTogether = 100
}

/// The listing of stored contents, and the removal of those that are not needed.
///
/// A content is stored before the row that refers to it is committed. A content without a row is therefore freed only
/// if it is old enough: older than an hour, and older than the start of the oldest attempt that has not ended. A
/// content that is added again becomes young. While contents are freed, a lock prevents updates of their times.
extension AssetStore {
    /// A file of the store.
    package struct Stored: Hashable, Sendable {
        package let hash: ContentHash
        package let bytes: Int
        /// The time at which the content was last added.
        package let added: Moment
    }

    /// Returns all contents, ordered by hash. Other files in the folder are ignored.
    package func contents() -> [Stored] {
        names(in: folder).filter { $0.utf8.count == 2 }.flatMap { part in
            names(in: "\(folder)/\(part)").compactMap { name in
                guard name.hasPrefix(part), let hash = ContentHash(checking: name),
                    let file = Keepsake("\(folder)/\(part)/\(name)")
                else {
                    return nil
                }
                return Stored(hash: hash, bytes: file.bytes, added: file.modified)
            }
        }
    }

    /// Returns the files of additions that have not ended, including those of processes that died.
    package func leftovers() -> [Keepsake] { Keepsake.all(in: "\(folder)/tmp") }

    /// Deletes contents whose files are older than `cutoff`.
    ///
    /// - Returns: the deleted contents.
    package func free(_ contents: [Stored], olderThan cutoff: Moment) throws(Failure) -> [Stored] {
        var freed: [Stored] = []
        var rest = contents[...]
        while !rest.isEmpty {
            let lock = try locked(LOCK_EX)
            for content in rest.prefix(Limits.freedTogether) {
                guard let file = Keepsake(path(content.hash)), file.modified < cutoff, unlink(file.path) == 0 else {
                    continue
                }
                freed.append(content)
            }
            rest = rest.dropFirst(Limits.freedTogether)
            _ = lock.descriptor
        }
        return freed
    }

    /// Deletes a content, unless it was added again after `added`.
    package func free(_ hash: ContentHash, added: Moment) throws(Failure) {
        _ = try free(
            [Stored(hash: hash, bytes: 0, added: added)], olderThan: Moment(milliseconds: added.milliseconds + 1))
    }

    /// Whether the content exists, and has the right hash and size.
    package func isSound(_ hash: ContentHash, bytes: Int) -> Bool {
        guard let file = try? OpenFile(path(hash), O_RDONLY | O_NOFOLLOW), let (found, count) = try? file.digest()
        else { return false }
        return found == hash && count == bytes
    }

    package func size(of hash: ContentHash) -> Int? { Keepsake(path(hash))?.bytes }

    /// Returns the time at which a content was last added, or nil if it does not exist.
    package func added(_ hash: ContentHash) -> Moment? { Keepsake(path(hash))?.modified }
}

/// A plain file that is kept, with its size and the time of its last change.
package struct Keepsake: Hashable, Sendable {
    package let path: String
    package let bytes: Int
    package let modified: Moment

    /// Reads the attributes of a file. Returns `nil` if it does not exist or is not a plain file.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        bytes = Int(status.st_size)
        modified = Moment(milliseconds: Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
    }

    package var name: String { lastName(of: path) }

    /// Returns the plain files in a folder.
    package static func all(in folder: String) -> [Keepsake] {
        names(in: folder).compactMap { Keepsake("\(folder)/\($0)") }
    }

    /// Returns the plain files in a folder and all folders below it. Links are not followed.
    package static func all(under folder: String, depth: Int = 0) -> [Keepsake] {
        guard depth < Limits.emptiedDepth else { return [] }
        return names(in: folder).flatMap { name -> [Keepsake] in
            let path = "\(folder)/\(name)"
            if let file = Keepsake(path) { return [file] }
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [] }
            return all(under: path, depth: depth + 1)
        }
    }
}

private func names(in folder: String) -> [String] { (try? namesIn(folder)) ?? [] }

/// The files that attempts leave in their run folders and beside them: `runs/w3/…`.
package struct RunFolders: Sendable {
    package let folder: String

    package init(folder: String) { self.folder = folder }

    /// The workflows that have left files.
    package var workflows: [WorkflowID] {
        names(in: folder).compactMap { name in WorkflowID(parsing: name).flatMap { $0.description == name ? $0 : nil } }
            .sorted()
    }

    package func files(of workflow: WorkflowID) -> [Keepsake] { Keepsake.all(under: "\(folder)/\(workflow)") }

    /// Returns the contents named by endings that are recorded but not committed.
    package func contentsNoted(by workflow: WorkflowID) -> Set<ContentHash> {
        Keepsake.all(in: "\(folder)/\(workflow)").filter { $0.name.hasSuffix(".result") }.reduce(into: []) {
            found, note in
            let bytes = (try? readWhole(note.path, limit: Limits.noteBytes)) ?? []
            found.formUnion(ContentHash.named(in: String(decoding: bytes, as: UTF8.self)))
        }
    }

    package func remove(_ workflow: WorkflowID) { removeFolder("\(folder)/\(workflow)") }
}
