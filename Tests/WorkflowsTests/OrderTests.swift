import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// Steps that wait for others, and steps on a condition (`semantics.md` 200–203).
@Suite struct OrderTests {
    /// A question, a step if its answer is `yes`, one that is skipped with the question, and one behind them.
    private func rig() -> FlowRig {
        var (asked, then, along, last) = (
            FlowRig.person("asked", .text), FlowRig.person("then", .text), FlowRig.person("along", .text),
            FlowRig.person("last", .text)
        )
        for index in 0...3 {
            var accept = Acceptance(.text)
            accept.skip = "no"
            switch index {
            case 0: asked.awaits?.accept = accept
            case 1: then.awaits?.accept = accept
            case 2: along.awaits?.accept = accept
            default: last.awaits?.accept = accept
            }
        }
        then.when = try? Condition.read("asked = 'yes'")
        then.answers = ["asked": Graph.AnswerPlace(node: 0, type: .text)]
        then.control = [0]
        (along.skipsWith, along.control) = ([0], [0])
        last.control = [1, 2]
        let graph = Graph(
            name: "w", options: Template.Options(), nodes: [asked, then, along, last],
            consumers: [[1, 2], [3], [3], []])
        return FlowRig(graph: graph)
    }

    private func answer(_ index: Int, _ words: String, in rig: inout FlowRig) {
        if rig.states[index] == .ready { rig.ask(index, type: .text) }
        let run = RunID(StepID(WorkflowID(0), 0), attempt: 0)
        var asset = Asset(run: run, port: "text", type: .text, hash: .ofNothing, bytes: 0, name: "x")
        asset.meta[Asset.answerKey] = .string(words)
        rig.feed(.completed(index, .outputs([asset]), agreed: nil, by: "me"))
    }

    private func codes(_ rig: FlowRig) -> [String] { rig.flow.steps.map { $0.reason?.code.text ?? $0.state.rawValue } }

    @Test func nothingIsAskedBeforeWhatItWaitsFor() {
        let rig = rig()
        #expect(rig.states == [.ready, .blocked, .blocked, .blocked])
    }

    @Test(arguments: [("yes", "ready"), ("no", "notAsked"), ("", "notAsked")])
    func aConditionDecidesWhetherAStepIsAsked(words: String, then: String) {
        var rig = rig()
        answer(0, words, in: &rig)
        #expect(codes(rig) == ["succeeded", then, "ready", "blocked"])
    }

    @Test func aSkipTakesAlongWhatIsSkippedWithIt() {
        var rig = rig()
        rig.ask(0, type: .text)
        rig.feed(.completed(0, .skipped(), agreed: nil, by: "me"))
        #expect(codes(rig) == ["skipped", "notAsked", "notAsked", "ready"])
        #expect(rig.runs.count == 1, "a step that is passed over has no run")
    }

    @Test func aStepThatFailsHoldsBackWhatWaitsForIt() {
        var rig = rig()
        rig.ask(0, type: .text)
        rig.feed(.completed(0, .rejected(reason: "no"), agreed: nil, by: "me"))
        #expect(rig.states == [.cancelled, .blocked, .blocked, .blocked] && rig.outcomes == [.cancelled])
    }

    /// Row 203.
    @Test func anAnswerThatChangesIsHeardByTheConditions() {
        var rig = rig()
        answer(0, "yes", in: &rig)
        answer(1, "kept", in: &rig)
        answer(2, "x", in: &rig)
        #expect(codes(rig) == ["succeeded", "succeeded", "succeeded", "ready"])
        rig.ask(3, type: .text)
        rig.again(.rerun(Rerun(step: 1)))
        answer(0, "no", in: &rig)
        #expect(codes(rig)[1] == "notAsked" && rig.flow.outputs[1].count == 1, "its answer is kept")
        #expect(rig.openAwaits.map(\.step.index) == [4], "what it does not concern is asked as before")
        rig.restart()
        rig.again(.rerun(Rerun(step: 1)))
        answer(0, "yes", in: &rig)
        #expect(codes(rig)[1] == "succeeded", "its answer counts again")
        answer(3, "end", in: &rig)
        #expect(rig.outcomes == [.succeeded])
    }

    @Test func aStepThatIsWantedAfterAllIsAsked() {
        var rig = rig()
        answer(0, "no", in: &rig)
        answer(2, "x", in: &rig)
        answer(3, "end", in: &rig)
        #expect(rig.outcomes == [.succeeded])
        rig.again(.rerun(Rerun(step: 1)))
        answer(0, "yes", in: &rig)
        #expect(codes(rig) == ["succeeded", "ready", "succeeded", "succeeded"])
        answer(1, "now", in: &rig)
        #expect(rig.outcomes == [.succeeded, .succeeded])
    }

    // MARK: The loader

    private static let person = ToolManifest(
        kind: "Ask", title: "Ask", outputs: [Port("text", .text)], params: [.init(name: "choices", kind: .list)],
        queue: .none,
        action: .person(.text))
    private static let work = ToolManifest(
        kind: "Work", title: "Work", inputs: [Port("text", .text)], action: .builtin("x"))

    @Test(
        arguments: [
            (#""after":["b"]"#, "unknownNode"), (#""when":"c = 'x'""#, "unknownStep"),
            (#""skipsWith":["b"]"#, "unknownNode"),
            (#""after":["a"]"#, "cycleDetected"), (#""when":"a ="#, "badCondition"), (#""when":"a > 3""#, "wrongType"),
            (#""after":"a""#, "badTemplate"),
            (#""await":{"type":"text","accept":{"answer":"smell"}}"#, "badAwait"),
            (
                #""await":{"type":"text","accept":{"answer":"number","tests":[{"test":"answer >","say":"x"}]}}"#,
                "badAwait"
            ),
        ])
    func faultsAreNamed(field: String, code: String) {
        let when = field.hasSuffix("a =") ? field + "\"" : field
        let text = #"{"schema":"app.workflow/v2","name":"w","nodes":[{"id":"a","kind":"Ask",\#(when)}]}"#
        let (template, faults) = TemplateReader.read(Array(text.utf8))
        let problems = faults + (template.map { check($0, against: Catalogue([Self.person])).1 } ?? [])
        #expect(problems.map(\.code.text).contains(code), "\(problems)")
    }

    @Test func whatMayNotBeAskedFeedsNoRequiredInput() {
        let text = """
            {"schema":"app.workflow/v2","name":"w","nodes":[{"id":"a","kind":"Ask"},{"id":"b","kind":"Ask","when":"a = 'x'"},
            {"id":"c","kind":"Work"}],"edges":[{"from":["b","text"],"to":["c","text"]}]}
            """
        let template = TemplateReader.read(Array(text.utf8)).0!
        let problems = check(template, against: Catalogue([Self.person, Self.work])).1
        #expect(problems.map(\.code) == ["skipFeedsRequiredPort"])
    }
}
