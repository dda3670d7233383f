/// The files of the working folder, as a planner sees them.
package struct Listing: Hashable, Sendable {
    /// The real path of the working folder.
    package var workspace: String
    package var files: [FileEntry]
    /// Whether the list contains all files.
    package var isWhole: Bool
    /// The paths of entries whose name is not valid text, with escaped bytes such as `\xe9`.
    package var notText: [String] = []
    /// The files and folders whose names begin with a dot, in the folders whose files are listed. A set leaves them out
    /// unless its words take them.
    package var hidden: [FileEntry] = []
    /// The folder that `~` means, or nil if none is known.
    package var home: String?

    /// Returns the listing as it is without some files.
    func without(_ names: Set<String>) -> Listing {
        guard !names.isEmpty else { return self }
        var listing = self
        listing.files.removeAll { names.contains($0.name) }
        return listing
    }

    package init(workspace: String, files: [FileEntry] = [], isWhole: Bool = true) {
        self.workspace = workspace
        self.files = files
        self.isWhole = isWhole
    }
}

package struct FileEntry: Hashable, Sendable {
    /// The path relative to the working folder, with `/` between folders and none at the end: `photos/cat.jpg`.
    package var name: String
    package var bytes: Int
    package var isFolder: Bool
    /// Whether the file may hold keys, by its name. A remote model does not get the size of such a file, since it would
    /// show whether a guess of a key is right.
    package var mayHoldKeys: Bool
    /// Whether Assent made the file, and it is unchanged since. "All pictures" does not mean such a file.
    package var isResult: Bool
    /// Whether it is a picture with several frames or pages.
    package var hasPages: Bool

    package init(
        name: String, bytes: Int = 0, isFolder: Bool = false, mayHoldKeys: Bool = false, isResult: Bool = false,
        hasPages: Bool = false
    ) {
        self.isResult = isResult
        self.hasPages = hasPages
        self.name = name
        self.bytes = bytes
        self.isFolder = isFolder
        self.mayHoldKeys = mayHoldKeys
    }
}
