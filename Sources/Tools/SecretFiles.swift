import Glibc
package import Vocabulary

/// Files that hold keys by their name: what comes of them is for this machine, never for a model elsewhere (`decisions.md`, Effects).
package enum SecretFiles {
    private static let folders: Set<String> = [".ssh", ".gnupg", ".aws", ".kube", ".docker", ".password-store"]
    private static let names: Set<String> = [
        ".env", ".envrc", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd", "id_rsa", "id_dsa", "id_ecdsa",
        "id_ed25519", "credentials", "credentials.json", "credentials.toml", "secrets.json", "secrets.yaml", "secrets.yml", "secrets.toml",
        ".vault-token", ".dockercfg", ".s3cfg", ".boto", ".my.cnf", ".dev.vars", "kubeconfig", "local.settings.json", "hosts.yml",
        "shadow", "gshadow",
    ]
    private static let suffixes = [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".env", ".tfvars", ".tfstate"]
    /// What editors and people put behind the name of a copy.
    private static let copySuffixes = ["~", ".bak", ".backup", ".old", ".orig", ".save", ".swp", ".swo", ".tmp", ".copy"]
    private static let samples = [".example", ".sample", ".template", ".dist"]

    /// By which links make something one of keys, as they are written.
    static let linkNames = folders.union(names).sorted()

    /// - Parameter path: a real path, so that a link with a harmless name hides nothing.
    package static func holds(_ path: String) -> Bool {
        let parts = path.pathNames
        guard let name = parts.last else { return false }
        return parts.dropLast().contains { isFolder(named: String($0)) } || isFile(named: String(name))
    }

    /// A folder all of whose files hold keys.
    static func isFolder(named name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") && folders.contains(name.lowercased()) }

    /// A file that holds keys wherever it lies. Asked of every name of a workspace: most have no letter in common with these.
    static func isFile(named name: String) -> Bool {
        let name = withoutCopySuffixes(name.lowercased())
        // vi: `.name.swp`, and of a name that begins with a dot the same.
        if names.contains(name) || name.utf8.first == UInt8(ascii: ".") && names.contains(String(name.dropFirst())) { return true }
        if name.utf8.starts(with: "ssh_host_".utf8), name.hasSuffix("_key") { return true }
        guard name.utf8.contains(UInt8(ascii: ".")) else { return false }
        func ends(with suffix: String) -> Bool { name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }
        // What we put aside while it is replaced or deleted: nobody knows what it holds.
        if name.utf8.starts(with: ".assent-".utf8), ends(with: ".part") { return true }
        if name.utf8.starts(with: ".env.".utf8) { return !samples.contains(where: ends) }
        return suffixes.contains(where: ends)
    }
}

extension SecretFiles {
    private static func withoutCopySuffixes(_ name: String) -> String {
        // Asked of every name of a workspace: most end otherwise.
        guard let last = name.utf8.last, "~kpdgeoy".utf8.contains(last),
            let suffix = copySuffixes.first(where: {
                name.utf8.count > $0.utf8.count && name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
            })
        else { return name }
        return withoutCopySuffixes(String(Substring(name.utf8.dropLast(suffix.utf8.count))))
    }
}

extension Failure {
    /// The same where it came of what may hold keys: what was read may be quoted in its words.
    var withoutWords: Failure {
        // Those name what the plan names.
        guard code != "secretFile", code != "cancelled" else { return self }
        return Failure(
            code, "It failed (\(code)) at what may hold keys: what was said of it is not kept.",
            remedy: "Try the same with a file without keys to see what it says.", isTransient: isTransient)
    }
}

/// What fails in it fails without its words where that may quote what holds keys.
func withoutWords<Result>(
    if isPrivate: Bool, _ work: () throws(Failure) -> Result
) throws(Failure) -> Result {
    do throws(Failure) { return try work() } catch { throw isPrivate ? error.withoutWords : error }
}

extension Toolbox {
    /// Whether it works on what may hold keys, or came of that.
    func worksOnSecrets(_ assignment: Assignment, _ call: Call?) -> Bool {
        if store.holdsPrivate(assignment.assets) { return true }
        return call.map { call in call.targets.contains(where: \.isPrivate) || touchesSecretFile(call, in: assignment.workspace) } ?? false
    }

    /// By its name, or by another name that it has in the workspace. Where nobody can tell, it is one.
    func touchesSecretFile(_ call: Call, in workspace: String) -> Bool {
        if call.targets.contains(where: { $0.effect == .reads && $0.isPrivate }) { return true }
        let names = call.targets.flatMap { target in [target.path].compactMap(\.self) + target.otherPaths }
        if names.contains(where: SecretFiles.holds) { return true }
        let linked = call.targets.filter(\.hasOtherNames).compactMap(\.path)
        guard !linked.isEmpty else { return false }
        guard let root = try? Paths(workspace: workspace).workspace, let found = try? PrivateFiles.below(root, own: own) else {
            return true
        }
        return found.files.contains { file in linked.contains { $0.isSameName(as: file) } }
    }

    /// What lies under such a name is known by its content from then on: the call has its hash.
    func noteSecretFiles(_ call: Call) throws(Failure) {
        for target in call.targets {
            guard case .file(_, _, let size, _, let hash?) = target.before, size > 0, target.path.map(SecretFiles.holds) ?? false else {
                continue
            }
            try store.markPrivate(hash)
        }
    }
}

/// Contents that came of a secret file are known by their hash, so that a copy under another name is known, too.
extension AssetStore {
    package func isPrivate(_ hash: ContentHash) -> Bool { access(mark(of: hash), F_OK) == 0 }

    func holdsPrivate(_ assets: [Asset]) -> Bool { assets.contains { isPrivate($0.hash) } }

    /// - Parameter place: for words.
    /// - Throws: `secretFile` for the first that came of what may hold keys: that stays on this machine.
    func refusePrivate(_ assets: [Asset], to place: String) throws(Failure) {
        if let asset = assets.first(where: { isPrivate($0.hash) }) { throw .secretFile(asset.name, place) }
    }

    func markPrivate(_ assets: [Asset]) throws(Failure) {
        // Nothing has no secret in it.
        for asset in assets where asset.bytes > 0 { try markPrivate(asset.hash) }
    }

    func markPrivate(_ hash: ContentHash) throws(Failure) {
        guard !isPrivate(hash) else { return }
        try makeFolders("\(folder)/private")
        _ = try OpenFile(mark(of: hash), O_WRONLY | O_CREAT)
    }

    private func mark(of hash: ContentHash) -> String { "\(folder)/private/\(hash.hex)" }
}
