import Embedded
import Files
import JSON
import Sandbox
import Vocabulary

/// The ways in which programs are installed below the home: the rows of `Config/programs.yaml`, which explains their
/// members.
struct ProgramLayouts: Sendable {
    struct Root: Sendable {
        /// A path that begins with `~`.
        let path: String
        let variable: String?
        /// Patterns of the caches in it, to which commands may write.
        let caches: [String]
        let fixed: [String]
    }

    struct Layout: Sendable {
        let name: String
        let root: Root
        /// The folders of the search path in the root, as patterns for each name. The root itself has none.
        let folders: [[String]]
        let others: [Root]
        /// The names of other variables, and paths that begin with `~`.
        let variables: [(name: String, path: String)]
    }

    let layouts: [Layout]
    /// Patterns of the caches in the home of a command.
    let caches: [String]

    /// The rows that ship with the program.
    static let shipped: ProgramLayouts = {
        do throws(JSONReader.Failure) {
            let text = try JSONReader.read(Embedded.text(at: "Config/programs.yaml") ?? "")
            return ProgramLayouts(text.array?.first ?? [:])
        } catch {
            // An embedded text that cannot be read never leaves the tests.
            return ProgramLayouts([:])
        }
    }()

    /// The variables of the user's environment that name roots.
    var variables: Set<String> { Set(layouts.flatMap { [$0.root] + $0.others }.compactMap(\.variable)) }

    /// Reads the rows. A row without a name or a root is left out, and the tests find it.
    init(_ json: JSON) {
        caches = (json["caches"]?.array ?? []).compactMap(\.string)
        layouts = (json["layouts"]?.array ?? []).compactMap { row in
            guard let name = row["name"]?.string, let root = row["root"].flatMap(Root.init) else { return nil }
            return Layout(
                name: name, root: root,
                folders: (row["folders"]?.array ?? []).compactMap(\.string).map { $0 == "." ? [] : $0.pathNames },
                others: (row["with"]?.array ?? []).compactMap(Root.init),
                variables: (row["variables"]?.object?.members ?? []).compactMap { member in
                    member.value.string.map { (member.key, $0) }
                })
        }
    }
}

extension ProgramLayouts.Root {
    fileprivate init?(_ json: JSON) {
        guard let path = json["path"]?.string else { return nil }
        self.path = path
        variable = json["variable"]?.string
        caches = (json["scratch"]?.array ?? []).compactMap(\.string)
        fixed = (json["fixed"]?.array ?? []).compactMap(\.string)
    }
}

/// The folders of the user in which programs may be installed, and the environment that names other ones.
struct ProgramHome: Sendable {
    /// The real path of the home.
    let path: String
    /// The variables of the user's environment that name roots.
    let variables: [String: String]

    /// Returns a path without `~`.
    func expanded(_ path: String) -> String {
        guard let below = path.path(below: "~") else { return path }
        return below.isEmpty ? self.path : self.path.child(below)
    }

    /// Returns the real path of a root. A list of folders in a variable means its first one.
    func place(of root: ProgramLayouts.Root) -> String {
        let named = root.variable.flatMap { variables[$0] }?.split(separator: ":").first.map { String($0) }
        return realPath(named.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? expanded(root.path))
    }
}

/// A folder with programs, with all that commands see of it once it is allowed.
struct ProgramPlace {
    var folder: ProgramFolder
    /// Whether programs lie directly in the folder that was asked for, so that it may be in a search path.
    var isSearched: Bool
    var roots: [PersonalPrograms.Root]
    var variables: [String]
}

extension ProgramLayouts {
    /// Returns the place of a folder with programs: the layout that it belongs to, or the folder alone, with the one
    /// above it if that has `lib`.
    ///
    /// - Parameter path: a real path, of a folder of the search path or of a root.
    /// - Returns: `nil` if commands may never see the folder, such as the home itself.
    func place(of path: String, in home: ProgramHome) -> ProgramPlace? {
        for layout in layouts {
            let root = home.place(of: layout.root)
            guard let below = path.path(below: root), Self.mayBeShown(root, in: home) else { continue }
            let names = below.pathNames
            let isSearched = layout.folders.contains { Self.fits(names, $0) }
            guard names.isEmpty || isSearched else { continue }
            let all = [layout.root] + layout.others
            let places = all.map { (root: $0, path: home.place(of: $0)) }.filter {
                isFolder($0.path) && Self.mayBeShown($0.path, in: home)
            }
            return ProgramPlace(
                folder: ProgramFolder(
                    path: root, layout: layout.name, others: places.map(\.path).filter { !$0.isSameName(as: root) },
                    shown: places.map(\.path)),
                isSearched: isSearched,
                roots: places.map { place in
                    var shown = PersonalPrograms.Root(
                        path: place.path, caches: place.root.caches, fixed: place.root.fixed)
                    shown.variable = place.root.variable.map { "\($0)=\(place.path)" }
                    return shown
                }, variables: layout.variables.map { "\($0.name)=\(home.expanded($0.path))" })
        }
        guard Self.mayBeShown(path, in: home) else { return nil }
        let above = parent(of: path)
        // The home, and the folders that all programs share, may have `lib` too.
        let root = isFolder(above.child("lib")) && Self.mayBeShown(above, in: home) ? above : path
        return ProgramPlace(
            folder: ProgramFolder(path: path, others: root == path ? [] : [root], shown: [root]), isSearched: true,
            roots: [PersonalPrograms.Root(path: root)], variables: [])
    }

    /// The folders outside of the home that hold more than programs, and the homes of others.
    private static let ofOthers = ["/tmp", "/run", "/proc", "/dev", "/sys", "/var", "/etc", "/boot", "/root", "/home"]
    /// The folders of the home that all programs share.
    private static let shared = ["~/.local", "~/.local/share", "~/.local/state", "~/.config", "~/.cache"]

    private static func fits(_ names: [String], _ patterns: [String]) -> Bool {
        names.count == patterns.count && zip(names, patterns).allSatisfy { GlobPattern($1).matches($0) }
    }

    /// Whether a folder may be shown to commands after a yes. The home and what is around it, folders of keys, and
    /// those of the kernel and of all programs together never are. A search path has no name with `:`.
    private static func mayBeShown(_ path: String, in home: ProgramHome) -> Bool {
        guard !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: ":") }),
            home.path.path(below: path) == nil, !SecretFiles.holds(path.child("x"))
        else { return false }
        if path.path(below: home.path) != nil {
            return !shared.contains { home.expanded($0).isSameName(as: path) }
        }
        if path.path(below: "/home/linuxbrew") != nil { return true }
        return path.pathNames.count > 1 && !ofOthers.contains { path.path(below: $0) != nil }
    }
}
