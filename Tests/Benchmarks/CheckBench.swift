import JSON
import Vocabulary
import Workflows

/// Reading and checking templates: 100,000 nodes in under a second, and linear from 1,000 up.
enum CheckBench {
    static func run() -> [Figure] {
        let (small, large) = (bytes(1_000), bytes(100_000))
        let perNode = Pairs(7) {
            microseconds(large, 100_000)
        } _: {
            microseconds(small, 1_000, times: 50)
        }
        return [
            Figure(name: "check 100,000 nodes", perNode.values.map { $0 * 100_000 / 1e6 }, unit: "s", bar: .atMost(1)),
            Figure(
                name: "check, time a node at 100,000", perNode, unit: "µs", reference: "at 1,000", bar: .ratioAtMost(2)),
        ]
    }

    private static func bytes(_ count: Int) -> [UInt8] { Array(Graphs.grid(width: 100, height: count / 100).utf8) }

    /// A node's.
    private static func microseconds(_ bytes: [UInt8], _ count: Int, times: Int = 1) -> Double {
        let seconds = Clock.measure {
            for _ in 0..<times {
                let (template, problems) = TemplateReader.read(bytes)
                let (graph, faults) = check(template!, against: Graphs.catalogue)
                precondition(problems.isEmpty && faults.isEmpty && graph!.nodes.count == count)
            }
        }
        return seconds / Double(count * times) * 1e6
    }
}

/// The shapes that are measured, as template texts.
enum Graphs {
    static let pass = ToolManifest(
        kind: "Pass", title: "Pass", hasOpenPorts: true, queue: .none, action: .builtin("pass"))
    static let catalogue = Catalogue([pass])

    static func chain(_ count: Int) -> String {
        text(count) { $0 == 0 ? [] : [($0 - 1, "in")] }
    }

    static func fanOut(_ count: Int) -> String {
        text(count) { $0 == 0 ? [] : [(0, "in")] }
    }

    /// Layers of `width` nodes; each node takes from two of the layer before.
    static func grid(width: Int, height: Int) -> String {
        text(width * height) { node in
            guard node >= width else { return [] }
            let column = node % width
            return [(node - width, "a"), (node - width - column + (column + 1) % width, "b")]
        }
    }

    /// Layers in which each node takes from all nodes of the layer before.
    static func dense(layers: Int, width: Int) -> String {
        text(layers * width) { node in
            guard node >= width else { return [] }
            let first = node / width * width - width
            return (0..<width).map { (first + $0, "p\($0)") }
        }
    }

    private static func text(_ count: Int, from: (Int) -> [(node: Int, port: String)]) -> String {
        var nodes: [String] = []
        var edges: [String] = []
        for node in 0..<count {
            nodes.append(#"{"id":"n\#(node)","kind":"Pass"}"#)
            for source in from(node) {
                edges.append(#"{"from":["n\#(source.node)","out"],"to":["n\#(node)","\#(source.port)"]}"#)
            }
        }
        return #"{"schema":"app.workflow/v2","name":"bench","nodes":["# + nodes.joined(separator: ",\n")
            + #"],"edges":["#
            + edges.joined(separator: ",\n") + "]}"
    }
}
