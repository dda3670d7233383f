/// Returns the shortest cycle of a directed graph as indices of nodes, or `nil` if it has none.
///
/// Nodes that no cycle can pass are removed first, so a graph without cycles costs one linear pass. After a search from
/// a node, the cycles through it are known, so the node is removed and the rest is reduced again. On very hard graphs
/// the search stops after a bounded amount of work, with the shortest cycle found so far.
func shortestCycle(_ successors: [[Int]]) -> [Int]? {
    var peeler = Peeler(successors)
    var best: [Int]?
    var work = 20_000_000
    for start in successors.indices where peeler.isAlive[start] {
        if let cycle = cycleThrough(start, successors, peeler.isAlive, shorterThan: best?.count ?? Int.max, work: &work)
        {
            best = cycle
        }
        if best?.count == 1 || work <= 0 { break }
        peeler.remove(start)
    }
    return best
}

/// Keeps only the nodes that have both a predecessor and a successor left.
private struct Peeler {
    private let successors: [[Int]]
    private let predecessors: [[Int]]
    private var ins: [Int]
    private var outs: [Int]
    private(set) var isAlive: [Bool]

    init(_ successors: [[Int]]) {
        self.successors = successors
        var predecessors = [[Int]](repeating: [], count: successors.count)
        for (node, list) in successors.enumerated() { for next in list { predecessors[next].append(node) } }
        self.predecessors = predecessors
        ins = predecessors.map(\.count)
        outs = successors.map(\.count)
        isAlive = Array(repeating: true, count: successors.count)
        peel(successors.indices.filter { ins[$0] == 0 || outs[$0] == 0 })
    }

    mutating func remove(_ node: Int) { peel([node]) }

    private mutating func peel(_ nodes: [Int]) {
        var stack = nodes
        while let node = stack.popLast() {
            guard isAlive[node] else { continue }
            isAlive[node] = false
            for next in successors[node] where isAlive[next] {
                ins[next] -= 1
                if ins[next] == 0 { stack.append(next) }
            }
            for previous in predecessors[node] where isAlive[previous] {
                outs[previous] -= 1
                if outs[previous] == 0 { stack.append(previous) }
            }
        }
    }
}

private func cycleThrough(
    _ start: Int, _ successors: [[Int]], _ isAlive: [Bool], shorterThan bound: Int, work: inout Int
) -> [Int]? {
    var parents = [start: start]
    var layer = [start]
    var length = 1
    while !layer.isEmpty, length < bound, work > 0 {
        var next: [Int] = []
        for node in layer {
            for successor in successors[node] where isAlive[successor] {
                work -= 1
                if successor == start {
                    var path = [node]
                    var last = node
                    while last != start, let parent = parents[last] {
                        path.append(parent)
                        last = parent
                    }
                    return path.reversed()
                }
                if parents[successor] == nil {
                    parents[successor] = node
                    next.append(successor)
                }
            }
        }
        layer = next
        length += 1
    }
    return nil
}
