import Glibc
package import Vocabulary

extension Limits {
    /// The most files that are remembered as written by Assent, 32 bytes each. If there are more, the older half is
    /// forgotten, and a change of such a file is asked about.
    package static let ownWrites = 200_000
}

/// A record of the files that Assent created and that are unchanged since. They may be replaced without a question,
/// since no work of the user is lost.
///
/// Only calls that touched no file of the user are recorded: they created files, or replaced recorded ones. A file that
/// was moved, replaced or edited after a yes stays the user's.
///
/// A record is a SHA-256 over the path and the attributes of the file, including the time of the last change (ctime),
/// which no program can set back. If a record was removed, the user is asked.
package struct OwnWrites {
    private let file: String

    package init(_ own: OwnFolders) { file = "\(own.data)/own-writes" }

    /// Records files in their present state, and all files in folders.
    ///
    /// - Parameters:
    ///   - paths: real paths. Missing files, and files that are not plain or have several names, are left out.
    ///   - made: the stamps of the written files, by inode. Files without such a stamp are not recorded.
    package func note(_ paths: [String], only made: [UInt64: FileStamp]) throws(Failure) {
        let notes = paths.flatMap(Self.files).compactMap { Self.note($0, only: made) }
        guard !notes.isEmpty else { return }
        let ledger = try OpenFile(file, O_RDWR | O_CREAT)
        guard flock(ledger.descriptor, LOCK_EX) == 0 else { throw fileFailure("lock", file) }
        var size = Int(try ledger.status().st_size)
        // An interrupted write left part of a record. If there are too many records, the older half is removed.
        size -= size % Self.noteBytes
        if size / Self.noteBytes + notes.count > Limits.ownWrites {
            let half = min(size, Limits.ownWrites / 2 * Self.noteBytes)
            let kept = try ledger.read(half, at: size - half)
            guard ftruncate(ledger.descriptor, 0) == 0, lseek(ledger.descriptor, 0, SEEK_SET) == 0 else {
                throw fileFailure("write", file)
            }
            try ledger.write(kept)
        } else {
            guard ftruncate(ledger.descriptor, off_t(size)) == 0, lseek(ledger.descriptor, 0, SEEK_END) >= 0 else {
                throw fileFailure("write", file)
            }
        }
        try ledger.write(notes.suffix(Limits.ownWrites / 2).flatMap { $0 })
    }

    /// Returns the paths whose files are unchanged since they were recorded. The list is empty if the records cannot be
    /// read.
    package func unchanged(among paths: [String]) -> [String] {
        guard access(file, R_OK) == 0 else { return [] }
        var wanted: [[UInt8]: String] = [:]
        for path in paths { if let note = Self.note(path) { wanted[note] = path } }
        guard !wanted.isEmpty, let bytes = try? readWhole(file, limit: (Limits.ownWrites + 1) * Self.noteBytes) else {
            return []
        }
        var found: [String] = []
        for start in stride(from: 0, through: bytes.count - Self.noteBytes, by: Self.noteBytes) {
            if let path = wanted.removeValue(forKey: Array(bytes[start..<start + Self.noteBytes])) {
                found.append(path)
            }
        }
        return found
    }

    /// Returns the targets, in which overwritten files are marked as Assent's own if they are unchanged since they were
    /// recorded.
    package func marked(_ targets: [Call.Target]) -> [Call.Target] {
        let paths = targets.compactMap(\.replacedFile)
        guard !paths.isEmpty else { return targets }
        // Bytes are compared: a name that is equal in Unicode may be the user's file.
        let own = Set(unchanged(among: paths).map { Array($0.utf8) })
        return targets.map { target in
            var target = target
            target.isOwn = target.replacedFile.map { own.contains(Array($0.utf8)) } ?? false
            return target
        }
    }

    private static let noteBytes = 32

    /// Returns the record of a file: 128 bits of the hash, in hexadecimal digits. Returns `nil` if the file is not
    /// plain, has several names, or differs from its stamp in `made`.
    private static func note(_ path: String, only made: [UInt64: FileStamp]? = nil) -> [UInt8]? {
        var status = stat()
        guard lstat(path, &status) == 0, status.kind == .file, status.st_nlink == 1 else { return nil }
        if let made, made[status.inode]?.isStill(status, isRenamed: true) != true { return nil }
        let numbers = [Int64(status.st_size), status.modifiedNanoseconds, status.changedNanoseconds]
        let words = ["\(status.st_dev)", "\(status.inode)"] + numbers.map(String.init) + [path]
        return Array(ContentHash.of(words.joined(separator: " ")).hex.utf8.prefix(noteBytes))
    }

    /// Returns the files below a folder, or the path itself if it is not a folder. Links are not followed.
    private static func files(at path: String) -> [String] {
        var status = stat()
        guard lstat(path, &status) == 0, status.kind == .folder else { return [path] }
        return ((try? namesIn(path)) ?? []).flatMap { files(at: "\(path)/\($0)") }
    }
}

extension OwnFolders {
    /// Returns the files that Assent created and that are unchanged since.
    ///
    /// It compares the attributes of each file (size, times, inode), and reads no content.
    ///
    /// - Parameter paths: real paths.
    package func results(among paths: [String]) -> [String] { OwnWrites(self).unchanged(among: paths) }
}

extension Call.Target {
    /// The plain file that is overwritten, or `nil` if the target is something else.
    fileprivate var replacedFile: String? {
        guard effect == .overwrites, case .path(let path) = place, case .file(_, _, _, _, .some) = before else {
            return nil
        }
        guard change.map({ $0.kind == .file && $0.entries == 1 }) ?? true else { return nil }
        return path
    }
}

extension Call {
    /// Whether everything that the call touches is new, or was Assent's own already. Its results are then Assent's own,
    /// too.
    package var touchesOwnOnly: Bool {
        targets.allSatisfy { target in
            switch (target.effect, target.place, target.before) {
            case (.reads, _, _), (.creates, .newName, _), (.creates, _, .absent): true
            case (.overwrites, _, _): target.isOwn || target.setsTimeOnly
            default: false
            }
        }
    }
}
