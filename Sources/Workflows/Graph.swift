package import JSON
package import Vocabulary

/// A template that has been checked: nodes by dense index, each input with its producer. It never changes while the
/// workflow runs.
package struct Graph: Sendable {
    package var name: String
    package var options: Template.Options
    package var nodes: [Node]
    /// The consumers of each node's outputs, by the index of the node. A consumer appears once for every edge.
    package var consumers: [[Int]]
    /// The nodes that stand after each node by the computed order. `nil` if no node does.
    package var order: Followers?
    /// The numbers that users see for its nodes.
    package var rows = StepRows(nil)
    /// The providers of jobs that its nodes name, each once.
    package var providers: [JobTerms] = []

    /// Returns the name of a node in a sentence, such as `2 (resize)`, or the id of a node without a number.
    package func label(of index: Int) -> String {
        rows.isFolded(index + 1) ? nodes[index].id : "\(index + 1) (\(nodes[index].id))"
    }

    /// Returns the word by which a verb takes a node: its number, or the id of a node without one.
    package func word(of index: Int) -> String { rows.isFolded(index + 1) ? nodes[index].id : "\(index + 1)" }

    package struct Node: Sendable {
        package var id: String
        package var kind: String
        /// The parameters as the template has them, with the defaults of the manifest.
        package var params: JSON.Object
        package var inputs: [Input]
        package var outputs: [Port]
        package var queue: Queue
        package var isIdempotent: Bool
        /// Whether the node has no effect outside the asset store, so that consent needs a look at it only in
        /// always-ask mode.
        package var isPure: Bool
        /// Whether the node only reads or fetches outside. Without inputs, its outputs count as imported
        /// (`semantics.md` 27).
        package var onlyBringsIn = true
        package var awaits: Template.AwaitSpec?
        /// The reason why the node cannot run here, such as `toolNotInstalled`. `nil` if it can.
        package var missing: Reason?
        /// How long a `Delay` waits, in seconds.
        package var delaySeconds: Double?
        /// The index in `providers` of the provider that does the node's job. `nil` for other nodes.
        package var provider: Int? = nil
        /// Whether a person does the step, so that its await gives the outputs (`semantics.md` 2, *produces*).
        package var isPerson = false
        /// The nodes that must be over before this node and do not feed it: those that the node or its condition names.
        package var control: [Int] = []
        /// The condition of the node. If it does not hold, the step is passed over.
        package var when: Condition?
        /// The answers that the condition reads, by the names that it uses.
        package var answers: [String: AnswerPlace] = [:]
        /// The nodes whose skipping by a person skips this node, too.
        package var skipsWith: [Int] = []
        /// The nodes that must succeed before this node, since both touch the same files (`semantics.md` 215).
        package var follows: [Int] = []
        /// The nodes that must be over in any way before this node, since both may take the same free name.
        package var startsAfter: [Int] = []
    }

    /// The place of an answer that a condition reads.
    package struct AnswerPlace: Hashable, Sendable {
        package var node: Int
        /// The name of one of several pictures. `nil` for the whole answer.
        package var part: String?
        package var type: AnswerType
    }

    /// The computed order, seen from the earlier nodes.
    package struct Followers: Sendable {
        /// The nodes that follow each node (`Node.follows`), by its index.
        package var hard: [[Int]]
        /// The nodes that start after each node is over (`Node.startsAfter`), by its index.
        package var soft: [[Int]]

        /// Returns the followers of nodes, or `nil` if none of them has an order.
        init?(_ nodes: [Node]) {
            guard nodes.contains(where: { !$0.follows.isEmpty || !$0.startsAfter.isEmpty }) else { return nil }
            (hard, soft) = (Array(repeating: [], count: nodes.count), Array(repeating: [], count: nodes.count))
            for (index, node) in nodes.enumerated() {
                for earlier in node.follows { hard[earlier].append(index) }
                for earlier in node.startsAfter { soft[earlier].append(index) }
            }
        }
    }

    package struct Input: Sendable {
        package var port: String
        package var isOptional: Bool
        /// The node and the output port that feed the input. `nil` for an optional port without an edge.
        package var producer: (node: Int, port: String)?
    }

    /// Returns the nodes that cannot start before a node is over, once for each reason.
    package func successors(of index: Int) -> [Int] {
        guard let order else { return consumers[index] }
        return consumers[index] + order.hard[index] + order.soft[index]
    }

    /// Sets the computed order of each node. An empty list removes it.
    package mutating func setOrder(_ orders: [StepOrder]) {
        for index in nodes.indices {
            nodes[index].follows = orders.isEmpty ? [] : orders[index].follows
            nodes[index].startsAfter = orders.isEmpty ? [] : orders[index].startsAfter
        }
        order = Followers(nodes)
    }

    /// The nodes whose outputs no other node consumes. Their outputs are those of the workflow.
    package var sinks: [Int] { nodes.indices.filter { consumers[$0].isEmpty } }
}
