extension Limits {
    /// The most names of files in one line about a change of git.
    fileprivate static let gitNamesTold = 3

    /// The hexadecimal digits of a commit that are shown.
    fileprivate static let gitDigitsTold = 7

    /// The most keys of a configuration in one line.
    fileprivate static let gitKeysTold = 4
}

extension GitChange {
    /// The change in git's own words, such as `commit 1a2b3c4 on main: 2 files, + Makefile`. Names are raw, so the text
    /// must be made safe before it reaches a screen.
    package var words: String {
        switch what {
        case .initialized: "init a git repository"
        case .deleted: "repository deleted"
        case .commits(let commits):
            (commits.count == 1
                ? "\(commits.isMerge ? "merge" : "commit") \(Self.short(commits.tip))"
                : counted(commits.count, "commit"))
                + " on \(Self.branch(commits.ref)): \(commits.paths.words)"
        case .ref(let ref): ref.words
        case .lost(let count): "\(counted(count, "commit")) no longer reachable"
        case .index(let paths) where paths.count == 0: "index refreshed"
        case .index(let paths): "index: \(counted(paths.count, "path"))" + paths.names
        case .config(let keys):
            "config: " + keys.prefix(Limits.gitKeysTold).map(Self.quoted).joined(separator: ", ")
                + (keys.count > Limits.gitKeysTold ? " and \(keys.count - Limits.gitKeysTold) more" : "")
        case .stash(let made, 0, let paths):
            (made == 1 ? "stash made" : "\(made) stashes made") + ": \(paths.words)"
        case .stash(0, let dropped, _): dropped == 1 ? "stash dropped" : "\(dropped) stashes dropped"
        case .stash(let made, let dropped, _): "stash: \(made) made, \(dropped) dropped"
        case .upkeep(let names, let removes):
            "git's \(names.joined(separator: ", ")) " + (removes ? "cleaned up" : "changed")
        case .unread(let reason): "change .git (not known in detail: \(reason))"
        }
    }

    /// Returns the name of a commit or object in a short form.
    fileprivate static func short(_ id: String) -> String { String(id.prefix(Limits.gitDigitsTold)) }

    /// Returns the name of a branch without `refs/heads/`.
    fileprivate static func branch(_ ref: String) -> String {
        if let name = ref.path(below: "refs/heads") { return quoted(name) }
        if let name = ref.path(below: "refs/remotes") { return "remote branch \(quoted(name))" }
        if ref == logsOnly { return "no branch, in git's logs only" }
        return ref == "HEAD" ? "a detached HEAD" : quoted(ref)
    }
}

extension GitChange.Ref {
    /// The ref in words, such as `branch keep deleted`, `tag v1 made at 1a2b3c4` or `switch to main`.
    fileprivate var words: String {
        if name == "HEAD" {
            guard let after else { return "HEAD deleted" }
            if let target = after.withoutStart("ref: ") { return "switch to \(GitChange.branch(target))" }
            return "HEAD at \(GitChange.short(after))"
        }
        let kinds = [("refs/heads", "branch"), ("refs/tags", "tag"), ("refs/remotes", "remote branch")]
        let known = kinds.lazy.compactMap { start, kind in
            name.path(below: start).map { "\(kind) \(GitChange.quoted($0))" }
        }.first
        let named = known ?? "ref \(GitChange.quoted(name))"
        guard let after else { return "\(named) deleted" }
        let place = after.withoutStart("ref: ") ?? GitChange.short(after)
        return before == nil ? "\(named) made at \(place)" : "\(named) moved to \(place)"
    }
}

extension GitChange.Paths {
    fileprivate var words: String { counted(count, "file") + names }

    /// Returns the most telling names, such as `, + Makefile, − old.txt`: first those that the working files do not
    /// have, then new ones, then removed ones. Other changed files are only counted.
    fileprivate var names: String {
        func signs(_ path: GitChange.Path) -> String {
            switch path.kind {
            case .added: "+"
            case .changed: "~"
            case .removed: "−"
            }
        }
        let rest = named.filter { !$0.isElsewhere }
        let telling =
            named.filter(\.isElsewhere) + rest.filter { $0.kind == .added } + rest.filter { $0.kind == .removed }
        let told = telling.map { ", \(signs($0)) \(GitChange.quoted($0.path))" }
        let more = told.count - Limits.gitNamesTold
        return told.prefix(Limits.gitNamesTold).joined() + (more > 0 ? " and \(more) more" : "")
    }
}

extension GitChange {
    /// The place of commits in `Commits.ref` that only logs of git, or files such as `ORIG_HEAD`, lead to.
    package static let logsOnly = "logs"

    /// Returns a name in quotes if it holds signs with which it could pretend to be other words.
    fileprivate static func quoted(_ name: String) -> String {
        let isPlain =
            !name.isEmpty
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-_./+@=#".unicodeScalars.contains(scalar)
            }
        return isPlain ? name : "\"" + name.replacing("\"", with: "\\\"") + "\""
    }
}

extension String {
    /// Returns the rest of the text after a beginning, or `nil` if it begins differently.
    fileprivate func withoutStart(_ start: String) -> String? {
        hasPrefix(start) ? String(dropFirst(start.count)) : nil
    }
}

private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
