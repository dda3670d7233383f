import CProcess
import Glibc
import Vocabulary

/// A folder by its descriptor: what is done with names in it reaches nothing outside of it, whatever others rename or
/// link meanwhile.
struct OpenFolder: ~Copyable {
    let file: OpenFile
    private let way: Way
    var descriptor: Int32 { file.descriptor }

    /// How what lies below is opened.
    private enum Way {
        /// An overlay and what lies under it: to be read, and on one mount.
        case reading
        /// The person's folders (`PersonFiles`): by their places only, which needs no permission to read them, and on
        /// any mount.
        case placing
    }

    /// - Throws: `badPath` where the path itself is a link.
    init(_ path: String) throws(Failure) {
        self.init(try OpenFile(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), .reading)
    }

    /// A folder of ours, or one that a person named: links on the way to it are followed.
    init(following path: String) throws(Failure) { self.init(try OpenFile(path, O_RDONLY | O_DIRECTORY), .reading) }

    /// - Parameter descriptor: of a folder, opened for its place only.
    init(placing descriptor: Int32) { self.init(OpenFile(adopting: descriptor), .placing) }

    private init(_ file: consuming OpenFile, _ way: Way) {
        self.file = file
        self.way = way
    }

    /// A folder below, by a path without `..`, links and other mounts. The empty path is the folder itself.
    func folder(_ path: String) throws(Failure) -> OpenFolder {
        let flags = way == .placing ? cfiles_place_only() : O_RDONLY
        return OpenFolder(OpenFile(adopting: try open(path.isEmpty ? "." : path, flags | O_DIRECTORY)), way)
    }

    /// A folder below, made where it is not there, and those above it.
    func folderMade(_ path: String) throws(Failure) -> OpenFolder {
        var folder = try folder("")
        for name in path.pathNames {
            guard mkdirat(folder.descriptor, name, 0o700) == 0 || errno == EEXIST else {
                throw fileFailure("make", path)
            }
            folder = try folder.folder(name)
        }
        return folder
    }

    func file(_ path: String) throws(Failure) -> OpenFile {
        // A named pipe would wait for its writer for ever.
        OpenFile(adopting: try open(path, O_RDONLY | O_NONBLOCK))
    }

    func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(Failure) -> Int32 {
        try refuseNUL(path)
        let opened = cfiles_open_below(descriptor, path, flags, mode, way == .placing ? 1 : 0)
        guard opened >= 0 else { throw fileFailure("open", path) }
        return opened
    }

    /// What has this name in the folder itself; `nil` where nothing has.
    func status(of name: String) throws(Failure) -> stat? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw fileFailure("look at", name) }
        return nil
    }

    /// Sorted by their bytes, without `.` and `..`.
    /// - Throws: `badName` for one that is no text.
    func names() throws(Failure) -> [String] {
        var names: [String] = []
        try each { (entry) throws(Failure) in
            guard let name = entry.name else { throw Failure("badName", "A file has a name that is no text in UTF-8.") }
            names.append(name)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The same without those that are no text.
    func namesInText() throws(Failure) -> [String] {
        var names: [String] = []
        try each { (entry) throws(Failure) in if let name = entry.name { names.append(name) } }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// A name as it can be shown.
    struct Shown {
        /// The name, or with its bytes as `\xe9` where they are no text.
        var name: String
        var isText: Bool
        /// `nil` where the file system does not tell it here.
        var kind: stat.Kind?
    }

    /// Returns all names, sorted by their bytes.
    func shownNames() throws(Failure) -> [Shown] {
        var listed: [Listed] = []
        try each { (entry) throws(Failure) in listed.append(entry) }
        return listed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map { entry in
            Shown(name: entry.name ?? Self.escaped(entry.bytes), isText: entry.name != nil, kind: entry.kind)
        }
    }

    /// Writes a name with each byte that is no text as `\xe9`.
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

    /// What a folder tells of one of its names.
    struct Listed {
        /// `nil` where it is no text in UTF-8.
        var name: String?
        var bytes: [UInt8]
        /// `nil` where the file system does not tell it here.
        var kind: stat.Kind?
        var inode: UInt64
    }

    /// Goes through its names, without `.` and `..`, in the order of the file system.
    func each(_ body: (Listed) throws(Failure) -> Void) throws(Failure) {
        // Opened anew: a place alone cannot be read, and whoever reads beside us has a position of his own.
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

    /// The hashes of all files below that are not empty.
    func eachContent(depth: Int = 0, _ body: (ContentHash) throws(Failure) -> Void) throws(Failure) {
        guard depth < Limits.rehearsedDepth else { return }
        for name in try namesInText() {
            guard let status = try status(of: name) else { continue }
            if status.kind == .folder { try folder(name).eachContent(depth: depth + 1, body) }
            if status.kind == .file, status.st_size > 0 { try body(file(name).digest().0) }
        }
    }

    func linkTarget(_ name: String) throws(Failure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { readlinkat(descriptor, name, $0.baseAddress!, $0.count) }
        guard count >= 0 else { throw fileFailure("look at", name) }
        guard let target = String(validating: buffer.prefix(count), as: UTF8.self) else {
            throw Failure("badName", "The link \(name) leads to a name that is no text in UTF-8.")
        }
        return target
    }

    func sync() throws(Failure) { try OpenFile(adopting: open(".", O_RDONLY | O_DIRECTORY)).sync() }

    /// Whatever was written to its file system is on the disk.
    func syncAll() throws(Failure) {
        guard cfiles_sync_all(descriptor) == 0 else { throw fileFailure("write", "the disk") }
    }
}

extension OpenFile {
    struct Attribute: Hashable {
        var name: String
        var value: [UInt8]

        /// By which the kernel marks a folder that replaces what is below it.
        var isOpaqueMark: Bool { name == "user.overlay.opaque" && value == Array("y".utf8) }

        /// A mark of an overlay that the kernel has not made, or one that says something about a file elsewhere.
        var isForgedMark: Bool {
            switch name {
            case "user.overlay.opaque": !isOpaqueMark
            case "user.overlay.whiteout", "user.overlay.redirect", "user.overlay.metacopy": true
            default: name.hasPrefix("user.overlay.overlay.")
            }
        }
    }

    /// Extended attributes, in the order of their names.
    func attributes() throws(Failure) -> [Attribute] {
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
    enum Kind: Hashable {
        case file, folder, link
        /// A device, a pipe, a socket.
        case special
    }

    var kind: Kind {
        switch st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .special
        }
    }

    /// Permissions, with setuid, setgid and the sticky bit.
    var permissions: Int { Int(st_mode & 0o7777) }
    var modifiedNanoseconds: Int64 { Int64(st_mtim.tv_sec) * 1_000_000_000 + Int64(st_mtim.tv_nsec) }
    var changedNanoseconds: Int64 { Int64(st_ctim.tv_sec) * 1_000_000_000 + Int64(st_ctim.tv_nsec) }
    var inode: UInt64 { UInt64(st_ino) }
    /// A file that has another name as well.
    var hasOtherNames: Bool { kind == .file && st_nlink > 1 }

    /// The same file, with nothing written to it since.
    func isSame(as other: stat) -> Bool {
        st_ino == other.st_ino && st_dev == other.st_dev && st_size == other.st_size
            && modifiedNanoseconds == other.modifiedNanoseconds
            && changedNanoseconds == other.changedNanoseconds
    }
}
