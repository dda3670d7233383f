import CaseNames
import HTTP
import JSON
import Testing
import Vocabulary

@testable import LanguageModels

/// Calls that models write as text, as real models and templates do (`wire.md` LLM 5).
struct TextCallTests {
    private static let tools = [
        ChatTool(
            name: "call_tool", summary: "",
            schema: [
                "type": "object",
                "properties": [
                    "kind": ["type": "string"], "params": ["type": "object"], "save_as": ["type": "string"],
                ],
                "required": ["kind"],
            ]),
        ChatTool(
            name: "propose_workflow", summary: "",
            schema: [
                "type": "object",
                "properties": ["name": ["type": "string"], "nodes": ["type": "array"], "edges": ["type": "array"]],
                "required": ["name", "nodes"],
            ]),
        ChatTool(name: "list_workflows", summary: "", schema: ["type": "object", "properties": [:]]),
    ]

    private struct Heard: Equatable {
        var outcome: String
        var shown: String
        var calls: [String]
        var text: String
        var hasCallInText = false
    }

    /// What is heard of an answer that comes in pieces of so many characters.
    private static func hear(
        _ answer: String, pieceLength: Int, tools: [ChatTool] = tools, ending: ReplyAssembler.Ending = .clean
    ) -> Heard {
        let profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        var reader = ReplyReader(profile, tools: tools)
        var parts: [ReplyPart] = []
        func feed(_ delta: JSON, finish: JSON = .null) {
            let chunk: JSON = ["choices": [["index": 0, "delta": delta, "finish_reason": finish]]]
            parts += reader.feed(Array("data: \(chunk.text)\n\n".utf8))
        }
        var left = Substring(answer)
        while !left.isEmpty {
            feed(["content": .string(String(left.prefix(pieceLength)))])
            left = left.dropFirst(pieceLength)
        }
        if ending == .clean { feed([:], finish: "stop") }
        let (rest, reply) = reader.end(ending)
        var shown = ""
        for case .text(let piece) in parts + rest { shown += piece }
        return Heard(
            outcome: reply.verdictInShort, shown: shown, calls: reply.calls.map(\.inShort), text: reply.text,
            hasCallInText: reply.hasCallInText)
    }

    private static let resize = #"call_tool{"kind":"Resize","params":{"width":300}}"#
    private static let object = #"{"name": "call_tool", "arguments": {"kind": "Resize", "params": {"width": 300}}}"#
    private static let plan =
        #"{"schema": "app.workflow/v2", "name": "n", "nodes": [{"id": "a", "kind": "Text"}], "edges": []}"#
    private static let openAI =
        #"{"type":"function","function":{"name":"call_tool","arguments":"{\"kind\":\"Resize\",\"params\":{\"width\":300}}"}}"#
    private static let proposal =
        #"propose_workflow{"edges":[],"name":"n","nodes":[{"id":"a","kind":"Text"}],"schema":"app.workflow/v2"}"#

    // MARK: All of the answer

    static let calls: [(name: String, answer: String, calls: [String])] = [
        ("tools", "<tools>\n    \(object)\n</tools>", [resize]),
        ("tools without an end", "<tools>\n\(object)\n", [resize]),
        (
            "two lines in tools", "<tools>\n\(object)\n\(#"{"name": "list_workflows"}"#)\n</tools>",
            [resize, "list_workflows{}"]
        ),
        ("tool_call", "<tool_call>\n\(object)\n</tool_call>", [resize]),
        ("two of them", "<tool_call>\(object)</tool_call>\n<tool_call>\(object)</tool_call>", [resize, resize]),
        ("function_call", "\n\n<function_call>\(object)</function_call>", [resize]),
        (
            "a function with an object", #"<function=call_tool>{"kind":"Resize","params":{"width":300}}</function>"#,
            [resize]
        ),
        (
            "a function with parameters",
            "<tool_call>\n<function=call_tool>\n<parameter=kind>\nResize\n</parameter>\n<parameter=params>\n{\"width\": 300}\n"
                + "</parameter>\n</function>\n</tool_call>", [resize]
        ),
        ("Mistral's array", "[TOOL_CALLS][\(object)]", [resize]),
        ("Mistral's name", #"[TOOL_CALLS]call_tool[ARGS]{"kind": "Resize", "params": {"width": 300}}"#, [resize]),
        (
            "Llama's tag",
            #"<|python_tag|>{"name": "call_tool", "parameters": {"kind": "Resize", "params": {"width": 300}}}"#,
            [resize]
        ),
        ("Phi's tag", "<|tool_call|>[\(object)]<|/tool_call|>", [resize]),
        (
            "OpenAI's form",
            #"{"type":"function","function":{"name":"call_tool","arguments":"{\"kind\":\"Resize\",\"params\":{\"width\":300}}"}}"#,
            [resize]
        ),
        ("tool_calls", #"{"tool_calls": [{"function": \#(object)}]}"#, [resize]),
        ("by itself", object, [resize]),
        ("an array of them", "[\(object), \(object)]", [resize, resize]),
        (
            "tool and parameters",
            #"{"tool": "call_tool", "parameters": {"kind": "Resize", "params": {"width": 300}}}"#, [resize]
        ),
        (
            "action and input",
            #"{"action": "call_tool", "action_input": {"kind": "Resize", "params": {"width": 300}}}"#, [resize]
        ),
        ("fenced", "```json\n\(object)\n```", [resize]),
        ("fenced without a word", "```\n\(object)\n```\n", [resize]),
        ("fenced as a tool call", "```tool_call\n\(object)\n```", [resize]),
        ("a mark in a fence", "```xml\n<tool_call>\(object)</tool_call>\n```", [resize]),
        ("a fence without an end", "```json\n\(object)", [resize]),
        ("a plan by itself", plan, [proposal]),
        ("a fenced plan", "```json\n\(plan)\n```", [proposal]),
        (
            "braces in texts", #"{"name":"call_tool","arguments":{"kind":"Text","save_as":"}{\"]"}}"#,
            [#"call_tool{"kind":"Text","save_as":"}{\"]"}"#]
        ),
        // As an unknown name in any call: the model hears that there is no such tool.
        (
            "a name that was not offered", #"{"type":"function","function":{"name":"resize","arguments":{"w":3}}}"#,
            [#"resize{"w":3}"#]
        ),
        ("after a thought", "<think>Resize it.</think>\n\(object)", [resize]),
    ]

    /// The same for every size of the pieces, and nothing of it is shown.
    @Test func anAnswerThatIsACallIsRunAndNotShown() {
        expectNone(of: Self.calls, name: \.name) { row in
            [1, 2, 3, 7, 1_000_000].compactMap { length in
                let heard = Self.hear(row.answer, pieceLength: length)
                let wanted = Heard(outcome: "complete", shown: "", calls: row.calls, text: "")
                return heard == wanted ? nil : "\(length): \(heard)"
            }.first
        }
    }

    /// A connection that was cut, or a reason that cuts, runs nothing.
    @Test func aCallThatWasCutIsNotRun() {
        expectNone(of: Self.calls, name: \.name) { row in
            let heard = Self.hear(row.answer, pieceLength: 5, ending: .broken(words: "Reset."))
            return heard.calls.isEmpty && heard.outcome == "truncated" ? nil : "\(heard)"
        }
    }

    @Test func withoutToolsNothingIsRun() {
        expectNone(of: Self.calls, name: \.name) { row in
            let heard = Self.hear(row.answer, pieceLength: 5, tools: [])
            return heard.calls.isEmpty && !heard.text.isEmpty ? nil : "\(heard)"
        }
    }

    // MARK: Told

    static let told: [(name: String, answer: String)] = [
        ("words before", "I will resize it.\n<tool_call>\n\(object)\n</tool_call>"),
        ("words before a fence", "Here is the call:\n\n```json\n\(object)\n```"),
        ("words behind", "<tools>\n\(object)\n</tools>\nThis makes it smaller."),
        ("words behind an object", "\(object)\n\nThis makes it smaller."),
        ("words behind a plan", "```json\n\(plan)\n```\nThis makes it smaller."),
        ("words before an object", "I will resize it.\n\(object)"),
        ("words before OpenAI's form", "I will resize it.\n\n\(openAI)"),
        ("words in its line", "Calling \(object)"), ("words around it", "I call \(object) to resize it."),
        ("in a list", "- one\n- \(object)\n- two"),
        ("between items", "1. step 1\n\(object)\n2. step 2"), ("in quotes", "> \(object)"),
        ("in a code span", "I run `\(object)` now."),
        ("behind a space of no width", "\u{200B}\(object)"), ("behind a byte order mark", "\u{FEFF}\(object)"),
        (
            "on many lines",
            "I will resize it:\n\n" + object.replacing(", ", with: ",\n  ").replacing("{", with: "{\n  ")
        ),
        ("an array behind words", "Now: [\(object), \(object)]"), ("behind data", "{\"width\": 300}\n\nNow \(object)"),
        ("behind another object", #"{"name": "Ann", "age": 3} \#(object)"#),
        ("behind code", "func f() { if x { \"a\" } }\n\(object)"),
        ("behind a brace that is open", "{ \(object)"), ("behind an open text", "a \" b {\"c \(object)"),
        ("a plan behind words", "The plan: \(plan)"),
        ("tool_calls behind words", #"Now {"tool_calls": [{"function": \#(object)}]}"#),
        ("a mark in its line", "Ok. <tool_call>\(object)</tool_call>"),
        ("line ends of Windows", "I will.\r\n\(object)\r\n"),
        ("not whole", #"<tool_call>{"name": "call_tool", "arguments": {"kind": "Res"#),
        ("no call in it", "<tools>nothing</tools>"),
        ("without what is required", #"<tool_call>{"name": "call_tool", "arguments": {"params": {}}}</tool_call>"#),
        ("of another type", #"{"name": "call_tool", "arguments": {"kind": 3}}"#),
    ]

    @Test func aCallThatCannotBeRunIsMarked() {
        expectNone(of: Self.told, name: \.name) { row in
            [1, 4, 1_000_000].compactMap { length in
                let heard = Self.hear(row.answer, pieceLength: length)
                let wanted = Heard(
                    outcome: "complete", shown: row.answer, calls: [], text: row.answer, hasCallInText: true)
                return heard == wanted ? nil : "\(length): \(heard)"
            }.first
        }
    }

    // MARK: Answers

    static let answers = [
        "Hello.", "", "{", "{}", "[1, 2]", "[a link](http://example.com)", "`code` is a word", "``", "```",
        "```swift\nlet a = 1\n```",
        #"{"name": "Ann", "age": 3}"#, #"{"name": "Ann"}"#, #"{"width": 300}"#, "```json\n{\"width\": 300}\n```",
        "<p>a page</p>", "<t",
        "Write `<tool_call>` at the beginning.", "A model writes <tool_call>{\"name\": \"f\"}</tool_call> so.",
        "An example:\n\n```json\n{\"name\": \"f\", \"arguments\": {}}\n```", "{ \"a\": [", "```json\n{\"a\": ",
        "Steps:\n```\n<tools>\n```\nare listed.",
        // Data among words, and objects of tools that were not offered.
        "The data:\n{\"name\": \"Ann\", \"arguments\": {\"a\": 1}}",
        "It is {\"kind\": \"Resize\", \"params\": {\"width\": 300}}.",
        "Use {\"name\": \"Resize\", \"parameters\": {\"width\": 300}}",
        "A {\"tool\": \"hammer\", \"input\": {\"x\": 1}} of mine",
        "The name is {\"name\": \"call_tool\"}.",
        "It lacks one: {\"name\": \"call_tool\", \"arguments\": {\"params\": {}}}",
        "package.json:\n{\"name\": \"call_tool\", \"version\": \"1.0\", \"arguments\": {\"kind\": \"x\"}}",
        "{\"result\": {\"name\": \"call_tool\", \"arguments\": {\"kind\": \"Text\"}}} was heard.",
        "Code:\n\nif (a) { \"b\"; } else { c() }",
        "A text: {\"says\": \"{\\\"name\\\": \\\"call_tool\\\"}\"}", "call_tool is {a tool}",
        "[1, {\"name\": \"list_workflows\"}]",
    ]

    @Test func anAnswerThatOnlyLooksLikeACallIsShown() {
        expectNone(of: Self.answers, name: { $0 }) { answer in
            [1, 2, 1_000_000].compactMap { length in
                let heard = Self.hear(answer, pieceLength: length)
                let isShown =
                    heard.calls.isEmpty && heard.text == answer && heard.shown == answer && !heard.hasCallInText
                return isShown && heard.outcome == (answer.isEmpty ? "failed modelEmpty" : "complete")
                    ? nil : "\(length): \(heard)"
            }.first
        }
    }

    /// Forms within one another, and many beginnings of them, end soon.
    @Test(arguments: ["<function=a>", "```\n<tool_call>\n", "<tool_call>{\n", "[[[[", "{\"a\":", "{\"a\" ", "{\"", "{"])
    func manyBeginningsAreNoTrouble(beginning: String) {
        let text = String(repeating: beginning, count: 10_000)
        let heard = Self.hear(text, pieceLength: 100_000)
        #expect(heard.calls.isEmpty)
        let words = Self.hear("Words.\n" + text, pieceLength: 100_000)
        #expect(words.calls.isEmpty)
    }

    // MARK: Blank lines

    @Test(arguments: [
        ("a\nb", "a\nb"), ("a\n\nb", "a\n\nb"), ("a\n\n\nb", "a\n\n\nb"), ("a\n\n\n\n\n\nb", "a\n\n\nb"),
        ("a\n \n\t\n  \n \n    b", "a\n \n\t\n    b"), ("a\r\n\r\n\r\n\r\n\r\nb", "a\r\n\r\n\r\nb"),
        ("a" + String(repeating: "\n", count: 190), "a\n\n\n"), ("  a   b", "  a   b"),
    ])
    func runsOfBlankLinesAreFolded(text: String, folded: String) {
        for length in [1, 2, 1_000] {
            #expect(
                Self.hear(text, pieceLength: length).shown.unicodeScalars.elementsEqual(folded.unicodeScalars),
                "\(length)")
        }
    }
}

/// Reports the rows of a table that have a fault.
private func expectNone<Row>(
    of rows: [Row], name: (Row) -> String, sourceLocation: SourceLocation = #_sourceLocation, _ fault: (Row) -> String?
) {
    expectNoFaults(in: rows, sourceLocation: sourceLocation) { row in fault(row).map { ["\(name(row)): \($0)"] } ?? [] }
}
