import Glibc
package import Vocabulary

/// The epoch file of one engine, or of one chat. The kernel locks it as long as the process lives, so a process that
/// can lock it knows that its owner is dead (`architecture.md` invariant 4).
package struct EngineLock: ~Copyable, Sendable {
    /// The kinds of processes that hold a lock.
    package enum Kind: String, Sendable {
        case engine = ""
        /// A chat that holds lines which wait behind a turn. It may outlive its engine, and it runs no workflows.
        case chat = "chat-"
        /// The one turn of a script (`assent ask`). `Archive` recognises by this name who has a conversation open.
        case ask = "chat-ask-"
    }

    /// Unique for each start of each process.
    package let name: String
    private let path: String
    private let descriptor: Int32

    /// How many new lock files are tried, if other processes take each for that of a dead engine and delete it before
    /// it is locked.
    private static let births = 100

    /// Creates and locks a new file in `folder`.
    ///
    /// - Throws: `storageFull`, `storageReadOnly`.
    package init(folder: String, kind: Kind = .engine) throws(Failure) {
        (name, path, descriptor) = try Self.born(in: folder, kind)
    }

    private static func born(in folder: String, _ kind: Kind) throws(Failure) -> (String, String, Int32) {
        var error: Int32 = 0
        for _ in 0..<births {
            let name = "\(kind.rawValue)\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
            let path = "\(folder)/\(name)"
            // O_CLOEXEC: a child that inherits the descriptor would keep a dead engine alive.
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure(errno) }
            // Before it is locked, the file looks like that of a dead engine, so a process that checks it now locks it
            // for a moment and deletes it.
            var status = stat()
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                return (name, path, descriptor)
            }
            error = errno
            unlink(path)
            close(descriptor)
        }
        throw failure(error)
    }

    private static func failure(_ error: Int32) -> Failure {
        let isFull = error == ENOSPC || error == EDQUOT
        return Failure(
            isFull ? .storageFull : .storageReadOnly,
            "The engine cannot take its lock: \(String(cString: strerror(error))).",
            remedy: isFull ? "Free some space and try again." : "Look at the data folder's rights and space.")
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Returns the process of an engine by its name, or nil for other names.
    package static func process(of name: String) -> Int32? { name.split(separator: "-").first.flatMap { Int32($0) } }

    /// Whether the engine or chat of this name still lives. The file of a dead one is deleted.
    package static func isAlive(_ name: String, in folder: String) -> Bool {
        guard !name.contains("/") else { return false }
        let path = "\(folder)/\(name)"
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A shared lock, so that two processes that check at the same time do not take each other for the owner.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return true }
        unlink(path)
        return false
    }

    /// Whether an engine other than `own` lives that would take over workflows. The files of dead ones are deleted.
    package static func anyEngineLives(in folder: String, besides own: String? = nil) -> Bool {
        var lives = false
        // All files are checked, since processes that were ended by a signal leave theirs.
        for name in FileSystem.names(in: folder)
        where name != own && isAlive(name, in: folder) && !name.hasPrefix(Kind.chat.rawValue) {
            lives = true
        }
        return lives
    }

    /// Whether the lock of a process that has ended is still held. A child of it that has not begun its own program yet
    /// holds it for a moment. It is also true of an engine in another container, whose process is not seen here.
    package static func anyOutlivesItsProcess(in folder: String) -> Bool {
        FileSystem.names(in: folder).contains { name in
            guard let process = process(of: name), kill(process, 0) != 0, errno == ESRCH else { return false }
            return isAlive(name, in: folder)
        }
    }
}
