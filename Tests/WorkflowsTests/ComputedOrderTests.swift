import CaseNames
import Embedded
import Harness
import JSON
import Manifests
import Testing
import Vocabulary

@testable import Workflows

/// The order of steps that touch the same files (`semantics.md` 215).
@Suite struct ComputedOrderTests {
    /// The tools that ship with the program, and two of another author.
    private static let catalogue: Catalogue = {
        var tools: [ToolManifest] = []
        for name in ["files", "images", "flow", "text", "people", "remote"] {
            let path = "Config/tools/\(name).yaml"
            tools +=
                readTools(PlacedJSON(Embedded.text(at: path) ?? ""), file: path, isShipped: true) { _ in .ofNothing }
                .tools
        }
        tools.append(ToolManifest(kind: "Theirs", title: "Theirs", action: .builtin("theirs")))
        tools[tools.count - 1].touches = .workspace
        return Catalogue(tools)
    }()

    /// A graph: steps such as `l FileLoader path=a.txt`, edges such as `l.file>s.file`, and what is in the folder.
    struct Plan: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [String]
        var edges = ""
        /// Files in `/w`. A folder ends in a slash.
        var files = "a.txt b.txt a.jpg b.jpg thumbs/"
        /// Such as `b<a` for "b follows a", and `b~a` for "b starts after a".
        var order: String
        var options = "{}"
    }

    private static func graph(_ plan: Plan) throws -> Graph {
        let nodes = plan.steps.map { step in
            let words = step.split(separator: " ")
            let params = words.dropFirst(2).filter { !$0.hasPrefix("@") }.map { word in
                let parts = word.split(separator: "=", maxSplits: 1)
                let value = parts[1] == "true" || parts[0] == "width" ? String(parts[1]) : "\"\(parts[1])\""
                return "\"\(parts[0])\":\(value)"
            }
            let gate = words.contains("@gate") ? #","await":{"type":"confirmParams"}"# : ""
            let after = words.first { $0.hasPrefix("@after=") }.map { #","after":["\#($0.dropFirst(7))"]"# } ?? ""
            return
                #"{"id":"\#(words[0])","kind":"\#(words[1])","params":{\#(params.joined(separator: ","))}\#(gate)\#(after)}"#
        }
        let text = """
            {"schema":"app.workflow/v2","name":"w","nodes":[\(nodes.joined(separator: ","))],
            \(CheckTests.edges(plan.edges)),"options":\(plan.options)}
            """
        let (template, problems) = TemplateReader.read(Array(text.utf8))
        try #require(problems.isEmpty, "\(problems)")
        let (graph, faults) = Workflows.check(try #require(template), against: catalogue)
        return try #require(graph, "\(faults)")
    }

    private static func places(_ plan: Plan, _ paths: Set<String>?) -> FilePlaces {
        var places = FilePlaces(workspace: "/w")
        let files = Set(plan.files.split(separator: " ").map(String.init))
        for path in paths ?? [] {
            let name = path == "." ? "" : path.hasSuffix("/") ? String(path.dropLast()) : path
            let isFolder = path == "." || files.contains("\(name)/")
            places.places[path] = FilePlaces.Place(
                paths: [name.isEmpty ? "/w" : name.hasPrefix("/") ? name : "/w/\(name)"],
                exists: isFolder || files.contains(name), isFolder: isFolder)
        }
        return places
    }

    private static func orders(_ graph: Graph, _ plan: Plan) -> String {
        let orders = graph.computedOrder(catalogue, at: places(plan, graph.pathsToOrder(catalogue)))
        let name = { (index: Int) in graph.nodes[index].id }
        return orders.enumerated().flatMap { index, order in
            order.follows.map { "\(name(index))<\(name($0))" } + order.startsAfter.map { "\(name(index))~\(name($0))" }
        }.joined(separator: " ")
    }

    private static let resize = ["l ImageLoader path=a.jpg", "r Resize width=9", "s SaveFile"]
    private static let chain = "l.image>r.image r.image>s.file"

    static let plans: [Plan] = [
        Plan(
            testDescription: "two commands", steps: ["a Shell command=x", "b Shell command=y", "c Shell command=z"],
            order: "b<a c<b"),
        Plan(
            testDescription: "change, then test",
            steps: [
                "r ReadFile path=a.txt", "e ReplaceText find=x", "w WriteFile path=a.txt overwrite=true",
                "t Shell command=y",
            ], edges: "r.text>e.text e.text>w.text", order: "t<w"),
        Plan(
            testDescription: "different files", steps: ["a DeleteFile path=a.txt", "b DeleteFile path=b.txt"], order: ""
        ),
        Plan(
            testDescription: "swap by three moves",
            steps: [
                "a MoveFile from=a.txt to=t.txt", "b MoveFile from=b.txt to=a.txt", "c MoveFile from=t.txt to=b.txt",
            ], order: "b<a c<b"),
        Plan(
            testDescription: "write, then read", steps: ["w WriteFile path=n.txt text=x", "r ReadFile path=n.txt"],
            order: "r<w"),
        Plan(
            testDescription: "read, then write", steps: ["r ReadFile path=a.txt", "w WriteFile path=a.txt text=x"],
            order: "w<r"),
        Plan(testDescription: "two readers", steps: ["a ReadFile path=a.txt", "b ReadFile path=a.txt"], order: ""),
        Plan(
            testDescription: "an original goes after all that is made of it",
            steps: resize + ["d DeleteFile path=a.jpg"],
            edges: chain, order: "d<s"),
        Plan(
            testDescription: "and after each of two",
            steps: resize + ["g Grayscale", "z SaveFile path=z.jpg", "d DeleteFile path=a.jpg"],
            edges: chain + " l.image>g.image g.image>z.file", order: "d<s d<z"),
        Plan(
            testDescription: "a chain that is listed later holds up nothing",
            steps: ["l ImageLoader path=a.jpg", "d DeleteFile path=a.jpg", "r Resize width=9", "s SaveFile"],
            edges: chain, order: "d<l"),
        Plan(
            testDescription: "the originals go after the archive",
            steps: [
                "a FileLoader path=a.txt", "b FileLoader path=b.txt", "z Zip name=x.zip", "s SaveFile",
                "x DeleteFile path=a.txt", "y DeleteFile path=b.txt",
            ], edges: "a.file>z.files.1 b.file>z.files.2 z.file>s.file", order: "x<s y<s"),
        Plan(
            testDescription: "pictures side by side",
            steps: resize + ["m ImageLoader path=b.jpg", "q Resize width=9", "t SaveFile"],
            edges: chain + " m.image>q.image q.image>t.file", order: ""),
        Plan(
            testDescription: "into one folder side by side",
            steps: [
                "l ImageLoader path=a.jpg", "s SaveFile path=thumbs/", "m ImageLoader path=b.jpg",
                "t SaveFile path=thumbs",
            ], edges: "l.image>s.file m.image>t.file", order: ""),
        Plan(
            testDescription: "the same next number",
            steps: resize + ["g Grayscale", "t SaveFile"], edges: chain + " l.image>g.image g.image>t.file",
            order: "t~s"),
        Plan(
            testDescription: "a name that a saver takes", steps: resize + ["x ReadFile path=a-1.jpg"], edges: chain,
            order: "x<s"),
        Plan(
            testDescription: "a name that a saver cannot take", steps: resize + ["x ReadFile path=a-1.jpg"],
            edges: chain,
            files: "a.jpg a-1.jpg", order: ""),
        Plan(
            testDescription: "a name that is made free", steps: resize + ["x DeleteFile path=a-1.jpg"], edges: chain,
            files: "a.jpg a-1.jpg", order: "x~s"),
        Plan(
            testDescription: "a list of the folder",
            steps: ["w WriteFile path=n.txt text=x", "l ListFiles", "d DeleteFile path=b.txt"],
            order: "l<w d<l"),
        Plan(
            testDescription: "a folder stands for all below it",
            steps: [
                "w WriteFile path=thumbs/n.txt text=x", "f FindText text=x path=thumbs",
                "v WriteFile path=n.txt text=x",
            ],
            order: "f<w"),
        Plan(
            testDescription: "a move into a folder",
            steps: ["m MoveFile from=a.txt to=thumbs", "r ReadFile path=thumbs/a.txt"],
            order: "r<m"),
        Plan(
            testDescription: "an edge says otherwise",
            steps: ["w WriteFile path=a.txt overwrite=true", "r ReadFile path=a.txt"], edges: "r.text>w.text", order: ""
        ),
        Plan(
            testDescription: "what an edge needs is moved up",
            steps: ["w WriteFile path=n.txt", "d DeleteFile path=n.txt", "r ReadFile path=a.txt"],
            edges: "r.text>w.text", order: "d<w"),
        Plan(
            testDescription: "after says it already", steps: ["a Shell command=x", "b Shell command=y @after=a"],
            order: ""),
        Plan(
            testDescription: "a gate where the path may change",
            steps: ["a WriteFile path=n.txt text=x @gate", "b DeleteFile path=b.txt"], order: "b<a"),
        Plan(
            testDescription: "a tool of others", steps: ["a Theirs", "b ReadFile path=a.txt"], order: "b<a"),
        Plan(
            testDescription: "no loader at the head",
            steps: ["t Text text=x", "s SaveFile", "d DeleteFile path=b.txt"],
            edges: "t.text>s.file", order: "d<s"),
        Plan(
            testDescription: "the network and the store touch nothing",
            steps: ["f HTTPFetch url=https://example.org", "t Text text=x", "c Shell command=x"], order: ""),
        Plan(
            testDescription: "the order is left to edges", steps: ["a Shell command=x", "b Shell command=y"],
            order: "b<a"),
    ]

    @Test(arguments: plans) func whatTouchesTheSameFilesIsOrdered(plan: Plan) throws {
        let found = Self.orders(try Self.graph(plan), plan)
        #expect(found == plan.order)
    }

    /// The bytes of a graph without an order are as they always were, and a file cannot have the keys.
    @Test func onlyStoredGraphsHaveTheKeys() throws {
        var template = Template(
            name: "w", nodes: [Template.Node(id: "a", kind: "Shell"), Template.Node(id: "b", kind: "Shell")])
        #expect(!template.json.text.contains("follows") && !template.json.text.contains("startsAfter"))
        template.nodes[1].follows = ["a"]
        template.nodes[1].startsAfter = ["a"]
        #expect(TemplateReader.read(template.json, isStored: true).0 == template)
        #expect(template.text == template.json.text)
        let (_, problems) = TemplateReader.read(template.json)
        #expect(problems.map(\.code) == ["unknownKey", "unknownKey"])
    }

    /// Two hundred thousand steps, half of them barriers to all before, cost a bounded search.
    @Test(arguments: [("Shell", "command=x"), ("ListFiles", "path=."), ("WriteFile", "path=n.txt")])
    func aLargeGraphIsOrderedInLinearTime(kind: String, params: String) throws {
        let count = 20_000
        let steps = (0..<count).map { number in
            number.isMultiple(of: 2)
                ? "w\(number) WriteFile path=f\(number).txt text=x" : "x\(number) \(kind) \(params)"
        }
        let plan = Plan(testDescription: "", steps: steps, order: "")
        let graph = try Self.graph(plan)
        let orders = graph.computedOrder(Self.catalogue, at: Self.places(plan, graph.pathsToOrder(Self.catalogue)))
        let edges = orders.reduce(0) { $0 + $1.follows.count + $1.startsAfter.count }
        #expect(edges < 2 * count, "\(edges)")
        #expect(orders.enumerated().allSatisfy { index, order in order.follows.allSatisfy { $0 < index } })
    }
}
