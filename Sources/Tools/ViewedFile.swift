import Glibc
package import JSON
package import Vocabulary

/// A file or folder of the user's that is looked at, by its descriptor. Nothing is changed.
package final class ViewedFile: Sendable {
    private let file: OpenFile
    /// The path that was typed, without `~`.
    private let typed: String
    /// The real path, as it was when the file was opened.
    package let path: String
    package let bytes: Int
    package let isFolder: Bool

    private init(_ file: consuming OpenFile, _ status: stat, typed: String, path: String) {
        self.file = file
        (self.typed, self.path) = (typed, path)
        (bytes, isFolder) = (Int(status.st_size), status.kind == .folder)
    }

    /// Opens a file or a folder.
    ///
    /// - Parameter typed: as it was typed: relative to the working folder, or with `~/`.
    /// - Throws: `unknownFile`, `notAFile` for a device, a pipe or a socket, or the failure of opening it.
    package static func open(typed: String) throws(Failure) -> ViewedFile {
        let written = withHome(typed)
        try refuseNUL(written)
        guard let real = realpath(written, nil) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw fileFailure("look at", typed) }
            throw Failure(
                "unknownFile", "There is no file \(typed).", remedy: "Check the name, or name a result such as w3.2.")
        }
        let path = String(cString: real)
        free(real)
        // Opening a device may do something.
        var status = stat()
        guard stat(path, &status) == 0 else { throw fileFailure("look at", typed) }
        guard status.kind == .file || status.kind == .folder else {
            throw Failure("notAFile", "\(typed) is no file and no folder.")
        }
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        let opened = try file.status()
        guard opened.kind == status.kind else { throw Failure("notAFile", "\(typed) is no file and no folder.") }
        return ViewedFile(file, opened, typed: written, path: path)
    }

    /// Reads up to `count` bytes from `offset` on, fewer only at the end.
    package func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] { try file.read(count, at: offset) }

    /// Gives all bytes, piece by piece.
    ///
    /// - Returns: their hash.
    func copy(_ take: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) -> ContentHash {
        try file.digest(take).0
    }

    /// The format of a picture and what its first bytes tell of its size; `nil` for everything else.
    package var picture: (format: String, meta: JSON.Object)? {
        guard !isFolder, let head = try? file.read(1 << 18), let header = ImageHeader(head) else { return nil }
        return (header.format, header.meta(adding: JSON.Object()))
    }

    // MARK: Keys

    /// Whether it may hold keys, by one of its names.
    ///
    /// - Parameter folder: the working folder.
    package func isPrivate(from folder: String) -> Bool {
        let way = typed.hasPrefix("/") ? typed : "\(folder)/\(typed)"
        return SecretFiles.holds(path) || isFolder && SecretFiles.holds("\(path)/x") || SecretFiles.areReached(by: way)
    }

    /// Whether it came of keys under whatever name, or is a file of Assent's own. Dear: all of it may be read.
    package func cameOfKeys(_ own: OwnFolders) -> Bool {
        if own.all.contains(where: { $0.isSameName(as: path) || path.path(below: $0) != nil }) { return true }
        guard !isFolder, bytes > 0 else { return false }
        do throws(Failure) {
            if var notes = try PrivateNotes(own),
                notes.holds(file: path, try file.status(), { () throws(Failure) in try OpenFile(path, O_RDONLY) })
            {
                return true
            }
            guard bytes <= Limits.privateNoteFileBytes else { return true }
            return AssetStore(folder: "\(own.data)/assets").isPrivate(try file.digest().0)
        } catch {
            return true
        }
    }

    // MARK: Trees

    /// An entry of a folder or an archive.
    package struct Entry: Sendable {
        package var names: [String]
        package var isFolder: Bool
        package var bytes: Int?
        package var note: String?
    }

    /// Lists what lies below the folder, level by level, at most `most` entries. Links are not followed.
    ///
    /// - Returns: also whether that is all.
    package func entriesOfFolder(most: Int) throws(Failure) -> (entries: [Entry], isWhole: Bool) {
        let root = try OpenFolder(path)
        var (entries, waiting, next) = ([Entry](), [[String]()], 0)
        while next < waiting.count {
            let below = waiting[next]
            next += 1
            let found: [(name: String, kind: stat.Kind, bytes: Int)]
            // One more tells that there are more.
            do throws(Failure) {
                found = try Self.entries(of: root, below.joined(separator: "/"), most: most - entries.count + 1)
            } catch {
                guard !below.isEmpty else { throw error }
                if let index = entries.firstIndex(where: { $0.names == below }) { entries[index].note = "not readable" }
                continue
            }
            for (name, kind, bytes) in found {
                guard entries.count < most else { return (entries, false) }
                let note: String? =
                    switch kind {
                    case .file, .folder: nil
                    case .link: "link"
                    case .special: "no file"
                    }
                entries.append(
                    Entry(
                        names: below + [name], isFolder: kind == .folder, bytes: kind == .file ? bytes : nil,
                        note: note))
                if kind == .folder, below.count + 1 < Limits.searchedDepth { waiting.append(below + [name]) }
            }
        }
        return (entries, true)
    }

    private static func entries(
        of root: borrowing OpenFolder, _ path: String, most: Int
    ) throws(Failure) -> [(name: String, kind: stat.Kind, bytes: Int)] {
        let folder = try root.folder(path)
        var found: [(name: String, kind: stat.Kind, bytes: Int)] = []
        for name in try folder.namesInText() {
            guard found.count < most else { break }
            if let status = try folder.status(of: name) { found.append((name, status.kind, Int(status.st_size))) }
        }
        return found
    }

    /// Lists a zip file as its own list has it. What leads out of it, or stands there twice, is shown as it is.
    package func entriesOfZip(_ name: String) throws(Failure) -> [Entry] {
        try ZipDirectory.entries(of: file, name, verb: "listed").map { entry in
            let names = entry.name.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
            return Entry(
                names: Array(names.prefix(Limits.searchedDepth)), isFolder: entry.isFolder,
                bytes: entry.isFolder ? nil : entry.bytes,
                note: entry.needsPassword
                    ? "needs a password" : entry.name.first == UInt8(ascii: "/") ? "leads out" : nil)
        }
    }
}
