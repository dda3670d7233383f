import Vocabulary

/// Folders that programs keep keys in, beside much that holds none: `.docker` holds `config.json`, and in many
/// repositories a `Dockerfile`.
///
/// A folder such as `.ssh`, all of whose files may hold keys, is one of `SecretFiles`.
struct KeyFolder: Hashable {
    private let rule: Rule
    /// Names of the folders below it, down to the one that is looked at.
    private var way: [String] = []

    private struct Rule: Hashable {
        /// The beginnings of the names of its files of keys, as whole words in lower case.
        var names: [String]
        /// Words that such a name may hold at any place.
        var words: [String] = []
        var suffixes: [String] = []
        /// Folders below it all of whose files hold keys.
        var folders: Set<String> = []
        /// Folders below it without any.
        var harmless: Set<String> = []
    }

    private static let rules: [String: Rule] = [
        ".aws": Rule(names: ["config", "credentials"], suffixes: [".csv"], folders: ["cache", "sso", "login"]),
        ".docker": Rule(names: ["config.json", "key.json", "token_seed"], folders: ["private", "tls", "machine"]),
        ".kube": Rule(
            names: ["config"], words: ["config"], suffixes: [".yaml", ".yml", ".conf", ".json"],
            harmless: ["cache", "http-cache"]),
    ]
    /// The last words of names of files without keys: samples to fill in, and notes.
    private static let samples: Set<String> = [
        "example", "sample", "template", "tmpl", "tpl", "dist", "md", "j2", "in",
    ]

    static let names: [String] = rules.keys.sorted()

    /// - Returns: `nil` for any other name.
    init?(named name: String) {
        guard name.utf8.first == UInt8(ascii: "."), let rule = Self.rules[name.lowercased()] else { return nil }
        self.rule = rule
    }

    /// Returns the same for a folder in it.
    func below(_ name: String) -> KeyFolder {
        var folder = self
        folder.way.append(name.lowercased())
        return folder
    }

    /// Whether a file right in it may hold keys, besides those that hold them anywhere.
    func isKeyFile(named name: String) -> Bool {
        if !rule.harmless.isDisjoint(with: way) { return false }
        if !rule.folders.isDisjoint(with: way) { return true }
        let name = name.lowercased()
        if let end = name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).last,
            Self.samples.contains(String(end))
        {
            return false
        }
        if rule.suffixes.contains(where: name.hasSuffix) || rule.words.contains(where: name.contains) { return true }
        // What editors put in front of a copy.
        let plain = name.drop { "#.~".contains($0) }
        return rule.names.contains { known in
            guard plain.hasPrefix(known) else { return false }
            let next = plain.dropFirst(known.count).first
            return next.map { !$0.isLetter } ?? true
        }
    }

    /// Whether a path leads through such a folder to one of its files of keys.
    static func holds(_ parts: [String]) -> Bool {
        guard let name = parts.last else { return false }
        return KeyFolder(of: parts.dropLast())?.isKeyFile(named: name) ?? false
    }

    /// - Parameter parts: names of the folders that lead to a folder, and its own.
    /// - Returns: `nil` if none of them is such a folder.
    init?(of parts: some Sequence<String>) {
        var folder: KeyFolder?
        for part in parts { folder = KeyFolder(named: part) ?? folder?.below(part) }
        guard let folder else { return nil }
        self = folder
    }
}
