import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// Which steps wait for a person because of one await (`semantics.md` 45), and what may be asked where (2).
struct DownstreamTests {
    private static let image = [Port("image", .image)]

    static let catalogue = Catalogue([
        ToolManifest(kind: "Load", title: "Load", outputs: image, action: .builtin("load")),
        ToolManifest(
            kind: "Mask", title: "Mask", inputs: image, outputs: [Port("mask", .mask)], queue: .none,
            action: .person(.drawMask)),
        ToolManifest(
            kind: "Paint", title: "Paint", inputs: image + [Port("mask", .mask, isOptional: true)], outputs: image,
            action: .builtin("paint")),
        ToolManifest(
            kind: "Cut", title: "Cut", inputs: image + [Port("mask", .mask)], outputs: image, action: .builtin("cut")),
        ToolManifest(
            kind: "Choose", title: "Choose", outputs: [Port("text", .text)],
            params: [.init(name: "choices", kind: .list, isRequired: true)], queue: .none, action: .person(.choose)),
    ])

    private func graph(_ nodes: [Template.Node], _ edges: [(String, String)]) throws -> Graph {
        func end(_ text: String) -> Template.Endpoint {
            let parts = text.split(separator: ".")
            return Template.Endpoint(String(parts[0]), String(parts[1]))
        }
        let template = Template(
            name: "t", nodes: nodes, edges: edges.map { Template.Edge(from: end($0.0), to: end($0.1)) })
        let (graph, problems) = check(template, against: Self.catalogue)
        return try #require(graph, "\(problems)")
    }

    @Test func whatCannotStartBeforeItIsHeldUpHoweverFarAwayAlsoWhereItCouldDoWithout() throws {
        let graph = try graph(
            [
                .init(id: "load", kind: "Load"), .init(id: "mask", kind: "Mask"), .init(id: "cut", kind: "Cut"),
                .init(id: "paint", kind: "Paint"),
                .init(id: "again", kind: "Paint"), .init(id: "cut2", kind: "Cut"),
            ],
            [
                ("load.image", "mask.image"), ("load.image", "cut.image"), ("load.image", "paint.image"),
                ("mask.mask", "cut.mask"),
                ("mask.mask", "paint.mask"), ("cut.image", "again.image"), ("again.image", "cut2.image"),
                ("mask.mask", "cut2.mask"),
            ])
        // The picture can be painted without a mask, but not before it is known whether there will be one.
        #expect(graph.heldUp(by: 1) == [2, 3, 5, 4])
        #expect(graph.heldUp(by: 3) == [] && graph.heldUp(by: 5) == [] && graph.heldUp(by: 99) == [])
        #expect(Set(graph.heldUp(by: 0)) == [1, 2, 3, 4, 5])
        #expect(graph.heldUp(by: 0, limit: 2).count == 2)
    }

    @Test(
        arguments: [(nil, true), ([Port("mask", .mask)], false), ([Port("mask", .mask, isOptional: true)], true)]
            as [([Port]?, Bool)])
    func aTemplateMayNeedWhatItsToolCanDoWithout(declared: [Port]?, isOptional: Bool) throws {
        func graph(feeds: Bool) throws -> Graph {
            try self.graph(
                [
                    .init(id: "load", kind: "Load"), .init(id: "mask", kind: "Mask"),
                    .init(id: "paint", kind: "Paint", inputs: declared.map { [Port("image", .image)] + $0 }),
                ],
                [("load.image", "mask.image"), ("load.image", "paint.image")]
                    + (feeds ? [("mask.mask", "paint.mask")] : []))
        }
        #expect(try graph(feeds: true).nodes[2].inputs.first { $0.port == "mask" }?.isOptional == isOptional)
        // Where nothing feeds it, it is absent, whatever is declared.
        #expect(try graph(feeds: false).nodes[2].inputs.first { $0.port == "mask" }?.isOptional == true)
    }

    @Test func longChainsAreFollowedInTimeThatGrowsWithThem() throws {
        let count = 5000
        let nodes =
            [Template.Node(id: "load", kind: "Load")] + (0..<count).map { Template.Node(id: "p\($0)", kind: "Paint") }
        let graph = try graph(
            nodes, [("load.image", "p0.image")] + (1..<count).map { ("p\($0 - 1).image", "p\($0).image") })
        var found = 0
        #expect(threadSeconds { found = graph.heldUp(by: 0, limit: .max).count } < 2)
        #expect(found == count)
    }

    private func problems(_ kind: String, _ type: AwaitType?, _ params: JSON.Object = JSON.Object()) -> [String] {
        let node = Template.Node(id: "a", kind: kind, params: params, awaits: type.map { Template.AwaitSpec(type: $0) })
        return awaitProblems(of: node, Self.catalogue[kind]!).map { "\($0.code) \($0.place)" }
    }

    @Test(arguments: AwaitType.allCases) func aGateStandsBeforeAToolAndAPersonGivesOutputs(type: AwaitType) {
        let isGate = [AwaitType.confirmCall, .confirmParams].contains(type)
        #expect(problems("Load", type) == (isGate ? [] : ["badAwait a.await.type"]))
        #expect(problems("Mask", type) == (type == .drawMask ? [] : ["badAwait a.await.type"]))
        #expect(problems("Load", nil) == [] && problems("Mask", nil) == [])
    }

    @Test(
        arguments: [
            (["red", "green"], true), ([], false), (["red", "red"], false), (["red", 3], false), ([""], false),
            (.array((0..<101).map { .string("c\($0)") }), false), (.array((0..<100).map { .string("c\($0)") }), true),
        ] as [(JSON, Bool)])
    func choicesAreDistinctTexts(choices: JSON, isFine: Bool) {
        #expect(
            problems("Choose", nil, JSON.Object(members: [.init(key: "choices", value: choices)]))
                == (isFine ? [] : ["badAwait a.choices"])
        )
    }

    @Test func theCheckOfATemplateSaysIt() {
        let template = Template(name: "t", nodes: [.init(id: "load", kind: "Load", awaits: .init(type: .text))])
        let (graph, problems) = check(template, against: Self.catalogue)
        #expect(graph == nil && problems.map(\.code) == ["badAwait"] && problems[0].place == "load.await.type")
    }
}
