/// How the path of a file ends, part by part: `*` within a part is any characters, `**` as a part is any number of
/// folders, also none; as the last it is whatever lies below.
struct NamePattern {
    /// What stands between two `**`: parts that follow each other. The last ends with the name of the file.
    private let groups: [[Glob]]

    /// - Parameter pattern: as `PatternGrammar` takes it.
    init(_ pattern: String) {
        let names = pattern.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
        // Below a folder lies a name.
        let parts = names.last == Self.anyFolders ? names + [Array("*".utf8)] : names
        groups = parts.split(separator: Self.anyFolders).map { $0.map { Glob($0) } }
    }

    private init(groups: [[Glob]]) { self.groups = groups }

    private static let anyFolders = Array("**".utf8)

    /// - Parameter path: the bytes of its names. There may be thousands of paths, and hundreds of patterns.
    func matches(_ path: [[UInt8]]) -> Bool {
        guard let name = path.last else { return false }
        return matches(folders: path.dropLast()) { $0.matches(name) }
    }

    /// The same for a new name in a folder: for some number that it may get, or whatever it is.
    func matches(newName stem: String, _ suffix: String, in folder: [[UInt8]], anyNumber: Bool) -> Bool {
        matches(folders: folder[...]) { $0.matches(Array("\(stem)-".utf8), anyDigits: anyNumber, Array(suffix.utf8)) }
    }

    /// Whether it may be about what lies below this path: one of its folders has this name, or it is one of any number
    /// of folders.
    func couldHold(below path: [[UInt8]]) -> Bool {
        guard let name = path.last else { return false }
        if groups.flatMap(\.self).dropLast().contains(where: { $0.matches(name) }) { return true }
        return groups.indices.dropLast().contains { Self(groups: groups[...$0] + [[Glob("*")]]).matches(path) }
    }

    /// The last name first: it is the one that tells most paths from most patterns. Of the places for what stands
    /// before a `**` the last leaves the most room to what is before that, so none is tried twice.
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
