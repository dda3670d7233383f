import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

@Suite struct TemplateReaderTests {
    private func read(_ text: String) -> (Template?, [Problem]) { TemplateReader.read(Array(text.utf8)) }

    /// A whole workflow around what one case is about.
    private static func workflow(node: String = "", rest: String = "") -> String {
        #"{"schema":"app.workflow/v2","name":"w","nodes":[{"id":"a","kind":"Pass"\#(node)}]\#(rest)}"#
    }

    @Test(arguments: [
        ("{\"a\" 1}", "badJSON", "line 1, column 6"),
        ("{\n  \"schema\": nope\n}", "badJSON", "line 2, column 13"),
        ("[]", "badTemplate", ""),
        (workflow(rest: #","colour":1"#), "unknownKey", "colour"),
        (workflow(node: #","colour":1"#), "unknownKey", "a.colour"),
        (workflow(node: #","await":{"type":"text","colour":1}"#), "unknownKey", "a.await.colour"),
        (workflow(node: #","resources":{"cpu":1}"#), "unknownKey", "a.resources.cpu"),
        (workflow(node: #","inputs":{"x":{"type":"image","size":1}}"#), "unknownKey", "a.inputs.x.size"),
        (workflow(rest: #","options":{"speed":1}"#), "unknownKey", "options.speed"),
        (workflow(rest: #","edges":[{"from":["a","x"],"to":["a","y"],"via":1}]"#), "unknownKey", "edges 1.via"),
        (#"{"schema":"app.workflow/v3","name":"w","nodes":[{"id":"a","kind":"Pass"}]}"#, "badSchema", "schema"),
        (#"{"name":"w","nodes":[{"id":"a","kind":"Pass"}]}"#, "badSchema", "schema"),
        (#"{"schema":"app.workflow/v2","nodes":[{"id":"a","kind":"Pass"}]}"#, "badTemplate", "name"),
        (#"{"schema":"app.workflow/v2","name":"w","nodes":[]}"#, "badTemplate", "nodes"),
        (#"{"schema":"app.workflow/v2","name":"w"}"#, "badTemplate", "nodes"),
        (#"{"schema":"app.workflow/v2","name":"w","nodes":[7]}"#, "badTemplate", "nodes 1"),
        (#"{"schema":"app.workflow/v2","name":"w","nodes":[{"kind":"Pass"}]}"#, "badTemplate", "nodes 1.id"),
        (#"{"schema":"app.workflow/v2","name":"w","nodes":[{"id":"","kind":"Pass"}]}"#, "badTemplate", "nodes 1.id"),
        (#"{"schema":"app.workflow/v2","name":"w","nodes":[{"id":"a"}]}"#, "badTemplate", "a.kind"),
        (workflow(node: #","params":[1]"#), "badParam", "a.params"),
        (workflow(node: #","inputs":{"x":5}"#), "badTemplate", "a.inputs.x"),
        (workflow(node: #","inputs":{"x":{"type":"image","optional":"yes"}}"#), "badTemplate", "a.inputs.x.optional"),
        (workflow(node: #","outputs":[]"#), "badTemplate", "a.outputs"),
        (workflow(node: #","await":{"type":"sing"}"#), "badAwait", "a.await.type"),
        (workflow(node: #","await":{}"#), "badAwait", "a.await.type"),
        (workflow(node: #","await":{"type":"text","expiresIn":"1 day"}"#), "badAwait", "a.await.expiresIn"),
        (workflow(node: #","await":{"type":"text","expiresIn":"PT99999999999999H"}"#), "badAwait", "a.await.expiresIn"),
        (workflow(node: #","await":{"type":"text","title":5}"#), "badAwait", "a.await.title"),
        (workflow(node: #","await":{"type":"text","resumePolicy":"skip"}"#), "badTemplate", "a.await.resumePolicy"),
        (
            workflow(node: #","await":{"type":"text","resumePolicy":{"onTimeout":"never"}}"#), "badOption",
            "a.await.resumePolicy.onTimeout"
        ),
        (workflow(node: #","await":{"type":"text","urgency":"huge"}"#), "badOption", "a.await.urgency"),
        (workflow(node: #","resources":{"class":"gpu"}"#), "badOption", "a.resources.class"),
        (workflow(rest: #","options":{"errorPolicy":"hope"}"#), "badOption", "options.errorPolicy"),
        (workflow(rest: #","options":{"concurrency":{"local":0}}"#), "badOption", "options.concurrency.local"),
        (workflow(rest: #","options":{"concurrency":{"remote":1.5}}"#), "badOption", "options.concurrency.remote"),
        (workflow(rest: #","edges":[{"from":["a"],"to":["a","x"]}]"#), "badTemplate", "edges 1.from"),
        (workflow(rest: #","edges":[["a","x"]]"#), "badTemplate", "edges 1"),
        (workflow(rest: #","inputs":{"photo":{"type":"image"}}"#), "badTemplate", "inputs.photo.to"),
        (workflow(rest: #","inputs":{"photo":"image"}"#), "badTemplate", "inputs.photo"),
    ])
    func aFaultIsNamedWithItsPlace(text: String, code: String, place: String) {
        let problems = read(text).1
        #expect(problems.map(\.code) == [code])
        #expect(problems.first?.place == place)
    }

    @Test func textsAndGraphsBeyondTheLimitsAreNotRead() {
        let nodes = Array(repeating: #"{"id":"a","kind":"P"}"#, count: Limits.templateNodes + 1).joined(separator: ",")
        let (template, problems) = read(#"{"schema":"app.workflow/v2","name":"w","nodes":[\#(nodes)]}"#)
        #expect(template == nil && problems.map(\.code) == ["tooLarge"])
        let deep = String(repeating: "[", count: Limits.templateDepth + 2)
        #expect(read(deep).0 == nil && !read(deep).1.isEmpty)
    }

    /// Edges are read one by one as the text is read; as values they are read afterwards.
    @Test(arguments: [
        workflow(rest: #","edges":[]"#), workflow(rest: #","edges":5"#), workflow(rest: #","edges":null"#),
        workflow(rest: #","edges":[{"from":["a","x"],"to":["b","y?"]},7,{"from":["a"],"to":["a","x"],"via":[1]},]"#),
        #"{"edges":[{"from":["a","x"],"to":["b","y"]}, 1],"schema":"v1","nodes":[{"id":"a"},5],"name":{"edges":[1]}}"#,
        #"{"schema":"app.workflow/v2","name":"w","nodes":[{"id":"a","kind":"P","params":{"edges":[1,2]}}]}"#,
    ])
    func aTextIsReadAsItsValueIs(text: String) throws {
        let value = try JSONReader.read(text, allowingComments: true)
        let (one, other) = (read(text), TemplateReader.read(value))
        #expect(one.0 == other.0 && one.1 == other.1, "\(one.1)\n\(other.1)")
    }

    @Test func allFaultsComeAtOnce() {
        let text = """
            {"schema": "v1", "name": 5, "nodes": [{"id": "a", "kind": "P", "x": 1}, {"kind": "P"}], "edges": [7],
             "options": {"errorPolicy": "x", "concurrency": {"local": -1}}}
            """
        #expect(
            Set(read(text).1.map { "\($0.code) \($0.place)" }) == [
                "badSchema schema", "badTemplate name", "unknownKey a.x", "badTemplate nodes 2.id",
                "badTemplate edges 1",
                "badOption options.errorPolicy", "badOption options.concurrency.local",
            ])
    }

    @Test(arguments: [
        ("draw_mask", AwaitType.drawMask), ("drawMask", .drawMask), ("confirm_params", .confirmParams),
        ("selectAsset", .selectAsset),
    ])
    func awaitTypesAreReadInBothForms(written: String, type: AwaitType) throws {
        let (template, problems) = read(Self.workflow(node: #","await":{"type":"\#(written)"}"#))
        #expect(problems.isEmpty)
        #expect(try #require(template).nodes[0].awaits?.type == type)
    }

    @Test(
        arguments: [
            ("PT24H", 86_400), ("P1D", 86_400), ("P1DT30M", 88_200), ("PT1.5S", 1.5), ("PT1H2M3S", 3723), ("P", nil),
            ("PT", nil),
            ("24H", nil),
            ("P1H", nil), ("PT1", nil), ("P1M", nil), ("PT-1H", nil),
        ] as [(String, Double?)])
    func durationsAreIso8601(written: String, seconds: Double?) throws {
        let (template, problems) = read(Self.workflow(node: #","await":{"type":"text","expiresIn":"\#(written)"}"#))
        #expect(template?.nodes[0].awaits?.expiresInSeconds == seconds)
        #expect(problems.isEmpty == (seconds != nil))
    }

    @Test(arguments: [
        (#"{"mask":"MaskRef"}"#, false), (#"{"mask?":"MaskRef"}"#, true),
        (#"{"mask":{"type":"mask","optional":true}}"#, true),
        (#"{"mask":{"type":"mask","optional":false}}"#, false), (#"{"mask?":{"type":"Mask"}}"#, true),
    ])
    func portsAreWrittenInThreeForms(written: String, isOptional: Bool) throws {
        let (template, problems) = read(Self.workflow(node: #","inputs":\#(written)"#))
        #expect(problems.isEmpty)
        #expect(try #require(template).nodes[0].inputs == [Port("mask", .mask, isOptional: isOptional)])
    }

    @Test func commentsAndTrailingCommasAreRead() throws {
        let (template, problems) = read(
            """
            // A workflow.
            {"schema": "app.workflow/v2", /* the name */ "name": "w",
             "nodes": [{"id": "a", "kind": "Pass", "await": {"type": "text", "urgency": "blocking",},}, ],
             "options": {"concurrency": {"local": 1, "remote": 3,}, "errorPolicy": "isolate-node"}, // or not
            }
            """)
        #expect(problems.isEmpty)
        let options = try #require(template).options
        #expect(options == Template.Options(localConcurrency: 1, remoteConcurrency: 3, errorPolicy: .isolateNode))
        #expect(template?.nodes[0].awaits?.urgency == .high)
    }

    @Test func workflowInputsAndEdgesAreRead() throws {
        let (template, problems) = read(
            Self.workflow(
                rest:
                    #","inputs":{"photo":{"type":"ImageRef","to":[["a","image"],["a","mask?"]],"optional":true}},"edges":[{"from":["a","x"],"to":["a","y"]}]"#
            ))
        #expect(problems.isEmpty)
        let input = Template.WorkflowInput(
            name: "photo", type: .image, to: [Template.Endpoint("a", "image"), Template.Endpoint("a", "mask")],
            isOptional: true)
        #expect(try #require(template).inputs == [input])
        #expect(template?.edges == [Template.Edge(from: Template.Endpoint("a", "x"), to: Template.Endpoint("a", "y"))])
    }
}
