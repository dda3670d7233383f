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
        let (form, arguments) = (PlanForm(catalogue: catalogue), CallArguments(call))
        switch call.name {
        case "propose_workflow":
            let terms = WorkflowTerms(corrects: call.arguments["corrects"]?.string.flatMap { WorkflowID(parsing: $0) })
            return .workflow(form.normalised(try Self.workflow(call.arguments)), terms)
        case "call_tool":
            return .workflow(form.withPlannedValues(try SingleCall(call.arguments, catalogue: catalogue).template))
        case "list_workflows": return .listWorkflows
        case "show_workflow":
            return .showWorkflow(
                try arguments.workflow(),
                WorkflowPart(
                    step: try arguments.optionalText("step"), output: try arguments.optionalText("output"),
                    offset: try Self.offset(call)))
        case "retry": return .retry(try arguments.workflow(), step: try arguments.optionalText("step"))
        case "cancel": return .cancel(try arguments.workflow())
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

    private static func offset(_ call: ChatCall) throws(Failure) -> Int? {
        guard let value = call.arguments["offset"], !value.isNull else { return nil }
        guard let offset = value.wholeNumber, offset >= 0 else {
            throw Failure(.badArguments, "\"offset\" of \(call.name) is a number of bytes, 0 or more.")
        }
        return offset
    }
}
