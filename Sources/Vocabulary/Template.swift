package import JSON

/// A workflow as a user, a planner or a model wrote it (`app.workflow/v2`, `semantics.md` 70), before or after it is
/// checked.
package struct Template: Hashable, Sendable {
    package static let schema = "app.workflow/v2"
    /// The kind of the single step of an undo workflow. Only the program itself creates it, and documents that contain
    /// it are refused.
    package static let undoKind = "Undo"

    /// The kind of a question of a model.
    package static let questionKind = "AskPerson"

    /// Whether the workflow is a single question of a model to the person. Views show no plan for it.
    package var isQuestion: Bool { nodes.count == 1 && nodes[0].kind == Self.questionKind }

    package var name: String
    package var nodes: [Node]
    package var edges: [Edge]
    package var inputs: [WorkflowInput]
    package var options: Options
    /// The text of the guide from which the template was made, or `nil` if it was not made from a guide.
    package var guide: String?

    /// Creates a template.
    package init(
        name: String, nodes: [Node], edges: [Edge] = [], inputs: [WorkflowInput] = [], options: Options = Options(),
        guide: String? = nil
    ) {
        self.name = name
        self.nodes = nodes
        self.edges = edges
        self.inputs = inputs
        self.options = options
        self.guide = guide
    }

    package struct Node: Hashable, Sendable {
        package var id: String
        /// The tool's kind, UpperCamelCase: `Resize`.
        package var kind: String
        package var params: JSON.Object
        /// The inputs, or `nil` if the node uses the ports of the tool's manifest.
        package var inputs: [Port]?
        package var outputs: [Port]?
        package var awaits: AwaitSpec?
        /// The queue, or `nil` if the node uses the one of the tool's manifest.
        package var queue: Queue?
        /// The nodes that must end before this node starts, whether or not their outputs feed it (`semantics.md` 200).
        package var after: [String]
        /// The condition on earlier answers that decides whether the node is asked, or `nil` if it always is
        /// (`semantics.md` 201).
        package var when: Condition?
        /// The nodes whose skipping by a person skips this node, too (`semantics.md` 202).
        package var skipsWith: [String]
        /// The earlier nodes that must succeed before this node starts, since one of the two may change what the other
        /// reads or changes (`semantics.md` 215). Assent computes them when the workflow begins.
        package var follows: [String] = []
        /// The earlier nodes that must be over in any way before this node starts, since both may take the same free
        /// name for a file (`semantics.md` 215). Assent computes them when the workflow begins.
        package var startsAfter: [String] = []
        /// The place in the list of the file, from 1, of a node that a view folds into the row of another one. It has
        /// no number there. Assent writes it when the workflow begins (`semantics.md` 80).
        package var folded: Int? = nil

        /// Creates a node.
        package init(
            id: String, kind: String, params: JSON.Object = JSON.Object(), inputs: [Port]? = nil,
            outputs: [Port]? = nil,
            awaits: AwaitSpec? = nil, queue: Queue? = nil, after: [String] = [], when: Condition? = nil,
            skipsWith: [String] = []
        ) {
            self.id = id
            self.kind = kind
            self.params = params
            self.inputs = inputs
            self.outputs = outputs
            self.awaits = awaits
            self.queue = queue
            self.after = after
            self.when = when
            self.skipsWith = skipsWith
        }
    }

    /// An end of an edge, written `["load1", "image"]`.
    package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
        package var node: String
        package var port: String

        package init(_ node: String, _ port: String) {
            self.node = node
            self.port = port
        }

        package var description: String { "\(node).\(port)" }
    }

    package struct Edge: Hashable, Sendable {
        package var from: Endpoint
        package var to: Endpoint

        package init(from: Endpoint, to: Endpoint) {
            self.from = from
            self.to = to
        }
    }

    /// A named input of the whole workflow, bound at start by `--input NAME=FILE` (`semantics.md` 72).
    package struct WorkflowInput: Hashable, Sendable {
        package var name: String
        package var type: PortType
        package var to: [Endpoint]
        package var isOptional: Bool

        package init(name: String, type: PortType, to: [Endpoint], isOptional: Bool = false) {
            self.name = name
            self.type = type
            self.to = to
            self.isOptional = isOptional
        }
    }

    package struct Options: Hashable, Sendable {
        /// The highest number of steps of this workflow in each queue at once. The global limits apply too
        /// (`semantics.md` 13).
        package var localConcurrency: Int
        package var remoteConcurrency: Int
        package var errorPolicy: ErrorPolicy
        package var order: Order

        package init(
            localConcurrency: Int = 2, remoteConcurrency: Int = 8, errorPolicy: ErrorPolicy = .failFast,
            order: Order = .list
        ) {
            self.localConcurrency = localConcurrency
            self.remoteConcurrency = remoteConcurrency
            self.errorPolicy = errorPolicy
            self.order = order
        }
    }

    /// The source of the order of steps that touch the same files (`semantics.md` 215).
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// Steps that touch the same files run in the order of the list, unless an edge says otherwise.
        case list
        /// Only edges, `after`, `when` and `skipsWith` order steps.
        case edges
    }

    /// The effect of a failed node on the other nodes (`semantics.md` 12).
    package enum ErrorPolicy: String, Hashable, Sendable, CaseIterable {
        /// No new step is scheduled after a failure, but running steps may finish.
        case failFast = "fail-fast"
        /// Only the descendants of a failed node are blocked.
        case isolateNode = "isolate-node"
    }

    /// The question that an interactive node asks a person (`semantics.md` 77). At run time it becomes an
    /// `AwaitRecord`.
    package struct AwaitSpec: Hashable, Sendable {
        package var type: AwaitType
        package var urgency: Urgency
        package var expiresInSeconds: Double?
        package var onTimeout: OnTimeout
        package var title: String?
        package var detail: String?
        /// The demands on the answer, or `nil` if every answer is accepted.
        package var accept: Acceptance?

        package init(
            type: AwaitType, urgency: Urgency = .normal, expiresInSeconds: Double? = nil,
            onTimeout: OnTimeout = .cancel,
            title: String? = nil, detail: String? = nil, accept: Acceptance? = nil
        ) {
            self.type = type
            self.urgency = urgency
            self.expiresInSeconds = expiresInSeconds
            self.onTimeout = onTimeout
            self.title = title
            self.detail = detail
            self.accept = accept
        }
    }
}

/// The kind of slot that a step takes while it runs.
package enum Queue: String, Hashable, Sendable, CaseIterable {
    case local
    case remote
    /// The step takes no slot, since it only waits or passes values on.
    case none
}
