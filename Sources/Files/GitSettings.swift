package import Vocabulary

extension Limits {
    /// The most bytes of a configuration of git that is compared.
    package static let gitConfigBytes = 1 << 20
}

/// The settings in a configuration file of git (`git-config`, "Syntax"), by key. A text in a notation that this reader
/// does not know has no settings, and counts as unreadable.
package struct GitSettings: Hashable {
    /// The values of each key in order, in the form of `GitText.ascii`. The section and the name are in lower case.
    package private(set) var values: [String: [String]] = [:]

    /// - Parameter text: the whole file.
    /// - Returns: `nil` if it cannot be read for certain.
    package init?(_ text: String) {
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let settings = reader.settings() else { return nil }
        for (key, value) in settings {
            values[GitText.ascii(key.utf8), default: []].append(GitText.ascii(value.utf8))
        }
    }

    /// - Parameter content: the whole file. It is unreadable if it is not UTF-8.
    package init?(content: [UInt8]) {
        guard let text = String(validating: content, as: UTF8.self) else { return nil }
        self.init(text)
    }

    /// No file.
    package init() {}

    /// Returns the keys that have another value than before, sorted.
    package func changedKeys(since before: GitSettings) -> [String] {
        Set(values.keys).union(before.values.keys).filter { values[$0] != before.values[$0] }.sorted()
    }

    /// Returns whether git runs a program, follows a path or goes to another address because of a changed key. All keys
    /// count but those that are known as harmless.
    package func isObeyed(_ key: String, since before: GitSettings) -> Bool {
        let names = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count >= 2, let section = names.first, let name = names.last else { return true }
        // A new repository may have no work tree, and another one does not lose it.
        if key == "core.bare" { return !before.values.isEmpty && values[key] != ["false"] }
        guard names.count > 2 else { return !Self.harmless.contains(key) }
        let isHarmless =
            switch section {
            case "remote": isHarmlessForRemote(name, key, since: before)
            case "branch": isHarmlessForBranch(name, key, since: before)
            case "submodule": name == "active" || name == "url" && isNewAddress(key, since: before)
            default: false
            }
        return !isHarmless
    }

    private func isHarmlessForRemote(_ name: String, _ key: String, since before: GitSettings) -> Bool {
        switch name {
        case "url": isNewAddress(key, since: before)
        case "fetch": (values[key] ?? []).allSatisfy { Self.isPlainFetch($0, of: key) }
        default: ["tagopt", "prune", "prunetags"].contains(name)
        }
    }

    private func isHarmlessForBranch(_ name: String, _ key: String, since before: GitSettings) -> Bool {
        if ["rebase", "description"].contains(name) { return true }
        // A branch that goes to another place.
        if before.values[key] != nil, values[key] != nil { return false }
        guard name == "remote" else { return name == "merge" && (values[key] ?? []).allSatisfy(Self.isPlainName) }
        let known = before.values.isEmpty ? values : before.values
        return (values[key] ?? []).allSatisfy { $0 == "." || known["remote.\($0).url"] != nil }
    }

    /// Whether an address is plain and no other one was there before, which would send things elsewhere.
    private func isNewAddress(_ key: String, since before: GitSettings) -> Bool {
        before.values[key] == nil && (values[key] ?? []).allSatisfy(Self.isPlainAddress)
    }

    /// The values of all keys that git runs a program or follows a path for, by key.
    package var obeyedValues: [(key: String, value: String)] {
        values.keys.filter { isObeyed($0, since: GitSettings()) }.sorted().flatMap { key in
            (values[key] ?? []).map { (key, GitText.plain($0)) }
        }
    }

    /// Whether a fetch brings branches to those of the same remote (`git-fetch`), such as
    /// `+refs/heads/*:refs/remotes/origin/*`.
    private static func isPlainFetch(_ spec: String, of key: String) -> Bool {
        let remote = key.dropFirst("remote.".count).dropLast(".fetch".count)
        let sides = spec.drop { $0 == "+" }.split(separator: ":", omittingEmptySubsequences: false)
        guard sides.count == 2, let branch = String(sides[0]).path(below: "refs/heads") else { return false }
        return sides[1] == "refs/remotes/\(remote)/\(branch)"
    }

    /// Whether an address of a repository names a host or a path, and no helper program (`gitremote-helpers`) and no
    /// option.
    private static func isPlainAddress(_ address: String) -> Bool {
        !address.isEmpty && !address.hasPrefix("-") && !address.contains("::")
            && !address.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
    }

    /// Whether the name of a remote or a ref is no address.
    private static func isPlainName(_ name: String) -> Bool {
        isPlainAddress(name) && !name.contains(":") && !name.hasPrefix("/") && !name.hasPrefix("..")
    }

    /// The keys whose values git only computes or shows with.
    private static let harmless: Set<String> = [
        "core.repositoryformatversion", "core.filemode", "core.logallrefupdates", "core.ignorecase",
        "core.precomposeunicode", "core.autocrlf", "core.eol", "core.safecrlf", "core.quotepath", "core.abbrev",
        "core.compression", "core.symlinks", "core.bigfilethreshold", "core.untrackedcache", "core.preloadindex",
        "core.commentchar", "core.whitespace", "extensions.objectformat", "user.name", "user.email",
        "user.useconfigonly", "author.name", "author.email", "committer.name", "committer.email",
        "init.defaultbranch", "pull.rebase", "pull.ff", "push.default", "push.autosetupremote", "push.followtags",
        "fetch.prune", "fetch.prunetags", "rebase.autosquash", "rebase.autostash", "rebase.updaterefs",
        "merge.conflictstyle", "merge.ff", "merge.log", "merge.stat", "diff.algorithm", "diff.renames",
        "diff.renamelimit", "diff.colormoved", "diff.mnemonicprefix", "diff.noprefix", "diff.context",
        "diff.wserrorhighlight", "diff.autorefreshindex", "diff.submodule", "log.date", "log.decorate", "log.follow",
        "log.abbrevcommit", "status.short", "status.branch", "status.showuntrackedfiles", "status.submodulesummary",
        "branch.sort", "branch.autosetupmerge", "branch.autosetuprebase", "tag.sort", "column.ui", "color.ui",
        "color.branch", "color.diff", "color.status", "gc.auto", "gc.autodetach", "gc.reflogexpire",
        "advice.detachedhead", "advice.statushints", "commit.verbose", "commit.status", "rerere.autoupdate",
        "stash.showpatch", "stash.showstat", "rerere.enabled", "index.version", "pack.threads", "feature.manyfiles",
        "grep.linenumber", "blame.date", "format.pretty", "submodule.active",
    ]
}

extension GitSettings {
    /// The reader of one file. All methods return `nil` for what they do not know.
    private struct Reader {
        var rest: ArraySlice<UInt8>
        private var section = ""

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        /// Returns all keys with their values, as they are written.
        mutating func settings() -> [(String, String)]? {
            var values: [(String, String)] = []
            // A mark of the byte order may stand at the beginning.
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
            while true {
                skip { $0.isBlank || $0 == Self.newline || $0 == Self.carriage }
                guard let first = rest.first else { return values }
                if first == UInt8(ascii: "#") || first == UInt8(ascii: ";") {
                    skip { $0 != Self.newline }
                } else if first == UInt8(ascii: "[") {
                    guard readSection() else { return nil }
                } else {
                    guard !section.isEmpty, let (name, value) = setting() else { return nil }
                    values.append(("\(section).\(name)", value))
                }
            }
        }

        private static let newline = UInt8(ascii: "\n")
        private static let carriage = UInt8(ascii: "\r")

        private mutating func skip(_ test: (UInt8) -> Bool) { rest = rest.drop(while: test) }

        private mutating func taken(_ test: (UInt8) -> Bool) -> String {
            let part = rest.prefix(while: test)
            rest = rest[part.endIndex...]
            return String(decoding: part, as: UTF8.self)
        }

        /// Reads `[name]` or `[name "sub"]`. The old form `[name.sub]` is read as git does, in lower case.
        private mutating func readSection() -> Bool {
            rest.removeFirst()
            let name = taken { $0.isName || $0 == UInt8(ascii: ".") }.lowercased()
            guard !name.isEmpty else { return false }
            section = name
            if rest.first?.isBlank == true {
                skip(\.isBlank)
                guard rest.popFirst() == UInt8(ascii: "\"") else { return false }
                var sub: [UInt8] = []
                while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                    guard byte != Self.newline, byte != 0 else { return false }
                    guard byte == UInt8(ascii: "\\") else {
                        sub.append(byte)
                        continue
                    }
                    guard let escaped = rest.popFirst(), escaped != Self.newline else { return false }
                    sub.append(escaped)
                }
                section += "." + String(decoding: sub, as: UTF8.self)
            }
            return rest.popFirst() == UInt8(ascii: "]")
        }

        /// Reads `name = value`, or `name` alone, which means true.
        private mutating func setting() -> (String, String)? {
            guard let first = rest.first, first.isLetter else { return nil }
            let name = taken(\.isName).lowercased()
            skip(\.isBlank)
            guard let sign = rest.first, sign != Self.newline else { return (name, "true") }
            guard sign == UInt8(ascii: "=") else {
                guard sign == Self.carriage, rest.dropFirst().first == Self.newline else { return nil }
                return (name, "true")
            }
            rest.removeFirst()
            return value().map { (name, $0) }
        }

        private mutating func value() -> String? {
            skip(\.isBlank)
            var (value, blanks, isQuoted) = ([UInt8](), [UInt8](), false)
            while let byte = rest.popFirst() {
                if byte == Self.newline {
                    return isQuoted ? nil : String(decoding: value, as: UTF8.self)
                }
                if byte == Self.carriage, rest.first == Self.newline { continue }
                // What a carriage return within a value is differs between versions of git.
                if byte == 0 || byte == Self.carriage { return nil }
                if !isQuoted, byte.isBlank {
                    // None stand before a value, not even at the beginning of the line on which it goes on.
                    if !value.isEmpty { blanks.append(byte) }
                    continue
                }
                if !isQuoted, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";") {
                    skip { $0 != Self.newline }
                    continue
                }
                value += blanks
                blanks = []
                switch byte {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "\\"):
                    guard let meant = escaped() else { return nil }
                    value += meant
                default: value.append(byte)
                }
            }
            return isQuoted ? nil : String(decoding: value, as: UTF8.self)
        }

        /// Reads what stands after a backslash.
        private mutating func escaped() -> [UInt8]? {
            if rest.starts(with: [Self.carriage, Self.newline]) { rest = rest.dropFirst() }
            return rest.popFirst().flatMap(Self.escape)
        }

        /// Returns the bytes for a letter after a backslash. At the end of a line, the value goes on in the next one.
        private static func escape(_ byte: UInt8) -> [UInt8]? {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [byte]
            case newline: []
            case UInt8(ascii: "n"): [newline]
            case UInt8(ascii: "t"): [UInt8(ascii: "\t")]
            case UInt8(ascii: "b"): [8]
            default: nil
            }
        }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    fileprivate var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
    fileprivate var isName: Bool { isLetter || (48...57).contains(self) || self == UInt8(ascii: "-") }
}
