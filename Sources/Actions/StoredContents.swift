import Files
import Services
import Tools
package import Vocabulary

/// The contents of assets. Keys are cut out of texts.
extension WorkflowRecords {
    /// Returns the beginning of a text for a preview, or nil if the content is missing or larger than
    /// `Limits.readFileBytes`.
    ///
    /// - Parameter limit: the most bytes of the preview.
    package func preview(_ hash: ContentHash, _ limit: Int) -> String? {
        guard let bytes = bytes(hash) else { return nil }
        // A key that the limit would halve is longer than what is shown, so more than that is filtered.
        let most = (limit + Limits.longestKeyBytes) & ~1
        let text = shared.keyRing.filter.cut(
            DecodedText.shown(Array(bytes.prefix(most)), isCut: bytes.count > most))
        return text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }

    /// Returns a whole text, or nil if the content is missing or larger than `Limits.readFileBytes`.
    package func text(_ hash: ContentHash) -> String? {
        bytes(hash).map { shared.keyRing.filter.cut(DecodedText.shown($0)) }
    }

    /// Returns the path of the content's file, or nil if the content is missing.
    package func path(_ hash: ContentHash) -> String? { try? shared.toolbox.get().store.path(hash) }

    /// Returns whether a content results from a file that may hold keys. Models do not receive such a content
    /// (`consent.md`, "Effects").
    package func isPrivate(_ hash: ContentHash) -> Bool {
        // Content that cannot be looked up might be private.
        (try? shared.toolbox.get().store.isPrivate(hash)) ?? true
    }

    private func bytes(_ hash: ContentHash) -> [UInt8]? {
        path(hash).flatMap { try? FileSystem.bytes($0, limit: Limits.readFileBytes) }
    }
}
