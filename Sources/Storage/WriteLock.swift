import Glibc
import Vocabulary

/// A kernel lock that the writers of all processes take in turn. The kernel releases it when its process dies.
final class WriteLock: @unchecked Sendable {
    private let descriptor: Int32
    // The kernel's lock belongs to the descriptor, so it does not exclude the threads of one process from each other:
    // the first to finish would release it for all of them.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(path: String) throws {
        // O_CLOEXEC: a child that inherits the descriptor would hold the lock after our death.
        var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // A process without the right to write uses the lock, too, to read.
        if descriptor < 0, errno == EROFS || errno == EACCES { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
        self.descriptor = descriptor
        guard descriptor >= 0 else {
            let words = String(cString: strerror(errno))
            throw Failure(
                .storageReadOnly, "The data folder cannot be written: \(words).",
                remedy: "Look at its owner and its rights.")
        }
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        close(descriptor)
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Whether a database has been made beside the lock. Then an empty file in its place means that data was lost.
    var isMarked: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_size > 0
    }

    func mark() {
        if !isMarked { _ = pwrite(descriptor, "1", 1, 0) }
    }

    /// Runs `body` under the lock, or skips it if another thread or process holds the lock.
    func holdingIfFree(_ body: () throws -> Void) rethrows {
        guard pthread_mutex_trylock(mutex) == 0 else { return }
        defer { pthread_mutex_unlock(mutex) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
        defer { flock(descriptor, LOCK_UN) }
        try body()
    }

    /// Runs `body` while no thread of this process holds the lock or waits for it. Other processes may take it.
    func leavingFree(_ body: () -> Void) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        body()
    }

    /// Runs `body` under the lock, after waiting for it.
    ///
    /// - Throws: `storageBusy` if the process that holds it is stopped, or does not release it for a long time.
    func holding<Value>(_ body: () throws -> Value) throws -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { try wait() }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Waits in the kernel's queue. Trying again and again would not be fair.
    private func wait() throws {
        let ticket = LockWatch.shared.begin(descriptor)
        // Threads of the pool have all signals blocked.
        var (called, before) = (sigset_t(), sigset_t())
        sigemptyset(&called)
        sigaddset(&called, LockWatch.signal)
        pthread_sigmask(SIG_UNBLOCK, &called, &before)
        defer {
            LockWatch.shared.end(ticket)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure(.storageBroken, "The lock of the database cannot be taken.") }
            guard let verdict = LockWatch.shared.verdict(ticket) else { continue }
            let holder = verdict.holder.map { "Process \($0)" } ?? "Another process"
            throw Failure(
                .storageBusy,
                "\(holder) holds the database and \(verdict.isStopped ? "stands still" : "does not come to an end").",
                remedy: verdict.holder.map { "Let it go on (kill -CONT \($0)) or end it, then try again." }
                    ?? "Look at what runs, then try again.")
        }
    }
}
