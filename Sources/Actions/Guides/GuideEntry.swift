/// A guide in a list.
package struct GuideEntry: Hashable, Sendable {
    package var name: String
    package var title: String
    package var about: String
    /// The path of its file, or `nil` for a guide that comes with the program.
    package var path: String?

    /// Creates an entry.
    package init(name: String, title: String, about: String, path: String?) {
        (self.name, self.title, self.about, self.path) = (name, title, about, path)
    }
}
