package import JSON
package import Vocabulary

/// A template that has been checked: nodes by dense index, each input with its producer. It never changes while the
/// workflow runs.
package struct Graph: Sendable {
    package var name: String
    package var options: Template.Options
    package var nodes: [Node]
    /// Node → the nodes that consume one of its outputs, each once for every edge.
    package var consumers: [[Int]]
    /// The providers of jobs that its nodes name, each once.
    package var providers: [JobTerms] = []

    package struct Node: Sendable {
        package var id: String
        package var kind: String
        /// As written, with the manifest's defaults filled in.
        package var params: JSON.Object
        package var inputs: [Input]
        package var outputs: [Port]
        package var queue: Queue
        package var isIdempotent: Bool
        /// Whether it has no effect outside the asset store, so that consent needs no look at it outside always-ask.
        package var isPure: Bool
        /// Whether it only reads or fetches outside: without inputs, what it gives was imported (`semantics.md` 27).
        package var onlyBringsIn = true
        package var awaits: Template.AwaitSpec?
        /// Why it cannot run here, if so: `toolNotInstalled`.
        package var missing: Reason?
        /// How long a `Delay` waits.
        package var delaySeconds: Double?
        /// Where its job is bought: a place in `providers`.
        package var provider: Int? = nil
        /// Whether a person does it: its await gives the outputs (`semantics.md` 2, *produces*).
        package var isPerson = false
        /// The nodes that have to be over before it without feeding it: those it names, and those that its condition
        /// reads.
        package var control: [Int] = []
        /// The condition without which it is passed over.
        package var when: Condition?
        /// The answers that the condition reads, by the names that it uses.
        package var answers: [String: AnswerPlace] = [:]
        /// The nodes that take it with them if a person skips them.
        package var skipsWith: [Int] = []
    }

    /// The place of an answer that a condition reads.
    package struct AnswerPlace: Hashable, Sendable {
        package var node: Int
        /// The name of one of several pictures; `nil` for the whole answer.
        package var part: String?
        package var type: AnswerType
    }

    package struct Input: Sendable {
        package var port: String
        package var isOptional: Bool
        /// Node and output port that feed it; `nil` for an optional port without an edge.
        package var producer: (node: Int, port: String)?
    }

    /// Nodes whose outputs nobody consumes: their outputs are the workflow's.
    package var sinks: [Int] { nodes.indices.filter { consumers[$0].isEmpty } }
}
