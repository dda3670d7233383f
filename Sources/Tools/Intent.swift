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

    /// That the file now called `source` will be called `path`.
    static func naming(_ source: String, _ path: String) throws(Failure) -> Intent {
        var status = stat()
        guard lstat(source, &status) == 0 else { throw fileFailure("look at", source) }
        return Intent(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    static func deleting(_ path: String) -> Intent { Intent(path: path) }

    var isDone: Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return inode == 0 && errno == ENOENT }
        return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
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
