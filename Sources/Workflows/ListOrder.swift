/// The order in which a graph's steps are written, as far as edges let it stand.
///
/// A step comes after all that feeds it or that it names. Otherwise the list decides: what a step needs from further
/// down is moved up before it.
struct ListOrder {
    /// The steps in this order.
    private(set) var steps: [Int] = []
    /// The place of each step in this order.
    private(set) var place: [Int]

    /// Computes the order of a graph without cycles. The time is linear in nodes and edges.
    init(_ graph: Graph) {
        let count = graph.nodes.count
        place = Array(repeating: -1, count: count)
        steps.reserveCapacity(count)
        var isEntered = [Bool](repeating: false, count: count)
        for first in 0..<count where place[first] < 0 {
            var stack = [first]
            while let step = stack.last {
                if isEntered[step] {
                    stack.removeLast()
                    guard place[step] < 0 else { continue }
                    place[step] = steps.count
                    steps.append(step)
                } else {
                    isEntered[step] = true
                    // The last one pushed is placed first, so the lowest number comes last.
                    let before = graph.nodes[step].predecessors.sorted(by: >)
                    stack += before.filter { place[$0] < 0 && !isEntered[$0] }
                }
            }
        }
    }
}

extension Graph.Node {
    /// The nodes that edges, `after`, `when` and `skipsWith` put before this one. A node can appear more than once.
    var predecessors: [Int] { inputs.compactMap(\.producer?.node) + control }
}
