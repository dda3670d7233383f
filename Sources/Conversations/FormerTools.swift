import JSON
import Vocabulary

/// The tools of the version before, which are not offered any more. Stored conversations and models that learned
/// them may still call them, and the built-in planner does.
struct FormerTools {
    let catalogue: Catalogue

    /// Reads a call of one of these tools.
    ///
    /// - Returns: nil if the name is none of them.
    /// - Throws: `badArguments`, `unknownKind`.
    func read(_ call: ChatCall) throws(Failure) -> PlannerCall? {
        let form = PlanForm(catalogue: catalogue)
        switch call.name {
        case "propose_workflow":
            let terms = WorkflowTerms(corrects: call.arguments["corrects"]?.string.flatMap { WorkflowID(parsing: $0) })
            return .workflow(form.normalised(try Self.workflow(call.arguments)), terms)
        case "call_tool":
            return .workflow(form.withPlannedValues(try SingleCall(call.arguments, catalogue: catalogue).template))
        case "list_workflows": return .listWorkflows
        case "show_workflow":
            return .showWorkflow(
                try Self.workflowID(call),
                WorkflowPart(
                    step: try Self.optionalText("step", of: call), output: try Self.optionalText("output", of: call),
                    offset: try Self.offset(call)))
        case "retry": return .retry(try Self.workflowID(call), step: try Self.optionalText("step", of: call))
        case "cancel": return .cancel(try Self.workflowID(call))
        case "read_inbox": return .readInbox
        case "read_mode": return .readMode
        default: return nil
        }
    }

    /// Returns the workflow in the arguments of a call. Some models send it as a text, or wrapped in one more
    /// object.
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

    private static func optionalText(_ key: String, of call: ChatCall) throws(Failure) -> String? {
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
        guard let offset = value.wholeNumber, offset >= 0 else {
            throw Failure(.badArguments, "\"offset\" of \(call.name) is a number of bytes, 0 or more.")
        }
        return offset
    }

    private static func workflowID(_ call: ChatCall) throws(Failure) -> WorkflowID {
        guard let text = try optionalText("workflow", of: call) else {
            throw Failure(.badArguments, "\(call.name) needs \"workflow\", a text.")
        }
        guard let id = WorkflowID(parsing: text) else {
            throw Failure(.badArguments, "\"\(text)\" is not the name of a workflow, such as w3.")
        }
        return id
    }
}
