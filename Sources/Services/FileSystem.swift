import Glibc
package import Vocabulary

/// Reading and writing of small files, as a whole.
package enum FileSystem {
    /// Returns the bytes of a file.
    ///
    /// - Throws: `unknownFile`, `tooLarge`.
    package static func bytes(_ path: String, limit: Int = Limits.templateBytes) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe without a writer would wait for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let words = String(cString: strerror(errno))
            throw Failure(
                .unknownFile, "\(path) cannot be read: \(words).",
                remedy: "Look at the name and the rights of the file.")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
            throw Failure(.unknownFile, "\(path) is not a file.", remedy: "Name a file.")
        }
        // Reading waits for a pipe of the shell, such as <(command).
        if status.st_mode & S_IFMT != S_IFREG,
            ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"].contains(where: path.hasPrefix)
        {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        }
        guard let bytes = bytes(of: descriptor, most: limit + 1) else {
            throw Failure(.unknownFile, "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard bytes.count <= limit else { throw Failure(.tooLarge, "\(path) has more than \(limit) bytes.") }
        return bytes
    }

    /// Reads an open file up to its end, or as many bytes as `most`.
    ///
    /// - Returns: `nil` if a read fails. Then `errno` says why.
    static func bytes(of descriptor: Int32, most: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < most {
            let count = read(descriptor, &piece, min(piece.count, most - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes.append(contentsOf: piece[..<count])
        }
        return bytes
    }

    /// Returns the text of a file, or nil if it cannot be read or is not valid UTF-8.
    package static func text(_ path: String) -> String? {
        (try? bytes(path)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns a text from a folder that a stranger may have made. A link in it may lead to an endless file, or to one
    /// that blocks its reader, such as `/proc/kmsg`. So only a regular file is read, and only as many bytes as its size
    /// says. Files that the kernel makes up have no true size.
    ///
    /// - Throws: `unknownFile`, `tooLarge`.
    static func strangersText(_ path: String, limit: Int = Limits.templateBytes) throws(Failure) -> String {
        func refused(_ why: String) -> Failure {
            Failure(
                .unknownFile, "\(path) cannot be read: \(why).", remedy: "Put a file of text there, or take it away.")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw refused(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refused("it is not a file")
        }
        guard status.st_size > 0 else { throw refused("it is empty, or no file of a disk") }
        guard status.st_size <= limit else { throw Failure(.tooLarge, "\(path) has more than \(limit) bytes.") }
        guard let bytes = bytes(of: descriptor, most: status.st_size) else {
            throw refused(String(cString: strerror(errno)))
        }
        guard bytes.count == status.st_size else { throw refused("it has fewer bytes than it says") }
        do throws(Problem) { return try ConfigFile(path).text(of: bytes) } catch {
            throw Failure(.unknownFile, "\(error.place): \(error.message)")
        }
    }

    /// Replaces a file with `bytes`, completely or not at all: they are written beside it, synced to the disk, then
    /// renamed. The mode is 0600.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        let beside = "\(path).\(getpid()).new"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        var isWritten = descriptor >= 0
        if isWritten {
            isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
            close(descriptor)
        }
        guard isWritten, rename(beside, path) == 0 else {
            let words = String(cString: strerror(errno))
            unlink(beside)
            throw Failure(
                .storageReadOnly, "\(path) cannot be written: \(words).",
                remedy: "Look at the rights and the space of the folder.")
        }
    }

    /// Writes all bytes to an open file.
    ///
    /// - Returns: false if a write fails. Then `errno` says why.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }

    /// Returns the names in a folder, sorted. The list is empty if the folder does not exist.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

extension FileSystem {
    /// Returns whether something is at the path, at the end of all links.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
