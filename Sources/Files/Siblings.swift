import Vocabulary

extension Limits {
    /// The most names of a folder among which a new name is compared with those that differ only by case or Unicode
    /// form. In a larger folder, no names are compared.
    fileprivate static let comparedNames = 20_000
}

/// The names in a folder, compared as systems do that ignore upper and lower case and the ways to write `é`.
package struct Siblings {
    /// The names by their lower-case forms. Texts that differ only in their Unicode form are the same key.
    private var names: [String: String] = [:]

    /// Creates the list of an empty folder.
    package init() {}

    /// Reads the names of a folder. The list is empty if there are more than `Limits.comparedNames`, or the folder may
    /// not be read.
    ///
    /// - Parameter gone: names that are left out, since they will be deleted.
    package init(of folder: borrowing OpenFolder, without gone: some Sequence<String> = EmptyCollection()) {
        let goneBytes = Set(gone.map { Array($0.utf8) })
        guard let found = try? folder.namesInText(), found.count <= Limits.comparedNames else { return }
        for name in found where goneBytes.isEmpty || !goneBytes.contains(Array(name.utf8)) {
            names[name.lowercased()] = name
        }
    }

    /// Adds a name that will be created.
    package mutating func add(_ name: String) { names[name.lowercased()] = name }

    /// Returns a name that differs from this one only by case or Unicode form, or `nil`.
    package func resembling(_ name: String) -> String? {
        guard let other = names[name.lowercased()], !other.isSameName(as: name) else { return nil }
        return other
    }
}
