import Glibc
import Synchronization
import Vocabulary

/// Threads that may block, for `World.onWorker`. One is made when none is free; the slots of the engine bound how many that can be.
package final class Workers: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var idle = 0
    }

    private let state = Mutex(State())
    private let bell: Semaphore

    package init() { bell = Semaphore() }

    package func run(_ job: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            return state.idle < state.jobs.count
        }
        if needsThread { addThread() }
        bell.signal()
    }

    private func addThread() {
        state.withLock { $0.idle += 1 }
        let box = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { @Sendable pointer in
                Unmanaged<Workers>.fromOpaque(pointer!).takeRetainedValue().work()
                return nil
            }, box.toOpaque())
        precondition(code == 0, "no thread for a worker")
        pthread_detach(thread)
    }

    private func work() {
        while true {
            // The next step of a chain comes as soon as the end of this one is stored.
            if !spin(microseconds: Limits.workerSpinMicroseconds, until: bell.tryToTake) { bell.wait() }
            let job = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.jobs.isEmpty else { return nil }
                state.idle -= 1
                return state.jobs.removeFirst()
            }
            job?()
            if job != nil { state.withLock { $0.idle += 1 } }
        }
    }
}

/// A counting semaphore of the C library.
package final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func signal() { sem_post(semaphore) }
    /// - Returns: whether it was signalled in that time.
    package func wait(milliseconds: Int) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += milliseconds / 1000
        end.tv_nsec += milliseconds % 1000 * 1_000_000
        if end.tv_nsec >= 1_000_000_000 { (end.tv_sec, end.tv_nsec) = (end.tv_sec + 1, end.tv_nsec - 1_000_000_000) }
        while sem_timedwait(semaphore, &end) != 0 { guard errno == EINTR else { return false } }
        return true
    }

    func tryToTake() -> Bool { sem_trywait(semaphore) == 0 }

    package func wait() { while sem_wait(semaphore) != 0 {} }
}
