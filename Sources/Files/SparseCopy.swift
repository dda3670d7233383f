import Glibc
package import Vocabulary

extension OpenFile {
    /// Copies the content to an empty file. Where the disk holds nothing of the original, it holds nothing of the copy: a
    /// file of a gigabyte with one line in it stays small.
    ///
    /// - Parameter limit: the most bytes, or `nil` for any number.
    /// - Returns: the hash of the content.
    /// - Throws: `targetChanged` if the file has more bytes than the limit.
    package func copyContent(to copy: borrowing OpenFile, limit: Int? = nil) throws(Failure) -> ContentHash {
        let status = try status()
        let hasHoles = Int(status.st_blocks) * 512 < Int(status.st_size)
        var written = 0
        let (hash, count) = try digest { (piece) throws(Failure) in
            written += piece.count
            guard written <= limit ?? .max else { throw targetChanged("a file") }
            guard hasHoles else { return try copy.write(piece) }
            try copy.write(piece, leavingOut: Self.hole)
        }
        guard !hasHoles || ftruncate(copy.descriptor, off_t(count)) == 0 else { throw fileFailure("write", "a file") }
        return hash
    }

    /// The bytes of a block of most file systems.
    private static let hole = 4096

    /// Writes bytes without the blocks in which all bytes are 0. The end of the file must be set afterwards.
    private func write(_ bytes: UnsafeRawBufferPointer, leavingOut block: Int) throws(Failure) {
        var start = 0
        while start < bytes.count {
            let end = min(start + block, bytes.count)
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if part.allSatisfy({ $0 == 0 }) {
                guard lseek(descriptor, off_t(part.count), SEEK_CUR) >= 0 else { throw fileFailure("write", "a file") }
            } else {
                try write(part)
            }
            start = end
        }
    }
}
