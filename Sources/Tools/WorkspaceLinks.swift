import Glibc
import Vocabulary

/// The links of a workspace by what they lead to. Whoever obeys a file finds it under any of its names: where `.vscode`
/// leads to `conf`, `conf/tasks.json` is `.vscode/tasks.json`, too.
struct WorkspaceLinks {
    /// Paths of links by the bytes of the real path that they lead to, whether something is there yet or not.
    private var links: [[UInt8]: [String]] = [:]
    /// Whether these are all.
    private(set) var isWhole = true

    /// There are none.
    init() {}

    /// - Parameters:
    ///   - workspace: a real path.
    ///   - own: Assent's own folders are not looked into.
    ///   - isPartial: whether not all have to be looked at (`isWhole`); those near the top come first.
    ///   - names: how many the targets of all links may have together.
    /// - Throws: `tooManyFiles`.
    init(
        of workspace: String, but own: OwnPaths, isPartial: Bool = false, names: Int = Limits.followedNames
    ) throws(Failure) {
        let survey = try FolderSurvey(of: workspace, but: own.folders, isPartial: isPartial)
        isWhole = survey.isWhole
        var ends = LinkEnds(names: names)
        for link in survey.links {
            // Or it leads to a name that is no text: the kernel follows it all the same.
            guard linkTarget(link) != nil else {
                isWhole = false
                continue
            }
            let end: String
            do throws(Failure) { end = try ends.end(of: link) } catch {
                guard isPartial else { throw error }
                isWhole = false
                return
            }
            // A circle of links leads nowhere.
            guard !end.isSameName(as: link), links[Array(end.utf8)]?.count ?? 0 < Limits.otherPaths else { continue }
            links[Array(end.utf8), default: []].append(link)
        }
    }

    /// Those alone that are called as what holds keys: a file is one of keys also where it is read by its own name. All
    /// of the workspace are looked for; outside of it, and where there are too many files, those in the folders on the
    /// way to the file.
    ///
    /// - Parameter path: a real path.
    init(ofKeysTo path: String, in workspace: String, but own: OwnPaths) {
        var found: [String] = []
        if path.path(below: workspace) != nil,
            let survey = try? FolderSurvey(of: workspace, but: own.folders, isPartial: true)
        {
            // Called as a file of keys, or as a folder of them.
            found = survey.links.filter {
                SecretFiles.holds($0) || SecretFiles.holds($0 + "/a") || KeyFolder(named: lastName(of: $0)) != nil
            }
            isWhole = survey.isWhole
        } else {
            isWhole = false
        }
        var folder = path
        while !isWhole, folder != "/", folder != workspace {
            folder = parent(of: folder)
            found += SecretFiles.linkNames.map { folder.child($0) }.filter { linkTarget($0) != nil }
        }
        for link in found { links[Array(realPath(link).utf8), default: []].append(link) }
    }

    /// Other paths that a new name may have, whatever its number, sorted by their bytes: a link may lead to what is not
    /// there yet.
    ///
    /// - Parameter names: paths by which it would be found without its number.
    func otherPaths(ofNew place: Call.Place, names: [String]) -> [String] {
        guard let first = place.numbered(1) else { return [] }
        let numbered = names.map { sibling(of: $0, lastName(of: first)) }
        let ends = links.keys.map { String(decoding: $0, as: UTF8.self) }.filter(place.couldBe)
        let all = ends.reduce(into: Set(otherPaths(of: numbered, but: first).map { Array($0.utf8) })) { all, end in
            all.formUnion(otherPaths(of: end).map { Array($0.utf8) })
        }
        return all.sorted { $0.lexicographicallyPrecedes($1) }.prefix(Limits.otherPaths).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Other paths of a file, sorted by their bytes; `Limits.otherPaths` of them where there are more.
    func otherPaths(of path: String) -> [String] { otherPaths(of: [path], but: path) }

    /// - Parameter names: paths of one file that are known.
    func otherPaths(of names: [String], but real: String) -> [String] {
        var seen: Set<[UInt8]> = [Array(real.utf8)]
        var found: [String] = []
        /// Each with the links that were used: none is gone through twice, so that circles end.
        var open: [(name: String, used: [String])] = []
        func add(_ name: String, _ used: [String]) {
            guard found.count < Limits.otherPaths, seen.insert(Array(name.utf8)).inserted else { return }
            found.append(name)
            open.append((name, used))
        }
        for name in names { add(name, []) }
        open.append((real, []))
        var next = 0
        while next < open.count, found.count < Limits.otherPaths, !links.isEmpty {
            let (name, used) = open[next]
            next += 1
            let parts = name.pathNames
            for count in parts.indices.map({ $0 + 1 }).reversed() where found.count < Limits.otherPaths {
                let above = "/" + parts[..<count].joined(separator: "/")
                for link in links[Array(above.utf8)] ?? [] where !used.contains(where: { $0.isSameName(as: link) }) {
                    guard found.count < Limits.otherPaths else { break }
                    add(([link] + parts[count...]).joined(separator: "/"), used + [link])
                }
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
