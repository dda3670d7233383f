import Vocabulary

extension Limits {
    /// Names in a folder with which a new one is compared, for those that differ by case or Unicode form only.
    fileprivate static let comparedNames = 20_000
}

/// The names in a folder, as those systems compare them to which upper and lower case, or the ways to write `é`, are
/// one.
struct Siblings {
    /// By what stays of a name without its case; two texts that differ in Unicode's form only are one key.
    private var names: [String: String] = [:]

    /// Of a folder in which nothing is yet.
    init() {}

    /// None where there are more than `Limits.comparedNames`, or the folder may not be read.
    ///
    /// - Parameter gone: names that will not be there any more.
    init(of folder: borrowing OpenFolder, without gone: some Sequence<String> = EmptyCollection()) {
        let goneBytes = Set(gone.map { Array($0.utf8) })
        guard let found = try? folder.namesInText(), found.count <= Limits.comparedNames else { return }
        for name in found where goneBytes.isEmpty || !goneBytes.contains(Array(name.utf8)) {
            names[name.lowercased()] = name
        }
    }

    /// One that comes, too.
    mutating func add(_ name: String) { names[name.lowercased()] = name }

    /// A name that differs from this one by case or form only.
    func resembling(_ name: String) -> String? {
        guard let other = names[name.lowercased()], !other.isSameName(as: name) else { return nil }
        return other
    }
}
