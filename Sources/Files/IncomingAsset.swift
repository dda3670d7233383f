import Glibc
package import Vocabulary

extension AssetStore {
    /// A temporary file of the store that is being written. It becomes a content when it is complete, and is deleted
    /// otherwise.
    package final class Incoming: Sendable {
        package let path: String
        private let store: AssetStore

        package init(_ store: AssetStore) throws(Failure) {
            self.store = store
            path = try store.newTemporary()
        }

        deinit { unlink(path) }

        /// Hashes the file, writes it to the disk, and gives it its name. It blocks.
        package func finish() throws(Failure) -> Content {
            let content: Content
            do {
                let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW)
                let (hash, bytes) = try file.digest()
                content = Content(hash: hash, bytes: bytes)
                try file.sync()
            }
            try store.keep(path, as: content)
            return content
        }
    }
}
