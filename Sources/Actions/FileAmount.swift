/// A number of files and the bytes in them.
package struct FileAmount: Hashable, Sendable {
    package let files: Int
    package let bytes: Int

    /// Creates an amount.
    package init(files: Int = 0, bytes: Int = 0) {
        self.files = files
        self.bytes = bytes
    }

    /// Adds the files and the bytes of two amounts.
    package static func + (one: FileAmount, other: FileAmount) -> FileAmount {
        FileAmount(files: one.files + other.files, bytes: one.bytes + other.bytes)
    }
}
