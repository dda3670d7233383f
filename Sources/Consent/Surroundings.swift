package import Vocabulary

/// The folders relative to which calls are judged. All paths are real paths (links resolved), without a slash at the
/// end.
package struct Surroundings: Hashable, Sendable {
    /// The folder where the session began. If it is `/`, no file counts as in the workspace.
    package var workspace: String
    /// The user's home, for which `~` stands in rules. If it is the workspace, even reads need a question.
    package var home: String?
    /// Assent's config, data and cache folders with the destinations of links in them. They never belong to a
    /// workspace.
    package var ownFolders: [String]
    /// The folders in which the user's shell looks for programs, as they are written and their real paths.
    package private(set) var searchFolders: [String] = []
    /// The folders of rules that are links, with their destinations.
    private var linkedFolders: [LinkedFolder] = []

    /// A folder of a rule, as an absolute path, and its real path.
    private struct LinkedFolder: Hashable { var written: String, real: String }

    package init(workspace: String, home: String? = nil, ownFolders: [String] = []) {
        self.workspace = workspace
        self.home = home
        self.ownFolders = ownFolders
    }

    /// Stores the real paths of all folders in the rules of a policy, since a rule also applies behind a link.
    package mutating func resolveFolders(of policy: Policy, _ real: (_ path: String) -> String) {
        for folder in policy.rules.flatMap(\.conditions.allFolders).compactMap({ expanded($0) }) {
            let end = real(folder)
            if !end.isSameName(as: folder) { linkedFolders.append(LinkedFolder(written: folder, real: end)) }
        }
    }

    /// Stores the folders of a search path, such as `/usr/local/bin:/usr/bin`. Relative folders are left out, since
    /// each folder could be meant.
    package mutating func resolveSearchPath(_ path: String, _ real: (_ path: String) -> String) {
        let folders = path.utf8.split(separator: UInt8(ascii: ":")).map { String(Substring($0)) }
        let written = folders.filter { $0.utf8.first == UInt8(ascii: "/") }.map {
            "/" + $0.pathNames.joined(separator: "/")
        }
        searchFolders = Set(written + written.map(real)).filter { $0 != "/" && $0.isPlainPath }.sorted()
    }

    /// Returns the paths of a rule's folder: as it is written, and its real path. Returns `nil` if the path begins with
    /// `~` and the home is not known.
    func paths(of folder: String) -> [String]? {
        guard let written = expanded(folder) else { return nil }
        return [written] + linkedFolders.filter { $0.written.isSameName(as: written) }.map(\.real)
    }

    package var isHome: Bool { home.map { workspace.isSameName(as: $0) } ?? false }

    /// Returns how far a target is from the workspace: the reach that it declares, or a wider one if its path requires
    /// it.
    package func reach(of target: Call.Target) -> Reach {
        switch target.place {
        // A file with another name also lies there, at an unknown place.
        case .path, .newName:
            max(target.reach, isInWorkspace(target.place) && !target.hasOtherNames ? .workspace : .outside)
        case .host: max(target.reach, .remote)
        case .command: target.reach
        }
    }

    private func isInWorkspace(_ place: Call.Place) -> Bool {
        guard workspace != "/", workspace.isPlainPath, let path = place.path else { return false }
        return path.isUnder(workspace) && !ownFolders.contains { path.isUnder($0) }
    }

    /// Returns the absolute path of a rule's folder, which may be absolute, `~/…`, or relative to the workspace.
    /// Returns `nil` if it begins with `~` and the home is not known.
    func expanded(_ folder: String) -> String? {
        // By bytes: a slash and an accent that follows it are one character.
        if folder.utf8.first == UInt8(ascii: "/") { return folder }
        if folder == "." { return workspace }
        if folder == "~" { return home }
        if let below = folder.path(below: "~") { return home.map { "\($0)/\(below)" } }
        return "\(workspace)/\(folder.path(below: ".") ?? folder)"
    }
}

extension Call.Place {
    /// The path of a file, or of a new name with the first number, or `nil` for other places.
    var path: String? {
        switch self {
        case .path(let path): path
        case .newName: numbered(1)
        case .host, .command: nil
        }
    }

    var host: String? { if case .host(let host) = self { host } else { nil } }
    var command: [String]? { if case .command(let words) = self { words } else { nil } }
}

extension String {
    /// Whether this absolute path is the folder or lies in it. Bytes are compared: `é` written in two ways is two
    /// names. A path that is not plain is under nothing.
    func isUnder(_ folder: String) -> Bool {
        guard isPlainPath else { return false }
        let folder = folder.hasSuffix("/") ? folder.dropLast() : folder[...]
        guard utf8.starts(with: folder.utf8) else { return false }
        return utf8.count == folder.utf8.count
            || utf8[utf8.index(utf8.startIndex, offsetBy: folder.utf8.count)] == UInt8(ascii: "/")
    }

    /// Whether the path is absolute and has only one notation: no `.`, no `..`, no doubled or trailing slash, no NUL.
    var isPlainPath: Bool {
        guard utf8.first == UInt8(ascii: "/"), !utf8.contains(0) else { return false }
        let names = utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return self == "/"
            || !names.contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
}
