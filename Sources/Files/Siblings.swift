import Vocabulary

extension Limits {
    /// The most names of a folder among which a new name is compared with those that look like it. In a larger folder,
    /// no names are compared.
    fileprivate static let comparedNames = 20_000
}

/// The names in a folder, compared as a person sees them: without upper and lower case, the ways to write `é`, and signs
/// that look like others (`LookAlikes`).
package struct Siblings {
    /// The names by the forms in which those that look alike are equal. Texts that differ only in their Unicode form are
    /// the same key.
    private var names: [String: String] = [:]
    /// The names by the same forms without spaces.
    private var close: [String: String] = [:]

    /// Creates the list of an empty folder.
    package init() {}

    /// Reads the names of a folder. The list is empty if there are more than `Limits.comparedNames`, or the folder may
    /// not be read.
    ///
    /// - Parameter gone: the names that are left out, since they will be deleted.
    package init(of folder: borrowing OpenFolder, without gone: some Sequence<String> = EmptyCollection()) {
        let goneBytes = Set(gone.map { Array($0.utf8) })
        guard let found = try? folder.namesInText(), found.count <= Limits.comparedNames else { return }
        for name in found where goneBytes.isEmpty || !goneBytes.contains(Array(name.utf8)) {
            add(name)
        }
    }

    /// Adds a name that will be created.
    package mutating func add(_ name: String) {
        let form = LookAlikes.skeleton(of: name)
        names[form] = name
        close[Self.closed(form)] = name
    }

    /// Returns a name that looks like this one, and is another, or `nil`. A space that is not that of ASCII may be hard
    /// to see, so two names look alike with and without it.
    package func resembling(_ name: String) -> String? {
        let form = LookAlikes.skeleton(of: name)
        if let other = names[form] { return other.isSameName(as: name) ? nil : other }
        guard let other = close[Self.closed(form)], !(other + name).utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return other
    }

    private static func closed(_ form: String) -> String { form.filter { $0 != " " } }
}
