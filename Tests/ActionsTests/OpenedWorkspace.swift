import Engine
import Harness
import JSON
import Storage
import Vocabulary

@testable import Actions
@testable import Services

/// An open workspace in a scratch folder. An engine runs in it only while a test carries a workflow out.
struct OpenedWorkspace {
    let scratch: ScratchFolder
    let shared: OpenWorkspace

    init() throws {
        scratch = try ScratchFolder()
        try ScratchFolder.makeFolder("\(scratch.path)/work")
        shared = Self.open(scratch)
        // Contents without a database would count as a lost database.
        _ = try shared.archive.get()
    }

    /// Opens the same workspace again, as another process would.
    func openedAgain() -> OpenWorkspace { Self.open(scratch) }

    private static func open(_ scratch: ScratchFolder) -> OpenWorkspace {
        let path = scratch.path
        return OpenWorkspace(
            folders: Folders(config: "\(path)/config", data: "\(path)/data", cache: "\(path)/cache"),
            workspace: "\(path)/work", surroundings: engineSurroundings)
    }

    /// Writes a file into the workspace, and returns its path.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = "\(shared.workspace)/\(name)"
        try ScratchFolder.write(bytes, to: path)
        return path
    }

    // MARK: Rows

    /// A step in the state that it has when the engine has come to rest, with the entry that it has opened.
    struct Step {
        var node: String
        var kind: String
        var params: JSON = [:]
        var state = StepState.awaitingUser
        var ask: Ask?
    }

    /// An entry of the inbox, as a step opens it.
    struct Ask {
        var type = AwaitType.text
        var request: AwaitRequest?
        /// The question, if it is no request.
        var question: JSON?
        var urgency = Urgency.normal
    }

    /// Stores a workflow, and returns its entries of the inbox.
    ///
    /// - Parameter edges: such as `"ask.text", "join.texts.1"`.
    func waiting(_ steps: [Step], _ edges: [(from: String, to: String)] = [], title: String = "Test") throws
        -> [AwaitRecord]
    {
        let (archive, now) = (try shared.archive.get(), OpenWorkspace.now())
        let template: JSON = [
            "schema": "app.workflow/v2", "name": .string(title),
            "nodes": .array(
                steps.map { ["id": .string($0.node), "kind": .string($0.kind), "params": $0.params] }),
            "edges": .array(edges.map { ["from": Self.end($0.from), "to": Self.end($0.to)] }),
        ]
        let record = WorkflowRecord(
            id: WorkflowID(0), title: title, workspace: shared.workspace, createdAt: now, updatedAt: now)
        let made = try archive.create(record, template: template.text, owner: Self.owner) { id in
            steps.enumerated().map { place, step in
                StepRecord(
                    id: StepID(id, place + 1), node: step.node, kind: step.kind, state: step.state, updatedAt: now)
            }
        }.0
        var batch = Batch(workflow: made.id, fence: 1)
        batch.awaitsOpened = steps.enumerated().compactMap { place, step in
            step.ask.map { ask in
                AwaitRecord(
                    step: StepID(made.id, place + 1), type: ask.type, title: step.node, reason: "It is asked.",
                    urgency: ask.urgency, createdAt: now, question: ask.request?.json ?? ask.question)
            }
        }
        return try archive.commit([batch]).awaits
    }

    /// Stores a workflow of one step, and returns its entry of the inbox.
    func waiting(_ ask: Ask = Ask(), kind: String = "AskText", params: JSON = ["question": "Why?"]) throws
        -> AwaitRecord
    {
        try waiting([Step(node: "ask", kind: kind, params: params, ask: ask)])[0]
    }

    /// Returns the bytes of a template.
    ///
    /// - Parameter edges: such as `"ask.text", "join.texts.1"`.
    static func template(
        _ steps: [(id: String, kind: String, params: JSON)], _ edges: [(from: String, to: String)] = []
    ) -> [UInt8] {
        let json: JSON = [
            "schema": "app.workflow/v2", "name": "Test",
            "nodes": .array(steps.map { ["id": .string($0.id), "kind": .string($0.kind), "params": $0.params] }),
            "edges": .array(edges.map { ["from": end($0.from), "to": end($0.to)] }),
        ]
        return Array(json.text.utf8)
    }

    /// The terms of a workflow that no screen follows.
    static let terms = WorkflowStart(mode: .adaptive, onAsk: .park)

    private static func end(_ text: String) -> JSON {
        .array(text.split(separator: ".", maxSplits: 1).map { .string(String($0)) })
    }

    /// The engine that owns the stored workflows. It does not run.
    static let owner = "nobody"

    /// Returns the answers that wait for the engine, in their order.
    func answers() throws -> [Completion] {
        try shared.archive.get().waitingCommands(for: Self.owner).compactMap { command in
            if case .complete(_, _, let completion, _) = command.verb { completion } else { nil }
        }
    }
}
