/// Waits for what usually comes within microseconds: who falls asleep meanwhile is woken later than that. It does not yield: with that a
/// thread gives up its whole share, and falls behind on a busy machine.
///
/// - Returns: whether it came.
func spin(microseconds: Int, until isThere: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .microseconds(microseconds)
    repeat {
        if isThere() { return true }
    } while ContinuousClock.now < end
    return isThere()
}
