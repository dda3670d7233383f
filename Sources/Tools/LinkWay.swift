import Glibc
import Vocabulary

/// The real path of what an absolute one leads to, whether something is there yet or not.
package func realPath(_ path: String) -> String { LinkWay(path).end }

/// The way of a path through links, name by name, as the kernel goes it. What is not there yet has a way, too.
struct LinkWay {
    /// The links that it goes through, each by its real path.
    private(set) var links: [String] = []
    /// The paths that it has on the way, as first written and after each link, without `.` and `..`.
    private(set) var names: [String] = []
    /// Its real path: also of what is not there, and of what a link leads to that leads nowhere.
    private(set) var end = "/"
    /// Whether every link on it leads to a name in UTF-8: the kernel follows others, too.
    private(set) var isWhole = true

    /// As many as the kernel follows.
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

/// Where many links lead. However they lead through each other, each is followed once, and what is no link is looked at
/// once.
struct LinkEnds {
    private var ends: [[UInt8]: String] = [:]
    private var plain: Set<[UInt8]> = []
    private var left: Int

    /// - Parameter names: how many all their targets may have together.
    init(names: Int = Limits.followedNames) { left = names }

    /// The real path that a link leads to, whether something is there yet or not. A circle ends at one of its links.
    ///
    /// - Parameter link: the real path of the folder that it is in, and its name.
    /// - Throws: `tooManyFiles`.
    mutating func end(of link: String) throws(Failure) -> String {
        if let known = ends[Array(link.utf8)] { return known }
        // Each leads through the next: the last is followed first.
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
                "tooManyFiles", "The links of this folder lead through too many names.",
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

/// A path that is walked from name to name.
private struct Walk {
    enum Look { case nothing, link, plain }

    /// How far it has come.
    private(set) var place: Place
    /// The names that are still to come, the last first.
    private(set) var rest: [String]
    /// What lies behind a name that is not there is taken as it is written.
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

    /// Goes on up to the next link, which is the next name then. `nil` at the end.
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

    /// The next name is where it goes, whatever it is.
    mutating func enter() { if let name = rest.popLast() { place.go(name) } }

    /// The next name is a link to a path.
    mutating func follow(_ target: String) {
        _ = rest.popLast()
        if target.utf8.first == UInt8(ascii: "/") { place = Place("/") }
        rest += target.pathNames.reversed()
    }

    /// The next name is a link to what is known to be this.
    mutating func jump(to realPath: String) {
        _ = rest.popLast()
        place = Place(realPath)
    }
}

/// An absolute path that names are added to.
private struct Place {
    /// Without the slash at the end that the root has.
    private(set) var bytes: [UInt8]

    init(_ path: String) { bytes = path == "/" ? [] : Array(path.utf8) }

    var path: String { bytes.isEmpty ? "/" : String(decoding: bytes, as: UTF8.self) }

    /// `.` stays, and `..` goes to the folder above.
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
