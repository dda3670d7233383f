import Glibc

/// Returns the processor time that this thread used for the work, in seconds. Other load on the machine hardly changes
/// it.
package func threadSeconds(_ work: () -> Void) -> Double {
    let start = threadNanoseconds()
    work()
    return Double(threadNanoseconds() - start) / 1e9
}

private func threadNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
