import Glibc
import Vocabulary

extension Limits {
    /// The most files, folders and links that count as Assent's own. If there are more, calls are refused.
    package static let ownPaths = 1_000
}

/// All paths that belong to Assent: its folders, the rules of the workspace, and the targets of links in them. For
/// example, if `settings.yaml` is a link into a folder of dotfiles, the target belongs to Assent, even before it
/// exists.
package struct OwnPaths: Hashable, Sendable {
    /// Real paths of files and folders, and of the links that lead to them. Everything below them belongs to Assent,
    /// too.
    package private(set) var paths: [String] = []
    /// The folders without the targets of links in them. A link that came with a workspace may lead to any folder of
    /// it.
    private(set) var folders: [String] = []
    /// Whether `paths` is complete. After `Limits.ownPaths` entries, the search stops.
    private var areAll = true
    private var known: Set<[UInt8]> = []

    /// Creates an empty list.
    init() {}

    /// Finds Assent's paths.
    ///
    /// - Parameter workspace: a real path.
    package init(_ own: OwnFolders, workspace: String) {
        // Rules and settings have subfolders (`tools`, `keys`, `templates` …) that are searched for links. The data
        // folder has none.
        for folder in [own.config, "\(workspace)/.assent"] { add(folder, depth: 2) }
        for folder in [own.data, own.cache] { add(folder, depth: 1) }
        folders = own.all.map { realPath($0) } + RehearsalState.made(for: workspace, data: own.data)
    }

    /// Throws an error if the list is incomplete.
    ///
    /// - Throws: `tooManyFiles`.
    func checkAll() throws(Failure) {
        guard !areAll else { return }
        throw Failure(
            .tooManyFiles,
            "There are more than \(Limits.ownPaths) links in Assent's own folders, or one that leads to no name in UTF-8: nobody knows what "
                + "else is its own.",
            remedy: "Look at .assent in the workspace, and at Assent's folder of settings.")
    }

    /// Adds a path, and the targets of links below it.
    ///
    /// - Parameter depth: how many levels below the path are searched for links.
    private mutating func add(_ path: String, depth: Int) {
        areAll = areAll && paths.count < Limits.ownPaths
        guard areAll else { return }
        let way = LinkWay(path)
        areAll = areAll && way.isWhole
        for place in way.links + [way.end] where known.insert(Array(place.utf8)).inserted { paths.append(place) }
        guard depth > 0 else { return }
        // A missing folder contains no links.
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

    /// Whether a real path belongs to Assent, or the list is incomplete. The `.assent` of any folder belongs to Assent,
    /// too: it holds the rules for sessions in that folder, and no tool may write its own rules.
    package func contains(_ path: String) -> Bool {
        !areAll || paths.contains { path.path(below: $0) != nil }
            || path.pathNames.contains { $0.isSameName(as: ".assent") }
    }

    /// Whether one of Assent's paths lies below a real path, or the list is incomplete. A link in place of that path
    /// would lead to another file.
    package func isBelow(_ path: String) -> Bool { !areAll || paths.contains { $0.path(below: path) != nil } }
}

private func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.kind == .link
}
