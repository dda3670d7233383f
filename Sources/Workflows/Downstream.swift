import Vocabulary

extension Limits {
    /// The most blocked steps that an inbox entry lists.
    fileprivate static let blockedSteps = 1_000
}

extension Graph {
    /// Returns the steps that cannot start before a step is done, directly or through others, nearest first
    /// (`semantics.md` 45).
    ///
    /// An optional input also holds up its step, until its producer has settled. Steps are named by their dense index.
    package func heldUp(by index: Int, limit: Int = Limits.blockedSteps) -> [Int] {
        var found: [Int] = []
        var seen: Set<Int> = [index]
        var next = 0
        var producer = index
        while nodes.indices.contains(producer), found.count < limit {
            for consumer in successors(of: producer) where !seen.contains(consumer) {
                seen.insert(consumer)
                found.append(consumer)
            }
            guard next < found.count else { break }
            producer = found[next]
            next += 1
        }
        return Array(found.prefix(limit))
    }
}
