import Glibc
import Vocabulary

/// Returns the real path of an absolute path, with all links resolved. The file need not exist.
package func realPath(_ path: String) -> String { LinkWay(path).end }

/// The resolution of a path through links, name by name, as the kernel does it. The file need not exist.
struct LinkWay {
    /// The links in the path, each by its real path.
    private(set) var links: [String] = []
    /// The absolute paths of the file: as first written, and after each link. They contain no `.` and `..`.
    private(set) var names: [String] = []
    /// The real path. The last names need not exist, and the target of a link need not, either.
    private(set) var end = "/"
    /// Whether all links on the way have targets in UTF-8. Otherwise the resolution stops, but the kernel would go on.
    private(set) var isWhole = true

    /// The number of links that the kernel follows in one path.
    private static let linksLimit = 40

    /// - Parameter path: absolute.
    init(_ path: String) {
        var walk = Walk(path.pathNames)
        note(walk)
        while let link = walk.next() {
            let target = linkTarget(link)
            isWhole = isWhole && target != nil
            guard links.count < Self.linksLimit, let target else {
                walk.enter()
                continue
            }
            links.append(link)
            walk.follow(target)
            note(walk)
        }
        end = walk.place.path
    }

    private mutating func note(_ walk: Walk) {
        var plain = walk.place
        for name in walk.rest.reversed() { plain.go(name) }
        names.append(plain.path)
    }
}

/// A resolver of many links. It follows each link only once, and looks at each other entry only once.
struct LinkEnds {
    private var ends: [[UInt8]: String] = [:]
    private var plain: Set<[UInt8]> = []
    private var left: Int

    /// - Parameter names: the most names that the targets of all links may have together.
    init(names: Int = Limits.followedNames) { left = names }

    /// Returns the real path that a link leads to, which need not exist. A circle ends at one of its links.
    ///
    /// - Parameter link: the real path of the link's folder, and the link's name.
    /// - Throws: `tooManyFiles`.
    mutating func end(of link: String) throws(Failure) -> String {
        if let known = ends[Array(link.utf8)] { return known }
        // A stack: each link leads through the next, and the last is followed first.
        var open = [(link: link, walk: try walk(from: link))]
        var opened: Set = [Array(link.utf8)]
        while true {
            let index = open.count - 1
            guard let inner = open[index].walk.next({ look(at: $0) }) else {
                let (link, walk) = open.removeLast()
                ends[Array(link.utf8)] = walk.place.path
                if open.isEmpty { return walk.place.path }
                continue
            }
            if let known = ends[Array(inner.utf8)] {
                open[index].walk.jump(to: known)
            } else if opened.insert(Array(inner.utf8)).inserted {
                open.append((inner, try walk(from: inner)))
            } else {
                open[index].walk.enter()
            }
        }
    }

    private mutating func walk(from link: String) throws(Failure) -> Walk {
        var walk = Walk([lastName(of: link)], at: parent(of: link))
        if let target = linkTarget(link) { walk.follow(target) }
        left -= walk.rest.count
        guard left >= 0 else {
            throw Failure(
                .tooManyFiles, "The links of this folder lead through too many names.",
                remedy: "Begin a session in a folder further down."
            )
        }
        return walk
    }

    private mutating func look(at place: Place) -> Walk.Look {
        if plain.contains(place.bytes) { return .plain }
        let look = Walk.look(at: place)
        if look == .plain { plain.insert(place.bytes) }
        return look
    }
}

/// A path that is resolved from name to name.
private struct Walk {
    enum Look { case nothing, link, plain }

    /// The part of the path that is resolved.
    private(set) var place: Place
    /// The names that remain, in reverse order.
    private(set) var rest: [String]
    /// Whether all names so far exist. The names after a missing one are taken as written.
    private var isThere = true

    /// - Parameter folder: a real path.
    init(_ names: [String], at folder: String = "/") {
        rest = names.reversed()
        place = Place(folder)
    }

    static func look(at place: Place) -> Look {
        var status = stat()
        guard lstat(place.path, &status) == 0 else { return .nothing }
        return status.kind == .link ? .link : .plain
    }

    /// Goes on to the next link, and returns its path. The link is then the next of the remaining names. Returns `nil`
    /// at the end of the path.
    mutating func next(_ look: (Place) -> Look = Walk.look) -> String? {
        while let name = rest.last {
            if isThere, !name.isSameName(as: "."), !name.isSameName(as: "..") {
                var inner = place
                inner.go(name)
                switch look(inner) {
                case .link: return inner.path
                case .nothing: isThere = false
                case .plain: break
                }
            }
            enter()
        }
        return nil
    }

    /// Enters the next name without following a link.
    mutating func enter() { if let name = rest.popLast() { place.go(name) } }

    /// Replaces the next name, which is a link, by the target of the link.
    mutating func follow(_ target: String) {
        _ = rest.popLast()
        if target.utf8.first == UInt8(ascii: "/") { place = Place("/") }
        rest += target.pathNames.reversed()
    }

    /// Replaces the next name, which is a link, by the known real path of its target.
    mutating func jump(to realPath: String) {
        _ = rest.popLast()
        place = Place(realPath)
    }
}

/// An absolute path to which names are added.
private struct Place {
    /// The bytes of the path, without a slash at the end. The root is empty.
    private(set) var bytes: [UInt8]

    init(_ path: String) { bytes = path == "/" ? [] : Array(path.utf8) }

    var path: String { bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self) }

    /// Adds a name. `.` changes nothing, and `..` leads to the parent folder.
    mutating func go(_ name: String) {
        if name.isSameName(as: ".") { return }
        guard name.isSameName(as: "..") else {
            bytes.append(UInt8(ascii: "/"))
            bytes += Array(name.utf8)
            return
        }
        bytes.removeSubrange((bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
    }
}
