import Glibc
package import Vocabulary

/// The rules for files that hold keys, by their names, and for common names by their content (`KeyFileTable`). Content
/// from these files stays on this machine and is never sent to a model elsewhere (`consent.md`, "Effects").
package enum SecretFiles {
    private static let folders: Set<String> = [".ssh", ".gnupg", ".password-store"]
    private static let table = KeyFileTable.shipped
    /// The lengths of the names of `wholeFolders`, as bits.
    private static let wholeLengths = table.wholeFolders.reduce(UInt64(0)) { $0 | 1 << UInt64($1.count & 63) }
    /// The algorithms of SSH keys, which follow `id_` in a file name.
    private static let algorithms = ["rsa", "dsa", "ecdsa", "ed25519", "ed448", "xmss"]
    /// The words that editors, file managers and users add after the name of a copy, besides numbers.
    private static let copyWords = [
        "bak", "bck", "bkp", "backup", "old", "orig", "original", "save", "saved", "tmp", "temp", "copy", "kopie",
        "copie", "copia", "new",
        "prev", "previous", "lock", "off", "disabled", "deleted", "rpmsave", "rpmnew", "dpkg", "ucf", "kate", "un",
        "jb", "v",
    ]
    /// The words that they add before the name of a copy.
    private static let fronts = ["copy of", "kopie von", "copy", "old", "backup", "bak"]
    private static let samples = ["example", "sample", "template", "dist"]

    /// The names of links that make their targets count as files of keys.
    static let linkNames = folders.union(table.wholeNames).union(KeyFolder.names).sorted()

    /// Returns whether a file with this path may hold keys. A file with a common name is read.
    ///
    /// - Parameter path: a real path, so that a link with a harmless name hides nothing.
    package static func holds(_ path: String) -> Bool {
        switch verdict(of: path) {
        case .keys: true
        case .byContent: KeyContents.holdsKey(path)
        case .none: false
        }
    }

    /// Returns whether the name of a file alone says that it may hold keys, for files that are not on the disk.
    package static func holdsByName(_ path: String) -> Bool { verdict(of: path) == .keys }

    private static func verdict(of path: String) -> KeyFileTable.Verdict {
        let parts = path.pathNames
        guard let name = parts.last else { return .none }
        let folders = parts.dropLast()
        if folders.contains(where: { isFolder(named: $0) }) || KeyFolder.holds(parts) { return .keys }
        return verdict(named: name, isInWholeFolder: isWhole(folder: folders)) { Array(folders) }
    }

    /// Whether every name in a folder must be looked at, since a row of the table ends with `*` alone there.
    static func isWhole(folder names: some BidirectionalCollection<String>) -> Bool {
        names.suffix(3).contains { name in
            // Few names are as long as one of these, so most are not looked up.
            wholeLengths & 1 << UInt64(name.utf8.count & 63) != 0
                && table.wholeFolders.contains(name.utf8.map(\.inLowerCase))
        }
    }

    /// Whether a path leads to a file that may hold keys, by any of the names on its way through links.
    ///
    /// - Parameter path: absolute.
    package static func areReached(by path: String) -> Bool {
        let way = LinkWay(path)
        return (way.names + [way.end]).contains(where: holds)
    }

    /// Whether all files in a folder of this name may hold keys.
    static func isFolder(named name: String) -> Bool {
        name.utf8.first == UInt8(ascii: ".") && folders.contains(name.lowercased())
    }

    /// Returns what a file name says about keys. Copies count, too: `.env (1)`, `#id_rsa#`, `credentials copy.json`.
    ///
    /// - Parameters:
    ///   - isInWholeFolder: whether the name must be looked at though it does not look like one of the table.
    ///   - folders: returns the names of the folders on the way to the file.
    static func verdict(
        named name: String, isInWholeFolder: Bool = false, in folders: () -> [String]
    ) -> KeyFileTable.Verdict {
        guard isInWholeFolder || mayBeOne(name.utf8) else { return .none }
        // File managers write this dash.
        let name =
            name.utf8.contains(0xE2) ? name.replacing("\u{2013}", with: "-").replacing("\u{2014}", with: "-") : name
        let whole = name.utf8.map(\.inLowerCase)[...]
        let plain = withoutCopyMarks(whole)
        let verdict = verdict(plain, whole, folders)
        if verdict != .none { return verdict }
        // File managers put the number of a copy before the dot.
        guard let dot = plain.lastIndex(of: UInt8(ascii: ".")) else { return .none }
        let stem = withoutCopyMarks(plain[..<dot])
        return stem.count < dot - plain.startIndex ? self.verdict(stem + plain[dot...], whole, folders) : .none
    }
}

/// A name or a part of one, in lower case.
private typealias Bytes = ArraySlice<UInt8>

extension SecretFiles {
    private static let copyWordBytes: Set<Bytes> = Set(copyWords.map { Array($0.utf8)[...] })

    /// The first three bytes of the names.
    private static let beginnings: Set<UInt32> = Set(
        (table.beginnings + (fronts + ["id_", "ssh_host_"]).map { Array($0.utf8) }).map { name in
            packed(name.drop(while: { !$0.isOfWord }).prefix(3))
        })
    /// The last three bytes of the words of copies.
    private static let copyEnds: Set<UInt32> = Set(
        copyWords.map { Array($0.utf8) }.filter { $0.count > 2 }.map { packed($0.suffix(3)) })

    /// The ends of names, by their last three bytes.
    private static let ends = Dictionary(grouping: table.ends.filter { $0.count > 2 }) { packed($0.suffix(3)) }

    /// The patterns with an open beginning, by their last three bytes. Those with an open end, too, are under each.
    private static let openNames: [UInt32: [[UInt8]]] = {
        let (open, closed) = (
            table.openNames.filter { $0.suffix(3).contains(UInt8(ascii: "*")) },
            table.openNames.filter { !$0.suffix(3).contains(UInt8(ascii: "*")) }
        )
        var patterns = Dictionary(grouping: closed) { packed($0.suffix(3)) }.mapValues { $0 + open }
        if !open.isEmpty { patterns[0] = open }
        return patterns
    }()

    private static func packed(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1.inLowerCase) }
    }

    /// Whether a name may be one of these, by a fast check of its beginning and its end. It runs for every name of a
    /// workspace, most of which fail it.
    private static func mayBeOne(_ name: String.UTF8View) -> Bool {
        guard let first = name.first, let last = name.last else { return false }
        if !first.isOfWord || !last.isOfWord || beginnings.contains(packed(name.prefix(3))) { return true }
        // Git names its data by digits and letters alone.
        if last.isDigit { return name.contains { !$0.isOfWord } }
        let end = packed(name.suffix(3))
        if copyEnds.contains(end) || isOfSwapFile(end) { return true }
        if let ends = ends[end],
            ends.contains(where: { name.suffix($0.count).lazy.map(\.inLowerCase).elementsEqual($0) })
        {
            return true
        }
        guard let patterns = openNames[end] ?? openNames[0] else { return false }
        let lower = name.map(\.inLowerCase)[...]
        return patterns.contains { KeyFileTable.fits(lower, $0) }
    }

    /// Whether a suffix is that of a swap file of vi: `.swp`, or `.swo`, `.swn` and so on if it is taken.
    private static func isOfSwapFile(_ end: UInt32) -> Bool { end >> 8 == packed("sw".utf8) }

    /// Returns the verdict about a name, also after the words before it are removed.
    private static func verdict(_ name: Bytes, _ whole: Bytes, _ folders: () -> [String]) -> KeyFileTable.Verdict {
        // A file that Assent renamed to replace or delete it may hold keys.
        if name.begins(with: ".assent-"), name.ends(with: ".part") { return .keys }
        var rest = name
        while !rest.isEmpty {
            if isOfRule(rest) { return .keys }
            let verdict = table.verdict(plain: rest, name: rest == name ? whole : rest, in: folders)
            if verdict != .none { return verdict }
            rest = withoutFront(rest)
        }
        return .none
    }

    /// Whether a name follows a rule that no pattern of the table can say.
    private static func isOfRule(_ name: Bytes) -> Bool {
        if name.begins(with: "ssh_host_") { return name.ends(with: "_key") }
        if name.begins(with: "id_"), !name.ends(with: ".pub") { return isIdentity(name.dropFirst(3)) }
        // `.env.local`, `.env-prod`.
        guard name.begins(with: ".env"), let next = name.dropFirst(4).first, !next.isOfWord,
            let last = name.split(whereSeparator: { !$0.isOfWord }).last
        else { return false }
        return !samples.contains { last.elementsEqual($0.utf8) }
    }

    /// Whether the rest of a name after `id_` is that of an SSH key, as in `id_rsa.work`. `id_mapping.csv` and
    /// `id_generator` are not.
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
    /// Returns a name without the marks of a copy at its end: `.~1~`, `_old`, ` (copy)`.
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

    /// Whether a word marks a copy: a number, or a known word with or without a number (`1`, `old`, `bak2`).
    private static func isCopyWord(_ word: Bytes) -> Bool {
        var letters = word.drop(while: \.isDigit)
        while letters.last?.isDigit == true { letters = letters.dropLast() }
        return letters.isEmpty || copyWordBytes.contains(letters) || letters.count == 3 && isOfSwapFile(packed(letters))
    }

    /// Returns a name without the sign or the word at its beginning. The result is empty if there is none.
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
    /// Whether the byte belongs to a word: a letter of any script, or a digit.
    fileprivate var isOfWord: Bool {
        self >= 0x80 || isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(inLowerCase)
    }
}

extension Failure {
    /// The failure without its message, which may quote a file of keys.
    package var withoutWords: Failure {
        // The messages of these failures contain only names of the plan.
        guard code != .secretFile, code != .cancelled else { return self }
        var failure = Failure(
            code, "It failed (\(code)) at what may hold keys: what was said of it is not kept.",
            remedy: "Try the same with a file without keys to see what it says.", isTransient: isTransient)
        failure.left = left
        return failure
    }
}

/// Runs work, and removes the message from its failure if `isPrivate`, since it may quote a file of keys.
package func withoutWords<Result>(
    if isPrivate: Bool, _ work: () throws(Failure) -> Result
) throws(Failure) -> Result {
    do throws(Failure) { return try work() } catch { throw isPrivate ? error.withoutWords : error }
}

/// The marks of private contents. A content that results from a file of keys is marked by its hash, so that copies
/// under other names are recognized.
extension AssetStore {
    package func isPrivate(_ hash: ContentHash) -> Bool { access(mark(of: hash), F_OK) == 0 }

    package func holdsPrivate(_ assets: [Asset]) -> Bool { assets.contains { isPrivate($0.hash) } }

    /// Throws an error if an asset is private, since it must stay on this machine.
    ///
    /// - Parameter place: the receiver, for the message.
    /// - Throws: `secretFile`.
    package func refusePrivate(_ assets: [Asset], to place: String) throws(Failure) {
        if let asset = assets.first(where: { isPrivate($0.hash) }) { throw .secretFile(asset.name, place) }
    }

    package func markPrivate(_ assets: [Asset]) throws(Failure) {
        // An empty content has no secret.
        for asset in assets where asset.bytes > 0 { try markPrivate(asset.hash) }
    }

    package func markPrivate(_ hash: ContentHash) throws(Failure) {
        guard !isPrivate(hash) else { return }
        try makeFolders("\(folder)/private")
        _ = try OpenFile(mark(of: hash), O_WRONLY | O_CREAT)
    }

    private func mark(of hash: ContentHash) -> String { "\(folder)/private/\(hash.hex)" }
}

extension Failure {
    /// Returns the failure of a file of keys that would leave this machine.
    ///
    /// - Parameter place: the receiver.
    package static func secretFile(_ name: String, _ place: String) -> Failure {
        Failure(
            .secretFile, "\(name) may hold keys and is not sent to \(place).",
            remedy: "Take another file, or one without keys in it.")
    }
}
