import Glibc
import Vocabulary

extension AssetStore {
    /// A file of the store's own that is being written to; in the store once it is whole, gone if it never is.
    final class Incoming: Sendable {
        let path: String
        private let store: AssetStore

        init(_ store: AssetStore) throws(Failure) {
            self.store = store
            path = try store.newTemporary()
        }

        deinit { unlink(path) }

        /// Hashes what was written and gives it its name. Blocks: until the disk has it.
        func finish() throws(Failure) -> Content {
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
