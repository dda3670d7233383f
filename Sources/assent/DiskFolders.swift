import Actions
import Console
import Conversations
import Engine
import Glibc
import Services
import Vocabulary

extension Limits {
    /// The most entries of a folder that are read to complete a name. The rest of a longer folder is left out.
    fileprivate static let completedEntries = 200_000
}

/// The user's folders on the disk.
struct DiskFolders: FolderReading {
    let workspace: String
    private let workers = Workers()

    init(workspace: String) { self.workspace = workspace }

    func names(in folder: String, startingWith stem: String, most: Int) -> (names: [FolderName], areAll: Bool) {
        guard let directory = opendir(folder) else { return ([], true) }
        defer { closedir(directory) }
        let prefix = Array(stem.utf8)
        var found: [(name: String, type: UInt8)] = []
        var read = 0
        while let entry = readdir(directory) {
            read += 1
            // Reading stops in an endless folder, such as one of a network.
            guard read <= Limits.completedEntries, found.count <= most else { break }
            // The name is read in place, since a copy of 256 bytes could reach beyond the entry.
            let bytes = withUnsafePointer(to: &entry.pointee.d_name.0) {
                Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
            }
            guard bytes.starts(with: prefix), let name = String(validating: bytes, as: UTF8.self), name != ".",
                name != ".."
            else {
                continue
            }
            found.append((name, entry.pointee.d_type))
        }
        let names = found.prefix(most).map { FolderName($0.name, isFolder: isFolder($0.name, $0.type, in: folder)) }
        return (names.sorted { $0.name < $1.name }, found.count <= most && read <= Limits.completedEntries)
    }

    /// Returns whether an entry is a folder, or a link to one.
    private func isFolder(_ name: String, _ type: UInt8, in folder: String) -> Bool {
        guard type == UInt8(DT_LNK) || type == UInt8(DT_UNKNOWN) else { return type == UInt8(DT_DIR) }
        var status = stat()
        return stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Lists the working folder on a thread that may block, since reading a large folder takes long.
    func listing() async -> [FileEntry] {
        await withCheckedContinuation { answer in
            workers.run { [workspace] in answer.resume(returning: Listing.ofFolder(workspace).files) }
        }
    }

    var home: String? {
        getenv("HOME").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") && $0.count > 1 ? $0 : nil }
    }
}
