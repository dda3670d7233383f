import CProcess
import Files
import Glibc
import Vocabulary

/// A copy of a folder's entries in another folder. No link is followed on either side, and no file is replaced.
struct TreeCopy {
    /// The properties of the originals that copies have besides name and content.
    enum Keeping {
        /// Permissions and times, as the entries say them.
        case modes
        /// Owner, access lists and attributes, too, as far as this user may give them.
        case everything
    }

    private let entries: [TreeEntry]
    private let keeping: Keeping
    private let cancel: Cancellation
    /// The properties that could not be kept of some files or folders.
    private(set) var losses: Set<FileTraits.Loss> = []
    /// How many files and folders lack something.
    private(set) var lossCount = 0

    /// - Parameter entries: each folder before its content.
    init(_ entries: [TreeEntry], keeping: Keeping, cancel: Cancellation) {
        (self.entries, self.keeping, self.cancel) = (entries, keeping, cancel)
    }

    /// Copies all entries.
    ///
    /// - Parameter target: an empty folder.
    /// - Returns: the state of each copied entry.
    /// - Throws: `targetChanged` if a file is no longer what its entry says, `cancelled`, or an error of the disk.
    mutating func copy(from source: borrowing OpenFolder, to target: borrowing OpenFolder) throws(Failure)
        -> [FileState]
    {
        var states: [FileState] = []
        for entry in entries {
            guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
            let above = parent(of: entry.path)
            let folder = try target.folder(above == "." ? "" : above)
            let name = lastName(of: entry.path)
            switch entry.kind {
            case .folder:
                guard mkdirat(folder.descriptor, name, 0o700) == 0 else { throw fileFailure("make", entry.path) }
                states.append(.folder(mode: nil))
            case .link:
                guard symlinkat(entry.leadsTo ?? "", folder.descriptor, name) == 0 else {
                    throw fileFailure("make", entry.path)
                }
                try setTime(ofLink: name, in: folder, entry)
                states.append(.link(to: entry.leadsTo ?? "", modified: entry.modified))
            case .file: states.append(try copyFile(entry, from: source, to: folder, name))
            case .special: states.append(.special)
            }
        }
        // What comes into a folder changes its time, and a folder may be one in which nothing can be made, so the
        // innermost are set first, and after all is in them.
        for entry in entries.reversed() where entry.kind == .folder { try finish(entry, from: source, to: target) }
        return states
    }

    private mutating func copyFile(
        _ entry: TreeEntry, from source: borrowing OpenFolder, to folder: borrowing OpenFolder, _ name: String
    ) throws(Failure) -> FileState {
        let original = try source.file(entry.path)
        let status = try original.status()
        guard status.kind == .file, Int(status.st_size) == entry.bytes, status.modifiedNanoseconds == entry.modified
        else { throw targetChanged(entry.path) }
        let copy = OpenFile(adopting: try folder.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600))
        let hash = try original.copyContent(to: copy, limit: entry.bytes)
        try note(keep(entry, of: original, on: copy))
        return try FileState(of: copy, hash: hash)
    }

    /// Sets what belongs to a folder, once all is in it.
    private mutating func finish(
        _ entry: TreeEntry, from source: borrowing OpenFolder, to target: borrowing OpenFolder
    ) throws(Failure) {
        let copy = OpenFile(adopting: try target.open(entry.path, O_RDONLY | O_DIRECTORY))
        let original = OpenFile(adopting: try source.open(entry.path, O_RDONLY | O_DIRECTORY))
        try note(keep(entry, of: original, on: copy))
    }

    private func keep(_ entry: TreeEntry, of original: borrowing OpenFile, on copy: borrowing OpenFile) throws(Failure)
        -> Set<FileTraits.Loss>
    {
        switch keeping {
        case .everything:
            let losses = try copy.takeAll(of: original)
            return entry.kind == .file && entry.mode & 0o6000 != 0 ? losses.union([.bits]) : losses
        case .modes:
            guard fchmod(copy.descriptor, mode_t(entry.mode)) == 0, copy.setTime(entry.modified) else {
                throw fileFailure("change", entry.path)
            }
            return []
        }
    }

    private mutating func note(_ found: Set<FileTraits.Loss>) {
        losses.formUnion(found)
        lossCount += found.isEmpty ? 0 : 1
    }

    private func setTime(ofLink name: String, in folder: borrowing OpenFolder, _ entry: TreeEntry) throws(Failure) {
        let link = OpenFile(adopting: try folder.open(name, cfiles_place_only()))
        guard link.setTime(entry.modified) else { throw fileFailure("change", entry.path) }
    }
}

extension OpenFile {
    /// Gives a new file or folder all that belongs to another one: of a folder the access list for new entries, too.
    ///
    /// - Returns: what could not be kept.
    func takeAll(of original: borrowing OpenFile) throws(Failure) -> Set<FileTraits.Loss> {
        var losses = try take(FileTraits(of: original), isCopy: true)
        let status = try original.status()
        guard status.kind == .folder else { return losses }
        if try !takeListOfNewEntries(of: original) { losses.insert(.accessList) }
        // A folder keeps the bits that give new entries its group, and that only owners take names away.
        let bits = losses.contains(.owner) ? 0o1000 : 0o3000
        if status.permissions & bits != 0 {
            let now = try self.status().permissions
            guard fchmod(descriptor, mode_t(now | status.permissions & bits)) == 0 else {
                throw fileFailure("change", "a folder")
            }
        }
        return losses
    }
}
