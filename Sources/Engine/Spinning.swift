import Glibc

/// Waits for what usually comes within microseconds: who falls asleep meanwhile is woken later than that. Whoever else wants the
/// processor gets it.
///
/// - Returns: whether it came.
func spin(microseconds: Int, until isThere: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .microseconds(microseconds)
    repeat {
        if isThere() { return true }
        sched_yield()
    } while ContinuousClock.now < end
    return isThere()
}
