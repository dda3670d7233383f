import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// A stored workflow loads whatever tool is missing now (`semantics.md` 11).
@Suite struct MissingToolTests {
    private static let tools: [ToolManifest] = [
        person("Ask", .text, .text), person("Choose", .choose, .text), person("Shoot", .capture, .image),
        person("Confirm", .confirmParams, .json),
        ToolManifest(
            kind: "Split", title: "Split", outputs: [Port("image", .image), Port("text", .text)],
            action: .builtin("split")),
        ToolManifest(
            kind: "Mix", title: "Mix",
            inputs: [Port("image", .image, isOptional: true), Port("text", .text, isOptional: true)],
            outputs: [Port("image", .image)], params: [.init(name: "width", kind: .integer, defaultValue: 9)],
            action: .builtin("mix")),
        ToolManifest(
            kind: "Zip", title: "Zip", inputs: [Port("files", .file, isVariadic: true)],
            outputs: [Port("file", .file)], action: .builtin("zip")),
        ToolManifest(
            kind: "Wait", title: "Wait", hasOpenPorts: true, params: [.init(name: "seconds", kind: .number)],
            queue: .none, action: .builtin("delay")),
        ToolManifest(
            kind: "Buy", title: "Buy", inputs: [Port("image", .image)], outputs: [Port("image", .image)],
            queue: .remote, action: .job(.init(provider: "shop"))),
    ]

    private static func person(_ kind: String, _ type: AwaitType, _ output: PortType) -> ToolManifest {
        ToolManifest(
            kind: kind, title: kind, outputs: [Port("out", output)],
            params: [.init(name: "choices", kind: .json), .init(name: "values", kind: .json)], queue: .none,
            action: .person(type))
    }

    private static func catalogue(without missing: Set<String> = []) -> Catalogue {
        Catalogue(
            tools.filter { !missing.contains($0.kind) },
            providers: missing.contains("shop") ? [] : [JobTerms(provider: "shop")])
    }

    private static func template(_ nodes: String, _ edges: String = "", _ rest: String = "") throws -> Template {
        let text = """
            {"schema":"app.workflow/v2","name":"w","nodes":[\(nodes)],
            \(edges.isEmpty ? #""edges":[]"# : CheckTests.edges(edges))\(rest)}
            """
        let (template, problems) = TemplateReader.read(Array(text.utf8), isStored: true)
        #expect(problems.isEmpty, "\(problems)")
        return try #require(template)
    }

    private static let choices = #""params":{"choices":["yes","no"]}"#
    private static let ask = #"{"id":"a","kind":"Ask"}"#

    @Test(
        arguments: [
            // What a condition reads, with and without an await that tells the type of the answer.
            (#"\#(ask),{"id":"b","kind":"Mix","when":"a = 'yes'"}"#, "", ""),
            (#"\#(ask),{"id":"b","kind":"Mix","when":"not (a matches '[0-9]+')"}"#, "", ""),
            (#"\#(ask),{"id":"b","kind":"Mix","when":"a exists or a = ''"}"#, "", ""),
            (#"{"id":"a","kind":"Ask","await":{"type":"text"}},{"id":"b","kind":"Mix","when":"a = 'x'"}"#, "", ""),
            (
                #"{"id":"a","kind":"Ask","await":{"type":"text","accept":{"answer":"number"}}},{"id":"b","kind":"Mix","when":"a > 3"}"#,
                "", ""
            ),
            (#"{"id":"a","kind":"Choose",\#(choices)},{"id":"b","kind":"Mix","when":"selected(a, 'no')"}"#, "", ""),
            (#"{"id":"a","kind":"Choose",\#(choices)},{"id":"b","kind":"Mix","when":"a in ['no', 'yes']"}"#, "", ""),
            (
                #"{"id":"a","kind":"Choose",\#(choices)},\#(ask.replacing("\"a\"", with: "\"c\"")),{"id":"b","kind":"Mix","when":"c = 'x' and a != 'no'"}"#,
                "", ""
            ),
            (#"{"id":"a","kind":"Shoot"},{"id":"b","kind":"Mix","when":"count(a) > 1"}"#, "", ""),
            (
                #"{"id":"a","kind":"Shoot","await":{"type":"capture","accept":{"answer":"media","each":["Front left","Rear"]}}},{"id":"b","kind":"Mix","when":"a.front-left exists"}"#,
                "", ""
            ),
            // What is skipped along.
            (#"\#(ask),{"id":"b","kind":"Mix","skipsWith":["a"]}"#, "", ""),
            (#"{"id":"a","kind":"Confirm"},{"id":"b","kind":"Ask","skipsWith":["a"],"after":["a"]}"#, "", ""),
            // Ports of which a node declares only some.
            (
                #"{"id":"s","kind":"Split","outputs":{"image":"file"}},{"id":"z","kind":"Zip","inputs":{"files.1":"image"}}"#,
                "s.image>z.files.1 s.text>z.files.2", ""
            ),
            (
                #"{"id":"s","kind":"Split"},{"id":"z","kind":"Zip","inputs":{"files.1":"image"}}"#, "s.text>z.files.1",
                ""
            ),
            (
                #"{"id":"s","kind":"Split"},{"id":"m","kind":"Mix","inputs":{"image":"image","text":"text"}}"#,
                "s.image>m.image", ""
            ),
            // What may be absent, for a port that only the tool says is optional.
            (
                #"\#(ask),{"id":"b","kind":"Ask","when":"a = 'x'"},{"id":"m","kind":"Mix"}"#, "b.out>m.text", ""
            ),
            (
                #"{"id":"a","kind":"Ask","await":{"type":"text","resumePolicy":{"onTimeout":"skip"}}},{"id":"m","kind":"Mix"}"#,
                "a.out>m.text", ""
            ),
            // Inputs of the workflow.
            (
                #"{"id":"z","kind":"Zip","inputs":{"files.1":"image"}}"#, "",
                #","inputs":{"one":{"type":"text","to":[["z","files.1"]]},"two":{"type":"text","to":[["z","files.2"]]}}"#
            ),
            // Gates, times and providers.
            (#"{"id":"m","kind":"Mix","params":{"width":3},"await":{"type":"confirmParams"}}"#, "", ""),
            (#"{"id":"s","kind":"Split"},{"id":"w","kind":"Wait","params":{"seconds":3}}"#, "s.image>w.x", ""),
            (
                #"{"id":"s","kind":"Split"},{"id":"y","kind":"Buy"},{"id":"m","kind":"Mix","after":["y"]}"#,
                "s.image>y.image y.image>m.image", ""
            ),
        ])
    func aStoredWorkflowLoadsWhateverToolIsMissing(nodes: String, edges: String, rest: String) throws {
        let template = try Self.template(nodes, edges, rest)
        let (checked, faults) = check(template, against: Self.catalogue())
        let whole = try #require(checked, "\(faults)")
        let kinds = Set(template.nodes.map(\.kind))
        for missing in kinds.map({ [$0] as Set }) + [kinds, ["shop"]] {
            let (checked, problems) = check(template, against: Self.catalogue(without: missing), isStored: true)
            #expect(problems.isEmpty, "without \(missing.sorted())")
            guard let graph = checked else { continue }
            #expect(graph.consumers == whole.consumers && graph.nodes.map(\.control) == whole.nodes.map(\.control))
            #expect(graph.nodes.map(\.skipsWith) == whole.nodes.map(\.skipsWith))
            for (node, before) in zip(graph.nodes, whole.nodes) {
                #expect((node.missing?.code == .toolNotInstalled) == missing.contains(node.kind))
                #expect(node.answers.mapValues(\.node) == before.answers.mapValues(\.node))
                #expect(
                    node.inputs.filter { $0.producer != nil }.map(\.port)
                        == before.inputs.filter { $0.producer != nil }.map(\.port))
            }
            #expect(Revision.changes(from: graph, to: graph).isEmpty)
        }
    }

    /// What was answered while the tool was there decides, though nothing says any more of which type the answer is.
    @Test(
        arguments: [
            ("Ask", "yes", "a = 'yes'", true), ("Ask", "no", "a = 'yes'", false), ("Ask", "no", "a != 'yes'", true),
            ("Ask", "12", "a matches '[0-9]+'", true), ("Ask", "x", "a matches '[0-9]+'", false),
            ("Ask", "x", "a exists", true), ("Ask", nil, "a exists", false), ("Ask", nil, "a = ''", true),
            ("Choose", "yes", "selected(a, 'yes')", true), ("Choose", "no", "selected(a, 'yes')", false),
            ("Choose", "no", "a in ['no']", true), ("Shoot", "", "count(a) > 0", true),
            ("Shoot", nil, "count(a) > 0", false), ("Shoot", "", "a exists", true),
        ] as [(String, String?, String, Bool)])
    func anAnswerCountsWithoutItsTool(kind: String, answer: String?, condition: String, isWanted: Bool) throws {
        let params = kind == "Choose" ? Self.choices : #""params":{}"#
        let template = try Self.template(
            """
            {"id":"a","kind":"\(kind)",\(params)},{"id":"s","kind":"Split"},
            {"id":"b","kind":"Mix","when":"\(condition)","after":["s"]}
            """)
        var rig = FlowRig(graph: try #require(check(template, against: Self.catalogue()).0))
        rig.ask(0, type: try #require(rig.graph.nodes[0].awaits?.type))
        var asset = Asset(
            run: RunID(StepID(WorkflowID(0), 0), attempt: 0), port: "out", type: .any, hash: .ofNothing, bytes: 0,
            name: "x")
        if let answer, kind != "Shoot" { asset.meta[Asset.answerKey] = .string(answer) }
        rig.feed(.completed(0, answer == nil ? .skipped() : .outputs([asset]), agreed: nil, by: "me"))
        #expect(rig.states == [.succeeded, .ready, .blocked])
        rig.graph = try #require(check(template, against: Self.catalogue(without: [kind]), isStored: true).0)
        rig.restart()
        rig.run(1)
        #expect(rig.states[2] == (isWanted ? .ready : .succeeded))
        #expect((rig.flow.steps[2].reason?.code == .notAsked) == !isWanted)
    }

    /// The step that asks waits for its tool, and so does what its answer decides.
    @Test func whatReadsTheAnswerOfAMissingToolWaits() throws {
        let template = try Self.template(#"\#(Self.ask),{"id":"b","kind":"Mix","when":"a = 'yes'"}"#)
        let rig = FlowRig(
            graph: try #require(check(template, against: Self.catalogue(without: ["Ask"]), isStored: true).0))
        #expect(rig.states == [.blocked, .blocked] && rig.flow.steps[0].reason?.code == .toolNotInstalled)
    }

    /// A person who was asked before the tool was gone answers all the same.
    @Test(arguments: [true, false]) func anOpenQuestionIsAnsweredWithoutItsTool(isNamed: Bool) throws {
        let ask = #"{"id":"a","kind":"Ask"\#(isNamed ? "" : #","await":{"type":"text"}"#)}"#
        let template = try Self.template("\(ask)\(isNamed ? #",{"id":"b","kind":"Mix","skipsWith":["a"]}"# : "")")
        var rig = FlowRig(graph: try #require(check(template, against: Self.catalogue()).0))
        rig.ask(0, type: .text)
        rig.graph = try #require(check(template, against: Self.catalogue(without: ["Ask"]), isStored: true).0)
        rig.restart()
        rig.feed(.completed(0, .outputs([rig.asset(of: 0)]), agreed: nil, by: "me"))
        #expect(rig.states[0] == .succeeded)
    }

    /// What is not stored yet is checked as strictly as before.
    @Test func aNewTemplateIsStillChecked() throws {
        let template = try Self.template(
            #"{"id":"s","kind":"Split"},{"id":"z","kind":"Zap","inputs":{"one":"image"}}"#,
            "s.text>z.one s.text>z.two")
        let problems = check(template, against: Self.catalogue()).1
        #expect(problems.map(\.code.text) == ["portTypeMismatch", "unknownPort"])
    }
}
