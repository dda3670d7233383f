import JSON
import Vocabulary

extension Limits {
    /// The names of files in the title of edits.
    fileprivate static let editedNames = 3

    /// The most choices of a question of a model.
    fileprivate static let choices = 12
}

/// A workflow of one step for the tools `edit`, `run` and `ask_person`.
struct SingleStep {
    private let kind: String
    private let name: String
    private let params: JSON.Object
    private var terms = WorkflowTerms()

    /// - Throws: `badArguments`.
    init(_ arguments: CallArguments, of tool: String) throws(Failure) {
        switch tool {
        case "edit":
            guard let edits = arguments["edits"]?.array, !edits.isEmpty else {
                throw Failure(.badArguments, "edit needs \"edits\", a list of {path, find, replace} or {path, text}.")
            }
            (kind, name, terms.isCommand) = ("Edit", Self.title(of: edits), true)
            terms.seconds = Limits.longestWaitSeconds
            params = JSON.Object(present: [
                "edits": .array(edits), "check": try arguments.optionalText("check").map { .string($0) },
                "askAnyway": try arguments.flag("ask_anyway") ? true : nil,
            ])
        case "run":
            let command = try arguments.text("command")
            let (hosts, reads) = (try arguments.texts("network"), try arguments.texts("reads"))
            (kind, name) = ("Shell", Step.commandTitle(of: command) ?? "run")
            terms.isCommand = true
            terms.seconds = try arguments.number("seconds", in: 1...Limits.longestWaitSeconds) ?? Limits.waitSeconds
            params = JSON.Object(present: [
                "command": .string(command), "network": hosts.isEmpty ? nil : .array(hosts.map { .string($0) }),
                "reads": reads.isEmpty ? nil : .array(reads.map { .string($0) }),
            ])
        default:
            let question = try arguments.text("question")
            let choices = try Self.choices(arguments)
            (kind, name) = (choices.isEmpty ? "AskText" : "Choose", "a question")
            params = JSON.Object(present: [
                "question": .string(question), "choices": choices.isEmpty ? nil : .array(choices.map { .string($0) }),
            ])
        }
    }

    /// Returns the call that starts the workflow.
    func call(_ catalogue: Catalogue) -> PlannerCall {
        let template: JSON = [
            "schema": .string(Template.schema), "name": .string(name),
            "nodes": [["id": .string(kind.lowercased()), "kind": .string(kind), "params": .object(params)]],
            "edges": [],
        ]
        return .workflow(PlanForm(catalogue: catalogue).withPlannedValues(template), terms)
    }

    private static func title(of edits: [JSON]) -> String {
        var names: [String] = []
        for path in edits.compactMap({ $0["path"]?.string }) where !names.contains(path) { names.append(path) }
        let more = names.count > Limits.editedNames ? " and \(names.count - Limits.editedNames) more" : ""
        return "edit " + names.prefix(Limits.editedNames).joined(separator: ", ") + more
    }

    /// Returns the choices of a question, each with what it leads to.
    private static func choices(_ arguments: CallArguments) throws(Failure) -> [String] {
        guard let list = arguments["choices"]?.array else { return [] }
        let choices = list.map { choice in
            choice.string
                ?? choice["label"]?.string.map { label in
                    label + (choice["leads_to"]?.string.map { " – \($0)" } ?? "")
                }
        }
        guard !choices.contains(nil), choices.count != 1, choices.count <= Limits.choices else {
            throw Failure(
                .badArguments, "\"choices\" of ask_person are 2 to \(Limits.choices) objects with a label and leads_to."
            )
        }
        return choices.compactMap(\.self)
    }
}
