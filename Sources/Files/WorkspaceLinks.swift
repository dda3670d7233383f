import Glibc
package import Vocabulary

/// The links of a workspace, by their targets. They give a file other paths, by which programs may find it: if
/// `.vscode` leads to `conf`, then `conf/tasks.json` is `.vscode/tasks.json`, too.
package struct WorkspaceLinks {
    /// The paths of links, by the bytes of the real path of their target, which need not exist.
    private var links: [[UInt8]: [String]] = [:]
    /// Whether the list is complete.
    package private(set) var isWhole = true

    /// Creates an empty list.
    package init() {}

    /// Finds the links of a workspace.
    ///
    /// - Parameters:
    ///   - workspace: a real path.
    ///   - own: Assent's own folders, which are not searched.
    ///   - isPartial: whether the list may be incomplete (`isWhole`). Links near the top are found first.
    ///   - names: the most names that the targets of all links may have together.
    /// - Throws: `tooManyFiles`.
    package init(
        of workspace: String, but own: OwnPaths, isPartial: Bool = false, names: Int = Limits.followedNames
    ) throws(Failure) {
        let survey = try FolderSurvey(of: workspace, but: own.folders, isPartial: isPartial)
        isWhole = survey.isWhole
        // A folder of the workspace that is mounted in it once more has two paths, as by a link.
        do throws(Failure) {
            for bound in try MountPoints.bound(in: workspace) {
                links[Array(bound.folder.utf8), default: []].append(bound.mount)
            }
        } catch {
            guard isPartial else { throw error }
            isWhole = false
        }
        var ends = LinkEnds(names: names)
        for link in survey.links {
            // The kernel also follows a link whose target is not UTF-8.
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

    /// Finds the links to a file whose names show that it holds keys, since it holds them under its own name, too.
    ///
    /// All links of the workspace are searched. For a file outside, or if there are too many files, only the folders
    /// above the file are searched.
    ///
    /// - Parameter path: a real path.
    package init(ofKeysTo path: String, in workspace: String, but own: OwnPaths) {
        var found: [String] = []
        if path.path(below: workspace) != nil,
            let survey = try? FolderSurvey(of: workspace, but: own.folders, isPartial: true)
        {
            // The link has the name of a file of keys, or of a folder of them.
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

    /// Returns other paths that a new file may have, with any number in its name, sorted by their bytes. They include
    /// links to files that do not exist yet.
    ///
    /// - Parameter names: the paths by which the file would be found without its number.
    package func otherPaths(ofNew place: Call.Place, names: [String]) -> [String] {
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

    /// Returns other paths of a file, sorted by their bytes, at most `Limits.otherPaths`.
    package func otherPaths(of path: String) -> [String] { otherPaths(of: [path], but: path) }

    /// Returns other paths of a file, sorted by their bytes, at most `Limits.otherPaths`.
    ///
    /// - Parameters:
    ///   - names: the known paths of the file.
    ///   - real: its real path, which is left out.
    package func otherPaths(of names: [String], but real: String) -> [String] {
        var seen: Set<[UInt8]> = [Array(real.utf8)]
        var found: [String] = []
        /// The paths to examine, each with the links that were used. No link is used twice, so that circles end.
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
