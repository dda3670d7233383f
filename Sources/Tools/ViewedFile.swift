package import Files
import Glibc
package import JSON
import Pictures
package import Vocabulary

/// A user's file or folder that is viewed, held by its descriptor. Nothing is changed.
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
    /// - Parameter typed: the path as it was typed: absolute, relative to the working folder, or with `~/`.
    /// - Throws: `unknownFile`, `notAFile` for a device, a pipe or a socket, or another failure to open it.
    package static func open(typed: String) throws(Failure) -> ViewedFile {
        let written = withHome(typed)
        try refuseNUL(written)
        guard let real = realpath(written, nil) else {
            guard errno == ENOENT || errno == ENOTDIR else { throw fileFailure("look at", typed) }
            throw Failure(
                .unknownFile, "There is no file \(typed).", remedy: "Check the name, or name a result such as w3.2.")
        }
        let path = String(cString: real)
        free(real)
        // Opening a device may have effects.
        var status = stat()
        guard stat(path, &status) == 0 else { throw fileFailure("look at", typed) }
        guard status.kind == .file || status.kind == .folder else {
            throw Failure(.notAFile, "\(typed) is no file and no folder.")
        }
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        let opened = try file.status()
        guard opened.kind == status.kind else { throw Failure(.notAFile, "\(typed) is no file and no folder.") }
        return ViewedFile(file, opened, typed: written, path: path)
    }

    /// Returns the traits of the file, or nil if it is one of Assent's own, such as a stored content.
    func traits(_ hash: ContentHash, _ own: OwnFolders) throws(Failure) -> FileTraits? {
        guard !own.all.contains(where: { path.path(below: realPath($0)) != nil }) else { return nil }
        return try FileTraits(of: file, hash: hash)
    }

    /// Reads up to `count` bytes, beginning at `offset`. The result is shorter only at the end of the file.
    package func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] { try file.read(count, at: offset) }

    /// Passes all bytes to `take`, piece by piece.
    ///
    /// - Returns: their hash.
    func copy(_ take: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) -> ContentHash {
        try file.digest(take).0
    }

    /// The format of a picture, and the size in its first bytes, or `nil` for other files.
    package var picture: (format: String, meta: JSON.Object)? {
        guard !isFolder, let head = try? file.read(1 << 18), let header = ImageHeader(head) else { return nil }
        return (header.format, header.meta(adding: JSON.Object()))
    }

    // MARK: Keys

    /// Whether the file may hold keys, by one of its names.
    ///
    /// - Parameter folder: the working folder.
    package func isPrivate(from folder: String) -> Bool {
        let way = typed.hasPrefix("/") ? typed : "\(folder)/\(typed)"
        return SecretFiles.holds(path) || isFolder && SecretFiles.holds("\(path)/x") || SecretFiles.areReached(by: way)
    }

    /// Whether the file results from keys under any name, or belongs to Assent. It is expensive, since the whole file
    /// may be read.
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

    /// Lists the entries below the folder, level by level, at most `most` of them. Links are not followed.
    ///
    /// - Returns: the entries, and whether the list is complete.
    package func entriesOfFolder(most: Int) throws(Failure) -> (entries: [Entry], isWhole: Bool) {
        let root = try OpenFolder(path)
        var (entries, waiting, next) = ([Entry](), [[String]()], 0)
        while next < waiting.count {
            let below = waiting[next]
            next += 1
            let found: [(name: String, kind: stat.Kind, bytes: Int)]
            // One more entry shows that the list is incomplete.
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

    /// Lists a zip file by its own list. Entries that lead out of it, or occur twice, are shown, too.
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
