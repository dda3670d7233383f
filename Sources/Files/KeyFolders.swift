import Vocabulary

/// A folder in which programs keep keys beside other files: `.docker` contains `config.json`, and in many repositories
/// a `Dockerfile`.
///
/// A folder such as `.ssh`, all of whose files may hold keys, belongs to `SecretFiles`.
struct KeyFolder: Hashable {
    private let rule: Rule
    /// The names of the subfolders on the way to the folder that is checked.
    private var way: [String] = []

    private struct Rule: Hashable {
        /// The beginnings of the names of key files, as whole words in lower case.
        var names: [String]
        /// Words that a key file may have at any place of its name.
        var words: [String] = []
        var suffixes: [String] = []
        /// Subfolders in which all files hold keys.
        var folders: Set<String> = []
        /// Subfolders without key files.
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

    /// Returns the rule for a subfolder.
    package func below(_ name: String) -> KeyFolder {
        var folder = self
        folder.way.append(name.lowercased())
        return folder
    }

    /// Whether a file directly in the folder may hold keys, apart from names that are key files in any folder.
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
        // Editors put these signs before the name of a copy.
        let plain = name.drop { "#.~".contains($0) }
        return rule.names.contains { known in
            guard plain.hasPrefix(known) else { return false }
            let next = plain.dropFirst(known.count).first
            return next.map { !$0.isLetter } ?? true
        }
    }

    /// Whether a path leads through such a folder to a key file.
    static func holds(_ parts: [String]) -> Bool {
        guard let name = parts.last else { return false }
        return KeyFolder(of: parts.dropLast())?.isKeyFile(named: name) ?? false
    }

    /// - Parameter parts: the names of a folder's path.
    /// - Returns: `nil` if none of them is such a folder.
    init?(of parts: some Sequence<String>) {
        var folder: KeyFolder?
        for part in parts { folder = KeyFolder(named: part) ?? folder?.below(part) }
        guard let folder else { return nil }
        self = folder
    }
}
