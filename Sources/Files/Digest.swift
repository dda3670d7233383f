import CCrypto
import Glibc
package import Vocabulary

/// A SHA-256 that is computed piece by piece.
package struct Digest: ~Copyable {
    private let context: OpaquePointer

    package init() {
        guard let context = ccrypto_sha256_begin() else { fatalError("No memory for a digest.") }
        self.context = context
    }

    package func add(_ bytes: UnsafeRawBufferPointer) {
        mustHold(ccrypto_sha256_add(context, bytes.baseAddress, bytes.count))
    }

    package consuming func end() -> ContentHash {
        var digest = [UInt8](repeating: 0, count: 32)
        mustHold(ccrypto_sha256_end(context, &digest))
        return ContentHash(digest: digest)
    }
}

/// Stops the program if libcrypto reports an error. Otherwise all contents would have the same hash.
private func mustHold(_ result: Int32) { precondition(result == 1, "libcrypto refused to compute SHA-256") }

extension ContentHash {
    /// Returns the SHA-256 of some bytes.
    package static func of(_ bytes: some Sequence<UInt8>) -> ContentHash {
        let bytes = Array(bytes)
        var digest = [UInt8](repeating: 0, count: 32)
        mustHold(bytes.withUnsafeBytes { ccrypto_sha256($0.baseAddress, $0.count, &digest) })
        return ContentHash(digest: digest)
    }

    package static func of(_ text: String) -> ContentHash { of(text.utf8) }
}
