import Glibc
import Vocabulary

/// The epoch file of one engine: locked by the kernel for as long as its process lives, so that whoever can lock it knows that the
/// engine is dead (`design.md` §3.3).
struct EngineLock: ~Copyable {
    /// The engine's name, unique for each start of each process.
    let name: String
    private let path: String
    private let descriptor: Int32

    init(folder: String) throws(Failure) {
        name = "\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        path = "\(folder)/\(name)"
        // O_CLOEXEC: a child that inherits the descriptor would keep a dead engine alive.
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let words = String(cString: strerror(errno))
            throw Failure(
                "storageReadOnly", "The engine cannot take its lock: \(words).", remedy: "Look at the data folder's rights and space.")
        }
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Whether the engine of this name still lives. The file of a dead one is taken away.
    static func isAlive(_ name: String, in folder: String) -> Bool {
        guard !name.contains("/") else { return false }
        let path = "\(folder)/\(name)"
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
        unlink(path)
        return false
    }
}
