import Glibc
import Vocabulary

/// A kernel lock that all writers of all processes take in turn. It dies with its process.
final class WriteLock: @unchecked Sendable {
    private let descriptor: Int32
    // The kernel's lock belongs to the descriptor, so it does not keep the threads of one process apart: the first to finish would
    // give it up for all of them.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(path: String) throws {
        // O_CLOEXEC: a child that inherits the descriptor would hold the lock after our death.
        var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // Whoever may not write stands in line too, to look.
        if descriptor < 0, errno == EROFS || errno == EACCES { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
        self.descriptor = descriptor
        guard descriptor >= 0 else {
            let words = String(cString: strerror(errno))
            throw Failure("storageReadOnly", "The data folder cannot be written: \(words).", remedy: "Look at its owner and its rights.")
        }
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        close(descriptor)
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Whether a database has been made beside it: then an empty file in its place is a loss, not a beginning.
    var isMarked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_size > 0
    }

    func mark() {
        if !isMarked { _ = pwrite(descriptor, "1", 1, 0) }
    }

    func holding<Value>(_ body: () throws -> Value) throws -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure("storageBroken", "The lock of the database cannot be taken.") }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }
}
