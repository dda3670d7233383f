package import Vocabulary

/// A package in the store, which is not yet a file of the user's.
package struct MadePackage: Hashable, Sendable {
    /// The zip file.
    package var content: Asset
    /// The name that the guide wants for the file.
    package var name: String
    /// The files in it whose metadata could not be cut, with the reason.
    package var uncut: [Uncut]

    /// A file of the package that still has its metadata.
    package struct Uncut: Hashable, Sendable {
        package var file: String
        package var reason: String

        /// Creates a file whose metadata could not be cut.
        package init(file: String, reason: String) { (self.file, self.reason) = (file, reason) }
    }

    /// Creates a package.
    package init(content: Asset, name: String, uncut: [Uncut]) {
        (self.content, self.name, self.uncut) = (content, name, uncut)
    }
}
