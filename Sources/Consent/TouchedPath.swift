import Vocabulary

/// A path that a call touches, as rules compare it: either one path, or all paths that a new name may get.
enum TouchedPath {
    case one(String)
    /// `folder/stem-NUMBERsuffix`
    case numbered(folder: String, stem: String, suffix: String)

    private var place: Call.Place {
        switch self {
        case .one(let path): .path(path)
        case .numbered(let folder, let stem, let suffix): .newName(folder: folder, stem: stem, suffix: suffix)
        }
    }

    /// The path, or the path with the first number.
    var path: String? { place.path }

    var isPlain: Bool { path?.isPlainPath ?? false }

    /// Returns whether the path is in a folder. For a new name, a rule that asks or denies may also name a file instead
    /// of a folder. A rule that allows must cover every number.
    func isUnder(_ folder: String, isAllowing: Bool) -> Bool {
        switch self {
        case .one(let path): path.isUnder(folder)
        case .numbered(let above, _, _): above.isUnder(folder) || (!isAllowing && place.couldBe(folder))
        }
    }

    /// Returns whether the file has one of the forms. No form depends on the number of a new name.
    func hasForm(of forms: [FileForm], _ change: Call.Change?, _ surroundings: Surroundings) -> Bool {
        guard let path else { return false }
        return forms.contains { $0.matches(path, change, searchFolders: surroundings.searchFolders) }
    }

    /// Returns whether the path matches one of the patterns.
    ///
    /// - Parameter isLink: whether a link replaces a folder. In that case paths below it are checked, too.
    func isNamed(by patterns: [NamePattern], isLink: Bool, isAllowing: Bool) -> Bool {
        switch self {
        case .one(let path):
            let names = path.names
            return patterns.contains { $0.matches(names) || (isLink && $0.couldHold(below: names)) }
        case .numbered(let folder, let stem, let suffix):
            let names = folder.names
            return patterns.contains { $0.matches(newName: stem, suffix, in: names, anyNumber: isAllowing) }
        }
    }
}

extension Call.Target {
    /// Returns the real path of the target. For rules that ask or deny, its other paths through links are included.
    func paths(isAllowing: Bool) -> [TouchedPath] {
        let others = isAllowing ? [] : otherPaths
        switch place {
        case .path(let path): return ([path] + others).map { .one($0) }
        case .newName(let folder, let stem, let suffix):
            let name = "\(stem)-1\(suffix)"
            return [.numbered(folder: folder, stem: stem, suffix: suffix)]
                + others.map { path in
                    guard path.utf8.count > name.utf8.count, path.utf8.suffix(name.utf8.count).elementsEqual(name.utf8),
                        path.utf8.dropLast(name.utf8.count).last == UInt8(ascii: "/")
                    else { return .one(path) }
                    let above = String(decoding: path.utf8.dropLast(name.utf8.count + 1), as: UTF8.self)
                    return .numbered(folder: above.isEmpty ? "/" : above, stem: stem, suffix: suffix)
                }
        case .host, .command: return []
        }
    }
}

extension String {
    fileprivate var names: [[UInt8]] { utf8.split(separator: UInt8(ascii: "/")).map { Array($0) } }
}
