package import Glibc
package import Vocabulary

extension Limits {
    /// The bytes that are read at once of a file that says no size.
    fileprivate static let readPart = 64 << 10
}

/// A file descriptor that is closed automatically. The user's files are opened only by `PersonFiles`.
package struct OpenFile: ~Copyable {
    package let descriptor: Int32

    /// - Throws: `fileNotFound`, `permissionDenied`, `storageFull`, `fileFailed`, or `targetExists` for `EEXIST`.
    package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(Failure) {
        try refuseNUL(path)
        let opened = retrying { open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else { throw fileFailure("open", path) }
        descriptor = opened
    }

    package init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func status() throws(Failure) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fileFailure("look at", "a file") }
        return status
    }

    /// Reads up to `count` bytes, beginning at `offset`. The result is shorter only at the end of the file.
    package func read(_ count: Int, at offset: Int = 0) throws(Failure) -> [UInt8] {
        // A file of the kernel says no size. Its content is read in parts, since `count` may be far more than there is.
        var status = stat()
        let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) - offset : 0
        var wanted = min(count, max(size, Limits.readPart))
        var bytes = try part(wanted, at: offset)
        // A part is shorter only at the end.
        while bytes.count == wanted, wanted < count {
            wanted = min(count, wanted + Limits.readPart)
            bytes += try part(wanted - bytes.count, at: offset + bytes.count)
        }
        return bytes
    }

    /// Reads up to `count` bytes, in one call if the system gives them all.
    private func part(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = retrying {
                    pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
                }
                isRead = got >= 0
                guard got > 0 else { return }
                filled += got
            }
        }
        guard isRead else { throw fileFailure("read", "a file") }
        return bytes
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let written = retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            guard written > 0 else { throw fileFailure("write", "a file") }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    package func write(_ bytes: [UInt8]) throws(Failure) {
        let result = bytes.withUnsafeBytes { buffer -> Result<Void, Failure> in
            do throws(Failure) { return .success(try write(buffer)) } catch { return .failure(error) }
        }
        try result.get()
    }

    package func sync() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw fileFailure("write", "a file") }
    }

    /// Reads the whole file, hashes it, and passes each piece to `each`.
    ///
    /// - Returns: the hash and the number of bytes.
    package func digest(_ each: (UnsafeRawBufferPointer) throws(Failure) -> Void = { _ in }) throws(Failure) -> (
        ContentHash, Int
    ) {
        let digest = Digest()
        let total = try eachPiece { (piece) throws(Failure) in
            digest.add(piece)
            try each(piece)
        }
        return (digest.end(), total)
    }

    /// Reads the whole file, and passes each piece to `each`.
    ///
    /// - Returns: the number of bytes.
    func eachPiece(_ each: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) -> Int {
        var total = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let got = retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(total)) }
            guard got >= 0 else { throw fileFailure("read", "a file") }
            if got == 0 { return total }
            try each(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            total += got
        }
    }
}

/// Repeats a system call that a signal interrupted.
package func retrying<Number: BinaryInteger>(_ call: () -> Number) -> Number {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// Returns the failure for an `errno`. The path can contain any bytes of a file name, so the views must escape it.
package func fileFailure(_ verb: String, _ path: String, _ number: Int32 = errno) -> Failure {
    let reason = String(cString: strerror(number))
    return switch number {
    case ENOENT, ENOTDIR:
        Failure(.fileNotFound, "There is no file \(path).")
    case EACCES, EPERM: Failure(.permissionDenied, "Not permitted to \(verb) \(path).")
    case ENOSPC, EDQUOT:
        Failure(.storageFull, "No space left to \(verb) \(path).", remedy: "Free some space, then retry.")
    case EROFS: Failure(.storageReadOnly, "Cannot \(verb) \(path): the file system is read-only.")
    case EXDEV: Failure(.otherMount, "\(path) leads to another file system, or out of its folder.")
    case EEXIST: Failure(.targetExists, "\(path) is there already.")
    case EISDIR: Failure(.isFolder, "\(path) is a folder.")
    case ELOOP: Failure(.badPath, "\(path) is a link, or a circle of links.")
    case ENAMETOOLONG: Failure(.badPath, "The name \(path.prefix(80))… is too long.")
    default: Failure(.fileFailed, "Cannot \(verb) \(path): \(reason).")
    }
}

package func refuseNUL(_ path: String) throws(Failure) {
    guard !path.utf8.contains(0), !path.isEmpty else {
        throw Failure(.badPath, "The path is empty or has a NUL byte in it.")
    }
}
