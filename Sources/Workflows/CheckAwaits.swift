import JSON
import Vocabulary

/// Returns the problems of the await of a node: a type, form or time that does not fit its tool (`semantics.md` 2).
func awaitProblems(of node: Template.Node, _ tool: ToolManifest) -> [Problem] {
    var problems: [Problem] = []
    func report(_ place: String, _ message: String) {
        problems.append(Problem(.badAwait, at: "\(node.id).\(place)", message))
    }
    if case .person(let type) = tool.action {
        if let written = node.awaits?.type, written != type {
            report(
                "await.type", "A person does \(tool.kind) by \(type.rawValue); its await cannot be \(written.rawValue)."
            )
        }
        let choices = node.params["choices"] ?? .null
        let takesWords = tool.param(AwaitRequest.meanings) != nil
        if type == .choose, tool.param("choices") != nil, !(takesWords && choices.array?.isEmpty ?? true),
            let fault = choicesFault(of: choices)
        {
            report("choices", fault)
        }
        return problems
    }
    switch node.awaits?.type {
    case nil, .confirmCall, .confirmParams: break
    case .drawMask, .selectAsset, .choose, .text, .capture:
        let word = node.awaits?.type.rawValue ?? ""
        report("await.type", "\(tool.kind) is not done by a person, so nobody can give its outputs with \(word).")
    case .connect, .submitUnknown:
        report(
            "await.type",
            "The engine asks for this by itself where it is needed; before a step, confirmCall and confirmParams can stand."
        )
    }
    return problems
}

private func choicesFault(of json: JSON) -> String? {
    guard let list = json.array else { return nil }
    let words = list.compactMap(\.string)
    if list.isEmpty || list.count > Limits.choices {
        return "There are \(list.count) choices; there can be 1 to \(Limits.choices)."
    }
    if words.count < list.count || words.contains(where: \.isEmpty) { return "Choices are texts, none of them empty." }
    return Set(words).count < words.count ? "A choice is there twice." : nil
}

extension AwaitType {
    /// Whether only the step of a person has an await of this type. `confirmParams` can also be a gate before a tool.
    var isOnlyOfPersons: Bool {
        switch self {
        case .drawMask, .selectAsset, .choose, .text, .capture: true
        case .confirmParams, .confirmCall, .connect, .submitUnknown: false
        }
    }
}

extension ToolManifest {
    /// Returns the gate of a tool that waits for a yes, or nil for the other tools.
    func gate(_ params: JSON.Object) -> Template.AwaitSpec? {
        guard action == .builtin("approve") else { return nil }
        return Template.AwaitSpec(type: .confirmCall, title: params["question"]?.string ?? title)
    }
}
