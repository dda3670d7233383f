import Files
import Glibc
import Sandbox
import Vocabulary

extension Limits {
    /// The most new commits, and the most lost ones, that are described.
    static let gitCommits = 10_000

    /// The seconds of processor time for each program of git that reads a repository.
    fileprivate static let gitSeconds = 1

    /// The seconds after which reading a repository ends in any case.
    fileprivate static let gitWaitSeconds = 30.0

    /// The most bytes that git may write about a repository.
    fileprivate static let gitAnswerBytes = 16 << 20
}

/// The reading of commits by git's plumbing, in the sandbox, over a git folder of its own that borrows the objects. No
/// configuration, hook, attribute or replacement of the repository is seen, so nothing of it runs.
struct GitHistory {
    /// The real paths of the folders with the objects of the workspace, and with those that the command made.
    var objects: (lower: String?, upper: String?) = (nil, nil)
    /// The tips that are new or moved, and all that was there before.
    var newTips: [String] = []
    var oldTips: [String] = []
    /// The tips from which commits may be lost, and all that is there afterwards.
    var lostFrom: [String] = []
    var keptBy: [String] = []
    /// The index before and after without its extensions, with the commits that they are compared with.
    var indexes: [(content: [UInt8], commit: String)] = []
    /// The content of the list of commits whose parents are left out (`shallow`).
    var shallow: [UInt8]?
    /// Whether objects are named by SHA-256.
    var isLong = false

    struct Commit: Hashable {
        var id: String
        var parents: [String]
    }

    /// A path that a commit or an index changes.
    struct Change: Hashable {
        var path: [UInt8]
        var kind: GitChange.Path.Kind
        /// The mode afterwards, such as `0o100644`.
        var mode: Int
        /// The name of the content afterwards.
        var id: String
    }

    struct Object: Hashable {
        var isTree: Bool
        var name: String
    }

    struct Answer {
        /// The new commits, children before their parents.
        var commits: [Commit] = []
        /// The differences of each commit from each of its parents, in their order.
        var changes: [String: [[Change]]] = [:]
        var lost = 0
        /// The objects that the new tips mean, in their order.
        var peeled: [Object] = []
        /// The entries of each index that differ from its commit.
        var staged: [[Change]] = []
        /// The trees that the entries of each index make, by their paths. It is `nil` for an index with conflicts.
        var trees: [[[UInt8]: String]?] = []

        /// Whether there is a difference of each commit from each of its parents, or from nothing if it has none.
        var isWhole: Bool { commits.allSatisfy { changes[$0.id]?.count == max(1, $0.parents.count) } }

        var allChanges: Set<Change> { Set(changes.values.joined().joined()).union(staged.joined()) }
    }

    /// The commands. All values come from files and arguments, which hold hexadecimal digits only.
    private static let script = """
        set -e
        cd "$GIT_DIR/.."
        git cat-file --batch-check='%(objecttype) %(objectname)' < tips > types
        git rev-list --ignore-missing --parents --topo-order --max-count=$1 --stdin < new > commits
        git rev-list --ignore-missing --count --max-count=$1 --stdin < lost > count
        while read -r commit parents; do
          [ -n "$parents" ] || echo "$commit"
          for parent in $parents; do echo "$commit $parent"; done
        done < commits > pairs
        git diff-tree --stdin --always --root -r -z --raw --no-renames < pairs > changes
        if [ -d objects1 ]; then
          export GIT_ALTERNATE_OBJECT_DIRECTORIES=objects0
          GIT_OBJECT_DIRECTORY=objects1 git fsck --no-full --no-dangling --no-progress > checked
          unset GIT_ALTERNATE_OBJECT_DIRECTORIES
          for pack in objects1/pack/*.idx; do
            if [ -f "$pack" ]; then git verify-pack "$pack"; fi
          done
        fi
        shift
        n=0
        for commit in "$@"; do
          GIT_INDEX_FILE=index$n git diff-index --cached -z --raw --no-renames "$commit" -- > staged$n
          if GIT_INDEX_FILE=index$n git write-tree --missing-ok > tree; then
            read -r tree < tree
            printf '040000 tree %s\\t\\0' "$tree" > trees$n
            git ls-tree -r -t -d -z "$tree" >> trees$n
          fi
          n=$((n + 1))
        done
        """

    /// Runs git. What the command made as objects is compared with their names, since git itself does not do so when it
    /// checks files out.
    ///
    /// - Parameter folder: a folder that does not exist. It is made, and removed afterwards.
    /// - Returns: `nil` if git could not read all of it within its limits.
    func answer(in folder: String, sandbox: Isolation) throws(Failure) -> Answer? {
        removeFolder(folder)
        defer { removeFolder(folder) }
        try prepare(folder)
        let commits = indexes.map(\.commit)
        var command = ProgramCommand(
            ["sh", "-c", Self.script, "sh", String(Limits.gitCommits + 1)] + commits, in: folder)
        command.readable = [objects.lower, objects.upper].compactMap(\.self)
        command.variables = [
            "GIT_DIR=\(folder)/repository", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
            "GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
        ]
        command.processorSeconds = Limits.gitSeconds
        command.timeoutSeconds = Limits.gitWaitSeconds
        command.fileBytes = Limits.gitAnswerBytes
        let child = try Child.start(command, sandbox: sandbox, in: RunFolder(folder))
        guard child.wait(cancel: Cancellation()) == .exited(0) else { return nil }
        return try read(folder)
    }

    private func prepare(_ folder: String) throws(Failure) {
        let repository = "\(folder)/repository"
        for path in [folder, repository, "\(repository)/refs", "\(repository)/objects/info"] { try makeFolders(path) }
        func write(_ lines: [String], _ name: String) throws(Failure) {
            try OpenFile("\(folder)/\(name)", O_WRONLY | O_CREAT | O_EXCL).write(
                Array(lines.map { "\($0)\n" }.joined().utf8))
        }
        try write(["ref: refs/heads/none"], "repository/HEAD")
        let format = isLong ? ["repositoryformatversion = 1"] : ["repositoryformatversion = 0"]
        let long = isLong ? ["[extensions]", "objectformat = sha256"] : []
        try write(
            ["[core]"] + format + ["bare = true", "commitGraph = false", "multiPackIndex = false"] + long,
            "repository/config")
        for (number, path) in [objects.lower, objects.upper].enumerated() {
            if let path { try link(path, "\(folder)/objects\(number)") }
        }
        // The objects that the command made precede those that were there.
        let places = [objects.upper.map { _ in "../../objects1" }, objects.lower.map { _ in "../../objects0" }]
        try write(places.compactMap(\.self), "repository/objects/info/alternates")
        for (number, index) in indexes.enumerated() {
            try OpenFile("\(folder)/index\(number)", O_WRONLY | O_CREAT | O_EXCL).write(index.content)
        }
        if let shallow { try OpenFile("\(repository)/shallow", O_WRONLY | O_CREAT | O_EXCL).write(shallow) }
        try write(newTips.map { "\($0)^{}" }, "tips")
        try write(newTips + oldTips.map { "^\($0)" }, "new")
        try write(lostFrom + keptBy.map { "^\($0)" }, "lost")
    }

    private func link(_ target: String, _ path: String) throws(Failure) {
        guard symlink(target, path) == 0 else { throw fileFailure("make", path) }
    }

    // MARK: Answers

    private func read(_ folder: String) throws(Failure) -> Answer? {
        func lines(_ name: String) throws(Failure) -> [[Substring]] {
            String(decoding: try readWhole("\(folder)/\(name)", limit: Limits.gitAnswerBytes), as: UTF8.self)
                .split(separator: "\n").map { $0.split(separator: " ") }
        }
        var answer = Answer()
        for words in try lines("types") {
            guard words.count == 2, words[1] != "missing" else { return nil }
            answer.peeled.append(Object(isTree: words[0] == "tree", name: String(words[1])))
        }
        for words in try lines("commits") {
            guard let id = words.first else { return nil }
            answer.commits.append(Commit(id: String(id), parents: words.dropFirst().map(String.init)))
        }
        guard let count = try lines("count").first?.first.flatMap({ Int($0) }), count <= Limits.gitCommits,
            answer.commits.count <= Limits.gitCommits, answer.peeled.count == newTips.count
        else { return nil }
        answer.lost = count
        let changes = try readWhole("\(folder)/changes", limit: Limits.gitAnswerBytes)
        guard let read = Self.changes(changes) else { return nil }
        answer.changes = read
        guard answer.isWhole else { return nil }
        for number in indexes.indices {
            let staged = try readWhole("\(folder)/staged\(number)", limit: Limits.gitAnswerBytes)
            guard let read = Self.changes(staged) else { return nil }
            answer.staged.append(read[""]?.first ?? [])
            answer.trees.append(try trees("\(folder)/trees\(number)"))
        }
        return answer
    }

    /// Reads the names of trees with their paths. The first is the whole tree, with an empty path.
    private func trees(_ path: String) throws(Failure) -> [[UInt8]: String]? {
        guard access(path, F_OK) == 0 else { return nil }
        var trees: [[UInt8]: String] = [:]
        for line in try readWhole(path, limit: Limits.gitAnswerBytes).split(separator: 0) {
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = parts[0].split(separator: UInt8(ascii: " ")).last else { continue }
            trees[Array(parts[1])] = String(decoding: name, as: UTF8.self)
        }
        return trees
    }

    /// Reads the raw form of differences with NUL (`git-diff-tree`, "Raw output format"), by the commit before them.
    static func changes(_ bytes: [UInt8]) -> [String: [[Change]]]? {
        var (changes, commit) = (["": [[Change]()]], "")
        var fields = bytes.split(separator: 0, omittingEmptySubsequences: false)[...]
        while let field = fields.popFirst() {
            guard field.first == UInt8(ascii: ":") else {
                // The name of a commit stands before its changes, and nothing after the last NUL.
                let name = String(decoding: field, as: UTF8.self)
                if name.isEmpty, fields.isEmpty { break }
                guard GitRefs.isName(name) else { return nil }
                commit = name
                changes[commit, default: []].append([])
                continue
            }
            let words = String(decoding: field.dropFirst(), as: UTF8.self).split(separator: " ")
            guard words.count == 5, let mode = Int(words[1], radix: 8), let letter = words[4].first,
                let path = fields.popFirst(), !path.isEmpty
            else { return nil }
            let kind: GitChange.Path.Kind =
                switch letter {
                case "A": .added
                case "D": .removed
                default: .changed
                }
            let last = changes[commit, default: [[]]].count - 1
            changes[commit]?[last].append(Change(path: Array(path), kind: kind, mode: mode, id: String(words[3])))
        }
        return changes
    }
}
