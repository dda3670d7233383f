import CProcess
package import Glibc
package import Vocabulary

/// An open folder, held by its descriptor. Operations on names in it reach nothing outside of it, even if other
/// processes rename or link entries meanwhile.
package struct OpenFolder: ~Copyable {
    package let file: OpenFile
    private let way: Way
    package var descriptor: Int32 { file.descriptor }

    /// How entries below the folder are opened.
    private enum Way {
        /// Entries are opened for reading and must be on the same mount, as in an overlay and the workspace below it.
        case reading
        /// Entries are opened as places only (`O_PATH`), which needs no permission to read them, and may be on any
        /// mount. This is used for the user's folders (`PersonFiles`).
        case placing
    }

    /// - Throws: `badPath` if the path itself is a link.
    package init(_ path: String) throws(Failure) {
        self.init(try OpenFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), .reading)
    }

    /// Opens one of Assent's own folders, or a folder that the user named. Links in the path are followed.
    package init(following path: String) throws(Failure) {
        self.init(try OpenFile(path, O_RDONLY | O_DIRECTORY), .reading)
    }

    /// - Parameter descriptor: a folder that was opened as a place only (`O_PATH`).
    init(placing descriptor: Int32) { self.init(OpenFile(adopting: descriptor), .placing) }

    private init(_ file: consuming OpenFile, _ way: Way) {
        self.file = file
        self.way = way
    }

    /// Opens a folder below this one.
    ///
    /// - Parameter path: a relative path without `..`, links and other mounts. The empty path is the folder itself.
    package func folder(_ path: String) throws(Failure) -> OpenFolder {
        let flags = way == .placing ? cfiles_place_only() : O_RDONLY
        return OpenFolder(OpenFile(adopting: try open(path.isEmpty ? "." : path, flags | O_DIRECTORY)), way)
    }

    /// Opens a folder below this one, and creates it and its parents if they are missing.
    package func folderMade(_ path: String) throws(Failure) -> OpenFolder {
        var folder = try folder("")
        for name in path.pathNames {
            guard mkdirat(folder.descriptor, name, 0o700) == 0 || errno == EEXIST else {
                throw fileFailure("make", path)
            }
            folder = try folder.folder(name)
        }
        return folder
    }

    package func file(_ path: String) throws(Failure) -> OpenFile {
        // A named pipe would wait for its writer for ever.
        OpenFile(adopting: try open(path, O_RDONLY | O_NONBLOCK))
    }

    package func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(Failure) -> Int32 {
        try refuseNUL(path)
        let opened = cfiles_open_below(descriptor, path, flags, mode, way == .placing ? 1 : 0)
        guard opened >= 0 else { throw fileFailure("open", path) }
        return opened
    }

    /// Returns the status of an entry of this folder, or `nil` if no entry has the name. Links are not followed.
    package func status(of name: String) throws(Failure) -> stat? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw fileFailure("look at", name) }
        return nil
    }

    /// Returns the names of all entries, sorted by their bytes, without `.` and `..`.
    ///
    /// - Throws: `badName` if a name is not UTF-8.
    package func names() throws(Failure) -> [String] {
        var names: [String] = []
        try each { (entry) throws(Failure) in
            guard let name = entry.name else { throw Failure(.badName, "A file has a name that is no text in UTF-8.") }
            names.append(name)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the names of the entries, sorted by their bytes. Names that are not UTF-8 are left out.
    package func namesInText() throws(Failure) -> [String] {
        var names: [String] = []
        try each { (entry) throws(Failure) in if let name = entry.name { names.append(name) } }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The name of an entry in a form that can be shown.
    package struct Shown {
        /// The name. Bytes that are not UTF-8 are written as `\xe9`.
        package var name: String
        package var isText: Bool
        /// The kind of the entry, or `nil` if the file system does not report it with the name.
        package var kind: stat.Kind?
    }

    /// Returns all names in a form that can be shown, sorted by their bytes.
    package func shownNames() throws(Failure) -> [Shown] {
        var listed: [Listed] = []
        try each { (entry) throws(Failure) in listed.append(entry) }
        return listed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map { entry in
            Shown(name: entry.name ?? Self.escaped(entry.bytes), isText: entry.name != nil, kind: entry.kind)
        }
    }

    /// Returns a name as text, in which each byte that is not UTF-8 is written as `\xe9`.
    static func escaped(_ bytes: [UInt8]) -> String {
        var (text, rest) = ("", bytes[...])
        while let first = rest.first {
            let character = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }.first
            if let character {
                text += character
                rest = rest.dropFirst(character.utf8.count)
            } else {
                let digits = String(first, radix: 16)
                text += "\\x" + (digits.count == 1 ? "0" : "") + digits
                rest = rest.dropFirst()
            }
        }
        return text
    }

    /// An entry of a folder, as the kernel lists it.
    package struct Listed {
        /// The name, or `nil` if it is not UTF-8.
        package var name: String?
        package var bytes: [UInt8]
        /// The kind of the entry, or `nil` if the file system does not report it with the name.
        package var kind: stat.Kind?
        var inode: UInt64
    }

    /// Calls `body` with each entry, without `.` and `..`, in the order of the file system.
    package func each(_ body: (Listed) throws(Failure) -> Void) throws(Failure) {
        // The folder is opened again: an `O_PATH` descriptor cannot be read, and other readers need their own position.
        let own = try open(".", O_RDONLY | O_DIRECTORY)
        guard let stream = fdopendir(own) else {
            close(own)
            throw fileFailure("read", "a folder")
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // In place: a copy would be of 256 bytes, and the entry, of which the name may be the last, ends before
            // that.
            let bytes = withUnsafePointer(to: &entry.pointee.d_name.0) {
                Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
            if bytes == Array(".".utf8) || bytes == Array("..".utf8) { continue }
            let kind: stat.Kind? =
                switch Int(entry.pointee.d_type) {
                case Int(DT_DIR): .folder
                case Int(DT_REG): .file
                case Int(DT_LNK): .link
                case Int(DT_UNKNOWN): nil
                default: .special
                }
            let name = String(validating: bytes, as: UTF8.self)
            try body(Listed(name: name, bytes: bytes, kind: kind, inode: UInt64(entry.pointee.d_ino)))
        }
    }

    /// Calls `body` with the hash of each file below that is not empty.
    package func eachContent(depth: Int = 0, _ body: (ContentHash) throws(Failure) -> Void) throws(Failure) {
        guard depth < Limits.rehearsedDepth else { return }
        for name in try namesInText() {
            guard let status = try status(of: name) else { continue }
            if status.kind == .folder { try folder(name).eachContent(depth: depth + 1, body) }
            if status.kind == .file, status.st_size > 0 { try body(file(name).digest().0) }
        }
    }

    package func linkTarget(_ name: String) throws(Failure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { readlinkat(descriptor, name, $0.baseAddress!, $0.count) }
        guard count >= 0 else { throw fileFailure("look at", name) }
        guard let target = String(validating: buffer.prefix(count), as: UTF8.self) else {
            throw Failure(.badName, "The link \(name) leads to a name that is no text in UTF-8.")
        }
        return target
    }

    package func sync() throws(Failure) { try OpenFile(adopting: open(".", O_RDONLY | O_DIRECTORY)).sync() }

    /// Writes all changes of the folder's file system to the disk, and waits until they are there.
    package func syncAll() throws(Failure) {
        guard cfiles_sync_all(descriptor) == 0 else { throw fileFailure("write", "the disk") }
    }
}

extension OpenFile {
    package struct Attribute: Hashable {
        package var name: String
        package var value: [UInt8]

        /// Whether this is the kernel's mark of a folder that replaces all below it.
        package var isOpaqueMark: Bool { name == "user.overlay.opaque" && value == Array("y".utf8) }

        /// Whether this is a mark of an overlay that the kernel did not set, or a mark that refers to another file.
        package var isForgedMark: Bool {
            switch name {
            case "user.overlay.opaque": !isOpaqueMark
            case "user.overlay.whiteout", "user.overlay.redirect", "user.overlay.metacopy": true
            default: name.hasPrefix("user.overlay.overlay.")
            }
        }
    }

    /// Returns the extended attributes, ordered by name.
    package func attributes() throws(Failure) -> [Attribute] {
        let size = cfiles_attributes(descriptor, nil, 0)
        guard size > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = bytes.withUnsafeMutableBytes { buffer in
            cfiles_attributes(descriptor, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard count >= 0 else { throw fileFailure("look at", "a file") }
        var attributes: [Attribute] = []
        for name in bytes.prefix(count).split(separator: 0).map({ String(decoding: $0, as: UTF8.self) }).sorted() {
            var value = [UInt8](repeating: 0, count: max(0, cfiles_attribute(descriptor, name, nil, 0)))
            let got = value.withUnsafeMutableBytes { cfiles_attribute(descriptor, name, $0.baseAddress, $0.count) }
            guard got == value.count else { throw fileFailure("look at", "a file") }
            attributes.append(Attribute(name: name, value: value))
        }
        return attributes
    }
}

extension stat {
    package enum Kind: Hashable {
        case file, folder, link
        /// A device, a pipe or a socket.
        case special
    }

    package var kind: Kind {
        switch st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .special
        }
    }

    /// The permissions, with setuid, setgid and the sticky bit.
    package var permissions: Int { Int(st_mode & 0o7777) }
    package var modifiedNanoseconds: Int64 { Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec) }
    package var changedNanoseconds: Int64 { Int64(st_ctim.tv_sec) * 1_000_000_000 + Int64(st_ctim.tv_nsec) }
    package var inode: UInt64 { UInt64(st_ino) }
    /// Whether this is a file that has another name as well.
    package var hasOtherNames: Bool { kind == .file && st_nlink > 1 }

    /// Whether both describe the same file, and nothing was written to it between them.
    package func isSame(as other: stat) -> Bool {
        st_ino == other.st_ino && st_dev == other.st_dev && st_size == other.st_size
            && modifiedNanoseconds == other.modifiedNanoseconds
            && changedNanoseconds == other.changedNanoseconds
    }
}
