import Files
package import Glibc
package import Vocabulary

extension Limits {
    /// The most folders above a workspace in which a repository is looked for.
    fileprivate static let enclosingFolders = 32
}

/// A repository that git uses in a workspace although a part of it lies outside: the workspace is a subfolder of its
/// work tree, or a linked worktree, or a submodule. All paths are real ones.
package struct EnclosingRepository: Hashable {
    /// The top folder of the work tree.
    package let workTree: String
    /// The folders outside of the workspace that git reads, one or two.
    package let readings: [String]
    /// The folder in which a session may write to the repository, or `nil` if it would be the home folder or one above.
    package let start: String?

    /// Finds the repository that git would use in a folder of a workspace.
    ///
    /// - Parameters:
    ///   - folder: the real path of the folder in which git runs.
    ///   - home: the real path of the user's home folder. A repository there or above it is not used.
    ///   - user: the user to whom the repository must belong.
    /// - Returns: `nil` if there is none, if it belongs to another user, or if all of it lies in the workspace.
    package static func around(
        _ folder: String, in workspace: String, home: String?, user: uid_t = geteuid()
    ) -> EnclosingRepository? {
        var place = folder
        let device = device(of: workspace)
        for _ in 0...Limits.enclosingFolders {
            let isAbove = place.path(below: workspace) == nil
            // Git looks on one file system only.
            guard !["/", "/tmp"].contains(place), !isAbove || Self.device(of: place) == device,
                !isAbove || home.map({ $0.path(below: place) == nil }) ?? true
            else { return nil }
            switch git(of: place, user) {
            case .none: break
            case .unusable: return nil
            case .folders(let folders):
                return EnclosingRepository(place, folders, isAbove: isAbove, workspace, home)
            }
            guard let parent = above(place) else { return nil }
            place = parent
        }
        return nil
    }

    private init?(_ workTree: String, _ folders: [String], isAbove: Bool, _ workspace: String, _ home: String?) {
        var readings = isAbove ? [workTree] : []
        for folder in folders where !(readings + [workspace]).contains(where: { folder.path(below: $0) != nil }) {
            readings.append(folder)
        }
        guard !readings.isEmpty else { return nil }
        self.workTree = workTree
        self.readings = readings
        let whole = folders.reduce(workTree) { Self.common($0, Self.place(of: $1)) }
        start = whole == "/" || home?.path(below: whole) != nil ? nil : whole
    }

    /// The `.git` of a folder.
    private enum Git {
        case none
        /// A `.git` that leads to no repository, or belongs to another user.
        case unusable
        /// The folder that all worktrees share, and the worktree's own if it lies elsewhere.
        case folders([String])
    }

    private static func git(of place: String, _ user: uid_t) -> Git {
        let path = place.child(".git")
        var (own, found, above) = (stat(), stat(), stat())
        guard lstat(path, &own) == 0, stat(path, &found) == 0 else { return .none }
        guard own.st_uid == user, lstat(place, &above) == 0, above.st_uid == user else { return .unusable }
        var folder = path
        switch found.kind {
        // Like git, the search passes over an empty folder.
        case .folder where !isRepository(path): return .none
        case .folder: break
        case .file:
            guard let line = line(path), line.hasPrefix("gitdir:") else { return .unusable }
            folder = joined(String(line.dropFirst(7).drop { $0 == " " }), in: place)
        case .link, .special: return .unusable
        }
        let repository = realPath(folder)
        guard isRepository(repository), isOwned(repository, by: user) else { return .unusable }
        guard let line = line(repository.child("commondir")) else { return .folders([repository]) }
        let common = realPath(joined(line, in: repository))
        guard isRepository(common), isOwned(common, by: user) else { return .unusable }
        return .folders([common, repository])
    }

    private static func isRepository(_ folder: String) -> Bool {
        GitPlaces.isRepository { access(folder.child($0), F_OK) == 0 }
    }

    private static func isOwned(_ path: String, by user: uid_t) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.kind == .folder && status.st_uid == user
    }

    /// Returns the first line of a small file that git wrote, or `nil` if it cannot be read.
    private static func line(_ path: String) -> String? {
        guard let bytes = try? readWhole(path, limit: Limits.gitNoteBytes),
            let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0)
        else { return nil }
        return text.split(whereSeparator: \.isNewline).first.map { line in
            String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
    }

    private static func joined(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : folder.child(path)
    }

    /// Returns the folder in which a session sees a repository whole: of `repo/.git` it is `repo`.
    private static func place(of repository: String) -> String {
        lastName(of: repository).isSameName(as: ".git") ? parent(of: repository) : repository
    }

    private static func device(of path: String) -> dev_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_dev : nil
    }

    private static func above(_ path: String) -> String? { path == "/" ? nil : parent(of: path) }

    /// Returns the lowest folder that holds both paths.
    private static func common(_ one: String, _ other: String) -> String {
        let names = zip(one.pathNames, other.pathNames).prefix { $0.isSameName(as: $1) }.map(\.0)
        return "/" + names.joined(separator: "/")
    }
}

extension EnclosingRepository {
    /// The sentence that says where the repository can be written, without a full stop.
    var advice: String {
        let (tree, isSplit) = (workTree, readings != [workTree])
        let what =
            isSplit
            ? "the repository of \(tree) lies partly outside of this folder (\(readings.joined(separator: ", ")))"
            : "this folder is a part of the repository \(tree)"
        guard let start else {
            return
                "\(what), and git may only read it here; run this in your own shell or on the bare machine"
        }
        return "\(what), and git may only read it here; to write to it, run 'cd \(start)' and start Assent there"
    }

    /// The advice as the beginning of a sentence.
    package var sentence: String { advice.prefix(1).uppercased() + advice.dropFirst() }

    /// Returns the failure of a command that would write to the repository.
    package func refusal(of verb: String) -> Failure {
        Failure(
            .repositoryElsewhere, "'git \(verb)' was not run: \(advice).",
            remedy: "Nothing was changed. Verbs that only read work here, such as git status, log, diff and show.")
    }
}
