import Glibc
import Vocabulary

/// The hidden files that a repository tracks whose state a command has changed. To git they were empty files: a commit
/// of all would lose what is in them, and so would a stash.
struct TrackedFiles: ~Copyable {
    /// The workspace as it is, and what the command wrote.
    private let lower: OpenFolder
    private let upper: OpenFolder
    private let workspace: String
    private let list: ChangeList
    private var repositories: [String: Repository?] = [:]

    /// A repository whose state the command has changed.
    private struct Repository {
        /// The indexes before the command and after it; `nil` for an index that cannot be read, which may hold any
        /// path.
        var indexes: [GitIndex?]

        func holds(_ path: String, isFolder: Bool) -> Bool {
            indexes.contains { index in
                guard let index else { return true }
                return isFolder ? index.holdsAny(below: path) : index.holds(path)
            }
        }
    }

    /// Finds hidden files that are tracked by a repository whose state has changed.
    ///
    /// - Returns: paths below the workspace, a folder with a slash at its end.
    static func changed(by list: ChangeList, hidden: HiddenPaths, in rehearsal: Rehearsal) throws(Failure) -> [String] {
        guard !hidden.isEmpty, !list.steps.isEmpty else { return [] }
        var files = TrackedFiles(
            lower: try OpenFolder(rehearsal.workspace), upper: try OpenFolder(rehearsal.folder.upper), workspace: rehearsal.workspace,
            list: list)
        var tracked: [String] = []
        for path in hidden.files where files.isTracked(path, isFolder: false) { tracked.append(path) }
        for path in hidden.folders where files.isTracked(path, isFolder: true) { tracked.append("\(path)/") }
        return tracked
    }

    private init(lower: consuming OpenFolder, upper: consuming OpenFolder, workspace: String, list: ChangeList) {
        self.lower = lower
        self.upper = upper
        self.workspace = workspace
        self.list = list
    }

    /// Asks every repository around a file: a repository may have been made within another one later.
    private mutating func isTracked(_ path: String, isFolder: Bool) -> Bool {
        guard !path.hasPrefix("/") else { return false }
        var names = path.pathNames
        while !names.isEmpty {
            names.removeLast()
            let folder = names.joined(separator: "/")
            if let inner = Self.part(of: path, below: folder), let repository = repository(at: folder),
                repository.holds(inner, isFolder: isFolder)
            {
                return true
            }
        }
        return false
    }

    private mutating func repository(at folder: String) -> Repository? {
        if let known = repositories[folder] { return known }
        let found = look(folder)
        repositories[folder] = .some(found)
        return found
    }

    private func look(_ folder: String) -> Repository? {
        guard let place = gitFolder(of: folder) else { return nil }
        var places = [place]
        // A worktree shares refs and objects with others.
        if let common = text("\(place)/commondir"), let path = resolved(common, in: place) { places.append(path) }
        guard places.contains(where: { Self.isChanged($0, by: list.steps) }) else { return nil }
        return Repository(indexes: indexes(of: place, in: upper) + indexes(of: place, in: lower))
    }

    /// Returns `.git` in a folder, or the folder that the file `.git` names, as in a worktree and in a submodule.
    private func gitFolder(of folder: String) -> String? {
        let path = folder.isEmpty ? ".git" : "\(folder)/.git"
        switch kind(path) {
        case .folder: return path
        case .file:
            guard let line = text(path), line.hasPrefix("gitdir:") else { return nil }
            return resolved(String(line.dropFirst("gitdir:".count)), in: folder)
        case .link, .special, nil: return nil
        }
    }

    private func kind(_ path: String) -> stat.Kind? {
        (try? upper.file(path).status().kind) ?? (try? lower.file(path).status().kind)
    }

    private func text(_ path: String) -> String? {
        let bytes = read(path, in: upper) ?? read(path, in: lower)
        guard let bytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let line = text.split(separator: "\n").first ?? ""
        return String(line)
    }

    private func read(_ path: String, in folder: borrowing OpenFolder) -> [UInt8]? {
        guard let file = try? folder.file(path), let status = try? file.status(), status.kind == .file else { return nil }
        return try? file.read(Limits.gitNoteBytes)
    }

    /// Resolves a path that git has written in a file of a folder.
    ///
    /// - Returns: a path below the workspace; `nil` for one elsewhere, where the command changed nothing.
    private func resolved(_ written: String, in folder: String) -> String? {
        let written = String(written.drop { $0 == " " || $0 == "\t" })
        let whole = written.hasPrefix("/") ? written : "\(workspace)/\(folder)/\(written)"
        var names: [String] = []
        for name in whole.pathNames where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return ("/" + names.joined(separator: "/")).path(below: workspace)
    }

    /// Returns what of a path lies below a folder. Both are paths below the workspace, which is the empty path.
    private static func part(of path: String, below folder: String) -> String? { folder.isEmpty ? path : path.path(below: folder) }

    /// Whether something at, in or with the folder has come, gone or been replaced.
    private static func isChanged(_ folder: String, by steps: [ApplyStep]) -> Bool {
        steps.contains { step in
            part(of: step.path, below: folder) != nil
                || !step.setsOnly && part(of: folder, below: step.path) != nil
        }
    }

    private func indexes(of place: String, in folder: borrowing OpenFolder) -> [GitIndex?] {
        var found: [GitIndex?] = []
        var names = ["index"]
        while let name = names.popLast() {
            let file: OpenFile
            do throws(Failure) { file = try folder.file("\(place)/\(name)") } catch {
                if error.code != "fileNotFound" || name != "index" { found.append(nil) }
                continue
            }
            // A name that is gone.
            guard let status = try? file.status(), status.kind == .file else { continue }
            guard status.st_size <= Limits.gitIndexBytes, let bytes = try? file.read(Int(status.st_size)), let index = GitIndex(bytes)
            else {
                found.append(nil)
                continue
            }
            found.append(index)
            if let shared = index.shared, name == "index" { names.append(shared) }
        }
        return found
    }
}
