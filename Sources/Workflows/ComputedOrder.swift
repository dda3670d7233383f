package import Vocabulary

extension Limits {
    /// How many steps the searches for ends may visit, and how many steps may stand before others, for each step of the
    /// graph and once in addition. Beyond it, every step stands after all earlier ones, which is always right, but
    /// slower.
    fileprivate static let orderVisitsOfAStep = 64
    fileprivate static let orderVisits = 1_000_000

    /// The most steps that one search for redundant order visits.
    fileprivate static let orderAncestors = 512

    /// The most steps before a step for which redundant order is searched through several steps.
    fileprivate static let orderPairs = 64
}

/// The order of one step that follows from the files that it touches (`semantics.md` 215).
package struct StepOrder: Hashable, Sendable {
    /// The steps that must succeed before it, by their dense index.
    package var follows: [Int] = []
    /// The steps that must be over in any way before it.
    package var startsAfter: [Int] = []

    /// Creates an order.
    package init(follows: [Int] = [], startsAfter: [Int] = []) {
        (self.follows, self.startsAfter) = (follows, startsAfter)
    }
}

extension Graph {
    /// Returns the order of each step that follows from the files that the steps touch. The result is empty if no step
    /// touches what another one touches.
    ///
    /// Two steps are in conflict if one may change what the other reads or changes. The later one in the list follows
    /// the earlier one. A step that changes a path follows the ends of all earlier chains that read the path, so that an
    /// original is deleted only if all that was made of it is saved. What edges order already is left out.
    ///
    /// The time is linear in nodes and edges, but for the length of paths: an index keeps the last change of each path
    /// and its readers since then.
    ///
    /// - Parameters:
    ///   - list: the steps in the order of the list of the file. Without it, that is the order of the graph.
    ///   - begun: the order of the steps that have begun already. They keep what the list still allows of it.
    package func computedOrder(
        _ tools: Catalogue, at places: FilePlaces, list: [Int]? = nil, begun: [Int: StepOrder] = [:]
    ) -> [StepOrder] {
        guard options.order == .list, pathsToOrder(tools) != nil else { return [] }
        var touches = FileTouches(self, tools, places)
        let touched = nodes.indices.map { touches.touches(of: $0) }
        var orderer = Orderer(self, list)
        for step in orderer.list.steps where !touched[step].isEmpty {
            orderer.place(step, touched[step], begun: begun[step])
        }
        return orderer.orders.contains { !$0.follows.isEmpty || !$0.startsAfter.isEmpty } ? orderer.orders : []
    }
}

/// Places steps one after the other, in the order of the list, and finds those that each must wait for.
private struct Orderer {
    private let graph: Graph
    let list: ListOrder
    private(set) var orders: [StepOrder]
    private var index = TouchIndex()
    private var visits: Int
    /// The round in which each step was visited last, so that no search has to clear its marks.
    private var marks: [Int]
    private var round = 0

    init(_ graph: Graph, _ list: [Int]?) {
        self.graph = graph
        self.list = ListOrder(graph, list: list)
        orders = Array(repeating: StepOrder(), count: graph.nodes.count)
        marks = Array(repeating: 0, count: graph.nodes.count)
        visits = Limits.orderVisits + Limits.orderVisitsOfAStep * graph.nodes.count
    }

    mutating func place(_ step: Int, _ touches: [FileTouch], begun: StepOrder?) {
        let touches = visits > 0 ? touches : [.everything]
        var found = TouchIndex.Found()
        for touch in touches { index.find(touch, &found) }
        var hard = found.steps
        hard.formUnion(ends(of: found.readers, before: step))
        hard.remove(step)
        visits -= hard.count
        orders[step].follows = withoutRedundant(hard, before: step)
        let soft = found.clashes.subtracting(hard).subtracting([step])
        orders[step].startsAfter = soft.isEmpty ? [] : soft.subtracting(ancestors(of: [step])).sorted()
        if let begun {
            let isEarlier = { [list] (other: Int) in list.place[other] < list.place[step] }
            orders[step] = StepOrder(
                follows: begun.follows.filter(isEarlier), startsAfter: begun.startsAfter.filter(isEarlier))
        }
        for touch in touches { index.add(touch, of: step) }
    }

    /// Returns the ends of the chains that begin with some readers: the steps without a consumer, of those that come
    /// before a step.
    private mutating func ends(of readers: Set<Int>, before step: Int) -> [Int] {
        guard !readers.isEmpty else { return [] }
        round += 1
        var (ends, stack) = ([Int](), Array(readers))
        for reader in readers { marks[reader] = round }
        while let next = stack.popLast() {
            visits -= 1
            var isEnd = true
            for consumer in graph.consumers[next] where list.place[consumer] < list.place[step] {
                isEnd = false
                guard marks[consumer] != round else { continue }
                marks[consumer] = round
                stack.append(consumer)
            }
            if isEnd { ends.append(next) }
        }
        return ends
    }

    /// Returns the steps that a step must follow, without those that another one of them or an edge puts before it.
    private mutating func withoutRedundant(_ steps: Set<Int>, before step: Int) -> [Int] {
        guard !steps.isEmpty else { return [] }
        let isLarge = steps.count > Limits.orderPairs
        let known = isLarge ? direct(steps, before: step) : ancestors(of: Array(steps) + [step])
        return steps.subtracting(known).sorted()
    }

    /// Returns the direct predecessors of some steps and of the step that follows them.
    private func direct(_ steps: Set<Int>, before step: Int) -> Set<Int> {
        var known = Set(graph.nodes[step].predecessors)
        for other in steps { known.formUnion(graph.nodes[other].predecessors + orders[other].follows) }
        return known
    }

    /// Returns the steps above some steps, by edges and by the order found so far. The nearest are found
    /// first, and a search that is too long misses others.
    private mutating func ancestors(of steps: [Int]) -> Set<Int> {
        round += 1
        var (found, queue, next) = (Set<Int>(), steps, 0)
        while next < min(queue.count, Limits.orderAncestors) {
            for before in graph.nodes[queue[next]].predecessors + orders[queue[next]].follows
            where marks[before] != round {
                marks[before] = round
                found.insert(before)
                queue.append(before)
            }
            next += 1
        }
        return found
    }
}
