import Tools
package import Vocabulary

/// An open content. Its bytes stay those of the same file, even if another file takes its place.
package protocol ByteSource: Sendable {
    /// Reads up to `count` bytes from `offset` on. The result is shorter only at the end.
    func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8]
}

extension ViewedFile: ByteSource {}
