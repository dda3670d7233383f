import CCrypto
import JSON
package import Vocabulary

/// Returns the SHA-256 of some bytes.
package func sha256(of bytes: [UInt8]) -> ContentHash {
    var digest = [UInt8](repeating: 0, count: 32)
    let isDone = ccrypto_sha256(bytes, bytes.count, &digest)
    // A library that cannot hash must not look like one that did: every approval would have the same digest.
    precondition(isDone == 1, "libcrypto refused to compute SHA-256")
    return ContentHash(digest: digest)
}

package func sha256(of text: String) -> ContentHash { sha256(of: Array(text.utf8)) }

/// Returns the digest that an approval is for: the SHA-256 over the canonical bytes of the call. Secrets must be
/// replaced first (`redacted`).
package func digest(of call: Call) -> ContentHash { sha256(of: call.json.canonical) }
