import Glibc
import JSON
import Vocabulary

/// The one act outside the store that an attempt is about to do, noted in the run folder before it is done. If the engine ends between the
/// act and the note of its success, the world itself says whether it was done, and nothing is done twice.
struct Intent: Hashable {
    /// Where a file gets its name, or loses it.
    var path: String
    /// The file that gets the name; both 0 for a deletion.
    var device: UInt64 = 0
    var inode: UInt64 = 0

    /// That what is at an entry now will be called `path`.
    static func naming(_ source: borrowing FolderEntry, _ path: String) throws(Failure) -> Intent {
        guard let status = try source.status() else { throw targetChanged(source.path) }
        return Intent(path: path, device: UInt64(status.st_dev), inode: status.inode)
    }

    static func deleting(_ path: String) -> Intent { Intent(path: path) }

    func isDone(in files: borrowing PersonFiles) -> Bool {
        do throws(Failure) {
            guard let status = try files.status(path) else { return inode == 0 }
            return UInt64(status.st_dev) == device && status.inode == inode
        } catch {
            return false
        }
    }

    init(path: String, device: UInt64 = 0, inode: UInt64 = 0) {
        self.path = path
        self.device = device
        self.inode = inode
    }
}

extension RunFolder {
    func write(_ intent: Intent) throws(Failure) {
        let json = JSON.of([
            "path": .string(intent.path), "device": .string(String(intent.device)), "inode": .string(String(intent.inode)),
        ])
        try writeWhole(Array(json.text.utf8), to: "\(path).intent")
    }

    var intent: Intent? {
        guard let json = readJSON("\(path).intent"), let path = json["path"]?.string,
            let device = json["device"]?.string.flatMap({ UInt64($0) }),
            let inode = json["inode"]?.string.flatMap({ UInt64($0) })
        else { return nil }
        return Intent(path: path, device: device, inode: inode)
    }
}
