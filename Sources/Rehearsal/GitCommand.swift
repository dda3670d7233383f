/// A call of git in a shell command, as far as its words tell.
package struct GitCommand: Hashable {
    /// The folder in which git runs: absolute, or relative to the workspace. It is `nil` if the words do not tell.
    package var folder: String?
    /// The words after `git` and its options: the verb and its arguments.
    package var words: [String]

    package init(folder: String?, words: [String]) {
        self.folder = folder
        self.words = words
    }

    package var verb: String { words.first ?? "" }

    /// Whether the verb uses no repository that exists, such as `init` and `clone`.
    package var needsNoRepository: Bool { verb.isEmpty || ["init", "clone", "version", "help"].contains(verb) }

    /// Whether the call only reads its repository. A verb that is not known as reading writes.
    package var onlyReads: Bool { needsNoRepository || Self.reading.contains(verb) || hasReadingForm }

    private static let reading: Set<String> = [
        "annotate", "archive", "blame", "cat-file", "check-attr", "check-ignore", "check-mailmap", "check-ref-format",
        "cherry", "count-objects", "describe", "diff", "diff-files", "diff-index", "diff-tree", "for-each-ref",
        "format-patch", "fsck", "get-tar-commit-id", "grep", "log", "ls-files", "ls-remote", "ls-tree", "merge-base",
        "name-rev", "patch-id", "range-diff", "rev-list", "rev-parse", "shortlog", "show", "show-branch", "show-index",
        "show-ref", "status", "stripspace", "var", "verify-commit", "verify-pack", "verify-tag", "whatchanged",
    ]

    /// The forms of verbs that read with their first argument. An empty text is the verb alone.
    private static let readingForms: [String: Set<String>] = [
        "bisect": ["log", "view"], "bundle": ["create", "verify", "list-heads"], "config": ["get", "list"],
        "notes": ["", "list", "show"], "reflog": ["", "show", "list", "exists"],
        "remote": ["", "show", "get-url"], "sparse-checkout": ["list"], "stash": ["list", "show"],
        "submodule": ["", "status", "summary"], "worktree": ["list"],
    ]

    /// The options that make a verb a list. Beside them, names are patterns.
    private static let listing: [String: [String]] = [
        "branch": ["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"],
        "tag": [
            "-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "-v", "--verify",
        ],
        "config": ["-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color"],
    ]

    /// The other options with which a list stays one.
    private static let harmless: [String: [String]] = [
        "branch": [
            "-a", "-r", "-v", "-vv", "-av", "-avv", "-va", "-vva", "-rv", "-vr", "--all", "--remotes", "--verbose",
            "--show-current", "--sort", "--format", "--column", "--no-column", "--color", "--no-color", "--abbrev",
            "--no-abbrev", "-i", "--ignore-case", "--omit-empty",
        ],
        "tag": [
            "-n", "--sort", "--format", "--column", "--no-column", "--color", "-i", "--ignore-case", "--omit-empty",
        ],
        "config": [
            "--local", "--global", "--system", "--worktree", "--show-origin", "--show-scope", "--name-only", "-z",
            "--null", "--type", "--bool", "--int", "--path", "--default", "--includes", "--no-includes",
        ],
        "remote": ["-v", "--verbose"],
    ]

    private var hasReadingForm: Bool {
        let arguments = words.dropFirst()
        let (options, names) = (arguments.filter { $0.hasPrefix("-") }, arguments.filter { !$0.hasPrefix("-") })
        func isOne(_ option: String, of list: [String]?) -> Bool {
            let name = option.split(separator: "=", maxSplits: 1).first.map(String.init) ?? option
            return list?.contains(name) ?? false
                || verb == "tag" && name.hasPrefix("-n") && Int(name.dropFirst(2)) != nil
        }
        let (lists, others) = (Self.listing[verb], Self.harmless[verb])
        let isOnlyListing = options.allSatisfy { isOne($0, of: lists) || isOne($0, of: others) }
        switch verb {
        case "branch", "tag":
            return isOnlyListing && (names.isEmpty || options.contains { isOne($0, of: lists) })
        case "config":
            if let form = names.first, Self.readingForms[verb]?.contains(form) == true { return true }
            return isOnlyListing && (names.count == 1 || options.contains { isOne($0, of: lists) })
        case "symbolic-ref":
            return names.count == 1 && options.allSatisfy { ["--short", "-q", "--quiet"].contains($0) }
        case "hash-object": return !options.contains("-w")
        // Without an index it changes files of this folder alone.
        case "apply": return !options.contains { ["--index", "--cached", "-3", "--3way", "-N"].contains($0) }
        case "remote":
            return options.allSatisfy { isOne($0, of: others) } && Self.readingForms[verb]!.contains(names.first ?? "")
        default: return Self.readingForms[verb]?.contains(arguments.first ?? "") ?? false
        }
    }
}

extension GitCommand {
    /// Returns the calls of git in a shell command. Calls that only a shell could find, such as those in a variable or
    /// in a script, are not in the list.
    package static func all(in command: String) -> [GitCommand] { all(in: command, from: "", depth: 0) }

    /// The most commands within commands (`sh -c`) that are looked through.
    private static let depth = 4

    private static func all(in command: String, from folder: String?, depth: Int) -> [GitCommand] {
        var (found, folder) = ([GitCommand](), folder)
        guard depth < Self.depth else { return [] }
        for words in ShellWords.commands(in: command) {
            var (words, at) = (words[...], folder)
            skipWrappers(&words, &at)
            guard let name = words.popFirst() else {
                folder = at
                continue
            }
            switch name.split(separator: "/").last.map(String.init) ?? name {
            case "cd", "pushd", "chdir":
                let target = words.first { !$0.hasPrefix("-") || $0 == "-" }
                folder = target.flatMap { $0 == "-" ? nil : joined($0, to: folder) }
            case "popd": folder = nil
            case "git": found.append(GitCommand(words, at: at))
            case "sh", "bash", "dash", "zsh", "eval":
                let script = name == "eval" ? words.joined(separator: " ") : script(in: words)
                if let script { found += all(in: script, from: at, depth: depth + 1) }
            default: break
            }
        }
        return found
    }

    private init(_ words: ArraySlice<String>, at folder: String?) {
        var (words, folder) = (words, folder)
        while let option = words.first, option.hasPrefix("-") {
            words.removeFirst()
            switch option {
            case "-C": folder = words.popFirst().flatMap { Self.joined($0, to: folder) }
            case "-c", "--namespace", "--config-env", "--exec-path", "--super-prefix", "--attr-source":
                words = words.dropFirst()
            case "--git-dir", "--work-tree":
                words = words.dropFirst()
                folder = nil
            case "--help", "-h", "--version", "-v": words = []
            default: if option.hasPrefix("--git-dir=") || option.hasPrefix("--work-tree=") { folder = nil }
            }
        }
        self.init(folder: folder, words: Array(words))
    }

    private static func joined(_ path: String, to folder: String?) -> String? {
        // What a shell puts in is not known.
        guard !path.contains(where: { ShellWords.unknown == $0 }), !path.hasPrefix("~") else { return nil }
        return path.hasPrefix("/") ? path : folder.map { $0.isEmpty ? path : "\($0)/\(path)" }
    }

    private static func script(in words: ArraySlice<String>) -> String? {
        guard let option = words.firstIndex(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("c") })
        else { return nil }
        return words[words.index(after: option)...].first
    }

    /// Removes the words before the name of a program: assignments, words of the shell, and programs that run others.
    private static func skipWrappers(_ words: inout ArraySlice<String>, _ folder: inout String?) {
        var isWrapped = false
        while let word = words.first {
            if let sign = word.firstIndex(of: "="),
                word[..<sign].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            {
                if ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"].contains(String(word[..<sign])) { folder = nil }
            } else if wrappers.contains(word) {
                isWrapped = true
            } else if isWrapped, word.hasPrefix("-") || word.first?.isNumber == true {
                // An option of `env`, `timeout` and the like, or a time.
            } else {
                return
            }
            words.removeFirst()
        }
    }

    private static let wrappers: Set<String> = [
        "if", "then", "else", "elif", "do", "while", "until", "!", "{", "(", "time", "env", "command", "exec", "nice",
        "nohup", "timeout", "xargs", "sudo", "stdbuf", "setsid", "ionice", "builtin", "export",
    ]
}
