import JSON
package import Vocabulary

/// The result of a workflow over several files: how many results were made, and why the others were not.
package struct BatchSummary: Hashable, Sendable {
    /// A step that did not succeed, with the results that lack because of it.
    package struct Fault: Hashable, Sendable {
        /// The number of the step.
        package var step: Int
        package var code: FailureCode
        /// The failure, in one sentence.
        package var words: String
        /// The file at the head of the step's chain, or nil if there is none.
        package var file: String?
    }

    /// The number of results that were made.
    package var made = 0
    /// The number of results that were not.
    package var lacking = 0
    /// The steps because of which results lack, by number.
    package var faults: [Fault] = []
    /// Whether a step that gathers results was held up by one of them, while others were made or still can be: after a
    /// failure, nothing new starts.
    package var isGatheringHeldUp = false

    /// Creates the summary of a workflow that cannot be read.
    package init() {}

    /// Counts the results of a workflow that has ended.
    ///
    /// A result is a step that no other one takes anything from.
    package init(_ template: Template, _ steps: [StepRecord], _ catalogue: Catalogue) {
        guard template.nodes.count == steps.count else { return }
        let places = Dictionary(template.nodes.indices.map { (template.nodes[$0].id, $0) }) { first, _ in first }
        var producers = [[Int]](repeating: [], count: steps.count)
        var isTaken = [Bool](repeating: false, count: steps.count)
        for edge in template.edges {
            guard let from = places[edge.from.node], let to = places[edge.to.node] else { continue }
            producers[to].append(from)
            isTaken[from] = true
        }
        for index in steps.indices where !isTaken[index] && steps[index].reason?.code != .removed {
            if steps[index].state == .succeeded { made += 1 } else { lacking += 1 }
        }
        for index in steps.indices where steps[index].state == .failed || steps[index].state == .cancelled {
            guard let failure = steps[index].failure, steps[index].reason?.code != .removed else { continue }
            faults.append(
                Fault(
                    step: index + 1, code: failure.code, words: failure.message,
                    file: Self.file(above: index, template, producers, catalogue)))
        }
        isGatheringHeldUp = steps.indices.contains { index in
            steps[index].reason?.code == .upstreamFailed && producers[index].count > 1
                && producers[index].contains { Self.isMadeOrCanBe(steps[$0]) }
        }
    }

    /// Whether a step of a workflow that has ended has made its result, or makes it once the failure of another step is
    /// out of the way.
    private static func isMadeOrCanBe(_ step: StepRecord) -> Bool {
        switch step.state {
        case .succeeded: true
        case .failed, .cancelled: false
        default: step.reason.map { $0.code == .halted } ?? true
        }
    }

    private static func file(
        above index: Int, _ template: Template, _ producers: [[Int]], _ catalogue: Catalogue
    ) -> String? {
        var (current, hops) = (index, 0)
        while hops <= producers.count {
            let node = template.nodes[current]
            if let tool = catalogue[node.kind], tool.isLoader,
                let param = tool.params.first(where: { $0.kind == .path })
            {
                return node.params[param.name]?.string
            }
            guard let next = producers[current].first else { return nil }
            (current, hops) = (next, hops + 1)
        }
        return nil
    }
}
