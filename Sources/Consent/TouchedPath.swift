import Vocabulary

/// A path that a call touches, as rules look at it: one name, or all that a new name may get until it is made.
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

    var isPlain: Bool { place.path?.isPlainPath ?? false }

    /// A rule may name one file as its folder. One that allows must cover whatever number comes.
    func isUnder(_ folder: String, isAllowing: Bool) -> Bool {
        switch self {
        case .one(let path): path.isUnder(folder)
        case .numbered(let above, _, _): above.isUnder(folder) || (!isAllowing && place.couldBe(folder))
        }
    }

    /// - Parameter isLink: whether it is a link in place of a folder: it puts whatever it leads to there.
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
    /// The real path; for rules that ask or deny also the others under which it is found.
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
