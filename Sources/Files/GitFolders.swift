import Glibc
package import Vocabulary

extension Limits {
    /// The most words of the settings of a repository that are compared with paths.
    fileprivate static let gitSettingsWords = 1000
}

/// The search for git folders around paths that a tool writes. Git obeys what lies there, or goes on with it
/// (`consent.md`, "Git").
package struct GitFolders {
    /// The paths that the same call makes, with the folders above them.
    private var made: Set<[UInt8]> = []
    private var known: [[UInt8]: Bool] = [:]
    /// The paths that the settings of repositories name, by their folders.
    private var places: [[UInt8]: [String]] = [:]

    /// Returns the targets of a tool that writes files. Those below a git folder are marked.
    package static func marked(_ targets: [Call.Target]) -> [Call.Target] {
        let changing = targets.filter(\.changesFile)
        guard !changing.isEmpty else { return targets }
        var folders = GitFolders()
        for target in changing where target.effect != .deletes { folders.noteMade(target.changedPath ?? "") }
        return targets.map { target in
            guard target.changesFile, let path = target.changedPath, folders.hold(path) else { return target }
            var target = target
            target.isGitState = true
            return target
        }
    }

    /// Returns the targets of a rehearsed command. Files and folders that the settings of a repository around them name
    /// are marked: a program, a folder of hooks, a file that is included.
    package static func markedByNames(_ targets: [Call.Target]) -> [Call.Target] {
        var folders = GitFolders()
        return targets.map { target in
            guard !target.isGitState, target.changesFile, let path = target.path, folders.isNamed(path) else {
                return target
            }
            var target = target
            target.isGitState = true
            return target
        }
    }

    private mutating func noteMade(_ path: String) {
        var names = path.pathNames[...]
        while !names.isEmpty, made.insert(Self.key(names)).inserted { names.removeLast() }
    }

    private static func key(_ names: ArraySlice<String>) -> [UInt8] { Array(names.joined(separator: "/").utf8) }

    /// Returns whether a path is `.git`, or lies below a git folder.
    private mutating func hold(_ path: String) -> Bool {
        let names = path.pathNames
        if names.contains(where: { $0.utf8.elementsEqual(".git".utf8) }) { return true }
        return names.indices.contains { isGit(names[..<$0]) } || isNamed(path)
    }

    /// Returns whether the settings of a repository around a path name the path, or a folder around it.
    private mutating func isNamed(_ path: String) -> Bool {
        let names = path.pathNames
        return names.indices.contains { index in
            obeyedPlaces(in: names[..<index]).contains { path.isSameName(as: $0) || path.path(below: $0) != nil }
        }
    }

    /// Returns the absolute paths that the settings of the repository in a folder may name.
    private mutating func obeyedPlaces(in names: ArraySlice<String>) -> [String] {
        let key = Self.key(names)
        if let known = places[key] { return known }
        let folder = "/\(names.joined(separator: "/"))"
        var found: [String] = []
        for git in ["\(folder)/.git", folder] {
            guard let settings = Self.settings("\(git)/config") else { continue }
            // A word of a command, too, may be a path from the top of the work tree, or from the git folder.
            let words = settings.obeyedValues.flatMap { $0.split { " \t\"';|&()!=".contains($0) } }.prefix(
                Limits.gitSettingsWords)
            for word in words where word != "/" {
                for base in [folder, git] {
                    if let place = Self.plain(word.hasPrefix("/") ? String(word) : "\(base)/\(word)"), place != folder {
                        found.append(place)
                    }
                }
            }
        }
        places[key] = found
        return found
    }

    private static func settings(_ path: String) -> GitSettings? {
        // A folder without a repository is the usual case.
        guard faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        do throws(Failure) {
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let status = try file.status()
            guard status.kind == .file, status.st_size <= Limits.gitConfigBytes else { return nil }
            return String(validating: try file.read(Int(status.st_size)), as: UTF8.self).flatMap(GitSettings.init)
        } catch { return nil }
    }

    /// Returns an absolute path without `.` and `..`, or `nil` if it leads above the root.
    private static func plain(_ path: String) -> String? {
        var names: [String] = []
        for name in path.pathNames where name != "." {
            guard name == ".." else {
                names.append(name)
                continue
            }
            guard names.popLast() != nil else { return nil }
        }
        return names.isEmpty ? nil : "/" + names.joined(separator: "/")
    }

    private mutating func isGit(_ names: ArraySlice<String>) -> Bool {
        let key = Self.key(names)
        if let known = known[key] { return known }
        let folder = "/\(names.joined(separator: "/"))"
        func has(_ name: String) -> Bool {
            made.contains(Self.key(names + [name]))
                || faccessat(AT_FDCWD, "\(folder)/\(name)", F_OK, AT_SYMLINK_NOFOLLOW) == 0
        }
        let isGit = has("HEAD") && (has("commondir") || has("objects") && has("refs"))
        known[key] = isGit
        return isGit
    }
}

extension Call.Target {
    fileprivate var changesFile: Bool { [.creates, .overwrites, .deletes].contains(effect) }

    /// The path of the target, or the first one of a new name.
    fileprivate var changedPath: String? { path ?? place.numbered(1) }
}
