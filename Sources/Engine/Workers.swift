import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// How long a worker's thread looks for a job before it sleeps, in microseconds.
    fileprivate static let workerSpinMicroseconds = 500
}

/// A pool of threads that may block, for `World.onWorker`. A thread is created when none is free, so the slots of the
/// engine bound their number.
package final class Workers: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        /// The number of threads that have no job and will look for one.
        var idle = 0
        var busy = 0
        /// Whether an idle thread is spinning, so that a new job needs no wake-up. No second thread spins, and none
        /// while another thread has a job. Spinning threads would slow down the engine's thread and the programs that
        /// were started.
        var isWatched = false

        mutating func next() -> (@Sendable () -> Void)? {
            guard !jobs.isEmpty else { return nil }
            (idle, busy) = (idle - 1, busy + 1)
            return jobs.removeFirst()
        }
    }

    private let state = Mutex(State())
    /// Whether there is a job. Read without the lock, so it is only a hint.
    private let hasJobs = Atomic(false)
    private let spin = Spin(microseconds: Limits.workerSpinMicroseconds)
    private let bell: Semaphore

    package init() { bell = Semaphore() }

    package func run(_ job: @escaping @Sendable () -> Void) {
        let (needsThread, needsBell) = state.withLock { state in
            state.jobs.append(job)
            hasJobs.store(true, ordering: .relaxed)
            let needsThread = state.idle < state.jobs.count
            if needsThread { state.idle += 1 }
            return (needsThread, !needsThread && !(state.isWatched && state.jobs.count == 1))
        }
        if needsThread { DetachedThread.start { self.work() } }
        if needsBell { bell.signal() }
    }

    private func work() {
        while true {
            next()()
            state.withLock { state in (state.idle, state.busy) = (state.idle + 1, state.busy - 1) }
        }
    }

    /// Waits for a job. It spins first, since the next step of a chain comes as soon as the end of the step before is
    /// stored.
    private func next() -> @Sendable () -> Void {
        while true {
            let (job, watches) = take(startsWatch: true)
            if let job { return job }
            if watches {
                spin.wait { hasJobs.load(ordering: .relaxed) }
                if let job = take(endsWatch: true).job { return job }
            }
            bell.wait()
        }
    }

    private func take(startsWatch: Bool = false, endsWatch: Bool = false) -> (
        job: (@Sendable () -> Void)?, watches: Bool
    ) {
        state.withLock { state in
            if endsWatch { state.isWatched = false }
            let job = state.next()
            hasJobs.store(!state.jobs.isEmpty, ordering: .relaxed)
            let watches = startsWatch && job == nil && state.busy == 0 && !state.isWatched
            if watches { state.isWatched = true }
            return (job, watches)
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

    package func wait() { while sem_wait(semaphore) != 0 {} }
}

/// A signal that a thread waits for, for a limited time, by a clock that cannot be set.
package final class Bell: Sendable {
    private let mailbox = Mailbox<Bool>()

    package init() {}

    package func ring() { mailbox.post(true) }

    /// Waits until the bell has been rung.
    ///
    /// - Returns: whether it was rung in that time.
    package func wait(milliseconds: Int32) -> Bool { !mailbox.take(waiting: milliseconds).isEmpty }
}
