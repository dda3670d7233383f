import JSON
import Vocabulary

/// A request of the console in words: "why did it fail", "cancel that", "list the workflows".
package struct ConsoleRequest: Hashable, Sendable {
    /// The tool of the session that does it.
    let tool: String
    /// The workflow that the line names, or nil for the last one of the conversation.
    var workflow: String?

    /// Creates the request for an answer of `Talk`. Fails if the console has no tool for it.
    init?(_ answer: String, workflow: String?) {
        let tools = [
            "list": "list_workflows", "inbox": "read_inbox", "mode": "read_mode", "why": "show_workflow",
            "show": "show_workflow",
            "cancel": "cancel", "retry": "retry",
        ]
        guard let tool = tools[answer] else { return nil }
        (self.tool, self.workflow) = (tool, workflow)
    }

    /// Whether the last workflow is to be done again, whichever it was.
    var repeats: Bool { tool == "retry" && workflow == nil }

    private var needsWorkflow: Bool { !["list_workflows", "read_inbox", "read_mode"].contains(tool) }

    /// Returns the call. Returns nil if the session offers no tools, or if the workflow is unknown.
    func call(in request: ChatRequest) -> ChatCall? {
        guard !request.tools.isEmpty else { return nil }
        let id = "console-\(request.messages.count { $0.role == .user })"
        guard needsWorkflow else { return ChatCall(id: id, name: tool, arguments: [:]) }
        guard let workflow = workflow ?? Self.lastWorkflow(of: request) else {
            // If the workflow is only shown, it may be the newest one of the folder, whoever started it.
            return tool == "show_workflow"
                ? ChatCall(id: id + Self.newest, name: "list_workflows", arguments: [:]) : nil
        }
        return ChatCall(id: id, name: tool, arguments: ["workflow": .string(workflow)])
    }

    /// The suffix of the name of a call that only finds out which workflow is meant.
    private static let newest = "-newest"

    /// Returns the call about the newest workflow, after the call that found it. Returns nil after other calls, and if
    /// there is no workflow.
    static func call(after result: ChatMessage, in request: ChatRequest) -> ChatCall? {
        guard let id = result.callID, id.hasPrefix("console-"), id.hasSuffix(newest),
            let json = try? JSONReader.read(result.text),
            let workflow = json["result"]?["newest"]?.array?.first?["workflow"]?.string
        else { return nil }
        return ChatCall(
            id: String(id.dropLast(newest.count)), name: "show_workflow", arguments: ["workflow": .string(workflow)])
    }

    /// Returns the workflow of the last call that started or named one, or nil if there is none.
    private static func lastWorkflow(of request: ChatRequest) -> String? {
        for message in request.messages.reversed() where message.role == .tool {
            guard let json = try? JSONReader.read(message.text) else {
                // The result of a command begins with the name of its workflow.
                let word = message.text.prefix { !$0.isWhitespace }
                if word.hasPrefix("w"), let id = WorkflowID(parsing: String(word)) { return id.description }
                continue
            }
            if let id = json["result"]?["workflow"]?.string ?? json["result"]?["workflow"]?["workflow"]?.string {
                return id
            }
        }
        return nil
    }

    // MARK: Results

    /// Returns the result of such a call in words, or nil for the result of another call.
    static func words(for result: ChatMessage, in request: ChatRequest) -> String? {
        guard
            let call = request.messages.last(where: { !$0.calls.isEmpty })?.calls.first(where: {
                $0.id == result.callID
            }),
            call.id.hasPrefix("console-"), let json = try? JSONReader.read(result.text)
        else { return nil }
        guard refusal(of: result) == nil else { return nil }
        switch call.name {
        case "list_workflows":
            return list(json["result"]?["newest"]?.array ?? [], of: json["result"]?["count"]?.int ?? 0)
        case "read_inbox": return inbox(json["result"]?.array ?? [])
        case "read_mode":
            return json["result"].map {
                "The mode is \($0["mode"]?.string ?? "?"): Assent \($0["words"]?.string ?? "") /mode changes it."
            }
        case "show_workflow": return json["result"].map(reasons)
        case "cancel": return json["result"]?["cancelling"]?.string.map { "\($0) is being cancelled." } ?? ""
        default: return ""
        }
    }

    /// Returns why a call of the console did nothing, or nil if it did something or is another call.
    static func refusal(of result: ChatMessage) -> String? {
        guard result.callID?.hasPrefix("console-") ?? false, let json = try? JSONReader.read(result.text) else {
            return nil
        }
        let remedy = json["error"]?["remedy"]?.string.map { " \($0)" } ?? ""
        return json["error"]?["message"]?.string.map { $0 + remedy } ?? json["declined"]?.string
    }

    private static func list(_ newest: [JSON], of count: Int) -> String {
        guard !newest.isEmpty else { return "There is no workflow here yet." }
        let lines = newest.prefix(Limits.namedFiles).map { workflow in
            "\(workflow["workflow"]?.string ?? "?") \(workflow["state"]?.string ?? "") · \(workflow["title"]?.string ?? "")"
        }
        let rest = count - lines.count
        return (lines + (rest > 0 ? ["and \(rest) more: /list"] : [])).joined(separator: "\n")
    }

    /// The most characters of a parameter that is named.
    private static let shownParam = 60

    private static func inbox(_ entries: [JSON]) -> String {
        let lines = entries.prefix(Limits.namedFiles).compactMap { entry -> String? in
            guard let number = entry["number"]?.int else { return nil }
            let params = (entry["call"]?["params"]?.object?.members ?? []).compactMap { $0.value.string }.filter {
                $0.count <= Self.shownParam
            }
            let call = params.isEmpty ? "" : " (\(params.map(PlannerPrompt.quoted).joined(separator: ", ")))"
            return
                "\(number) · \(entry["workflow"]?.string ?? "") · \(entry["title"]?.string ?? "")\(call): \(entry["reason"]?.string ?? "")"
        }
        return lines.isEmpty ? "Nothing waits for you." : lines.joined(separator: "\n") + "\n/inbox shows them."
    }

    /// Returns the state of a workflow, and the reason of each step that did not succeed.
    private static func reasons(_ json: JSON) -> String {
        let id = json["workflow"]?["workflow"]?.string ?? "It"
        let steps = (json["steps"]?.array ?? []).compactMap { step -> String? in
            let why = step["failure"]?["message"]?.string ?? step["words"]?.string
            guard step["state"]?.string != "succeeded", let why, let number = step["step"]?.int else { return nil }
            return "Step \(number) (\(step["node"]?.string ?? "")) \(step["state"]?.string ?? ""): \(why)"
        }
        let title = json["workflow"]?["title"]?.string.map { " · \($0)" } ?? ""
        return
            (["\(id) \(json["workflow"]?["state"]?.string ?? "")\(title)"] + steps.prefix(Limits.namedFiles) + [
                "/why \(id) tells more."
            ])
            .joined(separator: "\n")
    }
}
