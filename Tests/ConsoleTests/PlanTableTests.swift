import CaseNames
import Console
import JSON
import Terminal
import Testing
import Vocabulary

private typealias Node = Template.Node

private func edge(_ from: String, _ fromPort: String, _ to: String, _ toPort: String) -> Template.Edge {
    Template.Edge(from: .init(from, fromPort), to: .init(to, toPort))
}

private func object(_ json: JSON) -> JSON.Object { json.object ?? JSON.Object() }

/// The plan of `architecture.md`, "What a session looks like".
private func cat(file: String = "cat.jpg", save: JSON = [:]) -> Template {
    Template(
        name: "\(file): resize, grayscale, compress",
        nodes: [
            Node(id: "load", kind: "ImageLoader", params: object(["path": .string(file)])),
            Node(id: "resize", kind: "Resize", params: object(["width": 800])), Node(id: "gray", kind: "Grayscale"),
            Node(id: "compress", kind: "CompressLocal", params: object(["targetKB": 60])),
            Node(id: "save", kind: "SaveFile", params: object(save)),
        ],
        edges: [
            edge("load", "image", "resize", "image"), edge("resize", "image", "gray", "image"),
            edge("gray", "image", "compress", "image"),
            edge("compress", "image", "save", "file"),
        ])
}

private func plain(_ template: Template, columns: Int = 100) -> String {
    PlanTable.lines(template, catalogue: catalogue, workspace: "/home/ana", columns: columns).plain
}

@Test func fiveNodesAreThreeLines() {
    #expect(
        plain(cat()) == """
              plan  "cat.jpg: resize, grayscale, compress"            3 steps · creates files · undo for 30 days
               1   Resize      image ← cat.jpg   width=800 px
               2   Grayscale   image ← 1
               3   Compress    image ← 2         targetKB=60 KB
            """)
}

@Test func undoingSeveralThingsIsSaidOfEachInItsOwnWords() {
    let paint = ToolManifest.tool(
        "Paint", "Paint", effects: [.spends], undo: .yes(how: "cancel the job; what it cost until then is spent"))
    let plan = Template(name: "t", nodes: [Node(id: "a", kind: "Paint"), Node(id: "b", kind: "Zip")], edges: [])
    let text = PlanTable.lines(plan, catalogue: Catalogue([paint, catalogue["Zip"]!]), columns: 120).plain
    #expect(text.contains("undo for 30 days, undo: cancel the job (what it cost until then is spent)"), "\(text)")
}

@Test func aPlanInColour() {
    let lines = PlanTable.lines(cat(), catalogue: catalogue, columns: 100)
    #expect(lines[0].rendered(hasColour: true).hasPrefix("  \u{1B}[2mplan\u{1B}[0m  \u{1B}[1m\"cat.jpg: resize"))
    #expect(lines[2].rendered(hasColour: true) == "  \u{1B}[2m 2\u{1B}[0m   Grayscale   \u{1B}[2mimage ← \u{1B}[0m1")
}

@Test func aSaverWithAPathIsShownAndWarnsWhereItOverwrites() {
    let text = plain(cat(save: ["path": "/home/ana/out.jpg", "overwrite": true]), columns: 120)
    #expect(text.contains("4 steps · overwrites files"))
    #expect(text.contains(" 4   Save file   file ← 3          → ./out.jpg  overwrites"))
    #expect(!text.contains("undo"))
    let coloured = PlanTable.lines(cat(save: ["path": "x", "overwrite": true]), catalogue: catalogue, columns: 120)
        .coloured
    #expect(coloured.contains("\u{1B}[33moverwrites\u{1B}[0m"))
}

@Test(
    arguments: [
        (
            "Load alone stays", [Node(id: "a", kind: "ImageLoader", params: object(["path": "a.png"]))], [],
            "1   Load image   path=a.png"
        ),
        (
            "A copy shows its saver",
            [Node(id: "a", kind: "ImageLoader", params: object(["path": "a.png"])), Node(id: "b", kind: "SaveFile")],
            [edge("a", "image", "b", "file")], "1   Save file   file ← a.png"
        ),
        (
            "A port of several is named", [Node(id: "a", kind: "Stylize"), Node(id: "b", kind: "Grayscale")],
            [edge("a", "mask", "b", "image")], "2   Grayscale   image ← 1.mask"
        ),
        (
            "An unknown tool may do anything", [Node(id: "a", kind: "Nope")], [],
            "1 step · executes code · cannot be undone"
        ),
        ("An unknown tool says so", [Node(id: "a", kind: "Nope")], [], "1   Nope: unknown tool"),
        (
            "Secrets stay secret", [Node(id: "a", kind: "Login", params: object(["key": "hunter2"]))], [],
            "key=•••  login is not installed"
        ),
        (
            "Irreversible", [Node(id: "a", kind: "DeleteFile", params: object(["path": "x"]))], [],
            "1 step · deletes files · cannot be undone"
        ),
    ].map { (row: (name: String, nodes: [Template.Node], edges: [Template.Edge], part: String)) in
        Named(row.name, (template: Template(name: "t", nodes: row.nodes, edges: row.edges), part: row.part))
    })
func rowsSayWhatMatters(row: Named<(template: Template, part: String)>) {
    #expect(plain(row.value.template, columns: 160).contains(row.value.part))
}

@Test func manyFilesOfOnePortAreCutWithACountAndTheEnd() {
    let loaders = (1...9).map {
        Node(id: "l\($0)", kind: "ImageLoader", params: object(["path": .string("\($0).png")]))
    }
    let edges = (1...9).map { edge("l\($0)", "image", "zip", "files.\($0)") }
    let text = plain(Template(name: "t", nodes: loaders + [Node(id: "zip", kind: "Zip")], edges: edges))
    #expect(text.contains(" 1   Zip   files ← 1.png, 2.png, … 6 more …, 9.png"))
}

@Test func aLongPlanIsCutAndItsEndShown() {
    let nodes = (1...500).map { Node(id: "n\($0)", kind: $0 % 2 == 0 ? "Grayscale" : "Invert") }
    let lines = PlanTable.lines(
        Template(name: "t", nodes: nodes), catalogue: catalogue, call: "show w3 --revision 1", columns: 80)
    #expect(lines.count == 21)
    #expect(lines[11].plain == "      … 481 more steps: /show w3 --revision 1 --from 11 --lines 481")
    #expect(lines.last?.plain == "  500   Grayscale")
    #expect(lines[0].plain.contains("500 steps"))
}

/// Ten steps and more that differ only in what they read are one row. A step that could hurt keeps its own.
@Test func alikeStepsAreOneRow() {
    func template(_ kind: String, _ count: Int, _ width: (Int) -> JSON = { _ in 400 }) -> Template {
        let loaders = (1...count).map {
            Node(id: "l\($0)", kind: "ImageLoader", params: object(["path": .string("\($0).png")]))
        }
        let steps = (1...count).map { Node(id: "s\($0)", kind: kind, params: object(["width": width($0)])) }
        return Template(
            name: "t", nodes: loaders + steps, edges: (1...count).map { edge("l\($0)", "image", "s\($0)", "image") })
    }
    #expect(plain(template("Resize", 12)).hasSuffix("1–12   12 × Resize   image ← 1.png … 12.png   width=400 px"))
    for other in [template("Resize", 9), template("Resize", 12) { .int(400 + $0) }, template("DeleteFile", 12)] {
        #expect(!plain(other).contains("×"), "\(plain(other))")
    }
}

@Test func inputsOfTheWorkflowAreNamed() {
    let template = Template(
        name: "t", nodes: [Node(id: "a", kind: "Resize")],
        inputs: [.init(name: "photo", type: .image, to: [.init("a", "image")])])
    #expect(plain(template).contains("image ← input photo"))
}

@Test(arguments: widths)
func aPlanFits(columns: Int) {
    for template in [
        cat(), cat(file: hostile, save: ["path": .string(hostile)]), cat(file: String(repeating: "界", count: 90)),
    ] {
        let lines = PlanTable.lines(template, catalogue: catalogue, columns: columns)
        #expect(lines.widest() <= columns)
        #expect(lines.isHarmless)
    }
}

@Test(arguments: widths)
func aNarrowPlanStillShowsTheEndOfARow(columns: Int) {
    let lines = PlanTable.lines(
        cat(save: ["path": .string(String(repeating: "long/", count: 30) + "out.jpg"), "overwrite": true]),
        catalogue: catalogue,
        columns: columns)
    #expect(lines.last?.plain.hasSuffix("overwrites") == true)
    #expect(lines.squeezed.contains("out.jpg"))
    #expect(lines.squeezed.contains("width=800px"))
}
