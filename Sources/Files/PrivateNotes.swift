package import Glibc
package import Vocabulary

extension Limits {
    /// The most records of files that may hold keys. If there are more, the older half is removed.
    package static let privateNotes = 20_000

    /// The most files of one new folder that are recorded as files that may hold keys.
    fileprivate static let privateNotesInFolder = 500

    /// The most bytes of the file that records which files may hold keys.
    fileprivate static let privateNoteBytes = 128 << 20
}

/// The records of files and folders that result from keys, under names that do not show it: the results of approved
/// commands with private `reads`, and files that tools saved. They are hidden from later commands (`PrivateFiles`).
///
/// A record is stored before the file gets its place. A file is recognized by inode, size and time, so that a move
/// hides nothing. A file that was written to since, or that replaced a recorded one, is recognized by its content
/// (`AssetStore.isPrivate`). The content is read once, and the result is recorded.
package struct PrivateNotes {
    private enum Kind: String { case file = "f", folder = "d", notPrivate = "n" }

    private struct Note {
        var kind: Kind
        package var inode: UInt64
        var size: Int64
        /// The time of the last change of the content, in nanoseconds since 1970.
        var modified: Int64
        /// A real path.
        var path: String

        init(_ kind: Kind, _ status: stat, _ path: String) {
            (self.kind, inode, size, modified) = (kind, status.inode, Int64(status.st_size), status.modifiedNanoseconds)
            self.path = path
        }

        /// - Parameter text: the form that `text` has.
        init?(_ text: ArraySlice<UInt8>) {
            let words = text.split(separator: UInt8(ascii: " "), maxSplits: 4).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard words.count == 5, let kind = Kind(rawValue: words[0]), let inode = UInt64(words[1]),
                let size = Int64(words[2]),
                let modified = Int64(words[3])
            else { return nil }
            (self.kind, self.inode, self.size, self.modified, path) = (kind, inode, size, modified, words[4])
        }

        var text: String { "\0\(kind.rawValue) \(inode) \(size) \(modified) \(path)" }

        func isOf(_ status: stat) -> Bool {
            inode == status.inode && size == Int64(status.st_size) && modified == status.modifiedNanoseconds
        }
    }

    private let file: String
    private let store: AssetStore
    /// The records of each inode, the newest last.
    private var byInode: [UInt64: [Note]] = [:]
    private var byPath: [[UInt8]: Note] = [:]
    /// The records that were found while files were checked.
    private var found: [Note] = []

    /// Reads the records.
    ///
    /// - Returns: `nil` if there are none.
    /// - Throws: an error of reading. Without the records, no file can be checked.
    package init?(_ own: OwnFolders) throws(Failure) {
        (file, store) = (Self.file(in: own), AssetStore(folder: "\(own.data)/assets"))
        guard access(file, F_OK) == 0 else { return nil }
        for note in try Self.read(file) { add(note) }
    }

    private mutating func add(_ note: Note) {
        byInode[note.inode, default: []].append(note)
        byPath[Array(note.path.utf8)] = note
    }

    // MARK: Looking

    /// Returns whether a file or folder may be recorded, by a fast check without reading it.
    func mayHold(inode: UInt64, _ path: String) -> Bool { byInode[inode] != nil || byPath[Array(path.utf8)] != nil }

    /// Returns whether a folder results from keys: it has its recorded path, or was moved without a change.
    package func holds(folder path: String, _ status: stat) -> Bool {
        (byInode[status.inode] ?? []).contains { note in
            note.kind == .folder && (note.path.isSameName(as: path) || note.modified == status.modifiedNanoseconds)
        }
    }

    /// Returns whether a file results from keys. Its content is read if it was written to since it was recorded. A file
    /// that cannot be read counts as one.
    ///
    /// - Parameter open: opens the file.
    package mutating func holds(file path: String, _ status: stat, _ open: () throws(Failure) -> OpenFile) -> Bool {
        let known = (byInode[status.inode] ?? []) + (byPath[Array(path.utf8)].map { [$0] } ?? [])
        guard !known.isEmpty, status.st_size > 0 else { return false }
        if let note = known.last(where: { $0.isOf(status) }) { return note.kind == .file }
        // The content is unknown.
        guard status.st_size <= Limits.privateNoteFileBytes, let file = try? open(), let (hash, _) = try? file.digest()
        else { return true }
        let note = Note(store.isPrivate(hash) ? .file : .notPrivate, status, path)
        add(note)
        found.append(note)
        return note.kind == .file
    }

    /// Stores the new results, so that no content is read twice.
    package func keep() {
        guard !found.isEmpty else { return }
        try? Self.append(found, to: file)
    }

    // MARK: Noting

    /// Records files and folders before they get their places.
    ///
    /// - Parameters:
    ///   - paths: paths below `workspace`, which are the paths below `upper`, too. One that is not there is left out.
    ///   - upper: the folder in which they lie now.
    ///   - workspace: the real path of the folder in which they will lie.
    package static func note(
        _ paths: [String], in upper: borrowing OpenFolder, movingTo workspace: String, _ own: OwnFolders
    ) throws(Failure) {
        var notes: [Note] = []
        for path in paths {
            guard let status = try upper.folder(relativeParent(of: path)).status(of: lastName(of: path)) else {
                continue
            }
            try add("\(workspace)/\(path)", status, upper, path, &notes)
        }
        try append(notes, to: file(in: own))
    }

    private static func add(
        _ path: String, _ status: stat, _ upper: borrowing OpenFolder, _ at: String, _ notes: inout [Note]
    ) throws(Failure) {
        switch status.kind {
        case .file: if status.st_size > 0, !SecretFiles.holds(path) { notes.append(Note(.file, status, path)) }
        case .folder:
            notes.append(Note(.folder, status, path))
            // A file may be moved out of the folder later.
            var left = Limits.privateNotesInFolder
            try addInner(path, upper.folder(at), 0, &left, &notes)
        case .link, .special: break
        }
    }

    private static func addInner(
        _ path: String, _ folder: borrowing OpenFolder, _ depth: Int, _ left: inout Int, _ notes: inout [Note]
    ) throws(Failure) {
        guard depth < Limits.rehearsedDepth else { return }
        for name in try folder.namesInText() {
            guard left > 0 else { return }
            left -= 1
            guard let status = try folder.status(of: name) else { continue }
            if status.kind == .file, status.st_size > 0 { notes.append(Note(.file, status, "\(path)/\(name)")) }
            if status.kind == .folder { try addInner("\(path)/\(name)", folder.folder(name), depth + 1, &left, &notes) }
        }
    }

    /// Records files that a tool has created.
    ///
    /// - Parameter paths: real paths.
    package static func note(_ paths: [String], _ own: OwnFolders) throws(Failure) {
        let notes = paths.compactMap { path -> Note? in
            var status = stat()
            guard !SecretFiles.holds(path), lstat(path, &status) == 0, status.kind == .file, status.st_size > 0 else {
                return nil
            }
            return Note(.file, status, path)
        }
        try append(notes, to: file(in: own))
    }

    // MARK: The file

    private static func file(in own: OwnFolders) -> String { "\(own.data)/private-files" }

    /// Reads all records except those that a crash left incomplete.
    private static func read(_ file: String) throws(Failure) -> [Note] {
        try readWhole(file, limit: Limits.privateNoteBytes).split(separator: 0).compactMap { Note($0) }
    }

    /// Adds records at the end. If there are too many, the older half is removed.
    private static func append(_ notes: [Note], to file: String) throws(Failure) {
        guard !notes.isEmpty else { return }
        try makeFolders(parent(of: file))
        let lock = try OpenFile("\(file).lock", O_RDWR | O_CREAT)
        guard flock(lock.descriptor, LOCK_EX) == 0 else { throw fileFailure("lock", file) }
        let known = access(file, F_OK) == 0 ? try read(file) : []
        let bytes = notes.reduce(into: [UInt8]()) { $0 += Array($1.text.utf8) }
        if known.count + notes.count <= Limits.privateNotes {
            let ledger = try OpenFile(file, O_WRONLY | O_CREAT | O_APPEND)
            try ledger.write(bytes)
            return try ledger.sync()
        }
        let kept = known.suffix(max(0, Limits.privateNotes / 2 - notes.count)).reduce(into: [UInt8]()) {
            $0 += Array($1.text.utf8)
        }
        let new = try OpenFile("\(file).new", O_WRONLY | O_CREAT | O_TRUNC)
        try new.write(
            kept + notes.suffix(Limits.privateNotes / 2).reduce(into: [UInt8]()) { $0 += Array($1.text.utf8) })
        try new.sync()
        guard rename("\(file).new", file) == 0 else { throw fileFailure("write", file) }
    }
}
