import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary
import Workflows

@testable import Conversations

/// Plans say which exit codes of a command are a success; files mean 0 if they say nothing (`semantics.md` 190).
struct ExitCodePlanTests {
    private static func exits(_ plan: JSON, _ node: Int = 0) -> JSON? { plan["nodes"]?[node]?["params"]?["exits"] }

    private static func read(_ name: String, _ arguments: JSON) throws -> JSON {
        guard
            case .workflow(let plan, _) = try PlannerTools.read(
                ChatCall(id: "c", name: name, arguments: arguments), catalogue: catalogue)
        else { throw Failure("test", "no workflow") }
        return plan
    }

    @Test func aPlanOfAModelTakesEveryExitCodeUnlessItSaysOthers() throws {
        let rows: [(params: JSON?, exits: JSON?)] = [
            (["command": "ls"], ["told"]), (["command": "ls", "exits": [0, 1]], [0, 1]),
            (["command": "ls", "exits": [0]], [0]),
            (["command": "ls", "exits": .null], .null), (nil, ["told"]), ("ls", nil),
        ]
        try expectNoFaults(in: rows) { params, exits in
            let node = JSON.of(["id": "a", "kind": "Shell", "params": params])
            let plan = try Self.read("propose_workflow", ["name": "x", "nodes": [node]])
            return Self.exits(plan) == exits ? [] : ["\(params?.text ?? "none"): \(plan.text)"]
        }
        let call = try Self.read("call_tool", ["kind": "Shell", "params": ["command": "ls"]])
        #expect(Self.exits(call) == ["told"])
        // Other tools have no such value, and unknown ones are left to the reader.
        let nodes: JSON = [["id": "a", "kind": "Resize"], ["id": "b", "kind": "Nope"]]
        let others = try Self.read("propose_workflow", ["name": "x", "nodes": nodes])
        #expect(!others.text.contains("exits"))
    }

    /// What is stored is the graph with the value in it: nothing has to be remembered beside it.
    @Test func theValueIsInTheCheckedGraph() throws {
        let plan = try Self.read("call_tool", ["kind": "Shell", "params": ["command": "ls"]])
        let template = try #require(TemplateReader.read(plan).0)
        #expect(check(template, against: catalogue).0?.nodes.first?.params["exits"] == ["told"])
        let file: JSON = [
            "schema": "app.workflow/v2", "name": "x",
            "nodes": [["id": "a", "kind": "Shell", "params": ["command": "ls"]]],
        ]
        let stored = try #require(TemplateReader.read(file).0)
        #expect(check(stored, against: catalogue).0?.nodes.first?.params["exits"] == [0])
    }

    @Test func thePlannersOwnCommandTellsEveryExitCode() throws {
        let planner = BuiltInPlanner(catalogue: catalogue, language: english)
        guard case .workflow(let plan) = planner.answer("run `grep x notes.txt`", listing: listing("notes.txt")) else {
            Issue.record("no plan")
            return
        }
        #expect(Self.exits(try Self.read("propose_workflow", plan)) == ["told"], "\(plan.text)")
    }

    /// A saved template keeps its meaning when a sentence names it.
    @Test func aTemplateInASentenceKeepsTheCodesOfAFile() throws {
        let text = """
            {"schema": "app.workflow/v2", "name": "count-lines", "inputs": {"text": {"type": "text", "to": [["save", "text"]]}},
             "nodes": [{"id": "run", "kind": "Shell", "params": {"command": "wc -l notes.txt"}}, {"id": "save", "kind": "WriteFile",
             "params": {"path": "x.txt"}}]}
            """
        let template = try #require(TemplateReader.read(Array(text.utf8)).0)
        let planner = BuiltInPlanner(catalogue: catalogue, templates: [template], language: english)
        guard
            case .workflow(let plan) = planner.answer(
                "run the count-lines template on notes.txt", listing: listing("notes.txt"))
        else {
            Issue.record("no plan")
            return
        }
        let read = try Self.read("propose_workflow", plan)
        let shell = try #require(read["nodes"]?.array?.first { $0["kind"]?.string == "Shell" })
        #expect(shell["params"]?["exits"] == [0], "\(read.text)")
    }

    @Test func whatAListOfExitCodesMayHold() throws {
        let param = try #require(catalogue["Shell"]?.param("exits"))
        #expect(param.plannedValue == ["told"] && param.defaultValue == [0])
        let good: [JSON] = [[], [0], [0, 1], [125], ["any"], ["told"], [0, "any"], [1, "told"]]
        let bad: [JSON] = [[-1], [126], [127], [256], ["all"], [1.5], [[0]], 0, "any", true, .null]
        expectNoFaults(in: good.map { ($0, true) } + bad.map { ($0, false) }) { value, isGood in
            (param.fault(of: value) == nil) == isGood ? [] : ["\(value.text): \(param.fault(of: value) ?? "taken")"]
        }
        #expect(
            param.fault(of: [126])
                == "exits is [126]; allowed is a list of whole numbers from 0 to 125 or of any, told.")
    }

    @Test func aModelReadsAPartOfAWorkflow() throws {
        let rows: [(arguments: JSON, part: WorkflowPart)] = [
            (["workflow": "w3"], WorkflowPart()), (["workflow": "w3", "step": 2], WorkflowPart(step: "2")),
            (["workflow": "w3", "step": "a", "output": "log"], WorkflowPart(step: "a", output: "log")),
            (["workflow": "w3", "offset": 24000], WorkflowPart(offset: 24000)),
            (["workflow": "w3", "offset": "24000"], WorkflowPart(offset: 24000)),
            (["workflow": "w3", "offset": .null], WorkflowPart()),
        ]
        try expectNoFaults(in: rows) { arguments, part in
            let call = ChatCall(id: "c", name: "show_workflow", arguments: arguments)
            return try PlannerTools.read(call, catalogue: catalogue) == .showWorkflow(WorkflowID(3), part)
                ? [] : [arguments.text]
        }
        for offset in [-1, 1.5, "x", [], true] as [JSON] {
            let call = ChatCall(id: "c", name: "show_workflow", arguments: ["workflow": "w3", "offset": offset])
            #expect(throws: Failure.self) { try PlannerTools.read(call, catalogue: catalogue) }
        }
    }

    @Test func problemsThatAreLeftOutAreCounted() {
        let problems = (1...120).map { Problem("badParam", at: "n\($0)", "No.") }
        let text = CallResult.problems(problems).text
        #expect(text.contains("… 70 more of 120 problems"), "\(text.suffix(200))")
        #expect(!CallResult.problems(Array(problems.prefix(50))).text.contains("more of"))
    }

    @Test func toolsThatAreLeftOutAreCounted() throws {
        let fits = ToolIndex(catalogue).ranked(by: "image picture photo").count
        try #require(fits > Limits.toolsFound)
        let many = try #require(FoundKinds("image picture photo", in: catalogue).json().array)
        #expect(many.count == Limits.toolsFound + 1)
        #expect(many.last?.string == "… \(fits - Limits.toolsFound) more of \(fits) kinds fit. Ask with closer words …")
        #expect(FoundKinds("xyzzy", in: catalogue).json() == [])
    }

    @Test func aResultThatIsCutAsAWholeSaysItsSizeAndHowToReadOn() {
        let json = JSON.string(String(repeating: "é", count: Limits.toolResultBytes))
        let text = CallResult.succeeded(json).text
        let all = JSON.of(["result": json]).text.utf8.count
        #expect(text.contains("of \(all) bytes are left out here. Ask for a smaller part"), "\(text.count)")
        #expect(text.utf8.count < Limits.toolResultBytes + 200)
    }
}
