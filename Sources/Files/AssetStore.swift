import Glibc
package import Vocabulary

/// The store of contents by their SHA-256: `assets/ab/ab12…`, files with mode 0444 in folders with mode 0700. Equal
/// contents are one file, and a file is always complete. The time of a file is when it was last added, which decides
/// when it may be freed (`AssetUse.swift`).
package struct AssetStore: Sendable {
    package let folder: String

    package init(folder: String) {
        self.folder = folder
    }

    package struct Content: Hashable, Sendable {
        package let hash: ContentHash
        package let bytes: Int

        package init(hash: ContentHash, bytes: Int) {
            self.hash = hash
            self.bytes = bytes
        }
    }

    /// Adds a copy of a file, which is read once.
    package func add(file path: String, isCancelled: () -> Bool = { false }) throws(Failure) -> Content {
        try add(OpenFile(path, O_RDONLY | O_NONBLOCK), path, isCancelled: isCancelled)
    }

    /// Adds a copy of an open file.
    ///
    /// - Parameter path: the path for messages.
    package func add(_ source: borrowing OpenFile, _ path: String, isCancelled: () -> Bool = { false }) throws(Failure)
        -> Content
    {
        guard try source.status().st_mode & S_IFMT == S_IFREG else {
            throw Failure(.notAFile, "\(path) is not a file.")
        }
        let temporary = try newTemporary()
        defer { unlink(temporary) }
        let content: Content
        do {
            let copy = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            let (hash, bytes) = try source.digest { piece throws(Failure) in
                if isCancelled() { throw Failure(.cancelled, "Cancelled.") }
                try copy.write(piece)
            }
            content = Content(hash: hash, bytes: bytes)
            try copy.sync()
        }
        try keep(temporary, as: content)
        return content
    }

    package func add(_ bytes: [UInt8]) throws(Failure) -> Content {
        let content = Content(hash: .of(bytes), bytes: bytes.count)
        if try touch(content) { return content }
        let temporary = try newTemporary()
        defer { unlink(temporary) }
        do {
            let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            try file.write(bytes)
            try file.sync()
        }
        try keep(temporary, as: content)
        return content
    }

    package func add(_ text: String) throws(Failure) -> Content { try add(Array(text.utf8)) }

    /// Returns the path at which a content is stored, or would be stored.
    package func path(_ hash: ContentHash) -> String { "\(folder)/\(hash.hex.prefix(2))/\(hash.hex)" }

    /// Returns the path of an asset's content, after a check that it exists with the right size.
    ///
    /// - Throws: `pinnedInputMissing` (`semantics.md` 26).
    package func path(of asset: Asset) throws(Failure) -> String {
        guard has(Content(hash: asset.hash, bytes: asset.bytes)) else {
            throw Failure(
                .pinnedInputMissing, "The content of \(asset.name) is no longer in the asset store.",
                remedy: "Run the step that made it again.")
        }
        return path(asset.hash)
    }

    package func read(_ asset: Asset, limit: Int = Limits.readFileBytes) throws(Failure) -> [UInt8] {
        try readWhole(try path(of: asset), limit: limit)
    }

    private func has(_ content: Content) -> Bool {
        var status = stat()
        return stat(path(content.hash), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && Int(status.st_size) == content.bytes
    }

    package func newTemporary() throws(Failure) -> String {
        try makeFolders("\(folder)/tmp")
        return "\(folder)/tmp/\(getpid())-\(UInt64.random(in: .min ... .max))"
    }

    package func keep(_ temporary: String, as content: Content) throws(Failure) {
        let place = path(content.hash)
        try makeFolders(parent(of: place))
        // The file is new, so its time is now.
        let isThere = try touch(content)
        guard !isThere else { return }
        guard chmod(temporary, 0o444) == 0, rename(temporary, place) == 0 else { throw fileFailure("store", place) }
    }

    /// Sets the time of a stored content to now, so that it is not freed before a row refers to it.
    ///
    /// - Returns: whether the content exists.
    private func touch(_ content: Content) throws(Failure) -> Bool {
        guard has(content) else { return false }
        let lock = try locked(LOCK_SH)
        return has(content) && utimensat(AT_FDCWD, path(content.hash), nil, 0) == 0 && lock.descriptor >= 0
    }

    /// Locks the store: exclusively (`LOCK_EX`) to free contents, or shared (`LOCK_SH`) to update the time of one. The
    /// lock lasts until the file is closed.
    func locked(_ way: Int32) throws(Failure) -> OpenFile {
        try makeFolders(folder)
        let lock = try OpenFile("\(folder)/lock", O_RDWR | O_CREAT)
        guard retrying({ flock(lock.descriptor, way) }) == 0 else { throw fileFailure("lock", "\(folder)/lock") }
        return lock
    }
}
