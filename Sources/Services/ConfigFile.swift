import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes of a file of the config folder that has no limit of its own.
    package static let configBytes = 4 << 20
}

/// A file that the user wrote for Assent, such as `settings.yaml`. Such a file is absent, or it is read whole, or it is
/// refused with words: a file that cannot be read never counts as absent.
package struct ConfigFile: Sendable {
    /// The path, as it is named in problems.
    package let path: String
    let limit: Int
    /// A folder above the file, or nil. The owner rule holds for all folders from the file up to it.
    let root: String?
    /// The remedy for a file of 0 bytes, which is refused then, or nil. A full disk leaves such a file behind.
    let emptyRemedy: String?

    /// Creates the reader of a file that only the user and root can write (`OwnerRule`). The file is not read yet.
    ///
    /// - Parameters:
    ///   - limit: the largest size of the file, in bytes.
    ///   - root: a folder above the file, which others must not write either.
    ///   - emptyRemedy: what to do about a file of 0 bytes. It is nil if such a file is as good as none.
    package init(
        _ path: String, limit: Int = Limits.configBytes, below root: String? = nil, emptyRemedy: String? = nil
    ) {
        self.path = path
        self.limit = limit
        self.root = root
        self.emptyRemedy = emptyRemedy
    }

    /// Returns the text without its byte order mark, or nil if the file is absent.
    ///
    /// - Throws: a problem with the path and, if the bytes are not a text, the line.
    package func text() throws(Problem) -> String? {
        guard let bytes = try contents()?.bytes else { return nil }
        return try text(of: bytes)
    }

    /// Returns the words of a file whose bytes are not a valid text, so that names in it can be found. Signs replace
    /// what cannot be read. Returns nil if the file cannot be opened or read.
    func wordsOfDamaged() -> String? {
        guard let bytes = (try? contents(isBelieved: true))??.bytes else { return nil }
        return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    }

    func text(of bytes: [UInt8]) throws(Problem) -> String {
        if let fault = Self.fault(of: bytes) {
            throw Problem(.unreadableFile, at: "\(path):\(fault.line)", fault.words)
        }
        return String(decoding: bytes.dropFirst(Self.hasMark(bytes) ? Self.mark.count : 0), as: UTF8.self)
    }

    // MARK: Bytes

    struct Contents {
        var bytes: [UInt8]
        var status: stat
    }

    /// Returns the bytes as they are on the disk, or nil if the file is absent.
    ///
    /// - Parameter isBelieved: whether the bytes are returned although others may have written them.
    func contents(isBelieved: Bool = false) throws(Problem) -> Contents? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let number = errno
            if number == ENOENT, Self.isAbsent(path) { return nil }
            throw refused(Self.words(of: number))
        }
        // Checked before the file is opened, since opening may start a device, and a pipe waits for its other end.
        guard status.st_mode & S_IFMT == S_IFREG else { throw refused(Self.words(ofKind: status.st_mode)) }
        if !isBelieved, let fault = OwnerRule.fault(of: path, status, below: root) {
            throw Problem(.badRights, at: path, fault)
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw refused(Self.words(of: errno)) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refused("it was replaced meanwhile")
        }
        guard status.st_size <= limit else {
            throw Problem(.tooLarge, at: path, "The file has more than \(limit) bytes.")
        }
        let bytes = try bytes(of: descriptor, status.st_size)
        if let emptyRemedy, bytes.isEmpty {
            throw Problem(.unreadableFile, at: path, "The file has 0 bytes, as a full disk leaves it: \(emptyRemedy).")
        }
        return Contents(bytes: bytes, status: status)
    }

    /// Returns exactly as many bytes as the size of the file. A file that the kernel makes up has no true size.
    private func bytes(of descriptor: Int32, _ size: Int) throws(Problem) -> [UInt8] {
        guard let bytes = FileSystem.bytes(of: descriptor, most: size + 1) else { throw refused(Self.words(of: errno)) }
        guard bytes.count == size else { throw refused("it changed while it was read, or it is no file of a disk") }
        return bytes
    }

    // MARK: What is wrong

    private func refused(_ why: String) -> Problem {
        Problem(.unreadableFile, at: path, "The file cannot be read: \(why).")
    }

    /// Returns whether there is nothing at a path, and no broken link on the way to it.
    static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 { return false }
        guard errno == ENOENT else { return false }
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
            folder = folder[..<slash]
            if lstat(String(folder), &status) == 0 {
                return stat(String(folder), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            }
            guard errno == ENOENT else { return false }
        }
        return true
    }

    static func words(of number: Int32) -> String {
        switch number {
        case ENOENT: "it, or a folder above it, is a link to something that is missing"
        case ENOTDIR: "a part of its path is a file and not a folder"
        case ELOOP: "its links lead in a circle"
        case EACCES, EPERM: "you may not read it (\(String(cString: strerror(number))))"
        case EAGAIN: "it is no file of a disk"
        default: String(cString: strerror(number))
        }
    }

    private static func words(ofKind mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "it is a folder"
        case S_IFIFO: "it is a pipe"
        case S_IFSOCK: "it is a socket"
        default: "it is a device"
        }
    }

    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    static func hasMark(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

    /// Returns the first byte that is not valid in a UTF-8 text, in words, with its line. Returns nil if the bytes are
    /// a text.
    private static func fault(of bytes: [UInt8]) -> (line: Int, words: String)? {
        let isWide =
            bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || (bytes.count > 3 && bytes[..<4].contains(0))
        if isWide { return (1, "The file is not UTF-8 but UTF-16 or UTF-32. Save it as UTF-8.") }
        var place = 0
        var decoder = UTF8()
        var rest = bytes.makeIterator()
        if String(validating: bytes, as: UTF8.self) == nil {
            // Only the scalars before the invalid byte are counted. The sum of their lengths is its place.
            decoding: while true {
                switch decoder.decode(&rest) {
                case .scalarValue(let scalar): place += UTF8.width(scalar)
                case .emptyInput, .error: break decoding
                }
            }
            let byte = place < bytes.count ? bytes[place] : 0
            let hex = String(byte, radix: 16, uppercase: true)
            return (line(of: place, in: bytes), "The byte 0x\(hex) is not UTF-8. Save the file as UTF-8.")
        }
        guard let zero = bytes.firstIndex(of: 0) else { return nil }
        return (line(of: zero, in: bytes), "A byte with the value 0 is here, which no text has.")
    }

    private static func line(of place: Int, in bytes: [UInt8]) -> Int {
        var line = 1
        for index in 0..<min(place, bytes.count) {
            let isCarriageReturn = bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
            if bytes[index] == 0x0A || isCarriageReturn { line += 1 }
        }
        return line
    }
}

/// The folders of the config folder that hold files of any name, such as `tools`.
package enum ConfigFolder {
    /// Returns the paths of the files of a folder whose names end with `suffix`, sorted by name. The list is empty if
    /// the folder is absent.
    ///
    /// - Throws: a problem if the folder exists and cannot be listed.
    package static func paths(in folder: String, suffix: String) throws(Problem) -> [String] {
        if ConfigFile.isAbsent(folder) { return [] }
        guard let directory = opendir(folder) else {
            throw Problem(.unreadableFile, at: folder, "The folder cannot be read: \(ConfigFile.words(of: errno)).")
        }
        closedir(directory)
        // Temporary files of editors begin with a dot.
        return FileSystem.names(in: folder).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.map {
            "\(folder)/\($0)"
        }
    }
}
