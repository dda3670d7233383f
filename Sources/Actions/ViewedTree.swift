/// The entries of a folder or an archive.
package struct ViewedTree: Hashable, Sendable {
    /// A file or a folder of the tree.
    package struct Entry: Hashable, Sendable {
        /// The names from the top to this entry. They are text from outside. Bytes that are not UTF-8 are replaced by
        /// `�`.
        package var names: [String]
        package let isFolder: Bool
        /// The size, or nil for a folder and for other things that are not files.
        package let bytes: Int?
        /// A remark behind the name, such as `link` or `not readable`.
        package let note: String?

        /// Creates an entry.
        package init(names: [String], isFolder: Bool, bytes: Int? = nil, note: String? = nil) {
            self.names = names
            self.isFolder = isFolder
            self.bytes = bytes
            self.note = note
        }
    }

    package let entries: [Entry]
    /// Whether the entries are all that there are.
    package let isWhole: Bool

    /// Creates a tree.
    package init(entries: [Entry], isWhole: Bool) {
        self.entries = entries
        self.isWhole = isWhole
    }
}
