import Glibc
import Vocabulary

extension Limits {
    package static let ownPaths = 1_000
}

/// All that is Assent's own, by real paths: its folders, the rules of the workspace, and whatever links in them lead
/// to. A person may keep `settings.yaml` among other dotfiles: it is Assent's there, too, also while it is not there
/// yet.
package struct OwnPaths: Hashable, Sendable {
    /// Files and folders, and the links by which they are found. What lies below one is Assent's as well.
    package private(set) var paths: [String] = []
    /// The folders alone, without what links in them lead to: a link that came with a workspace may lead to any folder
    /// of it.
    private(set) var folders: [String] = []
    /// Of more than `Limits.ownPaths` the rest is not looked at.
    private var areAll = true
    private var known: Set<[UInt8]> = []

    /// Nothing is.
    init() {}

    /// - Parameter workspace: a real path.
    package init(_ own: OwnFolders, workspace: String) {
        // Rules and settings lie in folders of these two (`tools`, `keys`, `templates` …), data of ours does not.
        for folder in [own.config, "\(workspace)/.assent"] { add(folder, depth: 2) }
        for folder in [own.data, own.cache] { add(folder, depth: 1) }
        folders = own.all.map { realPath($0) } + RehearsalFolder.stateMade(for: workspace, data: own.data)
    }

    /// - Throws: `tooManyFiles` where there are more than are known.
    func checkAll() throws(Failure) {
        guard !areAll else { return }
        throw Failure(
            "tooManyFiles",
            "There are more than \(Limits.ownPaths) links in Assent's own folders, or one that leads to no name in UTF-8: nobody knows what "
                + "else is its own.",
            remedy: "Look at .assent in the workspace, and at Assent's folder of settings.")
    }

    /// - Parameter depth: how far links are looked for below it.
    private mutating func add(_ path: String, depth: Int) {
        areAll = areAll && paths.count < Limits.ownPaths
        guard areAll else { return }
        let way = LinkWay(path)
        areAll = areAll && way.isWhole
        for place in way.links + [way.end] where known.insert(Array(place.utf8)).inserted { paths.append(place) }
        guard depth > 0 else { return }
        // Where nothing is there, no links are.
        try? OpenFolder(way.end).each { (entry) throws(Failure) in
            guard let name = entry.name, entry.kind != .file, entry.kind != .special else { return }
            let inner = "\(way.end)/\(name)"
            if isLink(inner) { add(inner, depth: depth - 1) } else if depth > 1, isFolder(inner) { addLinks(in: inner) }
        }
    }

    private mutating func addLinks(in folder: String) {
        try? OpenFolder(folder).each { (entry) throws(Failure) in
            guard let name = entry.name, entry.kind == .link || entry.kind == nil, isLink("\(folder)/\(name)") else {
                return
            }
            add("\(folder)/\(name)", depth: 0)
        }
    }

    /// Whether a real path is one of these or lies in one, or nobody knows. Also the `.assent` of any folder: it holds
    /// the rules for a session that begins there, and no tool may write its own rules.
    func contains(_ path: String) -> Bool {
        !areAll || paths.contains { path.path(below: $0) != nil }
            || path.pathNames.contains { $0.isSameName(as: ".assent") }
    }

    /// Whether one of these lies below a real path: a link in its place would lead to another file.
    func isBelow(_ path: String) -> Bool { !areAll || paths.contains { $0.path(below: path) != nil } }
}

private func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.kind == .link
}
