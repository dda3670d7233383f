import Glibc

/// Seconds of processor that this thread used for the work: how busy the machine is with others hardly counts.
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
