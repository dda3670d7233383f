import Glibc
import Vocabulary

/// Small files, whole.
enum Files {
    /// - Throws: `unknownFile`, `tooLarge`.
    static func bytes(_ path: String, limit: Int = Limits.templateBytes) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let words = String(cString: strerror(errno))
            throw Failure("unknownFile", "\(path) cannot be read: \(words).", remedy: "Look at the name and the rights of the file.")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure("unknownFile", "\(path) cannot be read: \(String(cString: strerror(errno))).") }
            if count == 0 { return bytes }
            bytes.append(contentsOf: piece[..<count])
            guard bytes.count <= limit else { throw Failure("tooLarge", "\(path) has more than \(limit) bytes.") }
        }
    }

    static func text(_ path: String) -> String? {
        (try? bytes(path)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Whole or not at all: written beside, made durable, then put in place. 0600.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        let beside = "\(path).\(getpid()).new"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        var isWritten = descriptor >= 0
        if isWritten {
            var rest = bytes[...]
            while !rest.isEmpty, isWritten {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { isWritten = false }
            }
            isWritten = isWritten && fsync(descriptor) == 0
            close(descriptor)
        }
        guard isWritten, rename(beside, path) == 0 else {
            let words = String(cString: strerror(errno))
            unlink(beside)
            throw Failure(
                "storageReadOnly", "\(path) cannot be written: \(words).", remedy: "Look at the rights and the space of the folder.")
        }
    }

    /// The names in a folder, sorted; empty if there is none.
    static func names(in folder: String) -> [String] {
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

extension Files {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
