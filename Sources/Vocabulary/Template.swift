package import JSON

/// A workflow as somebody wrote it (`app.workflow/v2`, `semantics.md` 70): the plan before it has been checked, or
/// after.
package struct Template: Hashable, Sendable {
    package static let schema = "app.workflow/v2"
    /// The kind of the one step of an undo workflow. Only the program itself makes it: a document that has it is
    /// refused.
    package static let undoKind = "Undo"

    package var name: String
    package var nodes: [Node]
    package var edges: [Edge]
    package var inputs: [WorkflowInput]
    package var options: Options
    /// The guide that it was made from, as it was written; `nil` if it is of none.
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
        /// `nil` where the node leaves its ports to the tool's manifest.
        package var inputs: [Port]?
        package var outputs: [Port]?
        package var awaits: AwaitSpec?
        /// `nil` where the node leaves it to the tool's manifest.
        package var queue: Queue?
        /// The nodes that have to be over before it, whether anything of theirs goes into it or not (`semantics.md`
        /// 200).
        package var after: [String]
        /// The condition on earlier answers without which it is not asked; `nil` for none (`semantics.md` 201).
        package var when: Condition?
        /// The nodes that take it with them if a person skips them (`semantics.md` 202).
        package var skipsWith: [String]

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

    /// One end of an edge, written `["load1", "image"]`.
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
        /// Most steps of this workflow at once in each queue; the global caps hold besides (`semantics.md` 13).
        package var localConcurrency: Int
        package var remoteConcurrency: Int
        package var errorPolicy: ErrorPolicy

        package init(localConcurrency: Int = 2, remoteConcurrency: Int = 8, errorPolicy: ErrorPolicy = .failFast) {
            self.localConcurrency = localConcurrency
            self.remoteConcurrency = remoteConcurrency
            self.errorPolicy = errorPolicy
        }
    }

    /// `semantics.md` 12.
    package enum ErrorPolicy: String, Hashable, Sendable, CaseIterable {
        /// Nothing new is scheduled after a failure; what runs may finish.
        case failFast = "fail-fast"
        /// Only the descendants of a failed node block.
        case isolateNode = "isolate-node"
    }

    /// What an interactive node asks of a person (`semantics.md` 77). Its runtime is `AwaitRecord`.
    package struct AwaitSpec: Hashable, Sendable {
        package var type: AwaitType
        package var urgency: Urgency
        package var expiresInSeconds: Double?
        package var onTimeout: OnTimeout
        package var title: String?
        package var detail: String?
        /// The demands on the answer; `nil` where it is taken as it is.
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

/// Which slots a step takes while it runs.
package enum Queue: String, Hashable, Sendable, CaseIterable {
    case local
    case remote
    /// Takes no slot: steps that only wait or pass values on.
    case none
}
