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

    /// As many as the kernel follows.
    private static let linksLimit = 40

    /// - Parameter path: absolute.
    init(_ path: String) {
        var done: [String] = []
        var rest = path.pathNames
        note(done + rest)
        // What lies behind a name that is not there is taken as it is written.
        var isThere = true
        while let name = rest.first {
            rest.removeFirst()
            if name.isSameName(as: ".") { continue }
            if name.isSameName(as: "..") {
                _ = done.popLast()
                continue
            }
            let here = "/" + (done + [name]).joined(separator: "/")
            var status = stat()
            isThere = isThere && lstat(here, &status) == 0
            guard isThere, status.kind == .link, links.count < Self.linksLimit, let target = linkTarget(here) else {
                done.append(name)
                continue
            }
            links.append(here)
            if target.utf8.first == UInt8(ascii: "/") { done = [] }
            rest = target.pathNames + rest
            note(done + rest)
        }
        end = "/" + done.joined(separator: "/")
    }

    private mutating func note(_ parts: [String]) {
        var plain: [String] = []
        for part in parts where !part.isSameName(as: ".") {
            if part.isSameName(as: "..") { _ = plain.popLast() } else { plain.append(part) }
        }
        names.append("/" + plain.joined(separator: "/"))
    }
}
