import Files
import Glibc
import JSON
import Vocabulary

extension Limits {
    /// The most files, folders and links of a folder that a tool copies or packs.
    package static let treeEntries = 20_000

    /// The most bytes of all files of a folder that a tool copies or packs.
    package static let treeBytes = 2 << 30

    /// The most entries of a folder that a question names one by one. Of more, it names the folder only.
    static let treeTargets = 5_000

    /// The most files and folders that one call of `Zip` or `Tar` names.
    static let packedPaths = 100

    /// The most files that may hold keys that a question names one by one. Of more, it says so of the folder only.
    static let namedSecrets = 20
}

/// The entries of a folder of the user, as they are before a tool copies, packs or moves the folder. A link is an entry,
/// and is not followed.
struct FolderTree {
    /// The purpose for which a tree is read. A move reads no content, so its size does not matter.
    enum Purpose { case copy, pack, move }

    /// The entries, each folder before its content, and the names of a folder in the order of their bytes.
    private(set) var entries: [TreeEntry] = []
    /// The bytes of all files together.
    private(set) var bytes = 0
    /// The number of Assent's own folders that are left out of an archive.
    private(set) var ownFolders = 0
    /// The first path that lies on another mount than the folder, or `nil`.
    private(set) var mount: String?
    /// Whether a file has a name outside of the folder as well (a hard link).
    var hasOtherNames: Bool { names.contains { $0.value.count < $0.value.all } }

    private let path: String
    private let purpose: Purpose
    private let device: dev_t
    /// The names of each file that has several: how many are in the folder, and how many there are in all.
    private var names: [UInt64: (count: Int, all: Int)] = [:]
    private let own: OwnPaths
    /// A SHA-256 over the names, kinds, sizes, times and permissions of all entries. Another tree has another one.
    private(set) var hash = ContentHash.ofNothing
    /// The text whose hash `hash` is.
    private var listing: [UInt8] = []

    /// Reads a folder.
    ///
    /// - Parameters:
    ///   - path: its real path.
    ///   - own: Assent's own paths. They are left out of an archive, and are neither copied nor moved.
    /// - Throws: `tooManyFiles`, `tooLarge`, `badName`, `ownFolder`, or `notAFile` for a pipe, a socket or a device.
    init(_ folder: borrowing OpenFolder, _ path: String, for purpose: Purpose, own: OwnPaths) throws(Failure) {
        (self.path, self.purpose, self.own) = (path, purpose, own)
        let status = try folder.file.status()
        device = status.st_dev
        note(TreeEntry(path: "", kind: .folder, bytes: 0, mode: status.permissions, modified: 0))
        try look(in: folder, "", depth: 1)
        hash = .of(listing)
        listing = []
    }

    private func refusal(_ code: Code, _ what: String, _ remedy: String) -> Failure {
        Failure(code, "\(path) \(what).", remedy: remedy)
    }

    private mutating func look(in folder: borrowing OpenFolder, _ above: String, depth: Int) throws(Failure) {
        guard depth <= Limits.unpackedDepth else {
            throw refusal(.tooManyFiles, "has folders more than \(Limits.unpackedDepth) deep", Self.remedy)
        }
        for name in try folder.namesInAll() {
            guard let name else {
                throw refusal(
                    .badName, "has a file whose name is no text in UTF-8\(above.isEmpty ? "" : ", in \(above)")",
                    "Rename it first, or use a command.")
            }
            let below = above.isEmpty ? name : "\(above)/\(name)"
            guard !name.isSameName(as: ".assent"), !own.contains(path.child(below)) else {
                guard purpose == .pack else {
                    throw refusal(.ownFolder, "holds a folder of Assent's own: \(below)", "Leave that where it is.")
                }
                ownFolders += 1
                continue
            }
            guard let status = try folder.status(of: name) else { continue }
            guard entries.count < Limits.treeEntries else {
                throw refusal(
                    .tooManyFiles, "has more than \(Limits.treeEntries) files and folders", Self.remedy)
            }
            try add(status, below, in: folder, name)
            if status.kind == .folder { try look(in: folder.folder(name), below, depth: depth + 1) }
        }
    }

    private static let remedy = "Name a smaller folder, or use a command."

    private mutating func add(
        _ status: stat, _ below: String, in folder: borrowing OpenFolder, _ name: String
    ) throws(Failure) {
        var entry = TreeEntry(
            path: below, kind: status.kind, bytes: 0, mode: status.permissions, modified: status.modifiedNanoseconds)
        switch status.kind {
        case .file:
            entry.bytes = Int(status.st_size)
            bytes += entry.bytes
            guard purpose == .move || bytes <= Limits.treeBytes else {
                throw refusal(.tooLarge, "has more than \(Limits.treeBytes >> 30) GiB in its files", Self.remedy)
            }
            if status.st_nlink > 1 { names[status.inode, default: (0, Int(status.st_nlink))].count += 1 }
        case .link: entry.leadsTo = try folder.linkTarget(name)
        case .folder: break
        case .special:
            guard purpose == .move else {
                throw refusal(
                    .notAFile, "has a device, a pipe or a socket: \(below)", "Take it away first, or use a command.")
            }
        }
        if status.st_dev != device, mount == nil { mount = below }
        note(entry)
        entries.append(entry)
    }

    private mutating func note(_ entry: TreeEntry) {
        let line = JSON.of([
            "path": .string(entry.path), "kind": .string("\(entry.kind)"), "bytes": .int(entry.bytes),
            "mode": .int(entry.mode), "modified": .string(String(entry.modified)),
            "leadsTo": entry.leadsTo.map { .string($0) },
        ])
        listing += line.text.utf8 + [0x0A]
    }
}
