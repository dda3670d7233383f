import JSON
import Vocabulary

extension Limits {
    /// The time for which `run` and `wait` wait unless the call says otherwise, in seconds.
    static let waitSeconds = 120

    /// The longest time that `run` and `wait` wait, in seconds.
    static let longestWaitSeconds = 600
}

/// The ten tools that are offered to a model, with their schemas. All of them together take at most 4 KB.
enum OfferedTools {
    static let all: [ChatTool] = [
        ChatTool(
            name: "read",
            summary: "Reads a file with line numbers, a picture, or a result such as w3.2.text.",
            schema: object(
                [
                    "path": text, "from": number("First line"), "lines": number("At most, 400"), "offset": integer,
                    "page": number("Of a PDF"),
                ],
                required: ["path"])),
        ChatTool(
            name: "search", summary: "Finds lines in files. What git ignores is left out.",
            schema: object([
                "text": text, "regex": text("Or a regular expression"), "path": text, "glob": text,
                "ignore_case": flag, "context": integer, "max": integer,
            ])),
        ChatTool(
            name: "list", summary: "Lists a folder, its folders first.",
            schema: object(["path": text, "glob": text, "depth": integer])),
        ChatTool(
            name: "edit",
            summary:
                "Changes or makes text files. find is exact and stands once (or all), edits apply in order. "
                + "check is a command that sees the edited files first; if it fails, nothing is changed.",
            schema: object(
                [
                    "edits": [
                        "type": "array",
                        "items": object(
                            [
                                "path": text, "find": text, "replace": text, "all": flag,
                                "text": text("Whole text instead"),
                            ],
                            required: ["path"]),
                    ],
                    "check": text("Such as pytest -q"), "ask_anyway": flag,
                    "then_say": text,
                ], required: ["edits"])),
        ChatTool(
            name: "run",
            summary: "Runs a shell command over a copy of the folder; the user is asked about its changes.",
            schema: object(
                [
                    "command": text, "network": list("Hosts"), "reads": list("Paths outside"),
                    "seconds": number("120 to 600"), "then_say": text,
                ], required: ["command"])),
        ChatTool(
            name: "wait", summary: "Waits for a workflow that is still running.",
            schema: object(["workflow": text, "seconds": integer], required: ["workflow"])),
        ChatTool(
            name: "ask_person",
            summary: "Asks the person, who may answer in other words, too.",
            schema: object(
                [
                    "question": text,
                    "choices": [
                        "type": "array",
                        "items": object(["label": text, "leads_to": text], required: ["label"]),
                    ],
                    "several": flag, "text": flag,
                ], required: ["question"])),
        ChatTool(
            name: "workflow",
            summary:
                "Runs steps of kinds in their order. in feeds a port: \"step.port\", \"file:PATH\", a result "
                + "\"w3.2.image\" or a list. Or acts on one: do retry or cancel.",
            schema: object([
                "name": text,
                "steps": [
                    "type": "array",
                    "items": object(
                        [
                            "id": text, "kind": text, "params": ["type": "object"], "in": ["type": "object"],
                            "after": ["type": "array", "items": text],
                        ], required: ["id", "kind"]),
                ],
                "keep_as": text("Template"), "workflow": text("Such as w3"),
                "do": ["type": "string", "enum": ["retry", "cancel"]], "step": text, "then_say": text,
            ])),
        ChatTool(
            name: "results",
            summary: "Lists workflows and what waits for the person; or one workflow's steps, outputs and failures.",
            schema: object(["workflow": text, "step": text])),
        ChatTool(
            name: "find_tools", summary: "Finds kinds by words: ports, parameters, and whether they are connected.",
            schema: object(["words": text], required: ["words"])),
    ]

    static func named(_ name: String) -> ChatTool? { all.first { $0.name == name } }

    // MARK: Schemas

    private static let text: JSON = ["type": "string"]
    private static let integer: JSON = ["type": "integer"]
    private static let flag: JSON = ["type": "boolean"]

    private static func text(_ summary: String) -> JSON { ["type": "string", "description": .string(summary)] }
    private static func number(_ summary: String) -> JSON { ["type": "integer", "description": .string(summary)] }

    private static func list(_ summary: String) -> JSON {
        ["type": "array", "items": text, "description": .string(summary)]
    }

    private static func object(_ properties: JSON, required: [JSON] = []) -> JSON {
        .of([
            "type": "object", "properties": properties, "required": required.isEmpty ? nil : .array(required),
        ])
    }
}
