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
    ///
    /// - Parameter list: the steps in the order of the list of the file. Without it, that is the order of the graph.
    init(_ graph: Graph, list: [Int]? = nil) {
        let count = graph.nodes.count
        var ranks = Array(0..<count)
        for (rank, step) in (list ?? []).enumerated() { ranks[step] = rank }
        place = Array(repeating: -1, count: count)
        steps.reserveCapacity(count)
        var isEntered = [Bool](repeating: false, count: count)
        for first in list ?? Array(0..<count) where place[first] < 0 {
            var stack = [first]
            while let step = stack.last {
                if isEntered[step] {
                    stack.removeLast()
                    guard place[step] < 0 else { continue }
                    place[step] = steps.count
                    steps.append(step)
                } else {
                    isEntered[step] = true
                    // The last one pushed is placed first, so the first of the list comes last.
                    let before = graph.nodes[step].predecessors.sorted { ranks[$0] > ranks[$1] }
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
