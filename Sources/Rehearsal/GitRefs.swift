import Files
import Vocabulary

extension Limits {
    /// The most refs of a repository that are read.
    fileprivate static let gitRefs = 100_000

    /// The most bytes of a file with many refs, and of all logs together.
    fileprivate static let gitRefBytes = 16 << 20

    /// The deepest folder of refs.
    fileprivate static let gitRefDepth = 32
}

/// The refs of a repository at one moment (`gitrepository-layout`), and the objects that its logs name. All names are
/// in the form of `GitText.ascii`.
struct GitRefs: Hashable {
    /// The content of HEAD: the name of a commit, or `ref: refs/heads/main`. It is `nil` if there is none.
    var head: String?
    /// The values of the refs by their full names, without the stash.
    var values: [String: String] = [:]
    /// The commits of the stash, the oldest first.
    var stashes: [String] = []
    /// The objects that logs and files such as `ORIG_HEAD` name.
    var logged: Set<String> = []
    /// The commits at which other work trees are.
    private var worktrees: [String] = []
    private var bytes = 0

    init() {}

    /// Reads the refs of a git folder.
    ///
    /// - Parameters:
    ///   - folder: the git folder, as a path below the workspace. It need not exist.
    ///   - common: the folder with the refs. Of a work tree that is linked to a repository it is another one.
    /// - Returns: `nil` if something in them is not known.
    init?(_ folder: String, common: String, in state: WorkspaceState) {
        self.init()
        guard readPacked(common, state), readFolder("refs", common, state, 0), readFolder("logs", common, state, 0)
        else { return nil }
        if folder != common {
            // Its own refs, such as those of a bisection.
            var own = GitRefs()
            guard readFolder("logs", folder, state, 0), own.readFolder("refs", folder, state, 0) else { return nil }
            note(own.values.values.filter(Self.isName))
        }
        let stash = values.removeValue(forKey: "refs/stash")
        // Without the ref, git knows none of the entries. Without its log, it knows one.
        stashes = stash.map { stashes.last == $0 ? stashes : stashes + [$0] } ?? []
        if state.status(GitPlaces.join(folder, "HEAD")) != nil {
            guard let value = Self.value(GitPlaces.join(folder, "HEAD"), state) else { return nil }
            head = value
        }
        for place in Set([folder, common]) { readHeads(place, state) }
        let others = GitPlaces.join(common, "worktrees")
        for name in state.names(others, limit: Limits.gitRefs) ?? [] {
            guard let value = Self.value("\(others)/\(name)/HEAD", state), Self.isName(value) else { continue }
            worktrees.append(value)
        }
    }

    /// The commit that HEAD means, or `nil` if its branch has none.
    var headCommit: String? {
        var value = head
        // A ref may name another one, as git allows five times.
        for _ in 0...5 {
            guard let name = value.flatMap(Self.target) else { return value.flatMap { Self.isName($0) ? $0 : nil } }
            value = values[name]
        }
        return nil
    }

    /// The branch that HEAD names, or `nil` if it names a commit.
    var headBranch: String? { head.flatMap(Self.target) }

    /// The objects that keep the history, without the stash.
    var tips: Set<String> {
        Set(values.values.filter(Self.isName) + worktrees + [headCommit].compactMap(\.self))
    }

    /// Returns the name in `ref: NAME`, or `nil` for the name of an object.
    private static func target(_ value: String) -> String? {
        value.hasPrefix("ref: ") ? String(value.dropFirst(5)) : nil
    }

    /// Whether a text is the name of an object: 40 or 64 hexadecimal digits in lower case.
    static func isName(_ text: String) -> Bool {
        [40, 64].contains(text.utf8.count)
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    private static let newline = UInt8(ascii: "\n")

    /// Returns the value in the file of a ref, or `nil` if it is not known.
    private static func value(_ path: String, _ state: WorkspaceState) -> String? {
        guard var content = state.content(path, limit: Limits.gitNoteBytes) else { return nil }
        if content.last == newline { content.removeLast() }
        let line = GitText.ascii(content)
        if isName(line) { return line }
        guard line.hasPrefix("ref: refs/"), !content.contains(where: { $0 < 32 || $0 == 127 }) else { return nil }
        return line.utf8.last == UInt8(ascii: " ") ? nil : line
    }

    /// Reads `packed-refs`, whose names are in the order of their bytes.
    private mutating func readPacked(_ folder: String, _ state: WorkspaceState) -> Bool {
        let path = GitPlaces.join(folder, "packed-refs")
        guard state.status(path) != nil else { return true }
        guard let content = state.content(path, limit: Limits.gitRefBytes), !content.contains(UInt8(ascii: "\r")) else {
            return false
        }
        var last: ArraySlice<UInt8> = []
        for line in content.split(separator: Self.newline) {
            if line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: "^") { continue }
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard words.count == 2, Self.isName(GitText.ascii(words[0])), last.lexicographicallyPrecedes(words[1])
            else { return false }
            last = words[1]
            values[GitText.ascii(words[1])] = GitText.ascii(words[0])
        }
        return values.count <= Limits.gitRefs
    }

    /// Reads the refs or the logs in a folder. Refs there precede those in `packed-refs`.
    private mutating func readFolder(_ name: String, _ folder: String, _ state: WorkspaceState, _ depth: Int) -> Bool {
        let path = GitPlaces.join(folder, name)
        switch state.status(path)?.kind {
        case nil: return true
        case .link, .special: return false
        case .file:
            if name.hasSuffix(".lock") { return true }
            if name.path(below: "logs") != nil { return readLog(name, path, state) }
            guard let value = Self.value(path, state) else { return false }
            values[GitText.ascii(name.utf8)] = value
            return values.count <= Limits.gitRefs
        case .folder:
            guard depth < Limits.gitRefDepth, let inner = state.names(path, limit: Limits.gitRefs) else { return false }
            return inner.allSatisfy { readFolder("\(name)/\($0)", folder, state, depth + 1) }
        }
    }

    /// Reads a log: the names of two objects at the beginning of each line.
    private mutating func readLog(_ name: String, _ path: String, _ state: WorkspaceState) -> Bool {
        guard let content = state.content(path, limit: Limits.gitRefBytes - bytes) else { return false }
        bytes += content.count
        for line in content.split(separator: Self.newline) {
            let words = line.split(separator: UInt8(ascii: " ")).map(GitText.ascii)
            guard words.count >= 2, words.prefix(2).allSatisfy(Self.isName) else { return false }
            // `git checkout -` goes to what the message of a line names.
            note(words.filter(Self.isName))
            if name == "logs/refs/stash" { stashes.append(words[1]) }
        }
        return true
    }

    /// Reads the files such as `ORIG_HEAD` and `FETCH_HEAD`, of which each line begins with the name of an object.
    private mutating func readHeads(_ folder: String, _ state: WorkspaceState) {
        for name in state.names(folder, limit: Limits.gitRefs) ?? [] where name.hasSuffix("_HEAD") {
            let content = state.content(GitPlaces.join(folder, name), limit: Limits.gitRefBytes) ?? []
            for line in content.split(separator: Self.newline) {
                note(line.split(whereSeparator: { $0 <= 32 }).prefix(1).map(GitText.ascii).filter(Self.isName))
            }
        }
    }

    private mutating func note(_ names: [String]) {
        logged.formUnion(names.filter { !$0.utf8.allSatisfy { $0 == UInt8(ascii: "0") } })
    }
}
