/// A pattern for the end of a file's path, name by name. `*` within a name stands for any characters. `**` as a name
/// stands for any number of folders, or none. A final `**` matches everything below.
struct NamePattern {
    /// The names between two `**`, which must follow each other. The last group ends with the name of the file.
    private let groups: [[Glob]]

    /// Creates a pattern.
    ///
    /// - Parameter pattern: a text that `PatternGrammar` accepts.
    init(_ pattern: String) {
        let names = pattern.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        // Below a folder lies a name.
        let parts = names.last == Self.anyFolders ? names + [Array("*".utf8)] : names
        groups = parts.split(separator: Self.anyFolders).map { $0.map { Glob($0) } }
    }

    private init(groups: [[Glob]]) { self.groups = groups }

    private static let anyFolders = Array("**".utf8)

    /// Returns whether a path matches. It is fast, since there may be thousands of paths and hundreds of patterns.
    ///
    /// - Parameter path: the names of the path, as bytes.
    func matches(_ path: [[UInt8]]) -> Bool {
        guard let name = path.last else { return false }
        return matches(folders: path.dropLast()) { $0.matches(name) }
    }

    /// Returns whether a new name in a folder matches, either for every number that it may get (`anyNumber`) or for at
    /// least one.
    func matches(newName stem: String, _ suffix: String, in folder: [[UInt8]], anyNumber: Bool) -> Bool {
        matches(folders: folder[...]) { $0.matches(Array("\(stem)-".utf8), anyDigits: anyNumber, Array(suffix.utf8)) }
    }

    /// Returns whether the pattern may match paths below this one: one of its folders has this name, or a `**` covers
    /// it.
    func couldHold(below path: [[UInt8]]) -> Bool {
        guard let name = path.last else { return false }
        if groups.flatMap(\.self).dropLast().contains(where: { $0.matches(name) }) { return true }
        return groups.indices.dropLast().contains { Self(groups: groups[...$0] + [[Glob("*")]]).matches(path) }
    }

    /// Returns whether folders and a name match, beginning with the name, which rules out most patterns. Each group
    /// before a `**` is matched at its last possible place, which leaves the most room for earlier groups. So no place
    /// is tried twice.
    private func matches(folders: ArraySlice<[UInt8]>, isName: (Glob) -> Bool) -> Bool {
        guard let end = groups.last, let name = end.last, isName(name) else { return false }
        var rest = folders
        guard Self.isEnd(end.dropLast(), of: rest) else { return false }
        rest = rest.dropLast(end.count - 1)
        for group in groups.dropLast().reversed() {
            while !Self.isEnd(group[...], of: rest) {
                guard rest.count > group.count else { return false }
                rest = rest.dropLast()
            }
            rest = rest.dropLast(group.count)
        }
        return true
    }

    private static func isEnd(_ parts: ArraySlice<Glob>, of path: ArraySlice<[UInt8]>) -> Bool {
        parts.count <= path.count && zip(parts.reversed(), path.reversed()).allSatisfy { $0.matches($1) }
    }
}
