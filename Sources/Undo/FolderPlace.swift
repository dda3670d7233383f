import Files
import Glibc
import JSON
import Vocabulary

/// The folder of a path, by its device and its inode.
struct FolderPlace: Hashable {
    let device: UInt64
    let inode: UInt64

    init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

    /// Looks at the folder of a path. The result is nil if there is none.
    init?(of path: String) {
        var status = stat()
        guard lstat(parent(of: path), &status) == 0, status.kind == .folder else { return nil }
        self.init(device: UInt64(status.st_dev), inode: status.inode)
    }

    /// Whether a folder is another one on another disk. A number of a device may change with a new start of the machine,
    /// and a folder that was made again has another inode, so both must differ.
    func isOnOtherDisk(than other: FolderPlace) -> Bool { device != other.device && inode != other.inode }

    var json: JSON { [.string(String(device)), .string(String(inode))] }

    init?(json: JSON) {
        guard let parts = json.array, parts.count == 2, let device = parts[0].string.flatMap({ UInt64($0) }),
            let inode = parts[1].string.flatMap({ UInt64($0) })
        else { return nil }
        self.init(device: device, inode: inode)
    }
}
