import Glibc
package import Vocabulary

/// Files that hold keys by their name: what comes of them is for this machine, never for a model elsewhere
/// (`consent.md`, "Effects").
package enum SecretFiles {
    private static let folders: Set<String> = [".ssh", ".gnupg", ".password-store"]
    private static let names: Set<String> = [
        ".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".htpasswd",
        ".authinfo", ".Renviron",
        "id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "credentials", "credentials.json",
        "credentials.toml", "secrets.json", "secrets.yaml", "secrets.yml", "secrets.toml", ".vault-token", ".dockercfg",
        ".s3cfg", ".boto",
        ".my.cnf", ".dev.vars", "kubeconfig", "local.settings.json", "hosts.yml", "shadow", "gshadow",
    ]
    private static let suffixes = [
        ".pem", ".key", ".p8", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".env", ".tfvars", ".tfvars.json",
        ".tfstate",
    ]
    /// Of keys for SSH, behind `id_`.
    private static let algorithms = ["rsa", "dsa", "ecdsa", "ed25519", "ed448", "xmss"]
    /// What editors, file managers and people put behind the name of a copy, besides numbers.
    private static let copyWords = [
        "bak", "bck", "bkp", "backup", "old", "orig", "original", "save", "saved", "tmp", "temp", "copy", "kopie",
        "copie", "copia", "new",
        "prev", "previous", "lock", "off", "disabled", "deleted", "rpmsave", "rpmnew", "dpkg", "ucf", "kate", "un",
        "jb", "v",
    ]
    /// What they put in front of it.
    private static let fronts = ["copy of", "kopie von", "copy", "old", "backup", "bak"]
    private static let samples = ["example", "sample", "template", "dist"]

    /// By which links make something one of keys, as they are written.
    static let linkNames = folders.union(names).union(KeyFolder.names).sorted()

    /// - Parameter path: a real path, so that a link with a harmless name hides nothing.
    package static func holds(_ path: String) -> Bool {
        let parts = path.pathNames
        guard let name = parts.last else { return false }
        return parts.dropLast().contains { isFolder(named: String($0)) } || isFile(named: String(name))
            || KeyFolder.holds(parts)
    }

    /// Whether a path leads to one, by any of the names that it has on its way through links.
    ///
    /// - Parameter path: absolute.
    package static func areReached(by path: String) -> Bool {
        let way = LinkWay(path)
        return (way.names + [way.end]).contains(where: holds)
    }

    /// A folder all of whose files hold keys.
    static func isFolder(named name: String) -> Bool {
        name.utf8.first == UInt8(ascii: ".") && folders.contains(name.lowercased())
    }

    /// A file that holds keys wherever it lies, or a copy of one: `.env (1)`, `#id_rsa#`, `credentials copy.json`.
    static func isFile(named name: String) -> Bool {
        guard mayBeOne(name.utf8) else { return false }
        // The dash that file managers write.
        let name =
            name.utf8.contains(0xE2) ? name.replacing("\u{2013}", with: "-").replacing("\u{2014}", with: "-") : name
        let plain = withoutCopyMarks(name.utf8.map(\.lowercased)[...])
        if isKnown(plain) { return true }
        // File managers number a copy in front of the dot.
        guard let dot = plain.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let stem = withoutCopyMarks(plain[..<dot])
        return stem.count < dot - plain.startIndex && isKnown(stem + plain[dot...])
    }
}

/// A name, or a part of it, in lower case.
private typealias Bytes = ArraySlice<UInt8>

extension SecretFiles {
    private static let nameBytes: Set<Bytes> = Set(names.map { $0.utf8.map(\.lowercased)[...] })
    private static let copyWordBytes: Set<Bytes> = Set(copyWords.map { Array($0.utf8)[...] })

    /// The first three bytes of names, and the last three of what they end with.
    private static let beginnings: Set<UInt32> = Set(
        (Array(names) + fronts + ["id_", "ssh_host_"]).map { name in
            packed(name.utf8.drop(while: { !$0.isOfWord }).prefix(3))
        })
    private static let ends: Set<UInt32> = Set(
        (suffixes + copyWords).filter { $0.utf8.count > 2 }.map { packed($0.utf8.suffix(3)) })

    private static func packed(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1.lowercased) }
    }

    /// Asked of every name of a workspace: most neither begin nor end like one of these.
    private static func mayBeOne(_ name: String.UTF8View) -> Bool {
        guard let first = name.first, let last = name.last else { return false }
        if !first.isOfWord || !last.isOfWord || beginnings.contains(packed(name.prefix(3))) { return true }
        // Git calls what it keeps by numbers alone.
        if last.isDigit { return name.contains { !$0.isOfWord } }
        let end = packed(name.suffix(3))
        return ends.contains(end) || isOfSwapFile(end)
    }

    /// vi: `.swp`, and where that is taken `.swo`, `.swn` and so on.
    private static func isOfSwapFile(_ end: UInt32) -> Bool { end >> 8 == packed("sw".utf8) }

    /// Whether it is one, when what was put in front of it is taken away.
    private static func isKnown(_ name: Bytes) -> Bool {
        if suffixes.contains(where: name.ends(with:)) { return true }
        // What we put aside while it is replaced or deleted: nobody knows what it holds.
        if name.begins(with: ".assent-"), name.ends(with: ".part") { return true }
        var rest = name
        while !rest.isEmpty {
            if isWhole(rest) { return true }
            rest = withoutFront(rest)
        }
        return false
    }

    private static func isWhole(_ name: Bytes) -> Bool {
        if nameBytes.contains(name) { return true }
        if name.begins(with: "ssh_host_") { return name.ends(with: "_key") }
        if name.begins(with: "id_"), !name.ends(with: ".pub") { return isIdentity(name.dropFirst(3)) }
        // `.env.local`, `.env-prod`.
        guard name.begins(with: ".env"), let next = name.dropFirst(4).first, !next.isOfWord,
            let last = name.split(whereSeparator: { !$0.isOfWord }).last
        else { return false }
        return !samples.contains { last.elementsEqual($0.utf8) }
    }

    /// `id_rsa.work`; `id_mapping.csv` is a table, `id_generator` a program.
    private static func isIdentity(_ name: Bytes) -> Bool {
        return algorithms.contains { algorithm in
            guard name.begins(with: algorithm) else { return false }
            let next = name.dropFirst(algorithm.utf8.count).first
            return next.map { !$0.isOfWord || $0.isDigit } ?? true
        }
    }
}

// MARK: - What is put around a name

extension SecretFiles {
    /// Without all that is put behind a name: `.~1~`, `_old`, ` (copy)`.
    private static func withoutCopyMarks(_ name: Bytes) -> Bytes {
        var name = name
        while let end = name.lastIndex(where: \.isOfWord) {
            let isInBrackets = name[(end + 1)...].contains(UInt8(ascii: ")"))
            name = name[...end]
            if isInBrackets, let open = name.lastIndex(of: UInt8(ascii: "(")), open > name.startIndex {
                name = name[..<open]
                continue
            }
            guard let mark = name.lastIndex(where: { !$0.isOfWord }), mark > name.startIndex,
                isCopyWord(name[(mark + 1)...])
            else {
                return name
            }
            name = name[..<mark]
        }
        return []
    }

    /// A number, or a word with or without one: `1`, `old`, `bak2`.
    private static func isCopyWord(_ word: Bytes) -> Bool {
        var letters = word.drop(while: \.isDigit)
        while letters.last?.isDigit == true { letters = letters.dropLast() }
        return letters.isEmpty || copyWordBytes.contains(letters) || letters.count == 3 && isOfSwapFile(packed(letters))
    }

    /// Without the next that is put in front of a name: a sign, or a word. Empty where there is none.
    private static func withoutFront(_ name: Bytes) -> Bytes {
        guard let first = name.first, first != UInt8(ascii: "_") else { return [] }
        guard first.isOfWord else { return name.dropFirst() }
        let front = fronts.first { name.begins(with: $0) && name.dropFirst($0.utf8.count).first?.isOfWord == false }
        return front.map { name.dropFirst($0.utf8.count + 1) } ?? []
    }
}

extension ArraySlice<UInt8> {
    fileprivate func begins(with text: String) -> Bool { starts(with: text.utf8) }
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
    /// Whether it belongs to a word: a letter of any script, or a digit.
    fileprivate var isOfWord: Bool {
        self >= 0x80 || isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased)
    }
}

extension Failure {
    /// The same where it came of what may hold keys: what was read may be quoted in its words.
    var withoutWords: Failure {
        // Those name what the plan names.
        guard code != "secretFile", code != "cancelled" else { return self }
        var failure = Failure(
            code, "It failed (\(code)) at what may hold keys: what was said of it is not kept.",
            remedy: "Try the same with a file without keys to see what it says.", isTransient: isTransient)
        failure.left = left
        return failure
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
        return call.map { call in
            call.targets.contains(where: \.isPrivate) || touchesSecretFile(call, in: assignment.workspace)
        } ?? false
    }

    /// By its name, or by another name that it has in the workspace. Where nobody can tell, it is one.
    func touchesSecretFile(_ call: Call, in workspace: String) -> Bool {
        if call.targets.contains(where: { $0.effect == .reads && $0.isPrivate }) { return true }
        let names = call.targets.flatMap { target in [target.path].compactMap(\.self) + target.otherPaths }
        if names.contains(where: SecretFiles.holds) { return true }
        let linked = call.targets.filter { $0.hasOtherNames && $0.effect != .creates }.compactMap(\.path)
        guard !linked.isEmpty else { return false }
        guard let root = try? Paths(workspace: workspace).workspace, let found = try? PrivateFiles.below(root, own: own)
        else {
            return true
        }
        return found.files.contains { file in linked.contains { $0.isSameName(as: file) } }
    }

    /// What lies under such a name is known by its content from then on: the call has its hash.
    func noteSecretFiles(_ call: Call) throws(Failure) {
        for target in call.targets {
            guard case .file(_, _, let size, _, let hash?) = target.before, size > 0,
                ([target.path].compactMap(\.self) + target.otherPaths).contains(where: SecretFiles.holds)
            else { continue }
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
