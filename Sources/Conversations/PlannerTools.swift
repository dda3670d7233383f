package import JSON
package import Vocabulary

extension Limits {
    /// The most tools in the result of `find_tools`.
    package static let toolsFound = 8
}

/// The requests that a model can make, after they were read and checked. The list is closed, and none of them approves
/// anything (`consent.md` guarantee 2).
package enum PlannerCall: Hashable, Sendable {
    /// A workflow of `app.workflow/v2` as JSON, which must still be read, checked and started.
    ///
    /// - Parameter corrects: the workflow of the session that it corrects, if its planner says so. The person is asked
    ///   whether that is undone first.
    case workflow(JSON, corrects: WorkflowID? = nil)
    /// A search for tools, which `Session` itself answers.
    case findTools(String)
    case listWorkflows
    case showWorkflow(WorkflowID, WorkflowPart = WorkflowPart())
    /// A retry of one failed step, by its node id or number, or of all failed steps.
    case retry(WorkflowID, step: String?)
    case cancel(WorkflowID)
    case readInbox
    case readMode
}

/// The part of a workflow that a model wants to read: a summary, one step, or one output of a step from a byte on.
package struct WorkflowPart: Hashable, Sendable {
    /// The node id or the number of a step, or nil.
    package var step: String?
    /// The name of a port, or `log`, or nil.
    package var output: String?
    package var offset: Int?

    package init(step: String? = nil, output: String? = nil, offset: Int? = nil) {
        (self.step, self.output, self.offset) = (step, output, offset)
    }
}

/// The tools that any planner may call.
package enum PlannerTools {
    package static func all(_ catalogue: Catalogue) -> [ChatTool] {
        [
            ChatTool(
                name: "propose_workflow",
                summary:
                    "Proposes a workflow (app.workflow/v2). It is checked; problems come back. The person is asked where it matters.",
                schema: PlanForm(catalogue: catalogue).schema)
        ] + others
    }

    private static let others: [ChatTool] = [
        ChatTool(
            name: "call_tool",
            summary:
                "Runs one tool on files or texts: a workflow of one step, with loaders and a saver where it needs them.",
            schema: object(
                [
                    "kind": text("The tool's kind, such as Resize"),
                    "params": ["type": "object"],
                    "files": [
                        "type": "object",
                        "description": "Input port to the path of the file that feeds it, or a list of paths",
                    ],
                    "save_as": text("Path of the result; without it, a new name beside the original"),
                ], required: ["kind"])),
        ChatTool(
            name: "find_tools", summary: "Finds tools by words and tells their ports and parameters.",
            schema: object(["query": text("What the tool should do")], required: ["query"])),
        ChatTool(
            name: "list_workflows", summary: "Lists the newest workflows of this folder with their states.",
            schema: object([:])),
        ChatTool(
            name: "show_workflow",
            summary: "Shows steps, outputs, failures and logs of a workflow of this folder, or one output in full.",
            schema: object(
                [
                    "workflow": text("Such as w3"), "step": text("Id or number"), "output": text("Its port, or log"),
                    "offset": ["type": "integer", "description": "First byte"],
                ], required: ["workflow"])),
        ChatTool(
            name: "retry", summary: "Takes up failed steps of a workflow of this session again.",
            schema: object(
                ["workflow": text("Such as w3"), "step": text("One step, by id or number")], required: ["workflow"])),
        ChatTool(
            name: "cancel", summary: "Cancels a workflow of this session that is under way.",
            schema: object(["workflow": text("Such as w3")], required: ["workflow"])),
        ChatTool(
            name: "read_inbox",
            summary: "Tells what waits for the person in this folder. Only the person can answer it.",
            schema: object([:])),
        ChatTool(
            name: "read_mode", summary: "Tells how much the person is asked. Only the person can change it: /mode.",
            schema: object([:])),
    ]

    /// Reads a call of a model.
    ///
    /// - Throws: `unknownTool`, `badArguments`, `unknownKind`. The words go back to the model.
    package static func read(_ call: ChatCall, catalogue: Catalogue) throws(Failure) -> PlannerCall {
        switch call.name {
        case "propose_workflow":
            .workflow(
                PlanForm(catalogue: catalogue).normalised(try workflow(call.arguments)),
                corrects: call.arguments["corrects"]?.string.flatMap { WorkflowID(parsing: $0) })
        case "call_tool":
            .workflow(
                PlanForm(catalogue: catalogue).withPlannedValues(
                    try SingleCall(call.arguments, catalogue: catalogue).template))
        case "find_tools": .findTools(try string("query", of: call))
        case "list_workflows": .listWorkflows
        case "show_workflow":
            .showWorkflow(
                try workflowID(call),
                WorkflowPart(
                    step: try optionalString("step", of: call), output: try optionalString("output", of: call),
                    offset: try offset(call)))
        case "retry": .retry(try workflowID(call), step: try optionalString("step", of: call))
        case "cancel": .cancel(try workflowID(call))
        case "read_inbox": .readInbox
        case "read_mode": .readMode
        default:
            throw Failure(
                .unknownTool,
                "There is no tool \"\(call.name)\". There are \(all(catalogue).map(\.name).joined(separator: ", ")).")
        }
    }

    /// Returns the tools that match the words best, each with its ports and parameters, and the number of the other
    /// matches.
    package static func found(_ query: String, in catalogue: Catalogue) -> JSON {
        let ranked = ToolIndex(catalogue).ranked(by: query)
        let told = ranked.prefix(Limits.toolsFound).map { card(of: $0.tool, why: catalogue.unavailable[$0.tool.kind]) }
        guard ranked.count > told.count else { return .array(told) }
        return .array(
            told + [
                .string("… \(ranked.count - told.count) more of \(ranked.count) tools fit. Ask with closer words …")
            ])
    }

    /// Returns one line about a tool: `Resize(image: image; width: integer px, height: integer px) → image: image`.
    static func line(of tool: ToolManifest) -> String {
        let inputs = tool.inputs.map { "\($0.name): \($0.type)\($0.isVariadic ? "*" : $0.isOptional ? "?" : "")" }
            .joined(separator: ", ")
        let params = tool.params.map { param in
            "\(param.name): \(param.choices.isEmpty ? param.kind.rawValue : param.choices.joined(separator: "|"))"
                + (param.unit.map { " \($0)" } ?? "") + (param.isRequired ? " (required)" : "")
        }.joined(separator: ", ")
        let outputs = tool.outputs.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
        return "\(tool.kind)(\(inputs)\(tool.hasOpenPorts ? "…" : ""); \(params)) → \(outputs). \(tool.summary)"
    }

    private static func card(of tool: ToolManifest, why unavailable: Reason?) -> JSON {
        .of([
            "kind": .string(tool.kind), "use": .string(line(of: tool)),
            "effects": .array(tool.effects.sorted().map { .string($0.rawValue) }),
            "unavailable": unavailable.map { .string($0.words) },
        ])
    }

    // MARK: Arguments

    /// Returns the workflow in the arguments of a call. Some models send it as a text, or wrapped in one more object.
    private static func workflow(_ arguments: JSON) throws(Failure) -> JSON {
        if arguments["nodes"] != nil { return arguments.replacing("corrects", with: nil) }
        guard let wrapped = arguments["workflow"] ?? arguments["template"] else {
            throw Failure(
                .badArguments,
                "propose_workflow takes the workflow itself: an object with \"name\", \"nodes\" and \"edges\".")
        }
        guard let text = wrapped.string else { return wrapped }
        do throws(JSONReader.Failure) {
            return try JSONReader.read(
                text, limits: JSONReader.Limits(bytes: Limits.templateBytes, depth: Limits.templateDepth))
        } catch {
            throw Failure(.badArguments, error.sentence(about: "The workflow"))
        }
    }

    private static func string(_ key: String, of call: ChatCall) throws(Failure) -> String {
        guard let text = try optionalString(key, of: call) else {
            throw Failure(.badArguments, "\(call.name) needs \"\(key)\", a text.")
        }
        return text
    }

    private static func optionalString(_ key: String, of call: ChatCall) throws(Failure) -> String? {
        switch call.arguments[key] {
        case nil, .null: return nil
        case .string(let text): return text
        case .int(let number): return String(number)
        case let other?:
            throw Failure(.badArguments, "\"\(key)\" of \(call.name) is a text, not \(other.kindInWords).")
        }
    }

    private static func offset(_ call: ChatCall) throws(Failure) -> Int? {
        guard let value = call.arguments["offset"], !value.isNull else { return nil }
        guard let offset = value.int ?? value.string.flatMap({ Int($0) }), offset >= 0 else {
            throw Failure(.badArguments, "\"offset\" of \(call.name) is a number of bytes, 0 or more.")
        }
        return offset
    }

    private static func workflowID(_ call: ChatCall) throws(Failure) -> WorkflowID {
        let text = try string("workflow", of: call)
        guard let id = WorkflowID(parsing: text) else {
            throw Failure(.badArguments, "\"\(text)\" is not the name of a workflow, such as w3.")
        }
        return id
    }

    // MARK: Schemas

    private static func object(_ properties: JSON.Object, required: [JSON] = []) -> JSON {
        ["type": "object", "properties": .object(properties), "required": .array(required)]
    }

    private static func object(_ properties: KeyValuePairs<String, JSON?>, required: [JSON] = []) -> JSON {
        object(JSON.of(properties).object ?? JSON.Object(), required: required)
    }

    private static func text(_ summary: String) -> JSON { ["type": "string", "description": .string(summary)] }
}
