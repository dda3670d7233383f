import JSON
package import Vocabulary

/// The tools that a model may call: ten that are offered, and the names of the version before, which are still
/// taken.
package enum PlannerTools {
    /// Returns the tools that a request offers.
    package static func all(_ catalogue: Catalogue) -> [ChatTool] { OfferedTools.all }

    private static let looks: Set<String> = [
        "read", "search", "list", "results", "find_tools", "wait", "list_workflows", "show_workflow", "read_inbox",
        "read_mode",
    ]

    /// Returns whether the tool of a name only looks, so that a call of it changes nothing.
    package static func isLook(_ name: String) -> Bool { looks.contains(name) }

    /// Reads a call of a model.
    ///
    /// - Throws: `unknownTool`, `badArguments`, `unknownKind`. The words go back to the model.
    package static func read(_ call: ChatCall, catalogue: Catalogue) throws(Failure) -> PlannerCall {
        guard let tool = OfferedTools.named(call.name) else {
            if let former = try FormerTools(catalogue: catalogue).read(call) { return former }
            throw unknownTool(call, catalogue)
        }
        // The version before had another argument.
        if call.name == "find_tools", let words = call.arguments["query"]?.string { return .findTools(words) }
        let arguments = try CallArguments(call, of: tool)
        _ = try arguments.optionalText(ForeseenAnswer.argument)
        switch call.name {
        case "read": return try reading(arguments)
        case "search": return .look(kind: "SearchFiles", params: try searching(arguments))
        case "list":
            return .look(
                kind: "ListTree",
                params: JSON.Object(present: [
                    "path": .string(try arguments.optionalText("path") ?? "."),
                    "glob": try arguments.optionalText("glob").map { .string($0) },
                    "depth": try arguments.number("depth", in: 1...6).map { .int($0) },
                ]))
        case "edit", "run": return try SingleStep(arguments, of: call.name).call(catalogue)
        case "wait":
            return .wait(
                try arguments.workflow(),
                seconds: try arguments.number("seconds", in: 1...Limits.longestWaitSeconds) ?? Limits.waitSeconds)
        case "ask_person": return try SingleStep(arguments, of: call.name).call(catalogue)
        case "workflow": return try workflow(arguments, catalogue)
        case "results":
            guard arguments["workflow"] != nil else { return .listWorkflows }
            return .showWorkflow(try arguments.workflow(), WorkflowPart(step: try arguments.optionalText("step")))
        default: return .findTools(try arguments.text("words"))
        }
    }

    /// Returns the failure of a call of a tool that does not exist. A kind is no tool, which is what models mix up
    /// most.
    private static func unknownTool(_ call: ChatCall, _ catalogue: Catalogue) -> Failure {
        let kind = catalogue[call.name] == nil ? "" : " \(call.name) is a kind: use it in a step of workflow."
        let names = OfferedTools.all.map(\.name).joined(separator: ", ")
        return Failure(.unknownTool, "There is no tool \"\(call.name)\".\(kind) There are \(names).")
    }

    // MARK: Looks

    private static func reading(_ arguments: CallArguments) throws(Failure) -> PlannerCall {
        let path = try arguments.text("path")
        let range = LineRange(
            from: try arguments.number("from", in: 1...Limits.lastLine) ?? 1,
            lines: try arguments.number("lines", in: 1...Limits.linesRead) ?? Limits.linesReadAtOnce,
            offset: try arguments.number("offset", in: 0...Limits.lastLine) ?? 0,
            page: try arguments.number("page", in: 1...Limits.lastPage))
        if case .output? = AssetName(parsing: path), let name = AssetName(parsing: path) {
            return .readResult(name, range)
        }
        return .look(
            kind: "ReadLines",
            params: JSON.Object(present: [
                "path": .string(path), "from": .int(range.from), "lines": .int(range.lines),
                "offset": range.offset == 0 ? nil : .int(range.offset), "page": range.page.map { .int($0) },
            ]))
    }

    private static func searching(_ arguments: CallArguments) throws(Failure) -> JSON.Object {
        let (text, regex) = (try arguments.optionalText("text"), try arguments.optionalText("regex"))
        guard (text == nil) != (regex == nil) else {
            throw Failure(.badArguments, "search needs either \"text\" or \"regex\".")
        }
        return JSON.Object(present: [
            "text": text.map { .string($0) }, "regex": regex.map { .string($0) },
            "path": .string(try arguments.optionalText("path") ?? "."),
            "glob": try arguments.optionalText("glob").map { .string($0) },
            "ignoreCase": try arguments.flag("ignore_case") ? true : nil,
            "context": try arguments.number("context", in: 0...10).map { .int($0) },
            "max": try arguments.number("max", in: 1...500).map { .int($0) },
        ])
    }

    // MARK: Workflows

    private static func workflow(_ arguments: CallArguments, _ catalogue: Catalogue) throws(Failure) -> PlannerCall {
        if arguments["workflow"] != nil || arguments["do"] != nil {
            let id = try arguments.workflow()
            switch try arguments.optionalText("do") {
            case "retry": return .retry(id, step: try arguments.optionalText("step"))
            case "cancel": return .cancel(id)
            default: throw Failure(.badArguments, "\"do\" of workflow is retry or cancel.")
            }
        }
        guard let steps = arguments["steps"]?.array, !steps.isEmpty else {
            throw Failure(.badArguments, "workflow needs \"steps\", a list of {id, kind, params, in, after}.")
        }
        let form = StepForm(steps, catalogue: catalogue)
        let name = try arguments.optionalText("name") ?? "workflow"
        let terms = WorkflowTerms(
            keepAs: try arguments.optionalText("keep_as"), problems: form.problems, doubtful: form.doubtful)
        return .workflow(PlanForm(catalogue: catalogue).normalised(form.graph(named: name), isPlanned: false), terms)
    }
}

extension Limits {
    /// The lines that `read` gives unless the call says otherwise.
    fileprivate static let linesReadAtOnce = 400

    /// The largest number of a line, and of a byte in a line.
    fileprivate static let lastLine = 1 << 40

    /// The largest number of a page of a PDF.
    fileprivate static let lastPage = 100_000

    /// The most lines of one `read`. Bytes are bounded, too.
    fileprivate static let linesRead = 100_000
}

extension JSON.Object {
    /// Creates an object without the members that have no value.
    init(present members: KeyValuePairs<String, JSON?>) { self = JSON.of(members).object ?? JSON.Object() }
}
