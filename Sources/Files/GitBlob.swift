import CCrypto
import Glibc
package import Vocabulary

/// The names that git gives to contents: a hash over `blob`, the size, and the content (`gitformat-pack`, "Object
/// types").
package enum GitBlob {
    /// Returns the name of a content, as hexadecimal digits.
    ///
    /// - Parameter isLong: whether the repository names objects by SHA-256 instead of SHA-1.
    package static func name(of content: [UInt8], isLong: Bool) -> String {
        let hash = GitHash(isLong: isLong, bytes: content.count)
        content.withUnsafeBytes { hash.add($0) }
        return hash.end()
    }
}

extension OpenFile {
    /// Returns the name that git gives to the content of this file.
    package func blobName(isLong: Bool) throws(Failure) -> String {
        let size = Int(try status().st_size)
        let hash = GitHash(isLong: isLong, bytes: size)
        let read = try eachPiece { hash.add($0) }
        // A file that grows meanwhile has no name.
        return read == size ? hash.end() : ""
    }
}

private struct GitHash: ~Copyable {
    private let context: OpaquePointer
    private let width: Int

    init(isLong: Bool, bytes: Int) {
        guard let context = isLong ? ccrypto_sha256_begin() : ccrypto_sha1_begin() else {
            fatalError("No memory for a digest.")
        }
        self.context = context
        width = isLong ? 32 : 20
        Array("blob \(bytes)\0".utf8).withUnsafeBytes { add($0) }
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        precondition(ccrypto_sha256_add(context, bytes.baseAddress, bytes.count) == 1, "libcrypto refused a digest")
    }

    deinit { ccrypto_end(context) }

    func end() -> String {
        var digest = [UInt8](repeating: 0, count: width)
        precondition(ccrypto_final(context, &digest) == 1, "libcrypto refused a digest")
        return digest.hexDigits
    }
}
