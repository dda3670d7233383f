import CCrypto
import Glibc
package import Vocabulary

/// SHA-256 over pieces.
struct Digest: ~Copyable {
    private let context: OpaquePointer

    init() {
        guard let context = ccrypto_sha256_begin() else { fatalError("No memory for a digest.") }
        self.context = context
    }

    func add(_ bytes: UnsafeRawBufferPointer) { _ = ccrypto_sha256_add(context, bytes.baseAddress, bytes.count) }

    consuming func end() -> ContentHash {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = ccrypto_sha256_end(context, &digest)
        return ContentHash(digest: digest)
    }
}

extension ContentHash {
    /// SHA-256 of some bytes.
    package static func of(_ bytes: some Sequence<UInt8>) -> ContentHash {
        let bytes = Array(bytes)
        var digest = [UInt8](repeating: 0, count: 32)
        _ = bytes.withUnsafeBytes { ccrypto_sha256($0.baseAddress, $0.count, &digest) }
        return ContentHash(digest: digest)
    }

    package static func of(_ text: String) -> ContentHash { of(text.utf8) }
}
