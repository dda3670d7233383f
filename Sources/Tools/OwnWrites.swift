import Glibc
import Vocabulary

extension Limits {
    /// Files that are known to be as Assent made them: 32 bytes each. Of more, the older are forgotten, and asked
    /// about.
    package static let ownWrites = 200_000
}

/// Which files are still as Assent made them. To replace one of these takes nothing from anybody, and needs no
/// question.
///
/// Only a call that touched nothing of the person's is noted: it made files where none were, or replaced such as these.
/// So what was moved, copied over something or edited after a yes stays the person's. A note is SHA-256 over the path
/// and over what the file system says of the file, with the time of its last change (ctime), which no writer can set
/// back. What is forgotten is asked about.
struct OwnWrites {
    private let file: String

    init(_ own: OwnFolders) { file = "\(own.data)/own-writes" }

    /// Notes files as they are now. Folders stand for all that is in them.
    ///
    /// - Parameters:
    ///   - paths: real paths. What is not there, or no plain file with one name, is left out.
    ///   - made: what was written, by inode and as it was then: whatever else is there by now is somebody's.
    func note(_ paths: [String], only made: [UInt64: ChangeList.Stamp]) throws(Failure) {
        let notes = paths.flatMap(Self.files).compactMap { Self.note($0, only: made) }
        guard !notes.isEmpty else { return }
        let ledger = try OpenFile(file, O_RDWR | O_CREAT)
        guard flock(ledger.descriptor, LOCK_EX) == 0 else { throw fileFailure("lock", file) }
        var size = Int(try ledger.status().st_size)
        // A writer that died left part of a note; and of too many the older half goes.
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

    /// Those of the paths that are as they were noted; none where the notes cannot be read.
    func unchanged(among paths: [String]) -> [String] {
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

    /// The same targets; those that overwrite a file which is as it was noted say so.
    func marked(_ targets: [Call.Target]) -> [Call.Target] {
        let paths = targets.compactMap(\.replacedFile)
        guard !paths.isEmpty else { return targets }
        // By their bytes: what Unicode takes for the same name may be the person's.
        let own = Set(unchanged(among: paths).map { Array($0.utf8) })
        return targets.map { target in
            var target = target
            target.isOwn = target.replacedFile.map { own.contains(Array($0.utf8)) } ?? false
            return target
        }
    }

    private static let noteBytes = 32

    /// 128 bits of the hash, in hexadecimal digits.
    private static func note(_ path: String, only made: [UInt64: ChangeList.Stamp]? = nil) -> [UInt8]? {
        var status = stat()
        guard lstat(path, &status) == 0, status.kind == .file, status.st_nlink == 1 else { return nil }
        if let made, made[status.inode]?.isStill(status, isRenamed: true) != true { return nil }
        let numbers = [Int64(status.st_size), status.modifiedNanoseconds, status.changedNanoseconds]
        let words = ["\(status.st_dev)", "\(status.inode)"] + numbers.map(String.init) + [path]
        return Array(ContentHash.of(words.joined(separator: " ")).hex.utf8.prefix(noteBytes))
    }

    /// The files below a folder, or the one itself. No link is followed.
    private static func files(at path: String) -> [String] {
        var status = stat()
        guard lstat(path, &status) == 0, status.kind == .folder else { return [path] }
        return ((try? namesIn(path)) ?? []).flatMap { files(at: "\(path)/\($0)") }
    }
}

extension OwnFolders {
    /// Returns those of some files that are as Assent made them.
    ///
    /// It compares what the file system says of each file (size, times, inode), and reads no content.
    ///
    /// - Parameter paths: real paths.
    package func results(among paths: [String]) -> [String] { OwnWrites(self).unchanged(among: paths) }
}

extension Call.Target {
    /// The plain file that would be overwritten.
    fileprivate var replacedFile: String? {
        guard effect == .overwrites, case .path(let path) = place, case .file(_, _, _, _, .some) = before else {
            return nil
        }
        guard change.map({ $0.kind == .file && $0.entries == 1 }) ?? true else { return nil }
        return path
    }
}

extension Call {
    /// Whether all that it touches is new, or was Assent's own already: then what comes of it is, too.
    var touchesOwnOnly: Bool {
        targets.allSatisfy { target in
            switch (target.effect, target.place, target.before) {
            case (.reads, _, _), (.creates, .newName, _), (.creates, _, .absent): true
            case (.overwrites, _, _): target.isOwn || target.setsTimeOnly
            default: false
            }
        }
    }
}
