import JSON
import Vocabulary

extension Limits {
    /// The names of files in the title of edits.
    fileprivate static let editedNames = 3

    /// The most choices of a question of a model.
    fileprivate static let offeredChoices = 12

    /// The most characters of a question in the title of its workflow.
    fileprivate static let questionTitle = 60
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
            (kind, name, terms.isQuestion) = (Template.questionKind, Self.title(of: question), true)
            params = JSON.Object(present: [
                "question": .string(question),
                "choices": choices.isEmpty ? nil : .array(choices.map { .string($0.label) }),
                "leadsTo": choices.isEmpty ? nil : .array(choices.map { .string($0.meaning) }),
                "several": try arguments.flag("several") ? true : nil,
                "long": try arguments.flag("text") ? true : nil,
            ])
        }
    }

    /// Returns the call that starts the workflow.
    func call(_ catalogue: Catalogue) -> PlannerCall {
        let template: JSON = [
            "schema": .string(Template.schema), "name": .string(name),
            "nodes": [
                .of([
                    "id": .string(kind.lowercased()), "kind": .string(kind), "params": .object(params),
                    "await": terms.isQuestion ? ["type": "choose", "title": .string(name)] : nil,
                ])
            ],
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

    private static func title(of question: String) -> String {
        let line = question.split(separator: "\n").first.map(String.init) ?? question
        return line.count > Limits.questionTitle ? "\(line.prefix(Limits.questionTitle - 1))…" : line
    }

    /// Returns the choices of a question, each with what it leads to.
    private static func choices(_ arguments: CallArguments) throws(Failure) -> [(label: String, meaning: String)] {
        guard let list = arguments["choices"]?.array else { return [] }
        let choices = list.compactMap { choice in
            (choice.string ?? choice["label"]?.string).map { ($0, choice["leads_to"]?.string ?? "") }
        }
        let labels = Set(choices.map { $0.0.lowercased() })
        guard choices.count == list.count, labels.count == choices.count, !labels.contains(""), choices.count != 1,
            choices.count <= Limits.offeredChoices
        else {
            throw Failure(
                .badArguments,
                "\"choices\" of ask_person are 2 to \(Limits.offeredChoices) objects with a label and leads_to. "
                    + "No two labels are the same.")
        }
        return choices
    }
}
