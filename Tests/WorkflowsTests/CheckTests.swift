import CaseNames
import Embedded
import Harness
import JSON
import Manifests
import Testing
import Vocabulary

@testable import Workflows

@Suite struct CheckTests {
    static let tools: [ToolManifest] = [
        ToolManifest(
            kind: "Load", title: "Load", outputs: [Port("image", .image)], effects: [.reads], action: .builtin("load")),
        ToolManifest(
            kind: "Resize", title: "Resize", inputs: [Port("image", .image), Port("mask", .mask, isOptional: true)],
            outputs: [Port("image", .image)],
            params: [
                .init(name: "width", kind: .integer, isRequired: true, minimum: 1, maximum: 100, unit: "px"),
                .init(name: "fit", kind: .choice, defaultValue: "inside", choices: ["inside", "cover"]),
            ], action: .builtin("resize")),
        ToolManifest(
            kind: "Words", title: "Words", inputs: [Port("text", .text)], outputs: [Port("text", .text)],
            action: .builtin("words")),
        ToolManifest(
            kind: "Zip", title: "Zip", inputs: [Port("files", .file, isVariadic: true)], outputs: [Port("file", .file)],
            action: .builtin("zip")),
        ToolManifest(kind: "Pass", title: "Pass", hasOpenPorts: true, queue: .none, action: .builtin("pass")),
        ToolManifest(
            kind: "Gone", title: "Gone", outputs: [Port("image", .image)], action: .builtin("gone")),
    ]
    static let catalogue = Catalogue(
        tools, unavailable: ["Gone": Reason("toolNotInstalled", "Tool not installed: apt-get install gone.")])

    private func check(_ text: String, bound: Set<Template.Endpoint> = []) throws -> (Graph?, [Problem]) {
        let (template, problems) = TemplateReader.read(Array(#"{"schema":"app.workflow/v2","name":"w",\#(text)}"#.utf8))
        try #require(problems.isEmpty, "\(problems)")
        return Workflows.check(try #require(template), against: Self.catalogue, bound: bound)
    }

    /// `a.x>b.y` as an edge.
    static func edges(_ words: String) -> String {
        let edges = words.split(separator: " ").map { word in
            let ends = word.split(separator: ">").map { end -> String in
                let dot = end.firstIndex(of: ".")!
                return #"["\#(end[..<dot])","\#(end[end.index(after: dot)...])"]"#
            }
            return #"{"from":\#(ends[0]),"to":\#(ends[1])}"#
        }
        return #""edges":[\#(edges.joined(separator: ","))]"#
    }

    private static let load = #"{"id":"l","kind":"Load"}"#
    private static let resize = #"{"id":"r","kind":"Resize","params":{"width":9}}"#
    private static func nodes(_ nodes: String...) -> String { #""nodes":[\#(nodes.joined(separator: ","))]"# }

    @Test(
        arguments: [
            (nodes(load, load), "", [], ["duplicateNode l"]),
            (nodes(load, resize), edges("l.image>r.image x.image>r.mask"), [], ["unknownNode x.image"]),
            (nodes(load, resize), edges("l.image>r.image l.image>x.mask"), [], ["unknownNode x.mask"]),
            (
                nodes(load, resize), edges("l.picture>r.image"), [],
                ["unknownPort l.picture", "missingRequiredInput r.image"]
            ),
            (nodes(load, resize), edges("l.image>r.image l.image>r.picture"), [], ["unknownPort r.picture"]),
            (nodes(load, resize), edges("l.image>r.image l.image>r.mask"), [], ["portTypeMismatch r.mask"]),
            (
                nodes(#"{"id":"m","kind":"Mask","outputs":{"mask":"mask"}}"#, resize), edges("m.mask>r.image"), [],
                ["portTypeMismatch r.image"]
            ),
            (nodes(resize), "", [], ["missingRequiredInput r.image"]),
            (
                nodes(load, resize), edges("l.image>r.image l.image>r.image"), [],
                ["multiProducerOnRequiredPort r.image"]
            ),
            (
                nodes(load, resize, #"{"id":"m","kind":"Mask","outputs":{"mask":"mask"}}"#),
                edges("l.image>r.image m.mask>r.mask m.mask>r.mask"), [],
                ["multiProducerOnOptionalPort r.mask"]
            ),
            (nodes(#"{"id":"r","kind":"Resize","params":{"width":0}}"#), "", ["r.image"], ["badParam r.width"]),
            (nodes(#"{"id":"r","kind":"Resize","params":{"width":"9"}}"#), "", ["r.image"], ["badParam r.width"]),
            (nodes(#"{"id":"r","kind":"Resize"}"#), "", ["r.image"], ["badParam r.width"]),
            (
                nodes(#"{"id":"r","kind":"Resize","params":{"width":9,"hight":1}}"#), "", ["r.image"],
                ["badParam r.hight"]
            ),
            (nodes(#"{"id":"r","kind":"Resize","params":{"width":9,"fit":"x"}}"#), "", ["r.image"], ["badParam r.fit"]),
            // Ports that a node declares.
            (nodes(#"{"id":"l","kind":"Load","outputs":{"image":"file"}}"#), "", [], []),
            (nodes(#"{"id":"l","kind":"Load","outputs":{"image":"text"}}"#), "", [], ["portTypeMismatch l.image"]),
            (nodes(#"{"id":"l","kind":"Load","outputs":{"picture":"image"}}"#), "", [], ["unknownPort l.picture"]),
            (nodes(load, #"{"id":"z","kind":"Zip","inputs":{"files.1":"image"}}"#), edges("l.image>z.files.1"), [], []),
            (
                nodes(#"{"id":"w","kind":"Words","inputs":{"text":"image"}}"#), "", ["w.text"],
                ["portTypeMismatch w.text"]
            ),
            // Variadic ports.
            (nodes(load, #"{"id":"z","kind":"Zip"}"#), edges("l.image>z.files.1 l.image>z.files.3"), [], []),
            (nodes(#"{"id":"z","kind":"Zip"}"#), "", [], ["missingRequiredInput z.files"]),
            (nodes(#"{"id":"z","kind":"Zip"}"#), "", ["z.files.1"], []),
            (
                nodes(load, #"{"id":"z","kind":"Zip"}"#), edges("l.image>z.files.1 l.image>z.files.1"), [],
                ["multiProducerOnRequiredPort z.files.1"]
            ),
            (
                nodes(load, #"{"id":"z","kind":"Zip"}"#), edges("l.image>z.files.1 l.image>z.files.01"), [],
                ["unknownPort z.files.01"]
            ),
            (
                nodes(load, #"{"id":"z","kind":"Zip"}"#),
                edges("l.image>z.files.1 l.image>z.files.\(Limits.variadicPorts + 1)"), [],
                ["unknownPort z.files.\(Limits.variadicPorts + 1)"]
            ),
            // Open ports.
            (nodes(load, #"{"id":"p","kind":"Pass"}"#, resize), edges("l.image>p.a p.b>r.image"), [], []),
            (
                nodes(load, #"{"id":"p","kind":"Pass","inputs":{"a":"image"}}"#), edges("l.image>p.b"), [],
                ["unknownPort p.b", "missingRequiredInput p.a"]
            ),
            // Unknown kinds: any edge without ports, checked ones with.
            (nodes(load, #"{"id":"u","kind":"Unknown"}"#, resize), edges("l.image>u.a u.b>r.image"), [], []),
            (
                nodes(load, #"{"id":"u","kind":"Unknown","inputs":{"a":"text"}}"#), edges("l.image>u.a"), [],
                ["portTypeMismatch u.a"]
            ),
            (nodes(#"{"id":"u","kind":"Unknown","inputs":{"a":"text"}}"#), "", [], ["missingRequiredInput u.a"]),
            // Workflow inputs and what a caller binds: producers like edges.
            (nodes(resize) + #","inputs":{"photo":{"type":"image","to":[["r","image"]]}}"#, "", [], []),
            (nodes(resize) + #","inputs":{"photo":{"type":"image","to":[["r","image"]]}}"#, "", ["r.image"], []),
            (
                nodes(resize) + #","inputs":{"photo":{"type":"text","to":[["r","image"]]}}"#, "", [],
                ["portTypeMismatch r.image"]
            ),
            (
                nodes(resize) + #","inputs":{"photo":{"type":"image","to":[["x","image"]]}}"#, "", ["r.image"],
                ["unknownNode inputs.photo"]
            ),
            (
                nodes(resize) + #","inputs":{"photo":{"type":"image","to":[["r","picture"]]}}"#, "", ["r.image"],
                ["unknownPort r.picture"]
            ),
            (
                nodes(load, resize) + #","inputs":{"photo":{"type":"image","to":[["r","image"]]}}"#,
                edges("l.image>r.image"), [],
                ["multiProducerOnRequiredPort r.image"]
            ),
            (
                nodes(resize)
                    + #","inputs":{"a":{"type":"image","to":[["r","image"]]},"b":{"type":"image","to":[["r","image"]]}}"#,
                "", [],
                ["multiProducerOnRequiredPort r.image"]
            ),
            (nodes(load, resize), edges("l.image>r.image"), ["r.image"], ["multiProducerOnRequiredPort r.image"]),
            (nodes(load), "", ["x.image"], ["unknownNode x.image"]),
            (nodes(load), "", ["l.image"], ["unknownPort l.image"]),
            // Skips.
            (
                nodes(
                    #"{"id":"a","kind":"Ask","outputs":{"image":"image"},"await":{"type":"text","resumePolicy":{"onTimeout":"skip"}}}"#,
                    resize),
                edges("a.image>r.image"), [], ["skipFeedsRequiredPort r.image"]
            ),
            (
                nodes(
                    load,
                    #"{"id":"a","kind":"Ask","outputs":{"mask":"mask"},"await":{"type":"text","resumePolicy":{"onTimeout":"skip"}}}"#,
                    resize),
                edges("l.image>r.image a.mask>r.mask"), [], []
            ),
            // Several at once.
            (
                nodes(load, load, #"{"id":"r","kind":"Resize"}"#), edges("l.x>r.image q.y>r.mask"), [],
                [
                    "duplicateNode l", "unknownPort l.x", "unknownNode q.y", "missingRequiredInput r.image",
                    "badParam r.width",
                ]
            ),
        ] as [(String, String, [String], [String])])
    func faultsAreFoundAllAtOnce(nodes: String, edges: String, bound: [String], expected: [String]) throws {
        let ends = bound.map { end in
            let dot = end.firstIndex(of: ".")!
            return Template.Endpoint(String(end[..<dot]), String(end[end.index(after: dot)...]))
        }
        let (graph, problems) = try check(edges.isEmpty ? nodes : "\(nodes),\(edges)", bound: Set(ends))
        #expect(Set(problems.map { "\($0.code) \($0.place)" }) == Set(expected))
        #expect((graph == nil) == !expected.isEmpty)
    }

    /// `semantics.md` 135, and the other way round.
    @Test(arguments: [
        ("m.mask>r.image", "m.mask gives mask, but r.image takes image."),
        ("l.image>r.image l.image>r.mask", "l.image gives image, but r.mask takes mask."),
    ])
    func aTypeClashNamesBothEndsAndBothTypes(edges: String, words: String) throws {
        let mask = #"{"id":"m","kind":"Mask","outputs":{"mask":"mask"}}"#
        let (_, problems) = try check("\(Self.nodes(Self.load, mask, Self.resize)),\(Self.edges(edges))")
        #expect(problems.map(\.message) == [words])
    }

    /// `semantics.md` 136: what needs nothing is ready, what waits for others or for a tool is blocked and says so.
    @Test func whatIsLoadedIsReadyOrBlocked() throws {
        let (checked, problems) = try check(
            "\(Self.nodes(Self.load, Self.resize, #"{"id":"g","kind":"Gone"}"#)),\(Self.edges("l.image>r.image"))")
        #expect(problems.isEmpty)
        let graph = try #require(checked)
        let (now, id) = (Moment(milliseconds: 1000), WorkflowID(1))
        let record = WorkflowRecord(id: id, title: "w", workspace: "/w", createdAt: now, updatedAt: now)
        var flow = Flow(graph: graph, record: record, steps: Flow.initialSteps(of: graph, workflow: id, at: now))
        var transition = Transition(now: now, random: Seeded(1), batch: Batch(workflow: id, fence: 1))
        flow.step(.begin, in: &transition)
        #expect(flow.steps.map(\.state) == [.ready, .blocked, .blocked])
        #expect(flow.steps[2].reason?.code == "toolNotInstalled", "\(flow.steps.map(\.reason?.code))")
    }

    @Test func aBadParameterSaysWhatIsAllowed() throws {
        let (_, problems) = try check(
            Self.nodes(#"{"id":"r","kind":"Resize","params":{"width":101}}"#), bound: [.init("r", "image")])
        #expect(problems.map(\.message) == ["width is 101; allowed is a whole number from 1 to 100 px."])
    }

    @Test(arguments: [
        ("p1.x>p1.x", "p1 → p1"), ("p1.x>p2.x p2.x>p1.x", "p1 → p2 → p1"),
        // A long way round and a short one: the short one is named.
        ("p1.x>p2.x p2.x>p3.x p3.x>p4.x p4.x>p1.x p4.y>p3.y", "p3 → p4 → p3"),
        ("p1.x>p2.x p2.x>p3.x p3.x>p2.y", "p2 → p3 → p2"),
    ])
    func theShortestCycleIsNamed(edges: String, cycle: String) throws {
        let nodes = (1...4).map { #"{"id":"p\#($0)","kind":"Pass"}"# }.joined(separator: ",")
        let (graph, problems) = try check(#""nodes":[\#(nodes)],\#(Self.edges(edges))"#)
        #expect(graph == nil && problems.map(\.code) == ["cycleDetected"])
        #expect(problems.first?.message == "The steps go round in a circle: \(cycle).")
    }

    @Test func defaultsAreFilledInAndProducersFound() throws {
        let (graph, _) = try check("\(Self.nodes(Self.load, Self.resize)),\(Self.edges("l.image>r.image"))")
        let nodes = try #require(graph).nodes
        #expect(nodes[1].params.keys == ["width", "fit"] && nodes[1].params["fit"] == "inside")
        #expect(nodes[1].inputs[0].producer?.node == 0 && nodes[1].inputs[1].producer == nil)
        #expect(graph?.consumers == [[1], []] && graph?.sinks == [1])
        #expect(nodes[1].isPure && !nodes[0].isPure)
    }

    @Test func toolsThatAreNotHereBlockTheirSteps() throws {
        let (graph, _) = try check(Self.nodes(#"{"id":"g","kind":"Gone"}"#, #"{"id":"u","kind":"Unknown"}"#, Self.load))
        #expect(try #require(graph).nodes.map(\.missing?.code) == ["toolNotInstalled", "toolNotInstalled", nil])
        #expect(graph?.nodes[1].isIdempotent == false)
    }

    /// A whole template of the form of `semantics.md` 70 loads.
    @Test func theTemplateOfTheSeedLoads() throws {
        let (template, problems) = TemplateReader.read(Array(seedTemplate.utf8))
        #expect(problems.isEmpty)
        let tools = Embedded.paths.filter { $0.hasPrefix("Config/tools/") }.flatMap { path in
            readTools(PlacedJSON(Embedded.text(at: path) ?? ""), file: path, isShipped: true) { _ in .ofNothing }.tools
        }
        let (graph, faults) = Workflows.check(
            try #require(template), against: Catalogue(tools.filter { $0.kind == "CompressLocal" }))
        #expect(faults.isEmpty)
        #expect(
            try #require(graph).nodes.map(\.missing?.code) == [
                "toolNotInstalled", "toolNotInstalled", "toolNotInstalled", nil,
            ])
        #expect(
            template?.nodes[1].awaits?.title == "Draw a mask" && template?.nodes[1].awaits?.expiresInSeconds == 86_400)
        #expect(graph?.nodes[2].queue == .remote)
    }

    /// 10 times the nodes may cost 40 times the time of the smaller graph, which leaves room for a busy machine but not
    /// for a square.
    @Test(arguments: [false, true]) func checkingIsLinear(isCycle: Bool) {
        func seconds(_ count: Int) -> Double {
            let nodes = (0..<count).map { Template.Node(id: "n\($0)", kind: "Pass") }
            var edges = (1..<count).map { Template.Edge(from: .init("n\($0 - 1)", "out"), to: .init("n\($0)", "in")) }
            edges += (1..<count).map { Template.Edge(from: .init("n0", "out"), to: .init("n\($0)", "fan")) }
            edges += (1..<count - 1).map {
                Template.Edge(from: .init("n\($0)", "out"), to: .init("n\(count - 1)", "in\($0)"))
            }
            if isCycle { edges.append(Template.Edge(from: .init("n\(count - 1)", "out"), to: .init("n0", "back"))) }
            let template = Template(name: "w", nodes: nodes, edges: edges)
            return (0..<3).map { _ in
                threadSeconds { #expect(Workflows.check(template, against: Self.catalogue).1.isEmpty != isCycle) }
            }.min()!
        }
        let small = seconds(500)
        #expect(seconds(5000) < 40 * max(small, 0.001))
    }
}

private let seedTemplate = """
    {
      "schema": "app.workflow/v2",
      "name": "Stylize with user mask",
      "nodes": [
        {
          "id": "load1",
          "kind": "ImageLoader",
          "params": { "source": "photos" },
          "outputs": { "image": "ImageRef" }
        },
        {
          "id": "mask1",
          "kind": "UserMaskEditor",
          "inputs": { "image": "ImageRef" },
          "outputs": { "mask": "MaskRef" },
          "await": {
            "type": "draw_mask",
            "blocking": true,
            "urgency": "normal",
            "expiresIn": "PT24H",
            "notification": { "title": "Draw a mask", "body": "Mask the subject for the next step." },
            "resumePolicy": { "onTimeout": "cancel" },
            "ui": "mask-sheet"
          }
        },
        {
          "id": "stylize1",
          "kind": "StylizeRemote",
          "params": { "steps": 30, "cfg": 4.0 },
          "inputs": { "image": "ImageRef", "mask": "MaskRef" },
          "outputs": { "image": "ImageRef" },
          "resources": { "class": "remote" }
        },
        {
          "id": "compress1",
          "kind": "CompressLocal",
          "params": { "targetMB": 2 },
          "inputs": { "image": "ImageRef" },
          "outputs": { "file": "FileRef" },
          "resources": { "class": "local" }
        }
      ],
      "edges": [
        { "from": ["load1","image"],    "to": ["mask1","image"] },
        { "from": ["load1","image"],    "to": ["stylize1","image"] },
        { "from": ["mask1","mask"],     "to": ["stylize1","mask"] },
        { "from": ["stylize1","image"], "to": ["compress1","image"] }
      ],
      "options": {
        "concurrency": { "remote": 8, "local": 2 },
        "errorPolicy": "fail-fast" // or "isolate-node"
      }
    }
    """
