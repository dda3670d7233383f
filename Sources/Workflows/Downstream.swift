import Vocabulary

extension Graph {
    /// The steps that cannot start before this one has given what they require: directly or through others, nearest first. Steps are named
    /// by their dense index.
    package func requiring(_ index: Int, limit: Int = Limits.blockedSteps) -> [Int] {
        var found: [Int] = []
        var seen: Set<Int> = [index]
        var next = 0
        var producer = index
        while nodes.indices.contains(producer), found.count < limit {
            for consumer in consumers[producer] where !seen.contains(consumer) && requires(consumer, producer) {
                seen.insert(consumer)
                found.append(consumer)
            }
            guard next < found.count else { break }
            producer = found[next]
            next += 1
        }
        return Array(found.prefix(limit))
    }

    private func requires(_ consumer: Int, _ producer: Int) -> Bool {
        nodes[consumer].inputs.contains { !$0.isOptional && $0.producer?.node == producer }
    }
}
