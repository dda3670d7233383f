import Files
import Glibc
import Vocabulary

/// The files that a program unpacked, checked name by name: plain files, folders, and links that stay inside.
struct UnpackedTree {
    /// The entries, each folder before its content.
    private(set) var entries: [TreeEntry] = []
    /// The bytes of all files together.
    private(set) var bytes = 0
    private let archive: String
    private let most: Int

    /// - Parameter archive: the name of the archive, for messages.
    /// - Throws: `badName`, `badArchive`, `leadsOut` or `tooLarge` if an entry must not come into the workspace.
    init(_ folder: borrowing OpenFolder, of archive: String, most: Int) throws(Failure) {
        (self.archive, self.most) = (archive, most)
        try look(in: folder, "", depth: 0)
    }

    private mutating func look(in folder: borrowing OpenFolder, _ path: String, depth: Int) throws(Failure) {
        guard depth <= Limits.unpackedDepth else { throw refusal(.badName, "folders that lie too deep in folders") }
        for name in try folder.namesInAll() {
            guard let name else { throw refusal(.badName, "an entry with a name that is no text in UTF-8") }
            guard entries.count < Limits.unpackedFiles * 2 else {
                throw refusal(.tooLarge, "more entries than it lists")
            }
            guard let status = try folder.status(of: name) else { continue }
            let below = path.isEmpty ? name : "\(path)/\(name)"
            guard !name.isSameName(as: ".assent") else {
                throw refusal(.ownFile, "a folder of Assent's own rules: \(below)")
            }
            var entry = TreeEntry(
                path: below, kind: status.kind, bytes: 0, mode: status.permissions & 0o777 & ~Umask.present,
                modified: status.modifiedNanoseconds)
            // An unpacked folder or file may be one that its owner may not read. The copies have their own permissions.
            let needed: mode_t = status.kind == .folder ? 0o700 : status.kind == .file ? 0o400 : 0
            // The owner of an unpacked folder can look into it, and read its files.
            entry.mode |= status.kind == .folder ? 0o500 : 0o400
            if status.st_mode & needed != needed {
                fchmodat(folder.descriptor, name, status.st_mode & 0o777 | needed, 0)
            }
            switch status.kind {
            case .file:
                entry.bytes = Int(status.st_size)
                bytes += entry.bytes
                guard bytes <= most else { throw UnpackTool.tooLarge(archive, most) }
            case .link:
                let target = try folder.linkTarget(name)
                guard Self.staysInside(target, depth: depth) else {
                    throw refusal(.leadsOut, "a link that may lead out of its folder: \(below)")
                }
                entry.leadsTo = target
            case .special: throw refusal(.badArchive, "a device, a pipe or a socket: \(below)")
            case .folder: break
            }
            entries.append(entry)
            if status.kind == .folder { try look(in: folder.folder(name), below, depth: depth + 1) }
        }
    }

    private func refusal(_ code: Code, _ what: String) -> Failure {
        Failure(
            code, "\(archive) has \(what). Nothing was unpacked.", remedy: "Unpack it with a command, if you trust it.")
    }

    /// Whether a link cannot lead out of the folder, whatever other links there are. A `..` after a name is refused,
    /// since the name may be a link itself.
    ///
    /// - Parameter depth: the number of folders that contain the link.
    static func staysInside(_ target: String, depth: Int) -> Bool {
        guard target.utf8.first != UInt8(ascii: "/"), !target.isEmpty else { return false }
        let parts = target.pathNames.drop { $0 == "." }
        let ups = parts.prefix { $0 == ".." || $0 == "." }.count { $0 == ".." }
        return ups <= depth && !parts.drop { $0 == ".." || $0 == "." }.contains("..")
    }

    /// Checks that the archive's list names all entries, and that each link leads to a file. A link to a folder would
    /// give its files names that the question did not show.
    ///
    /// - Throws: `badArchive`.
    func check(against listing: ArchiveListing, of archive: String) throws(Failure) {
        var listed: Set<[UInt8]> = []
        for entry in listing.entries {
            var path = entry.path
            while path != ".", listed.insert(Array(path.utf8)).inserted { path = parent(of: path) }
        }
        guard entries.allSatisfy({ listed.contains(Array($0.path.utf8)) }) else {
            throw Failure(.badArchive, "\(archive) has other entries than it lists. Nothing was unpacked.")
        }
        let byPath = Dictionary(entries.map { (Array($0.path.utf8), $0) }) { first, _ in first }
        for entry in entries where entry.kind == .link {
            var end: TreeEntry? = entry
            for _ in 0..<Self.followedLinks {
                guard let link = end, link.kind == .link else { break }
                end = byPath[Array(Self.path(ofLink: link).utf8)]
            }
            guard end?.kind == .file else {
                throw refusal(.badArchive, "a link that leads to none of its files: \(entry.path)")
            }
        }
    }

    /// The most links that may lead to each other.
    private static var followedLinks: Int { 8 }

    /// Returns the path to which a link leads, below the folder. The link must stay inside (`staysInside`).
    private static func path(ofLink link: TreeEntry) -> String {
        var parts = link.path.pathNames.dropLast()
        for part in (link.leadsTo ?? "").pathNames where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}

extension OpenFolder {
    /// Returns the names in the folder, sorted by their bytes. A name that is not UTF-8 is `nil`.
    func namesInAll() throws(Failure) -> [String?] {
        var names: [(bytes: [UInt8], name: String?)] = []
        try each { (entry) throws(Failure) in names.append((entry.bytes, entry.name)) }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.name)
    }
}
