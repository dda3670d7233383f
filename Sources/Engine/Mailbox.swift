import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// How long the engine's thread looks for a message before it sleeps, in microseconds. A short step and its commit
    /// take less than this, even on a machine three times slower.
    fileprivate static let mailboxSpinMicroseconds = 150
}

/// A queue of messages from any thread to one thread that waits for them.
final class Mailbox<Message: Sendable>: @unchecked Sendable {
    // Guarded by the mutex, which a condition variable needs in its raw form.
    private var messages: [Message] = []
    private var isClosed = false
    /// Whether there is a message. Read without the mutex, so it is only a hint.
    private let hasMessages = Atomic(false)
    private let spin = Spin(microseconds: Limits.mailboxSpinMicroseconds)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A clock that nobody sets back.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(bell, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(bell)
        pthread_mutex_destroy(mutex)
        bell.deallocate()
        mutex.deallocate()
    }

    /// Adds a message and wakes the thread that waits.
    ///
    /// - Returns: whether the mailbox is open. After `close`, messages are dropped.
    @discardableResult
    func post(_ message: Message) -> Bool {
        pthread_mutex_lock(mutex)
        let isRead = !isClosed
        if isRead {
            messages.append(message)
            hasMessages.store(true, ordering: .relaxed)
        }
        pthread_mutex_unlock(mutex)
        pthread_cond_signal(bell)
        return isRead
    }

    /// Closes the mailbox, and returns the messages that were left. Later messages are dropped.
    func close() -> [Message] {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_mutex_unlock(mutex)
        return take(waiting: 0)
    }

    /// Removes all messages and returns them. If there is none, it waits for the first up to the given time.
    ///
    /// - Parameter milliseconds: how long to wait. 0 returns at once.
    func take(waiting milliseconds: Int32) -> [Message] {
        if milliseconds > 0 { spin.wait { hasMessages.load(ordering: .relaxed) } }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if messages.isEmpty, milliseconds > 0 {
            var deadline = timespec()
            clock_gettime(CLOCK_MONOTONIC, &deadline)
            let nanoseconds = deadline.tv_nsec + Int(milliseconds % 1000) * 1_000_000
            deadline.tv_sec += Int(milliseconds / 1000) + nanoseconds / 1_000_000_000
            deadline.tv_nsec = nanoseconds % 1_000_000_000
            while messages.isEmpty, pthread_cond_timedwait(bell, mutex, &deadline) == 0 {}
        }
        defer {
            messages.removeAll(keepingCapacity: true)
            hasMessages.store(false, ordering: .relaxed)
        }
        return messages
    }
}
