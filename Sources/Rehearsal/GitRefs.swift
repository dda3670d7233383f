import Files
import Vocabulary

extension Limits {
    /// The most refs of a repository that are read.
    private static let gitRefs = 10_000

    /// The most bytes of a file with many refs, and of the log of the stash.
    fileprivate static let gitRefBytes = 8 << 20

    /// The deepest folder of refs.
    fileprivate static let gitRefDepth = 32

    /// The most names in one folder of refs.
    fileprivate static let gitRefNames = gitRefs
}

/// The refs of a repository at one moment (`gitrepository-layout`).
struct GitRefs: Hashable {
    /// The content of HEAD: the name of a commit, or `ref: refs/heads/main`. It is `nil` if there is none.
    var head: String?
    /// The values of the refs by their full names, without the stash.
    var values: [String: String] = [:]
    /// The commits of the stash, the oldest first.
    var stashes: [String] = []
    /// The commits at which other work trees are.
    private var worktrees: [String] = []

    init() {}

    /// Reads the refs of a git folder.
    ///
    /// - Parameters:
    ///   - folder: the git folder, as a path below the workspace. It need not exist.
    ///   - common: the folder with the refs. Of a work tree that is linked to a repository it is another one.
    /// - Returns: `nil` if something in them is not known.
    init?(_ folder: String, common: String, in state: WorkspaceState) {
        self.init()
        guard readPacked(common, state), readLoose("refs", common, state, depth: 0) else { return nil }
        values["refs/stash"] = nil
        if state.status(GitPlaces.join(folder, "HEAD")) != nil {
            guard let value = Self.value(GitPlaces.join(folder, "HEAD"), state) else { return nil }
            head = value
        }
        let log = GitPlaces.join(common, "logs/refs/stash")
        if let text = state.text(log, limit: Limits.gitRefBytes) {
            stashes = text.split(separator: "\n").compactMap { line in
                line.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init)
            }
            guard stashes.allSatisfy(Self.isName) else { return nil }
        } else if state.status(log) != nil {
            return nil
        }
        let others = GitPlaces.join(common, "worktrees")
        for name in state.names(others, limit: Limits.gitRefNames) ?? [] {
            guard let value = Self.value("\(others)/\(name)/HEAD", state), Self.isName(value) else { continue }
            worktrees.append(value)
        }
    }

    /// The commit that HEAD means, or `nil` if its branch has none.
    var headCommit: String? { head.flatMap { name in Self.branch(name).map { values[$0] } ?? name } }

    /// The branch that HEAD names, or `nil` if it names a commit.
    var headBranch: String? { head.flatMap(Self.branch) }

    /// The objects that keep the history, without the stash.
    var tips: Set<String> {
        Set(values.values.filter(Self.isName) + worktrees + [headCommit].compactMap(\.self))
    }

    private static func branch(_ head: String) -> String? { head.hasPrefix("ref: ") ? String(head.dropFirst(5)) : nil }

    /// Whether a text is the name of an object: 40 or 64 hexadecimal digits in lower case.
    static func isName(_ text: String) -> Bool {
        [40, 64].contains(text.utf8.count)
            && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Returns the value in the file of a ref, or `nil` if it is not known.
    private static func value(_ path: String, _ state: WorkspaceState) -> String? {
        guard let text = state.text(path, limit: Limits.gitNoteBytes) else { return nil }
        let line = String(text.reversed().drop { $0.isWhitespace }.reversed())
        if isName(line) { return line }
        guard line.hasPrefix("ref:"), !line.contains("\n") else { return nil }
        let target = line.dropFirst(4).drop { $0 == " " || $0 == "\t" }
        return target.hasPrefix("refs/") ? "ref: \(target)" : nil
    }

    private mutating func readPacked(_ folder: String, _ state: WorkspaceState) -> Bool {
        let path = GitPlaces.join(folder, "packed-refs")
        guard state.status(path) != nil else { return true }
        guard let text = state.text(path, limit: Limits.gitRefBytes) else { return false }
        for line in text.split(separator: "\n") where line.first != "#" && line.first != "^" {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, Self.isName(String(words[0])) else { return false }
            values[String(words[1])] = String(words[0])
        }
        return values.count <= Limits.gitRefNames
    }

    /// Reads the refs in a folder. They precede those in `packed-refs`.
    private mutating func readLoose(
        _ name: String, _ folder: String, _ state: WorkspaceState, depth: Int
    ) -> Bool {
        let path = GitPlaces.join(folder, name)
        switch state.status(path)?.kind {
        case nil: return true
        case .link, .special: return false
        case .file:
            if name.hasSuffix(".lock") { return true }
            guard let value = Self.value(path, state) else { return false }
            values[name] = value
            return values.count <= Limits.gitRefNames
        case .folder:
            guard depth < Limits.gitRefDepth, let inner = state.names(path, limit: Limits.gitRefNames) else {
                return false
            }
            return inner.allSatisfy { readLoose("\(name)/\($0)", folder, state, depth: depth + 1) }
        }
    }
}
