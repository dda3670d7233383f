import Glibc
package import Vocabulary

extension Limits {
    /// The most words of the settings of a repository that are compared with paths. With more, all paths count.
    fileprivate static let gitSettingsWords = 2000

    /// The most configurations that include each other.
    fileprivate static let gitIncludes = 10

    /// The most bytes of a file of git that holds one path.
    fileprivate static let gitLineBytes = 8192
}

/// The search for git folders around paths that a tool writes. Git obeys what lies there, or goes on with it
/// (`consent.md`, "Git").
package struct GitFolders {
    /// The paths that the same call makes, with the folders above them.
    private var made: Set<[UInt8]> = []
    private var known: [[UInt8]: Bool] = [:]
    /// The paths that the settings of repositories name, by their folders.
    private var places: [[UInt8]: [Place]] = [:]

    package init() {}

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
            guard !target.isGitState, target.changesFile, let path = target.path else { return target }
            guard
                ([path] + target.otherPaths).contains(where: {
                    folders.names($0, isFolder: target.change?.kind == .folder)
                })
            else { return target }
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
        return names.indices.contains { isGit(names[..<$0]) } || self.names(path)
    }

    /// Returns whether the settings of a repository around a path name the path, or a folder around it.
    package mutating func names(_ path: String, isFolder: Bool = false) -> Bool {
        let names = path.pathNames
        return names.indices.contains { index in
            obeyedPlaces(in: names[..<index]).contains { place in
                (place.isFolder || !isFolder) && path.isSameName(as: place.path)
                    || place.isFolder && path.path(below: place.path) != nil
            }
        }
    }

    /// A path that settings may name, and whether what lies below it counts.
    private struct Place {
        var path: String
        var isFolder: Bool
    }

    /// Returns the places that the settings of the repository in a folder may name.
    private mutating func obeyedPlaces(in names: ArraySlice<String>) -> [Place] {
        let key = Self.key(names)
        if let known = places[key] { return known }
        let folder = "/\(names.joined(separator: "/"))"
        let found = Self.configurations(around: folder).flatMap { Self.places(in: $0, around: folder, depth: 0) }
        places[key] = found
        return found
    }

    /// Returns the configurations of the repository of a work tree, or of a folder that is a repository itself.
    private static func configurations(around folder: String) -> [String] {
        var gits = [folder]
        let git = folder.child(".git")
        if let line = line(git), line.hasPrefix("gitdir:") {
            let named = String(line.dropFirst("gitdir:".count).drop { $0 == " " })
            if let place = plain(named.hasPrefix("/") ? named : "\(folder)/\(named)") {
                gits.append(place)
                let common = Self.line(place.child("commondir"))
                if let common, let shared = plain(common.hasPrefix("/") ? common : "\(place)/\(common)") {
                    gits.append(shared)
                }
            }
        } else {
            gits.append(git)
        }
        return gits.flatMap { [$0.child("config"), $0.child("config.worktree")] }
    }

    /// Returns the places in a configuration and in those that it includes.
    private static func places(in file: String, around folder: String, depth: Int) -> [Place] {
        guard depth < Limits.gitIncludes, let settings = settings(file) else { return [] }
        let git = parent(of: file)
        var found: [Place] = []
        for (key, value) in settings.obeyedValues {
            // A word of a command, too, may be a path from the top of the work tree, or from the git folder.
            let words = [value[...]] + value.split { " \t\"'`$;|&(){}<>!=,:%".contains($0) }
            guard found.count + words.count <= Limits.gitSettingsWords else {
                return [Place(path: folder, isFolder: true)]
            }
            for word in words where word != "/" && !word.isEmpty {
                let isFolder = key == "core.hookspath" || word.contains("/")
                let bases = word.hasPrefix("/") ? ["", folder] : [folder, git]
                for place in bases.compactMap({ plain("\($0)/\(word)") }) where place != folder && place != git {
                    found.append(Place(path: place, isFolder: isFolder))
                }
            }
            if key.hasSuffix(".path"), let included = plain(value.hasPrefix("/") ? value : "\(git)/\(value)") {
                found += places(in: included, around: folder, depth: depth + 1)
            }
        }
        return found
    }

    /// Returns the first line of a small file, or `nil` if there is none.
    private static func line(_ path: String) -> String? {
        guard let bytes = content(path, limit: Limits.gitLineBytes) else { return nil }
        return String(validating: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private static func content(_ path: String, limit: Int) -> [UInt8]? {
        // A folder without a repository is the usual case.
        guard faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        do throws(Failure) {
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            guard status.kind == .file, status.st_size <= limit else { return nil }
            return try file.read(Int(status.st_size))
        } catch { return nil }
    }

    private static func settings(_ path: String) -> GitSettings? {
        content(path, limit: Limits.gitConfigBytes).flatMap { GitSettings(content: $0) }
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
